"""A limit is kept, and neither the total nor the form hangs on it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.parameters import Argument
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_TRIED: Final = (1, 2, 5, 0, -1)


class Limits:
    """Asks for few rows, for none, and for fewer than none."""

    name = "limits"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give one series for each argument that limits the rows."""
        for name, argument in ground.takes_by_name.items():
            if argument.is_limit:
                yield Series(
                    key=f"{self.name}:{name}",
                    cost=len(_TRIED) + 1,
                    play=partial(_play, argument=argument),
                )


def _play(stage: Stage, argument: Argument) -> None:
    for value in _values(argument):
        arguments = {**stage.ground.arguments, argument.name: value}
        if stage.ground.takes(arguments):
            told = f"{argument.name}={value}"
            stage.call(arguments, role="limited", told=told, about=argument.name)


def _values(argument: Argument) -> Iterator[int]:
    """Give limits that may be asked for: what the schema rules out is left out."""
    least, most = argument.number("minimum"), argument.number("maximum")
    low = int(least) if least is not None else None
    tried = _TRIED if low is None or low <= 1 else (low, low + 1, *_TRIED)
    for value in dict.fromkeys(tried):
        if (low is None or value >= low) and (most is None or value <= most):
            yield value


LIMITS: Final = Limits()
