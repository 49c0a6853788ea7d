from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.guard import Stopped
from pytest_toolresult.outcomes import Blocked, Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.outcomes import Outcome

    Calls = Callable[..., Outcome]


class Passing(BaseException):
    """As `pytest.fail` raises."""


class PassingException(Exception):  # noqa: N818
    """As `pytest.exit` raises: adapters catch it."""


@pytest.fixture
def runner() -> Any:
    runner = Runner(timeout=2, passes=(Passing, PassingException))
    yield runner
    runner.close()


def replying(**fields: Any) -> Tool:
    return Tool(
        name="tool",
        identity="tests:tool",
        framework="callable",
        schema=None,
        invoke=lambda _: Reply(**fields),
    )


def raising(exception: BaseException) -> Callable[[], NoReturn]:
    def tool() -> NoReturn:
        raise exception

    return tool


def test_a_result_is_returned(call: Calls) -> None:
    outcome = call(lambda: {"a": 1})
    assert outcome.ending == "returned"
    assert outcome.exception is None
    assert 0 < outcome.duration_s < 1
    assert outcome.bound_s == 2


def test_an_exception_is_raised(call: Calls) -> None:
    error = ValueError("no")
    outcome = call(raising(error))
    assert outcome.ending == "raised"
    assert outcome.exception is error


def test_what_the_runtime_swallowed_is_returned(runner: Runner, call_of: Any) -> None:
    tool = replying(value="error: no", flagged=True, exception=KeyError("a"))
    outcome = runner.run(tool, call_of())
    assert outcome.ending == "returned"
    assert isinstance(outcome.exception, KeyError)


def test_refused_arguments_are_refused(runner: Runner, call_of: Any) -> None:
    tool = replying(refused="a is no number", flagged=True, exception=ValueError())
    assert runner.run(tool, call_of(a="x")).ending == "refused"


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt()])
def test_a_tool_that_ends_the_process_exited(call: Calls, error: BaseException) -> None:
    outcome = call(raising(error))
    assert outcome.ending == "exited"
    assert outcome.exception is error


def test_sys_exit_exits(call: Calls) -> None:
    assert call(sys.exit).ending == "exited"


@pytest.mark.parametrize("error", [GeneratorExit(), BaseException("odd")])
def test_other_exceptions_are_raised(call: Calls, error: BaseException) -> None:
    outcome = call(raising(error))
    assert outcome.ending == "raised"
    assert outcome.exception is error


def test_an_exit_in_a_group_is_an_exit(call: Calls) -> None:
    error = BaseExceptionGroup("two", [ValueError(), SystemExit(1)])
    outcome = call(raising(error))
    assert outcome.ending == "exited"
    assert isinstance(outcome.exception, SystemExit)


@pytest.mark.parametrize("kind", [Passing, PassingException, ToolResultError])
def test_what_is_not_the_tools_business_passes(
    call: Calls, kind: type[BaseException]
) -> None:
    error = kind("through")
    with pytest.raises(kind) as caught:
        call(raising(error))
    assert caught.value is error
    with pytest.raises(kind) as caught:
        call(raising(BaseExceptionGroup("one", [error])))
    assert caught.value is error


def test_it_passes_from_async_tools_too(call: Calls) -> None:
    async def tool() -> None:
        raise Passing

    with pytest.raises(Passing):
        call(tool)


def test_a_stopped_call_is_blocked(call: Calls) -> None:
    stopped = Stopped(Blocked(power="files", action="removes a file"))
    outcome = call(raising(stopped))
    assert outcome.ending == "blocked"
    assert outcome.reply is None
    in_a_group = BaseExceptionGroup("one", [stopped, ValueError()])
    assert call(raising(in_a_group)).ending == "blocked"


