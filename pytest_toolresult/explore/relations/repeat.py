"""The same call twice gives the same, whatever was done to the first result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage


class Repeat:
    """Changes a result in place, as whoever got it may, and calls again."""

    name = "repeat"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give the one series, where the tool lives in this process."""
        if ground.tool.function is not None:
            yield Series(key=self.name, cost=2, play=_play)


def _play(stage: Stage) -> None:
    spoilt = stage.call(
        role="spoilt", told="its result was changed in place", spoils=True
    )
    if spoilt is not None:
        stage.call(role="after", told="after an earlier result was changed in place")


REPEAT: Final = Repeat()
