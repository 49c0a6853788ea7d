"""Lets time pass at once on asyncio's loops, for the tasks of one call alone.

The loop itself stays in real time. A timer that the call sets is put into the loop's
heap at the real time that its virtual one stands for; as virtual time passes, it
moves forward. While tasks of the call sleep and nothing else of it can go on, time
is put forward to the next of its timers: whichever is due first, a sleep or the
timeout around it, goes off first.
"""

from __future__ import annotations

import heapq
import sys
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.seams import clock
from pytest_toolresult.seams.aliases import replace_everywhere

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Recording

PATIENCE_S: Final = 0.05
"""How long, in real time, something else than a sleep has to come about before the
timeout that waits for it goes off."""

_POLL_S: Final = 0.001
_STILL: Final = 2
"""After how many turns of the loop without work it counts as idle."""

_OF_A_SLEEP: Final = "_set_result_unless_cancelled"
"""The name of the callback that ends `asyncio.sleep`."""

_CLOCKS: Final[weakref.WeakKeyDictionary[Any, _LoopClock]] = weakref.WeakKeyDictionary()


async def passed(seconds: float) -> None:
    """Let time pass for the running call; a timeout around it may end it earlier."""
    import asyncio

    await asyncio.sleep(seconds if clock.virtual() is not None else 0)


@contextmanager
def underway() -> Iterator[None]:
    """Keep time from passing while the call waits for a real answer."""
    import asyncio

    mine = _CLOCKS.get(asyncio.get_running_loop())
    if mine is None:
        yield
        return
    mine.underway += 1
    try:
        yield
    finally:
        mine.underway -= 1


class LoopClockSeam:
    """Puts asyncio's sleeps and timers under the control of `clock.elapse`."""

    name = "asyncio"
    library = "asyncio"

    def install(self, patches: Patches) -> None:
        """Replace `asyncio.sleep` wherever it is held, and how loops keep time."""
        import asyncio
        from asyncio import base_events

        loops = base_events.BaseEventLoop
        plain = _Plain(loops)
        sleep = _sleeping(asyncio.sleep, plain)
        patches.replace(asyncio, "sleep", sleep)
        replace_everywhere(patches, {asyncio.tasks.sleep: sleep})
        patches.replace(asyncio.tasks, "sleep", sleep)
        patches.replace(loops, "time", _timing(plain))
        patches.replace(loops, "call_at", _calling_at(plain))
        clock.on_elapsed(_move_timers, patches)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:  # noqa: ARG002 - see Seam
        """Return nothing: waiting does not fail."""
        return ()


class _Plain:
    """How loops keep time without us."""

    def __init__(self, loops: Any) -> None:
        self.time: Callable[[Any], float] = loops.time
        self.call_at: Callable[..., Any] = loops.call_at
        self.turn = loops._run_once.__code__  # noqa: SLF001 - where a loop reads its clock
        self.kind = loops

    def real_time(self, loop: Any) -> float:
        from pytest_toolresult.loops import real_time

        with real_time():
            return self.time(loop)

    def keeps(self, loop: Any) -> bool:
        """Whether a loop has the heap of timers and the clock of asyncio's own."""
        return isinstance(loop, self.kind) and type(loop).time is self.kind.time


def _timing(plain: _Plain) -> Callable[[Any], float]:
    def time(self: Any) -> float:
        if sys._getframe(1).f_code is plain.turn:  # noqa: SLF001 - cheaper than a flag
            return plain.real_time(self)
        return plain.time(
            self
        )  # by `time.monotonic`, which the clock's seam has put on

    return time


def _calling_at(plain: _Plain) -> Callable[..., Any]:
    def call_at(
        self: Any, when: float, callback: Any, *args: Any, context: Any = None
    ) -> Any:
        record = clock.virtual()
        if record is None or not plain.keeps(self):
            return plain.call_at(self, when, callback, *args, context=context)
        real = when - record.elapsed
        handle = plain.call_at(self, real, callback, *args, context=context)
        _clock_of(self, plain).add(handle, record)
        return handle

    return call_at


def _sleeping(
    original: Callable[..., Awaitable[Any]], plain: _Plain
) -> Callable[..., Awaitable[Any]]:
    async def sleep(delay: float, result: Any = None) -> Any:
        import asyncio

        record = clock.virtual() if clock.is_short(delay) else None
        if record is None:
            return await original(delay, result)
        loop = asyncio.get_running_loop()
        if not plain.keeps(loop):
            clock.pass_for(record, delay)
            return await original(0, result)
        with _clock_of(loop, plain).pushed(record):
            return await original(delay, result)

    return sleep


def _clock_of(loop: Any, plain: _Plain) -> _LoopClock:
    if loop not in _CLOCKS:
        _CLOCKS[loop] = _LoopClock(loop, plain)
    return _CLOCKS[loop]


def _move_timers(record: Recording, seconds: float) -> None:
    import asyncio

    running = asyncio._get_running_loop()  # noqa: SLF001 - `None` instead of an error
    for loop, mine in list(_CLOCKS.items()):
        if loop is running:
            mine.move(record, seconds)
        elif not loop.is_closed():
            loop.call_soon_threadsafe(mine.move, record, seconds)


class _LoopClock:
    """The timers that calls have set on one loop, and the pushing of their time.

    Attributes:
        underway: How many real answers are being waited for.
    """

    def __init__(self, loop: Any, plain: _Plain) -> None:
        self._loop = weakref.ref(loop)
        self._plain = plain
        self._timers: list[tuple[Any, Recording]] = []
        self._sleeping = 0
        self._pushing: Recording | None = None
        self._still = 0
        self._idle_since: float | None = None
        self.underway = 0

    def add(self, handle: Any, record: Recording) -> None:
        """Take in a timer that a call has set."""
        self._timers = [each for each in self._timers if _is_set(each[0])]
        self._timers.append((handle, record))

    def move(self, record: Recording, seconds: float) -> None:
        """Bring a call's timers forward."""
        loop = self._loop()
        for handle, owner in self._timers:
            if owner is record and _is_set(handle):
                handle._when -= seconds  # noqa: SLF001 - there is no public way
        if loop is not None:
            heapq.heapify(loop._scheduled)  # noqa: SLF001 - there is no public way

    @contextmanager
    def pushed(self, record: Recording) -> Iterator[None]:
        """Let a call's time pass whenever its tasks have nothing else to do."""
        self._sleeping += 1
        if self._pushing is not record:
            self._pushing, self._still = record, 0
            self._soon(record)
        try:
            yield
        finally:
            self._sleeping -= 1

    def _soon(self, record: Recording) -> None:
        loop = self._loop()
        if loop is not None:
            loop.call_soon(self._push, record)

    def _push(self, record: Recording) -> None:
        loop = self._loop()
        if loop is None or self._pushing is not record:
            return
        if not self._sleeping or record.over:
            self._pushing = None
            return
        self._still = 0 if loop._ready else self._still + 1  # noqa: SLF001 - as above
        if self._still < _STILL:
            self._soon(record)
        else:
            self._go_on(loop, record)

    def _go_on(self, loop: Any, record: Recording) -> None:
        now = self._plain.real_time(loop)
        due = self._next(record)
        if due is None or self._has_to_wait(due, now):
            self._plain.call_at(loop, now + _POLL_S, self._push, record)
            return
        self._idle_since, self._still = None, 0
        clock.pass_for(record, max(due.when() - now, 0))
        self._soon(record)

    def _has_to_wait(self, due: Any, now: float) -> bool:
        if self.underway:
            self._idle_since = None
            return True
        if getattr(due._callback, "__name__", "") == _OF_A_SLEEP:  # noqa: SLF001 - as above
            return False
        if self._idle_since is None:
            self._idle_since = now
        return now - self._idle_since < PATIENCE_S

    def _next(self, record: Recording) -> Any:
        mine = [handle for handle, owner in self._timers if owner is record]
        return min(filter(_is_set, mine), key=lambda each: each.when(), default=None)


def _is_set(handle: Any) -> bool:
    return bool(handle._scheduled and not handle.cancelled())  # noqa: SLF001 - as above


LOOP_CLOCK: Final = LoopClockSeam()
