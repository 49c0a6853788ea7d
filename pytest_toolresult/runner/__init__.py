"""One bounded call of a tool, and everything that can be seen of it from outside.

A call runs as it would in an agent's runtime: in the calling thread where that can
be bounded, in a thread of its own elsewhere; what is async on one event loop.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self

from pytest_toolresult import guard, watch
from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.loops import (
    end_unstarted,
    refuse_beside_running_loop,
    running_loop,
)
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.raising import is_interrupt, let_go
from pytest_toolresult.runner import alarm
from pytest_toolresult.runner.answers import Answer
from pytest_toolresult.runner.asides import aside, on_stage, prepared
from pytest_toolresult.runner.endings import ended
from pytest_toolresult.runner.steps import GRACE_S, bounded, plain_step
from pytest_toolresult.runner.together import Together
from pytest_toolresult.runner.watchdog import Watchdog
from pytest_toolresult.runner.worker import WorkerLane
from pytest_toolresult.settings import POWERS
from pytest_toolresult.watch.arguments import Sent
from pytest_toolresult.watch.awaits import handed_out
from pytest_toolresult.watch.resources import Census

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pytest_toolresult.calls import Call
    from pytest_toolresult.guard import GuardReport
    from pytest_toolresult.runner.answers import Extend, Lane
    from pytest_toolresult.settings import Power
    from pytest_toolresult.tools import Tool

    Passes = tuple[type[BaseException], ...]
    Powers = frozenset[Power] | None


_ALL_POWERS: Final = frozenset(POWERS)

PREPARING_S: Final = 30.0
"""How long what calls need may take to be ready, such as a server to start."""


def describe(tool: Tool, call: Call) -> str:
    """Name a call without its values: the tool, and the names of the arguments."""
    return f"{tool.name}({', '.join(map(str, call.arguments))})"


class Runner:
    """Makes bounded calls, one after the other or from several threads.

    Make it where file descriptor 2 is the real standard error, as it is while
    pytest configures itself: the watchdog speaks there.

    Args:
        timeout: The bound of a call, in seconds.
        passes: Classes of exceptions that go through untouched, such as pytest's own.
        crash_file: Where the watchdog leaves the name of a call that could not be
            ended, or `None`.
        describe: Names a call for the watchdog, before the call is made and without
            secrets.
        grace: How long after its bound a call that cannot be interrupted may still
            end on its own before the watchdog ends the process, in seconds.
    """

    def __init__(
        self,
        *,
        timeout: float = 5.0,
        passes: Passes = (),
        crash_file: Path | None = None,
        describe: Callable[[Tool, Call], str] = describe,
        grace: float = 30.0,
    ) -> None:
        self._timeout = timeout
        self._passes = passes
        self._describe = describe
        self._watchdog = Watchdog(crash_file=crash_file, grace=grace)
        self._main = alarm.AlarmLane()
        self._own = threading.local()

    def run(
        self,
        tool: Tool,
        call: Call,
        *,
        timeout: float | None = None,
        powers: Powers = None,
    ) -> Outcome:
        """Call a tool from synchronous code.

        What the tool returns to be awaited is awaited, on a loop that serves all
        calls of this thread.

        Args:
            tool: What to call.
            call: What to ask of it.
            timeout: The bound of this call, in seconds, if not the usual one.
            powers: What the call may do under the guard; `None` calls unguarded.

        Raises:
            ToolResultError: If the arguments are not JSON, or an async tool is
                called while an event loop runs in this thread.
            BaseException: What `passes` names, and a real Ctrl-C.
        """
        observed = _Observed(tool, call, timeout or self._timeout)
        lane = self._lane()
        if tool.prepare is not None:
            with watch.between():
                _prepare(tool.prepare, lane)
        with (
            aside(),
            self._watching(observed),
            observed.watch,
            _guarding(powers) as observed.guard,
            observed.timed(lane),
        ):
            answer = lane.call(partial(_drive, observed, lane), observed.bound)
            observed.answer = _flat(answer)
        if observed.answer.hung:
            lane.loop.discard()
        return observed.outcome(self._passes)

    async def arun(
        self,
        tool: Tool,
        call: Call,
        *,
        timeout: float | None = None,  # noqa: ASYNC109  the bound holds for blocking code too
        powers: Powers = None,
    ) -> Outcome:
        """Call a tool from asynchronous code, on the loop that runs.

        Args:
            tool: What to call.
            call: What to ask of it.
            timeout: The bound of this call, in seconds, if not the usual one.
            powers: What the call may do under the guard; `None` calls unguarded.

        Raises:
            ToolResultError: If the arguments are not JSON, or what runs is no
                asyncio loop.
            BaseException: What `passes` names, and a real Ctrl-C.
        """
        if running_loop() is None:
            raise ToolResultError(
                "async tools can be called on an asyncio event loop only, and none "
                "runs here; with anyio choose the backend 'asyncio', not 'trio'"
            )
        observed = _Observed(tool, call, timeout or self._timeout)
        lane = self._lane()
        if tool.prepare is not None:
            with watch.between():
                await bounded(prepared(tool.prepare()), PREPARING_S, plain_step)
        with (
            aside(),
            self._watching(observed),
            observed.watch,
            _guarding(powers) as observed.guard,
            observed.timed(lane),
        ):
            invoke = partial(_invoke, observed)
            observed.answer = answer = lane.call(invoke, observed.bound)
            if answer.hung:
                end_unstarted(answer.value)
            elif answer.exception is None:
                observed.answer = await self._finished(answer.value, observed)
        return observed.outcome(self._passes)

    @contextmanager
    def exploring(self) -> Iterator[None]:
        """Make calls cheaper by the hundred: what can stay in place between them stays.

        Between two calls nothing is seen or forbidden, and everything goes where it
        would have gone.
        """
        with guard.exploring(), watch.lasting():
            yield

    def close(self) -> None:
        """Let go of loops, threads and the watchdog."""
        self._main.close()
        own: Lane | None = getattr(self._own, "lane", None)
        if own is not None:
            own.close()
        self._watchdog.close()

    async def _finished(
        self, reply: Reply | Awaitable[Reply], observed: _Observed
    ) -> Answer:
        if isinstance(reply, Reply):
            return Answer(value=reply)
        step = observed.step if alarm.can_be_set() else plain_step
        return await bounded(reply, observed.left(), step)

    def _lane(self) -> Lane:
        if alarm.can_be_set():
            return self._main
        lane: Lane | None = getattr(self._own, "lane", None)
        if lane is None:
            lane = self._own.lane = WorkerLane()
        return lane

    def _watching(self, observed: _Observed) -> AbstractContextManager[None]:
        description = self._describe(observed.tool, observed.call)
        return self._watchdog.over(description, observed.bound)


def _guarding(powers: Powers) -> AbstractContextManager[GuardReport]:
    # With every power nothing is stopped, but threads that still work for an earlier,
    # guarded call are let go of.
    return guard.guarded(_ALL_POWERS if powers is None else powers)


class _Observed:
    """A call on its way to becoming an outcome."""

    answer = Answer()
    guard: GuardReport | None = None
    begun = 0.0
    duration_s = 0.0
    handed_out: tuple[str, ...] = ()
    resources: Mapping[str, int] = MappingProxyType({})
    _census: Census | None = None
    _lane: Lane

    def __init__(self, tool: Tool, call: Call, bound: float) -> None:
        self.tool = tool
        self.call = call
        self.bound = bound
        self.sent = Sent(call.arguments)
        self.watch = watch.Watch()
        others = call.part.beside if call.part else ()
        self._together = Together(tool, others) if others else None

    def invoke(self) -> Reply | Awaitable[Reply]:
        """Call the tool, and make the calls beside it where there are some."""
        invoke = self._together.invoke if self._together else self.tool.invoke
        return invoke(self.sent.copy)

    def timed(self, lane: Lane) -> Self:
        """Return what notes the beginning of the call, and its end."""
        self._lane = lane
        return self

    def __enter__(self) -> None:
        """Note what has to be noted before the call is made."""
        lane = self._lane
        if self.call.origin == "faults":  # elsewhere nothing is made to stay behind
            lane.loop.make_ready()
            self._census = Census(lane.loop.unfinished)
        self.begun = perf_counter()

    def left(self) -> float:
        """Return how much of the bound is left, in seconds, at least a moment."""
        return max(self.begun + self.bound - perf_counter(), 0.001)

    def step(self, move: Callable[..., Any], value: object) -> Answer:
        """Run one step of an async tool that shares its loop with others."""
        return alarm.Alarm(self.left() + GRACE_S).call(move, value)

    def __exit__(self, *_: object) -> None:
        """Note what has to be noted while the call is still being watched."""
        self.duration_s = perf_counter() - self.begun
        reply = self.answer.value
        if isinstance(reply, Reply):
            self.handed_out = handed_out(reply.value)
            if isinstance(reply.exception, Exception):
                let_go(reply.exception)
        if self._census is not None and self.answer.hung:
            self._census.close()
        elif self._census is not None:
            self.resources = self._census.growth()

    def outcome(self, passes: Passes) -> Outcome:
        """Put together what was seen."""
        end = ended(self.tool, self.answer, passes)
        return Outcome(
            ending=end.ending,
            reply=end.reply,
            deliberate=end.deliberate,
            stdout=self.watch.stdout,
            stderr=self.watch.stderr,
            log=tuple(self.watch.log),
            changed_arguments=self.sent.changed(),
            never_awaited=(*self.handed_out, *self.watch.dropped),
            blocked=self.guard.blocked if self.guard else None,
            unseen=self.guard.notes if self.guard else (),
            columns=self.guard.columns if self.guard else (),
            beside=self._together.replies if self._together else (),
            resources=self.resources,
            busy_s=self.answer.busy_s,
            duration_s=self.duration_s,
            bound_s=self.bound,
        )


def _prepare(prepare: Callable[[], Awaitable[object]], lane: Lane) -> None:
    """Have ready what the call needs; what goes wrong shows in the call itself."""

    def wait(_extend: Extend) -> Answer:
        return lane.loop.run(bounded(prepared(prepare()), PREPARING_S, plain_step))

    answer = _flat(lane.call(wait, PREPARING_S + 3 * GRACE_S))
    if answer.hung:
        lane.loop.discard()
    if answer.exception is not None and is_interrupt(answer.exception):
        raise answer.exception


def _invoke(observed: _Observed, _extend: Extend) -> Reply | Awaitable[Reply]:
    with on_stage():
        return observed.invoke()


def _drive(observed: _Observed, lane: Lane, extend: Extend) -> Reply | Answer:
    """Invoke a tool, and wait for it on the lane's loop where it is async."""
    with on_stage():
        reply = observed.invoke()
    if isinstance(reply, Reply):
        return reply
    refuse_beside_running_loop(reply)
    extend(3 * GRACE_S)  # what does not block is ended by its loop, before the alarm
    return lane.loop.run(bounded(reply, observed.left(), plain_step))


def _flat(answer: Answer) -> Answer:
    """Take the answer from the loop, unless the alarm had to go off around it."""
    inner = answer.value
    if answer.hung or not isinstance(inner, Answer):
        return answer
    return inner
