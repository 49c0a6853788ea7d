"""Which threads were there before a call, and which still work for one that is over.

A call may end while threads still work for it: it hung, was cancelled, or never
waited. Such threads stay bound by the period they worked for until they are seen
waiting for work again.
"""

from __future__ import annotations

import sys
import threading
import weakref
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard.period import Before, Period

if TYPE_CHECKING:
    from types import FrameType

STARTS: Final = frozenset({"_thread.start_new_thread", "_thread.start_joinable_thread"})
"""The audit events of a starting thread; Python 3.11 has none."""

_MACHINERY: Final = frozenset(
    {"threading", "queue", "concurrent", "asyncio", "selectors", "anyio"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """A thread that still works for a call which is over.

    Attributes:
        ident: The thread's number; numbers are used again.
        thread: The thread, where `threading` knows it: tells a reused number.
        period: The period that binds it.
    """

    ident: int
    thread: weakref.ref[threading.Thread] | None
    period: Period

    def is_this_thread(self) -> bool:
        """Whether the running thread is the one."""
        if self.thread is None:
            return self.ident == threading.get_ident()
        thread = self.thread()
        if thread is None or thread.ident != threading.get_ident():
            return False
        # One that has ended keeps a number that the next thread may have got.
        return threading.current_thread() is thread


def snapshot() -> Before:
    """Look at the threads that are running."""
    frames = sys._current_frames()  # noqa: SLF001 - the documented way to other threads
    if len(frames) == 1:
        frames.clear()
        return _alone(threading.get_ident())
    idents = frozenset(frames)
    busy = frozenset(i for i in frames if _works(frames[i]))
    frames.clear()  # it holds this very frame, and would keep alive what is in it
    return Before(idents=idents, busy=busy)


@cache
def _alone(ident: int) -> Before:
    """What there is where no other thread runs."""
    return Before(idents=frozenset({ident}), busy=frozenset({ident}))


def late_threads(period: Period) -> tuple[Late, ...]:
    """The threads that work for a period which ends now.

    They were started during it, or waited for work when it began; the running
    thread is none of them.
    """
    now = snapshot()
    if len(now.idents) == 1:
        return ()
    idents = now.busy - period.before.busy - {threading.get_ident()}
    if not idents:
        return ()
    names = {thread.ident: thread for thread in threading.enumerate()}
    return tuple(_late(ident, names.get(ident), period) for ident in idents)


def still_late(late: tuple[Late, ...]) -> tuple[Late, ...]:
    """Those that have not ended and have not been seen waiting for new work."""
    if not late:
        return late
    now = snapshot()
    return tuple(one for one in late if _has_not_begun(one) or one.ident in now.busy)


def started(args: tuple[Any, ...], period: Period) -> Late | None:
    """The thread that an event of `STARTS` is about to start, where it is known."""
    thread = getattr(args[0], "__self__", None)
    return _late(-1, thread, period) if isinstance(thread, threading.Thread) else None


def _late(ident: int, thread: threading.Thread | None, period: Period) -> Late:
    known = weakref.ref(thread) if thread is not None else None
    return Late(ident=ident, thread=known, period=period)


def _has_not_begun(late: Late) -> bool:
    thread = late.thread() if late.thread is not None else None
    return thread is not None and late.ident == -1 and thread.is_alive()


def _works(frame: FrameType | None) -> bool:
    """Whether a thread runs more than the machinery that waits for work."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in _MACHINERY:
            return True
        frame = frame.f_back
    return False
