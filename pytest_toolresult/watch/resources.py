"""What stays behind after a call: open files and sockets, threads, tasks."""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from functools import cache
from time import sleep
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_DESCRIPTORS: Final = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"
_READ: Final = (os.listdir, os.readlink)
"""As they are when this is loaded: what replaces them later counts tools' calls."""

_MANY_FROZEN: Final = 2_000
"""A few hundred objects are left out from the interpreter's start on."""

_HOLDERS: Final[list[Census]] = []
"""The one that keeps objects from the collector for now, where there is one."""

_MOMENTS_S: Final = (0.0, 0.005, 0.02, 0.05)
"""How long is waited for what is about to end by itself, such as the thread in which a
server answered. It costs time only where such a thing seems to stay."""


@cache
def is_frozen_anyway() -> bool:
    """Tell whether somebody keeps objects from the collector, as servers do that fork.

    It is asked once: counting them takes as long as there are such objects.
    """
    return gc.get_freeze_count() >= _MANY_FROZEN


class Census:
    """What was open at one moment, to be compared with what is open later.

    Args:
        tasks: Counts the tasks that have not ended on the event loop of the calls.
    """

    def __init__(self, tasks: Callable[[], int] = lambda: 0) -> None:
        self._tasks = tasks
        # What is there already is left out of the search for garbage, which takes as
        # long as there are objects; unless somebody has done so for a reason.
        self._froze = not (_HOLDERS or is_frozen_anyway())
        if self._froze:
            _HOLDERS.append(self)
            gc.freeze()
        self._descriptors = _descriptors()
        self._threads = frozenset(threading.enumerate())
        self._begun = tasks()

    def growth(self) -> Mapping[str, int]:
        """Return how many of each kind are more than at first; empty for none.

        What is only waiting to be collected as garbage is not open. It can be asked
        once.
        """
        try:
            return self._lasting()
        finally:
            self.close()

    def close(self) -> None:
        """Let all objects be found again: the guard looks for connections among them.

        Only needed where `growth` is not asked.
        """
        if self._froze:
            self._froze = False
            _HOLDERS.remove(self)
            gc.unfreeze()

    def _lasting(self) -> Mapping[str, int]:
        grown = self._grown()
        if not grown:
            return {}
        gc.collect()
        grown = self._grown()
        for moment in _MOMENTS_S:
            if grown.keys().isdisjoint(("threads", "sockets")):
                break
            sleep(moment)
            grown = self._grown()
        return grown

    def _grown(self) -> dict[str, int]:
        now = _descriptors()
        more = len(now) - len(self._descriptors)
        kinds = _kinds(now - self._descriptors) if more > 0 else {}
        started = [each for each in threading.enumerate() if each not in self._threads]
        ended = sum(not each.is_alive() for each in self._threads)
        kinds["threads"] = len(started) - ended
        kinds["tasks"] = self._tasks() - self._begun
        return {kind: number for kind, number in kinds.items() if number > 0}


def _descriptors() -> frozenset[str]:
    list_directory, _ = _READ
    with suppress(OSError):
        found = list_directory(_DESCRIPTORS)
        # The one that was open only to list the others is free again, and the lowest.
        lowest = os.dup(2)
        os.close(lowest)
        return frozenset(found) - {str(lowest)}
    return frozenset()


def _kinds(descriptors: frozenset[str]) -> dict[str, int]:
    """Count the descriptors that are open still, by what they stand for."""
    _, read_link = _READ
    kinds: dict[str, int] = {}
    for each in descriptors:
        with suppress(OSError):  # closed meanwhile
            name = read_link(f"{_DESCRIPTORS}/{each}")
            kind = "sockets" if name.startswith("socket:") else "files"
            kinds[kind] = kinds.get(kind, 0) + 1
    return kinds
