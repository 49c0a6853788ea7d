"""An exploration in a thread of its own, whose calls run on the loop of an async test.

Whoever ends the test, as a Ctrl-C does, has to wait for the call that is under way: it
watches standard output and must let go of it first. Nor would the thread ever end that
waits for a loop which runs no more, and the interpreter waits for its threads.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

    from pytest_toolresult.calls import Call
    from pytest_toolresult.engine.probing import Invoke
    from pytest_toolresult.outcomes import Outcome

_A_MOMENT_S: Final = 0.1


class BesideLoop:
    """One exploration beside a loop.

    Args:
        explore: Explores, making each call through what it is handed.
        guarded: Makes one call under a bound in seconds, on the running loop.
    """

    def __init__(
        self,
        explore: Callable[[Invoke], object],
        guarded: Callable[[Call, float], Coroutine[Any, Any, Outcome]],
    ) -> None:
        self._explore = explore
        self._guarded = guarded
        self._under_way: set[asyncio.Task[Any]] = set()
        self._test: asyncio.Task[Any] | None = None
        self._thread: asyncio.Future[object] | None = None

    async def run(self) -> None:
        """Explore, and end the exploration where the test is cancelled."""
        import asyncio

        loop = asyncio.get_running_loop()

        def invoke(call: Call, bound: float) -> Outcome:
            return asyncio.run_coroutine_threadsafe(
                self._make(call, bound), loop
            ).result()

        self._test = asyncio.current_task()
        exploring = asyncio.to_thread(self._explore, invoke)
        self._thread = thread = asyncio.ensure_future(exploring)
        try:
            await asyncio.shield(thread)
        except asyncio.CancelledError:
            await self._end(thread)
            raise

    def wind_up(self) -> None:
        """End what an interrupt has left, where the loop stopped and cancelled nothing.

        That is how a loop ends which no `asyncio.Runner` drives.
        """
        test, thread = self._test, self._thread
        if test is None or thread is None or (test.done() and thread.done()):
            return
        loop = test.get_loop()
        if loop.is_running() or loop.is_closed():
            return
        for each in (self._end(thread), _wait_for(test)):
            # The interrupt comes out once more, of each task that it went through.
            with suppress(BaseException):
                loop.run_until_complete(each)

    async def _make(self, call: Call, bound: float) -> Outcome:
        import asyncio

        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - coroutines run in tasks
        self._under_way.add(task)
        try:
            return await self._guarded(call, bound)
        finally:
            self._under_way.discard(task)

    async def _end(self, thread: asyncio.Future[object]) -> None:
        """Cancel calls until the exploration makes no more."""
        import asyncio

        while not thread.done():
            for task in self._under_way:
                task.cancel()
            await asyncio.wait([thread], timeout=_A_MOMENT_S)
        if not thread.cancelled():
            thread.exception()  # what it came to is of no interest any more


async def _wait_for(test: asyncio.Task[Any]) -> None:
    import asyncio

    await asyncio.wait([test])
