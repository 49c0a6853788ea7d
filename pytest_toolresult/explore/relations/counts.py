"""One row comes in the form in which several do."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.ground import rows_in
from pytest_toolresult.explore.relations.series import Series
from pytest_toolresult.explore.relations.variants import variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_MOST: Final = 8
_TWO: Final = 2


class Counts:
    """Asks for something else, of which there may be one only."""

    name = "counts"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give the one series, where the success has several rows."""
        if rows_in(ground.base) >= _TWO:
            yield Series(key=self.name, cost=_MOST, play=_play)


def _play(stage: Stage) -> None:
    for arguments in islice(variants(stage.ground), _MOST):
        stage.call(arguments, role="other", told="other arguments,")


COUNTS: Final = Counts()