class TestInterrupts:
    def test_a_real_one_passes_through(self, call: Calls) -> None:
        def tool() -> None:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
            time.sleep(1)

        with pytest.raises(KeyboardInterrupt):
            call(tool)

    def test_a_real_one_passes_through_an_async_tool(self, call: Calls) -> None:
        async def tool() -> None:
            os.kill(os.getpid(), signal.SIGINT)
            await __import__("asyncio").sleep(1)

        with pytest.raises(KeyboardInterrupt):
            call(tool)
        assert call(lambda: 1).ending == "returned"

    def test_a_real_one_passes_though_the_tool_turns_it_into_an_exit(
        self, call: Calls
    ) -> None:
        def tool() -> None:
            try:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(1)
            except KeyboardInterrupt:
                sys.exit(130)

        with pytest.raises(KeyboardInterrupt):
            call(tool)

    def test_one_raised_by_a_handler_in_python_is_real(self, call: Calls) -> None:
        def handler(*_: object) -> None:
            raise KeyboardInterrupt

        def tool() -> None:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)

        before = signal.signal(signal.SIGINT, handler)
        try:
            with pytest.raises(KeyboardInterrupt):
                call(tool)
        finally:
            signal.signal(signal.SIGINT, before)

    def test_one_that_hits_a_busy_loop_is_real(self, call: Calls) -> None:
        def tool() -> None:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
            while True:
                if os.getpid() == 0:
                    raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            call(tool)


class TestDeliberate:
    """The outcome says whether an exception was meant; see also `raising`."""

    def test_of_what_the_tool_raised(self, call: Calls) -> None:
        assert call(raising(ValueError("no"))).deliberate
        assert not call(raising(KeyError("no"))).deliberate
        assert not call(lambda: json.loads("{")).deliberate
        assert not call(lambda: 1).deliberate

    def test_of_what_the_runtime_swallowed(self, runner: Runner, call_of: Any) -> None:
        try:
            raising(ValueError("no"))()
        except ValueError as error:
            tool = replying(flagged=True, exception=error)
        assert runner.run(tool, call_of()).deliberate


class TestArguments:
    def test_the_tool_gets_a_copy(self, call: Calls) -> None:
        given = {"tags": [{"name": "a"}]}

        def tool(filters: dict[str, Any]) -> None:
            filters["tags"][0]["name"] = "b"

        outcome = call(tool, filters=given)
        assert outcome.changed_arguments == ("filters.tags[0].name",)
        assert given == {"tags": [{"name": "a"}]}

    def test_unchanged_ones_are_not_told(self, call: Calls) -> None:
        def tool(numbers: list[float]) -> float:
            return sum(numbers)

        assert call(tool, numbers=[1, float("nan"), True]).changed_arguments == ()

    def test_what_is_not_json_is_refused(self, call: Calls) -> None:
        with pytest.raises(ToolResultError, match=r"when\[0\].* is a object"):
            call(lambda when: when, when=[object()])


@pytest.mark.parametrize("error", [asyncio.CancelledError, GeneratorExit])
def test_what_gets_past_every_runtime_is_never_meant(
    call: Calls, error: type[BaseException]
) -> None:
    def tool() -> None:
        raise error("an answer")

    outcome = call(tool)
    assert outcome.ending == "raised"
    assert not outcome.deliberate


def test_what_an_exception_holds_ends_with_its_call(call: Calls) -> None:
    async def tool() -> None:
        asyncio.run(asyncio.sleep(0))

    crashed = call(tool)
    assert crashed.never_awaited == ("sleep",)
    assert isinstance(crashed.exception, RuntimeError)
    del crashed
    assert call(lambda: None).never_awaited == ()


@pytest.mark.parametrize("leave", [os._exit, os.abort])
def test_ending_the_process_at_once_is_an_exit(
    call: Calls, leave: Callable[..., NoReturn]
) -> None:
    name = leave.__name__

    def tool() -> None:
        getattr(os, name)(*([3] if name == "_exit" else []))

    outcome = call(tool)
    assert outcome.ending == "exited"
    assert getattr(os, name) is leave
