from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.loops import ReusedLoop, run, running_loop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from pytest_toolresult.calls import Call
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.runner import Runner
    from pytest_toolresult.tools import Tool

    Calls = Callable[..., Outcome]

BOUND = 0.1


async def adding(a: int, b: int) -> int:
    await asyncio.sleep(0)
    return a + b


async def sleeping() -> None:
    await asyncio.sleep(30)


async def swallowing() -> None:
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        await asyncio.sleep(30)


async def swallowing_for_ever() -> None:
    while True:
        try:
            await asyncio.sleep(0.01)
        except BaseException:  # noqa: BLE001, S112  what is to be tried
            continue


async def blocking() -> None:
    time.sleep(30)  # noqa: ASYNC251  what is to be tried


async def blocking_in_a_task() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(blocking())


async def spinning() -> None:
    while True:
        pass


ENDLESS = [sleeping, swallowing, swallowing_for_ever, blocking, spinning]


def test_what_is_async_is_awaited(call: Calls) -> None:
    outcome = call(adding, a=1, b=2)
    assert outcome.ending == "returned"
    assert outcome.reply is not None
    assert outcome.reply.value == 3
    assert outcome.never_awaited == ()


@pytest.mark.parametrize("function", [*ENDLESS, blocking_in_a_task])
def test_a_call_that_does_not_end_is_given_up(
    call: Calls, function: Callable[..., Any]
) -> None:
    outcome = call(function)
    assert outcome.ending == "hung"
    assert BOUND <= outcome.duration_s < BOUND + 1.2
    fine = call(adding, a=1, b=2)
    assert fine.ending == "returned"


@pytest.mark.parametrize("function", ENDLESS)
@pytest.mark.asyncio
async def test_a_call_on_the_callers_loop_is_given_up(
    runner: Runner, tool_of: Any, call_of: Any, function: Callable[..., Any]
) -> None:
    outcome = await runner.arun(tool_of(function), call_of())
    assert outcome.ending == "hung"
    assert BOUND <= outcome.duration_s < BOUND + 0.8
    assert asyncio.all_tasks() == {asyncio.current_task()}
    fine = await runner.arun(tool_of(adding), call_of(a=1, b=2))
    assert fine.ending == "returned"


def test_nothing_of_a_given_up_call_goes_on_during_later_ones(call: Calls) -> None:
    rounds = [0]

    async def rogue() -> None:
        while True:
            try:
                rounds[0] += 1
                await asyncio.sleep(0)
            except BaseException:  # noqa: BLE001, S110  what is to be tried
                pass

    async def two() -> None:
        await asyncio.gather(rogue(), rogue())

    assert call(two).ending == "hung"
    before = rounds[0]
    call(adding, a=1, b=2)
    gc.collect()
    assert rounds[0] == before


def test_one_loop_serves_all_calls_until_one_does_not_end(call: Calls) -> None:
    async def which() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def loop() -> Any:
        reply = call(which).reply
        return reply and reply.value

    first = loop()
    assert loop() is first
    call(sleeping)
    assert loop() is not first


def test_a_sync_tool_runs_in_the_calling_thread(call: Calls) -> None:
    outcome = call(threading.get_ident)
    assert outcome.reply is not None
    assert outcome.reply.value == threading.get_ident()


def test_a_sync_tool_may_run_a_loop_of_its_own(call: Calls) -> None:
    outcome = call(lambda: asyncio.run(adding(1, 2)))
    assert outcome.reply is not None
    assert outcome.reply.value == 3


@pytest.mark.asyncio
async def test_a_sync_tool_can_be_called_on_the_callers_loop(
    runner: Runner, tool_of: Any, call_of: Any
) -> None:
    outcome = await runner.arun(tool_of(threading.get_ident), call_of())
    assert outcome.reply is not None
    assert outcome.reply.value == threading.get_ident()
    hung = await runner.arun(tool_of(lambda: time.sleep(30)), call_of())
    assert hung.ending == "hung"


@pytest.mark.asyncio
async def test_forgotten_await_is_said_clearly(call: Calls) -> None:
    with pytest.raises(ToolResultError, match=r"await tool_case\.arun\(\)"):
        call(adding, a=1, b=2)


def test_other_loops_are_refused(runner: Runner, tool_of: Any, call_of: Any) -> None:
    with pytest.raises(ToolResultError, match="asyncio"):
        runner.arun(tool_of(adding), call_of(a=1, b=2)).send(None)  # as trio does


