"""Several calls of one tool at the same time, as agents make them."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Final

from pytest_toolresult.outcomes import Reply
from pytest_toolresult.watch.arguments import as_sent

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.tools import Tool

_OFTEN_S: Final = 1e-5
"""How often threads take turns meanwhile: what can go wrong between them, does."""


class Together:
    """Makes one call, and others beside it: gathered where async, else in threads.

    Args:
        tool: The tool.
        others: The arguments of the other calls.

    Attributes:
        replies: What the others came to, in their order.
    """

    def __init__(self, tool: Tool, others: Sequence[Arguments]) -> None:
        self._tool = tool
        self._others = [as_sent(each) for each in others]
        self.replies: tuple[Reply, ...] = ()

    def invoke(self, arguments: Arguments) -> Reply | Awaitable[Reply]:
        """Make all calls; return what the first one came to.

        The first call is made once more by itself before: only what it returns tells
        whether the tool is to be awaited.
        """
        first = self._tool.invoke(as_sent(arguments))
        if not isinstance(first, Reply):
            return self._gathered(first)
        workers = [_Worker(self._tool, each) for each in (arguments, *self._others)]
        barrier = threading.Barrier(len(workers))
        with _taking_turns_often():
            for worker in workers:
                worker.start(barrier)
            replies = [worker.reply() for worker in workers]
        self.replies = tuple(replies[1:])
        return replies[0]

    async def _gathered(self, first: Awaitable[Reply]) -> Reply:
        import asyncio

        others = [_awaited(self._tool.invoke(each)) for each in self._others]
        replies = await asyncio.gather(first, *others)
        self.replies = tuple(replies[1:])
        return replies[0]


class _Worker:
    """One call in a thread of its own, in the context of the call as a whole."""

    def __init__(self, tool: Tool, arguments: Arguments) -> None:
        self._tool = tool
        self._arguments = arguments
        self._reply: Reply | None = None
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    def start(self, barrier: threading.Barrier) -> None:
        """Begin as soon as all others are ready as well."""
        context = copy_context()
        self._thread = threading.Thread(
            target=lambda: context.run(self._work, barrier), daemon=True
        )
        self._thread.start()

    def reply(self) -> Reply:
        """Wait for the call, and return what it came to.

        Raises:
            BaseException: What left the tool and is no `Exception`.
        """
        if self._thread is not None:
            self._thread.join()
        if self._error is not None:
            raise self._error
        return self._reply or Reply()

    def _work(self, barrier: threading.Barrier) -> None:
        try:
            barrier.wait()
            reply = self._tool.invoke(self._arguments)
            self._reply = reply if isinstance(reply, Reply) else None
        except BaseException as error:
            self._error = error


async def _awaited(reply: Reply | Awaitable[Reply]) -> Reply:
    return reply if isinstance(reply, Reply) else await reply


@contextmanager
def _taking_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(_OFTEN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
