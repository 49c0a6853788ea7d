"""The same call twice gives the same, whatever was done to the first result."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.explore.relations.series import Series
from pytest_toolresult.redaction.excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_CHANGEABLE: Final = (list, dict)
_LONGEST: Final = 10_000


class Repeat:
    """Changes a result in place, as whoever got it may, and calls again."""

    name = "repeat"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give the series, where the tool lives in this process."""
        if ground.tool.function is None:
            return
        if ground.steadiness.is_telling:
            yield Series(key=self.name, cost=2, play=_play)
        required, kept = _required(ground), bool(_kept_defaults(ground))
        if ground.takes(required) and (required != ground.arguments or kept):
            yield Series(key=f"{self.name}:defaults", cost=2, play=_play_defaults)


def _required(ground: Ground) -> dict[str, Any]:
    """Return the arguments of a success that cannot be left out."""
    taken = ground.takes_by_name
    return {
        name: value
        for name, value in ground.arguments.items()
        if name not in taken or taken[name].is_required
    }


def _play(stage: Stage) -> None:
    spoilt = stage.call(
        role="spoilt", told="its result was changed in place", spoils=True
    )
    if spoilt is not None:
        stage.call(role="after", told="after an earlier result was changed in place")


def _play_defaults(stage: Stage) -> None:
    """Leave to the tool what it has defaults for, twice: they may be one object."""
    told, about = "with nothing but the arguments that it needs", ""
    for _ in range(2):
        before = _kept_defaults(stage.ground)
        stage.call(_required(stage.ground), role="defaults", told=told, about=about)
        after = _kept_defaults(stage.ground)
        about = next((each for each in after if after[each] != before.get(each)), "")


def _kept_defaults(ground: Ground) -> dict[str, str]:
    """Write down the defaults that a call can change, by the arguments' names."""
    function = ground.tool.function
    try:
        parameters = inspect.signature(function).parameters if function else {}
    except (TypeError, ValueError):  # a built-in one
        return {}
    taken = ground.takes_by_name
    return {
        name: excerpt(parameters[name].default, _LONGEST)
        for name in parameters
        if name in taken and type(parameters[name].default) in _CHANGEABLE
    }


REPEAT: Final = Repeat()
