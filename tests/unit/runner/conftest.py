"""Plain functions as tools, and a runner with a short bound, for all of its tests."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    Calls = Callable[..., Outcome]
    ToolMaker = Callable[..., Tool]
    CallMaker = Callable[..., Call]


async def _replied(awaitable: Awaitable[Any]) -> Reply:
    try:
        return Reply(value=await awaitable)
    except Exception as exception:  # noqa: BLE001  as every adapter does
        return Reply(exception=exception)


def make_tool(function: Callable[..., Any]) -> Tool:
    """Present a function as the adapter for plain callables does."""

    def invoke(arguments: Any) -> Reply | Awaitable[Reply]:
        try:
            value = function(**arguments)
        except Exception as exception:  # noqa: BLE001  as every adapter does
            return Reply(exception=exception)
        if inspect.iscoroutinefunction(function):
            return _replied(value)
        return Reply(value=value)

    name = function.__name__
    return Tool(
        name=name,
        identity=f"{function.__module__}:{name}",
        framework="callable",
        schema=None,
        invoke=invoke,
        function=function,
    )


def make_call(**arguments: Any) -> Call:
    return Call(arguments=arguments, origin="fuzz")


@pytest.fixture
def tool_of() -> ToolMaker:
    return make_tool


@pytest.fixture
def call_of() -> CallMaker:
    return make_call


@pytest.fixture
def runner() -> Iterator[Runner]:
    runner = Runner(timeout=0.1)
    yield runner
    runner.close()


@pytest.fixture
def call(runner: Runner) -> Calls:
    """Call a function through the runner: `call(function, name=value)`."""

    def make(function: Callable[..., Any], /, **arguments: Any) -> Outcome:
        return runner.run(make_tool(function), make_call(**arguments))

    return make
