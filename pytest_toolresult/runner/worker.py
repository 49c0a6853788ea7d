"""Bounded calls where no timer signal can reach: on other threads, on Windows."""

from __future__ import annotations

import sys
import time
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.loops import ReusedLoop
from pytest_toolresult.runner.answers import Answer, Overdue

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.runner.answers import Extend


_SAMPLE_S: Final = 0.005

CLOSING_S: Final = 2.0
"""How long the thread has to end when its caller is done with it."""


@dataclass(slots=True, kw_only=True)
class _Job:
    function: Callable[[Extend], Any]
    context: Context = field(default_factory=copy_context)
    done: Event = field(default_factory=Event)
    extra: float = 0.0
    answer: Answer = field(default_factory=Answer)

    def do(self) -> None:
        try:
            value = self.context.run(self.function, self._extend)
            self.answer = Answer(value=value)
        except BaseException as exception:
            self.answer = Answer(exception=exception)
        finally:
            self.done.set()

    def wait(self, bound: float) -> bool:
        return self.done.wait(bound) or (self.extra > 0 and self.done.wait(self.extra))

    def _extend(self, seconds: float) -> None:
        self.extra = seconds


class WorkerLane:
    """A thread that makes one caller's calls, replaced when a call does not end."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.loop = ReusedLoop()

    def call(self, function: Callable[[Extend], Any], bound: float) -> Answer:
        """Call a function on the thread, and give up on it when the bound is over."""
        if self._thread is None:
            self._start()
        job = _Job(function=function)
        self._jobs.put(job)
        if job.wait(bound):
            return job.answer
        self._abandon()
        return Answer(hung=True)

    def close(self) -> None:
        """Let the thread end once it has nothing left to do."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join(timeout=CLOSING_S)

    def __del__(self) -> None:
        if self._thread is not None:
            self._jobs.put(None)

    def _start(self) -> None:
        self._jobs = SimpleQueue()
        self.loop = ReusedLoop()
        self._thread = Thread(
            target=_serve,
            args=(self._jobs, self.loop),
            name="toolresult-call",
            daemon=True,
        )
        self._thread.start()

    def _abandon(self) -> None:
        """Leave the thread to itself, after one attempt to end what it does."""
        thread, self._thread = self._thread, None
        self._jobs.put(None)
        if thread is not None and thread.ident is not None:
            _end(thread.ident)


def _end(ident: int) -> None:
    """Raise an exception in a thread, where that does no harm.

    On Python 3.11 an exception that waits for a thread which sleeps keeps every
    traced thread from entering a function until then (seen with coverage running).
    A thread that sleeps can be left alone; one that spins takes it at once.
    """
    if sys.version_info < (3, 12) and not _spins(ident):
        return
    import ctypes  # only needed after a hang

    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(ident), ctypes.py_object(Overdue)
    )


def _spins(ident: int) -> bool:
    if not hasattr(time, "pthread_getcpuclockid"):
        return False
    clock = time.pthread_getcpuclockid(ident)
    before = time.clock_gettime(clock)
    time.sleep(_SAMPLE_S)
    return time.clock_gettime(clock) - before > _SAMPLE_S / 10


def _serve(jobs: SimpleQueue[_Job | None], loop: ReusedLoop) -> None:
    """Do jobs until told to stop; the loop belongs to the thread that ran it."""
    try:
        while (job := jobs.get()) is not None:
            job.do()
            del job  # it leads to the caller, whose end is what ends this thread
    except Overdue:  # came when the call it was meant for had just ended
        pass
    finally:
        loop.close()
