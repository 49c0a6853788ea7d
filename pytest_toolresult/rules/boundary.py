"""What the boundary calls of one call tell: which failed, and what came of that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.faults import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.faults import BoundaryCall, Crossing, Fault
    from pytest_toolresult.outcomes import Outcome

CLEAR_CUT: Final = frozenset(
    (
        "timeout",
        "slow",
        "refused",
        "reset",
        "http_429",
        "http_502",
        "http_503",
        "locked",
    )
) | frozenset(("http_401", "http_403", "http_404", "no_permission", "missing_file"))
"""The causes of which the contract says whether trying again can help; of others, such
as a certificate or a missing table, it can be told, but there are two opinions."""

_PROCESS_ENDS: Final = re.compile(r"(exit|signal) (-?\d+)")


def cause_of(crossing: Crossing) -> Fault | None:
    """Return what made a boundary call fail, as the catalogue knows it."""
    if crossing.fault is not None and crossing.failure == crossing.fault.name:
        return crossing.fault
    ended = _PROCESS_ENDS.match(crossing.failure)
    if ended:
        return CATALOGUE["exit_status" if ended[1] == "exit" else "killed"]
    return CATALOGUE.get(crossing.failure)


def failed_for_good(outcome: Outcome) -> Sequence[Crossing]:
    """Return the boundary calls that failed and were not made again with success."""
    failed, succeeded_later = [], set()
    # From the end on: a tool that never gives up makes very many calls.
    for crossing in reversed(outcome.boundary):
        if not crossing.failure:
            succeeded_later.add(_asked(crossing.call))
        elif _asked(crossing.call) not in succeeded_later:
            failed.append(crossing)
    return failed[::-1]


def last_word(outcome: Outcome) -> Crossing | None:
    """Return the failure that a tool's error is about, where there can be but one.

    That is a failure after which the tool tried nothing else that failed in another
    way, and which no other failure came before.
    """
    failed = failed_for_good(outcome)
    if not failed or len({crossing.failure for crossing in failed}) > 1:
        return None
    return failed[-1]


def repeats(outcome: Outcome, call: BoundaryCall) -> int:
    """Return how often a boundary call was made, retries included."""
    asked = _asked(call)
    return sum(_asked(each.call) == asked for each in outcome.boundary)


def told(call: BoundaryCall) -> str:
    """Write a boundary call in words, such as `httpx GET /orders at shop.py:31`."""
    what = " ".join(filter(None, (call.seam, call.operation, call.detail)))
    return f"{what} at {call.site}"


def _asked(call: BoundaryCall) -> tuple[str, str, str]:
    """What equal calls share, wherever they come from and however often made."""
    return (*call.kind, call.detail)
