"""Event loops for callers that have none, without loading asyncio before its time."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pytest_toolresult.errors import ToolResultError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Awaitable, Iterable, Iterator

T = TypeVar("T")

CLOSING_S = 1.0
"""How long the tasks that are left on a loop have to end when it is closed."""

_REAL_TIME: Final[ContextVar[bool]] = ContextVar(
    "pytest_toolresult_real_time", default=False
)


@contextmanager
def real_time() -> Iterator[None]:
    """Wait in real time, even where the time of calls passes faster.

    Tasks that are started in the block live in real time as well.
    """
    token = _REAL_TIME.set(True)
    try:
        yield
    finally:
        _REAL_TIME.reset(token)


def in_real_time() -> bool:
    """Whether the running code asked for real time."""
    return _REAL_TIME.get()


def running_loop() -> AbstractEventLoop | None:
    """Return the asyncio loop that runs in this thread, or `None`.

    asyncio is not imported for the question: where nobody has, no loop runs.
    """
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return None
    # Asked at every boundary call, where an exception for "none" would cost the most.
    loop: AbstractEventLoop | None = asyncio._get_running_loop()  # noqa: SLF001
    return loop


def refuse_beside_running_loop(awaitable: Awaitable[object]) -> None:
    """Refuse to wait in synchronous code where a loop runs in this thread already.

    Raises:
        ToolResultError: If one does; the awaitable is closed then, as nobody will
            ever wait for it.
    """
    if running_loop() is None:
        return
    end_unstarted(awaitable)
    raise ToolResultError(
        "an async tool was called without `await` while an event loop runs; in an "
        "async test write `await tool_case.arun()` or `await acall_tool(...)`"
    )


def end_unstarted(awaitable: object) -> None:
    """End a coroutine that nobody will ever wait for, without running any of it.

    Unlike `close`, which leaves the arguments of one that never started in place,
    this lets go of coroutines that are held by it at once.
    """
    if not isinstance(awaitable, CoroutineType) or awaitable.cr_frame is None:
        return
    if not (awaitable.cr_running or awaitable.cr_suspended):
        with suppress(GeneratorExit):
            awaitable.throw(GeneratorExit)


def run(awaitable: Awaitable[T]) -> T:
    """Wait for something in synchronous code, on a loop made for it.

    Where a loop runs in this thread already, a thread of its own is taken.
    """
    if running_loop() is None:
        return _run_once(awaitable)
    from concurrent.futures import ThreadPoolExecutor  # for the rare nested case

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(_run_once, awaitable).result()


def _run_once(awaitable: Awaitable[T]) -> T:
    loop = ReusedLoop()
    try:
        return loop.run(awaitable)
    finally:
        loop.close()


class ReusedLoop:
    """An event loop for many calls of one thread, made when the first one comes.

    The tools' clients often belong to the loop that first used them, so one loop
    serves every call. After a call that did not end it is discarded, lest what
    that call left behind goes on during the next one.
    """

    def __init__(self) -> None:
        self._loop: AbstractEventLoop | None = None

    def run(self, awaitable: Awaitable[T]) -> T:
        """Wait for something on the loop.

        Raises:
            ToolResultError: If a loop runs in this thread already.
        """
        refuse_beside_running_loop(awaitable)
        if self._loop is None:
            self._loop = _new_loop()
        hooks = sys.get_asyncgen_hooks()
        try:
            return self._loop.run_until_complete(_awaited(awaitable))
        except BaseException:
            self.discard()
            sys.set_asyncgen_hooks(*hooks)
            raise

    def make_ready(self) -> None:
        """Make the loop now, so that its own files are there before a call."""
        if self._loop is None and running_loop() is None:
            self._loop = _new_loop()

    def unfinished(self) -> int:
        """Count the tasks that have not ended on the loop of this thread's calls.

        That is the loop that runs here, where one does.
        """
        loop = running_loop() or self._loop
        return unfinished_tasks(loop) if loop is not None else 0

    def discard(self) -> None:
        """Drop the loop with everything that is still on it, for good."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        import asyncio

        if running_loop() is loop:  # an alarm can go off amid the loop's own work
            asyncio._set_running_loop(None)  # noqa: SLF001  for makers of loops
        loop.set_exception_handler(lambda _loop, _context: None)
        keep_for_good(asyncio.all_tasks(loop))
        with suppress(RuntimeError):
            loop.close()

    def close(self) -> None:
        """End what is left on the loop, as far as it lets itself be ended."""
        loop, self._loop = self._loop, None
        if loop is None or loop.is_closed():
            return
        try:
            loop.run_until_complete(_wind_up(loop))
        finally:
            self._loop = loop
            self.discard()


def unfinished_tasks(loop: AbstractEventLoop) -> int:
    """Count the tasks that have not ended on a loop, the running one included."""
    import asyncio

    return len(asyncio.all_tasks(loop))


def keep_for_good(objects: Iterable[object]) -> None:
    """Keep objects from ever being finalised, at the interpreter's end neither.

    A coroutine that swallows every exception is entered once more when it is
    finalised: it would complain in somebody else's test, or never return.
    """
    import ctypes

    for one in objects:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(one))


def _new_loop() -> AbstractEventLoop:
    import asyncio

    return asyncio.new_event_loop()


async def _awaited(awaitable: Awaitable[T]) -> T:
    return await awaitable


async def _wind_up(loop: AbstractEventLoop) -> None:
    import asyncio

    tasks: set[asyncio.Task[Any]] = asyncio.all_tasks(loop) - {
        task for task in (asyncio.current_task(loop),) if task is not None
    }
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=CLOSING_S)
    await loop.shutdown_asyncgens()