@pytest.mark.asyncio
async def test_calls_may_be_gathered(
    runner: Runner, tool_of: Any, call_of: Any
) -> None:
    meeting = asyncio.Barrier(2)

    async def together(name: str) -> str:
        await meeting.wait()
        print(name)  # noqa: T201  what is to be tried
        return name

    tool = tool_of(together)
    outcomes = await asyncio.gather(
        runner.arun(tool, call_of(name="a")), runner.arun(tool, call_of(name="b"))
    )
    assert [one.reply.value for one in outcomes if one.reply] == ["a", "b"]
    assert all(one.stdout for one in outcomes)


@pytest.mark.asyncio
async def test_a_caller_who_is_cancelled_cancels_the_tool(
    runner: Runner, tool_of: Any, call_of: Any
) -> None:
    ended: list[str] = []

    async def cleaning_up() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            await asyncio.sleep(0)
            ended.append("cleaned up")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await runner.arun(tool_of(cleaning_up), call_of(), timeout=5)
    await asyncio.sleep(0.01)
    assert ended == ["cleaned up"]


def test_a_call_from_another_thread_has_a_loop_of_its_own(call: Calls) -> None:
    outcomes: list[Outcome] = []

    def calls() -> None:
        outcomes.extend([call(adding, a=1, b=2), call(sleeping), call(blocking)])
        outcomes.append(call(adding, a=1, b=2))

    thread = threading.Thread(target=calls)
    thread.start()
    thread.join(timeout=10)
    endings = [one.ending for one in outcomes]
    assert endings == ["returned", "hung", "hung", "returned"]


@pytest.mark.parametrize("error", [SystemExit(2), KeyboardInterrupt()])
@pytest.mark.asyncio
async def test_exits_do_not_reach_the_callers_loop(
    runner: Runner, tool_of: Any, call_of: Any, error: BaseException
) -> None:
    async def leaving() -> None:
        raise error

    outcome = await runner.arun(tool_of(leaving), call_of())
    assert outcome.ending == "exited"
    assert outcome.exception is error


def test_a_task_that_exits_is_seen(call: Calls) -> None:
    async def leaving() -> None:
        sys.exit(2)

    async def grouping() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(leaving())

    assert call(grouping).ending == "exited"
    assert call(adding, a=1, b=2).ending == "returned"


def test_a_cancellation_of_the_tools_own_is_raised(call: Calls) -> None:
    async def cancelling() -> None:
        raise asyncio.CancelledError

    outcome = call(cancelling)
    assert outcome.ending == "raised"
    assert isinstance(outcome.exception, asyncio.CancelledError)


class TestLoops:
    def test_no_loop_runs_where_nobody_started_one(self) -> None:
        assert running_loop() is None

    @pytest.mark.asyncio
    async def test_the_loop_that_runs_is_found(self) -> None:
        assert running_loop() is asyncio.get_running_loop()

    def test_run_waits(self) -> None:
        assert run(adding(1, 2)) == 3

    @pytest.mark.asyncio
    async def test_run_waits_beside_a_running_loop(self) -> None:
        assert run(adding(1, 2)) == 3

    def test_closing_ends_what_is_left(self) -> None:
        ended: list[str] = []

        async def background() -> None:
            try:
                await asyncio.sleep(30)
            finally:
                ended.append("task")

        async def counting() -> AsyncIterator[int]:
            try:
                yield 1
            finally:
                ended.append("generator")

        kept: list[Any] = [counting()]

        async def start() -> None:
            kept.append(asyncio.create_task(background()))
            await anext(kept[0])

        loop = ReusedLoop()
        loop.run(start())
        loop.close()
        assert sorted(ended) == ["generator", "task"]

    def test_closing_does_not_wait_for_ever(self) -> None:
        kept: list[Any] = []

        async def start() -> None:
            kept.append(asyncio.create_task(swallowing_for_ever()))
            await asyncio.sleep(0)

        loop = ReusedLoop()
        loop.run(start())
        begun = time.monotonic()
        loop.close()
        assert time.monotonic() - begun < 2


def test_how_long_an_async_call_keeps_its_loop_busy(
    runner: Runner, tool_of: Callable[..., Tool], call_of: Callable[..., Call]
) -> None:
    def busy_s(function: Callable[..., Any]) -> float:
        return runner.run(tool_of(function), call_of(), timeout=20).busy_s

    async def computes() -> int:
        await asyncio.sleep(0)
        begun = time.thread_time()
        while time.thread_time() - begun < 0.05:
            pass
        await asyncio.sleep(0)
        return 1

    async def waits() -> int:
        await asyncio.sleep(0.05)
        return 1

    def plain() -> int:
        return 1

    assert busy_s(computes) >= 0.05
    assert busy_s(waits) < 0.05
    assert busy_s(plain) == 0
