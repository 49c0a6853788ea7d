"""The result does not hang on the time zone of the host."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

ZONES: Final = ("EAST-14", "WEST+12")
"""As POSIX writes them, ahead of UTC and behind it: on no day of the year is it the
same date in both, https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html"""


class Zones:
    """Makes the call on either side of the date line."""

    name = "zones"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:
        """Give the one series, where the tool lives in this process."""
        if ground.tool.function is None:
            return
        if not hasattr(time, "tzset"):
            reasons.add(self.name, "this system has no time zone for one process")
            return
        yield Series(key=self.name, cost=len(ZONES), play=_play)


def _play(stage: Stage) -> None:
    for zone in ZONES:
        stage.call(role="zone", told=f"with TZ={zone}", zone=zone)


ZONES_RELATION: Final = Zones()
