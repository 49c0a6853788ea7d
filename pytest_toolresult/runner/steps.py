"""Bounded waiting for what an async tool returned, step by step."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from time import thread_time
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.loops import keep_for_good, real_time
from pytest_toolresult.runner.answers import Answer
from pytest_toolresult.runner.asides import enter_stage

if TYPE_CHECKING:
    from asyncio import Task
    from collections.abc import Awaitable, Callable, Generator

    Step = Callable[..., Answer]
    """Calls a function with arguments and says what came of it."""

GRACE_S: Final = 0.25
"""How long a cancelled call has to end before it is abandoned."""

_CALL: Final[ContextVar[Task[Answer] | None]] = ContextVar(
    "pytest_toolresult_call", default=None
)
"""The task in which the running async call began; tasks it starts know it as well."""


def cancel_call() -> bool:
    """Cancel the async call that runs here; tell whether there is one.

    It is the call as a whole that is cancelled, from whichever of its tasks.
    """
    task = _CALL.get()
    return task is not None and task.cancel()


async def bounded(awaitable: Awaitable[Any], bound: float, step: Step) -> Answer:
    """Wait for a tool's awaitable; cancel it when the bound is over.

    One that swallows the cancellation is abandoned: it is never resumed again, so
    nothing of it goes on during later calls, and nobody who closes the loop has to
    wait for it.

    Args:
        awaitable: What the tool returned.
        bound: How long it may take, in seconds.
        step: Runs one step of it, between two of its waits.
    """
    import asyncio

    driven = _Driven(awaitable, step)
    task = asyncio.ensure_future(driven.result())
    try:
        await _wait(task, bound)
    except asyncio.CancelledError:  # it is the caller who is cancelled
        task.cancel()
        raise
    if task.done():
        return task.result()
    task.cancel()
    await _wait(task, GRACE_S)
    driven.abandoned = True
    task.cancel()
    await _wait(task, GRACE_S)
    return Answer(hung=True)


async def _wait(task: Task[Answer], seconds: float) -> None:
    """Wait for a call whose own time may pass faster than that of its bound."""
    import asyncio

    with real_time():
        await asyncio.wait({task}, timeout=seconds)


class _Driven:
    """Steps a coroutine by hand, so that each step can be bounded, or be the last."""

    def __init__(self, awaitable: Awaitable[Any], step: Step) -> None:
        self._coroutine = _awaited(awaitable)
        self._step = step
        self.abandoned = False
        self._busy_s = 0.0

    async def result(self) -> Answer:
        import asyncio

        _CALL.set(asyncio.current_task())
        enter_stage()
        answer = await self
        return replace(answer, busy_s=self._busy_s)

    def __await__(self) -> Generator[Any, Any, Answer]:
        move: Callable[..., Any] = self._coroutine.send
        value: Any = None
        while True:
            begun = thread_time()
            answer = self._step(move, value)
            self._busy_s = max(self._busy_s, thread_time() - begun)
            if isinstance(answer.exception, StopIteration):
                return Answer(value=answer.exception.value, hung=answer.hung)
            if answer.exception is not None:
                return answer
            if answer.hung:
                return self._abandon()
            try:
                move, value = self._coroutine.send, (yield answer.value)
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as thrown:
                if self.abandoned:
                    return self._abandon()
                move, value = self._coroutine.throw, thrown

    def _abandon(self) -> Answer:
        keep_for_good([self._coroutine])
        return Answer(hung=True)


def plain_step(function: Callable[..., Any], *arguments: Any) -> Answer:
    """Run one step without a bound of its own: the caller has one in force."""
    try:
        return Answer(value=function(*arguments))
    except BaseException as exception:
        return Answer(exception=exception)


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
