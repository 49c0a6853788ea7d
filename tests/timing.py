"""Processor time, for tests of how fast something is or how its cost grows."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def seconds(work: Callable[[], object], *, tries: int = 3) -> float:
    """Return what the fastest of some tries took, in seconds of processor time.

    A busy machine makes nothing faster, so the fastest try tells the most.
    """
    return min(_once(work) for _ in range(tries))


def _once(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun
