"""Lets the time that a call waits pass at once, for that call alone.

Its sleeps end immediately and its clocks are ahead by as much; whoever else looks at
a clock meanwhile, such as a bound around the call, sees the real one. So do waits for
an event, a condition, a queue or a semaphore where there is no other thread: nobody can
end them but time. Sockets, locks, processes and other threads are waited for in real
time.
"""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.loops import in_real_time, running_loop
from pytest_toolresult.seams.aliases import replace_everywhere
from pytest_toolresult.seams.recording import cross, current

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Recording

LONGEST_S: Final = 1e8
"""Longer waits are meant to last for ever, and do."""

_REAL_SHARE: Final = 1_000
_LONGEST_REAL_S: Final = 0.005

_CLOCKS: Final = ("monotonic", "time", "perf_counter")

_LATER: Final[list[Callable[[Recording, float], None]]] = []
"""Told of time that has passed: what else keeps deadlines."""


def virtual() -> Recording | None:
    """Return the recording whose time the running code lives in, if it is virtual."""
    record = current()
    if record is None or not record.virtual or record.over or in_real_time():
        return None
    return record


def elapse(seconds: float) -> None:
    """Let time pass for the running call, at once, where its time is virtual."""
    record = virtual()
    if record is not None and seconds > 0:
        pass_for(record, seconds)


def pass_for(record: Recording, seconds: float) -> None:
    """Put the clocks of a call forward."""
    record.elapsed += seconds
    for each in _LATER:
        each(record, seconds)


def on_elapsed(tell: Callable[[Recording, float], None], patches: Patches) -> None:
    """Have something told of the time that has passed."""
    _LATER.append(tell)
    patches.on_restore(lambda: _LATER.remove(tell))


def is_short(seconds: object) -> bool:
    """Whether a wait takes time and comes to an end."""
    return isinstance(seconds, (int, float)) and 0 < seconds < LONGEST_S


class ClockSeam:
    """Puts `time.sleep` and the clocks of `time` under the control of `elapse`."""

    name = "clock"
    library = "time"

    def install(self, patches: Patches) -> None:
        """Replace the functions in `time` and wherever they are held by name."""
        by: dict[Any, Any] = {time.sleep: _sleeping(time.sleep)}
        for name in _CLOCKS:
            clock, in_ns = getattr(time, name), getattr(time, f"{name}_ns")
            by[clock] = _ahead(clock, lambda record: record.elapsed)
            by[in_ns] = _ahead(in_ns, lambda record: int(record.elapsed * 1e9))
        for name, original in list(vars(time).items()):
            if callable(original) and original in by:
                patches.replace(time, name, by[original])
        replace_everywhere(patches, by)
        waiting = _waiting(threading.Condition.wait)
        patches.replace(threading.Condition, "wait", waiting)
        # What the standard library keeps is left alone, but for the deadlines of waits.
        for module, name in ((threading, "_time"), (queue, "time")):
            patches.replace(module, name, by[getattr(module, name)])

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:  # noqa: ARG002 - see Seam
        """Return nothing: waiting does not fail."""
        return ()


def _sleeping(original: Callable[[float], None]) -> Callable[[float], None]:
    def sleep(seconds: float) -> None:
        record = virtual() if is_short(seconds) else None
        if running_loop() is not None:
            cross("clock", "sleep", detail=f"{seconds} s")
        if record is None:
            return original(seconds)
        pass_for(record, seconds)
        if threading.active_count() > 1:  # it may be those that are waited for
            original(min(seconds / _REAL_SHARE, _LONGEST_REAL_S))
        return None

    return sleep


def _waiting(original: Callable[..., bool]) -> Callable[..., bool]:
    def wait(condition: Any, timeout: float | None = None) -> bool:
        alone = is_short(timeout) and threading.active_count() == 1
        record = virtual() if alone and condition._is_owned() else None  # noqa: SLF001
        if record is None or timeout is None:
            return original(condition, timeout)
        if running_loop() is not None:
            cross("clock", "wait", detail=f"{timeout} s")
        pass_for(record, timeout)
        return False

    return wait


def _ahead(
    original: Callable[[], Any], by: Callable[[Recording], Any]
) -> Callable[[], Any]:
    def clock() -> Any:
        record = virtual()
        return original() if record is None else original() + by(record)

    return clock


CLOCK: Final = ClockSeam()
