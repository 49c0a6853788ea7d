"""Which faults are put where: every fault that fits, at every kind of call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.seams.arming import faults_at
from pytest_toolresult.seams.recording import CANCELLED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_toolresult.faults import Crossing, Fault

_TWO: Final = 2

_FOR_ONCE: Final = 0.75
"""The share of the runs that may go to faults which strike once: some are tried as
lasting ones as well, and after each call comes one without a fault."""

_LEAST_FAULTS: Final = 3
"""How many faults are tried at a call at least."""


def representatives(crossings: Iterable[Crossing]) -> list[Crossing]:
    """Return of the calls that one line repeats the first, a middle and the last.

    A loop over a hundred pages is broken at its beginning, in the middle of its work
    and at its end; what lies between shows nothing new.
    """
    places: dict[tuple[str, str, str], list[Crossing]] = {}
    for crossing in crossings:
        places.setdefault(crossing.call.place, []).append(crossing)
    return [each for several in places.values() for each in _few(several)]


def _few(several: Sequence[Crossing]) -> Sequence[Crossing]:
    if len(several) <= _TWO:
        return several
    return [several[0], several[len(several) // 2], several[-1]]


def faults_of(crossing: Crossing) -> list[Fault]:
    """Return every fault that can be put at a call, worst first.

    What nobody notices comes last: a tool may keep for later what it is handed.
    """
    fitting = sorted(faults_at(crossing.call), key=lambda each: each.gravity == "soft")
    if crossing.suspends and all(each.name != CANCELLED for each in fitting):
        fitting.append(CATALOGUE[CANCELLED])
    return fitting


def later_calls(boundary: Sequence[Crossing]) -> Sequence[Crossing]:
    """Return the calls after the broken one that a persistent fault would break too."""
    broken = [number for number, each in enumerate(boundary) if each.fault is not None]
    if not broken:
        return ()
    kind = boundary[broken[0]].call.kind
    return [each for each in boundary[broken[0] + 1 :] if each.call.kind == kind]


def persists(fault: Fault) -> bool:
    """Tell whether a fault is tried as one that goes on.

    A dependency that is down stays down for a while, and one that has nothing has
    nothing on its other pages either.
    """
    return fault.name != CANCELLED and (
        fault.gravity == "hard" or fault.leads_to == "empty"
    )


def shared_out(
    wanted: Sequence[tuple[Crossing, Sequence[Fault]]], left: int
) -> Sequence[tuple[Crossing, Sequence[Fault]]]:
    """Give every call its share of the runs that are left, the worst faults first.

    Args:
        wanted: The calls, with the faults that could be put there.
        left: How many runs are left.
    """
    runs = sum(len(faults) for _, faults in wanted)
    if not wanted or runs <= left * _FOR_ONCE:
        return wanted
    share = max(int(left * _FOR_ONCE) // len(wanted), _LEAST_FAULTS)
    return [(crossing, faults[:share]) for crossing, faults in wanted]
