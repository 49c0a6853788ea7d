"""Bounded calls on the main thread, by a timer signal.

The handler raises only beneath the frame of the call it belongs to, which it finds
by walking the stack: no flag can be out of date, so nothing is raised into
anybody else's code. Alarms nest with each other and with any timer that was set
before, such as pytest-timeout's: the earlier one is due first, whoever set it.
"""

from __future__ import annotations

import gc
import importlib
import math
import signal
import sys
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.loops import ReusedLoop
from pytest_toolresult.runner.answers import Answer, Overdue

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from pytest_toolresult.runner.answers import Extend

REFIRE_S: Final = 0.05
"""How long a tool that swallowed the exception has until the next one."""

PATIENCE: Final = 4
"""After how many swallowed exceptions every further line of the tool raises."""

_SLACK_S: Final = 0.001
"""How much too early, by the other clock, a timer may go off."""

_SIGNAL: Any = importlib.import_module("_signal")
"""What `signal` wraps, only to make enumerations of handlers and numbers: that would
take longer than all else about an alarm."""

_ALARM: Final = getattr(signal, "SIGALRM", None)

_SHORTEST_S: Final = 1e-6  # zero would switch the timer off


def available() -> bool:
    """Tell whether this platform has timer signals, and ours could be undone.

    A handler that was installed from C cannot be put back.
    """
    return _ALARM is not None and _SIGNAL.getsignal(_ALARM) is not None


def can_be_set() -> bool:
    """Tell whether the running thread is one that signals reach."""
    return threading.current_thread() is threading.main_thread() and available()


class AlarmLane:
    """Makes the calls of the main thread, on the main thread."""

    def __init__(self) -> None:
        self.loop = ReusedLoop()

    def call(self, function: Callable[[Extend], Any], bound: float) -> Answer:
        """Call a function, and give up on it when the bound is over."""
        alarm = Alarm(bound)
        return alarm.call(function, alarm.extend)

    def close(self) -> None:
        """Close the loop."""
        self.loop.close()


class _Collector:
    """Knows whether the garbage collector is at work.

    What it calls then, such as finalisers and the callbacks of weak references, cannot
    be told from the tool by its frames.
    """

    is_at_work = False

    def __call__(self, phase: str, _: object) -> None:
        """Note what the garbage collector says of itself (`gc.callbacks`)."""
        self.is_at_work = phase == "start"


_COLLECTOR: Final = _Collector()


class Alarm:
    """One bounded call on the main thread.

    Args:
        bound: How long the call may take, in seconds.
    """

    _fired = 0
    _outer: Any = signal.SIG_DFL
    _outer_due = math.inf
    _outer_interval = 0.0
    _tracing: _Insistence | None = None

    def __init__(self, bound: float) -> None:
        self._due = monotonic() + bound

    def call(self, function: Callable[..., Any], *arguments: Any) -> Answer:
        """Call a function, and give up on it when the bound is over."""
        self._arm()
        try:
            value = _invoke(function, arguments)
        except BaseException as exception:
            self._disarm()
            return Answer(exception=exception, hung=self._fired > 0)
        self._disarm()
        return Answer(value=value, hung=self._fired > 0)

    def extend(self, seconds: float) -> None:
        """Give the call in progress more time."""
        signal.setitimer(signal.ITIMER_REAL, 0)  # what is due already is due
        self._due += seconds
        self._set_timer(monotonic())

    def _arm(self) -> None:
        gc.callbacks.append(_COLLECTOR)
        left, self._outer_interval = signal.setitimer(signal.ITIMER_REAL, 0)
        self._outer = _SIGNAL.signal(_ALARM, self._on_signal)
        now = monotonic()
        self._outer_due = now + left if left else math.inf
        self._set_timer(now)

    def _disarm(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _SIGNAL.signal(_ALARM, self._outer)
        if self._outer_due < math.inf:
            left = max(self._outer_due - monotonic(), _SHORTEST_S)
            signal.setitimer(signal.ITIMER_REAL, left, self._outer_interval)
        if self._tracing is not None:
            self._tracing.stop()
        gc.callbacks.remove(_COLLECTOR)

    def _set_timer(self, now: float) -> None:
        left = max(min(self._due, self._outer_due) - now, _SHORTEST_S)
        signal.setitimer(signal.ITIMER_REAL, left, REFIRE_S)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        now = monotonic() + _SLACK_S
        ours = now >= self._due
        if now >= self._outer_due or not ours:
            self._hand_on(number, frame, now)
        if ours and _is_beneath(frame):
            self._fired += 1
            if self._fired > PATIENCE:
                self._insist(frame)
            raise Overdue

    def _hand_on(self, number: int, frame: FrameType | None, now: float) -> None:
        """Let the handler that was there before have its signal."""
        if now >= self._outer_due:
            interval = self._outer_interval
            self._outer_due = now + interval if interval else math.inf
        self._set_timer(now)
        if callable(self._outer):
            self._outer(number, frame)
        elif self._outer == signal.SIG_DFL:  # what it does is to end the process
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def _insist(self, frame: FrameType | None) -> None:
        if self._tracing is None:
            self._tracing = _Insistence()
        self._tracing.start(frame)


class _Insistence:
    """Raises at every line of a tool that swallows whatever is raised in it.

    The handler of an `except BaseException` is not covered by its own `try`, so an
    exception raised there leaves the loop that would go on for ever.
    """

    def __init__(self) -> None:
        from opcode import opmap  # hardly ever needed

        self._begins_handler = opmap["PUSH_EXC_INFO"]
        self._before = sys.gettrace()

    def start(self, frame: FrameType | None) -> None:
        while frame is not None and frame.f_code is not _invoke.__code__:
            frame.f_trace = self._trace
            frame = frame.f_back
        sys.settrace(self._trace)

    def stop(self) -> None:
        sys.settrace(self._before)

    def _trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        if self._may_raise(frame, event) and _is_beneath(frame):
            raise Overdue
        return self._trace

    def _may_raise(self, frame: FrameType, event: str) -> bool:
        """Tell whether an exception raised at an event takes its proper way.

        At `exception` it would only replace what is being swallowed. At the line of
        the instruction that begins a handler, the interpreter would unwind one value
        more than there is.
        """
        if event != "line":
            return event == "call"
        return frame.f_code.co_code[frame.f_lasti] != self._begins_handler


def _invoke(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Mark the frame beneath which an alarm may raise."""
    return function(*arguments)


def _is_beneath(frame: FrameType | None) -> bool:
    """Tell whether a frame belongs to a call, and an exception would leave it.

    What is raised in a finaliser, or in what somebody has the garbage collector call
    (Hypothesis measures it), is only complained about, in somebody else's test.
    """
    if _COLLECTOR.is_at_work:
        return False
    deaf = {getattr(each, "__code__", None) for each in gc.callbacks}
    while frame is not None:
        if frame.f_code is _invoke.__code__:
            return True
        if frame.f_code.co_name == "__del__" or frame.f_code in deaf:
            return False
        frame = frame.f_back
    return False
