from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import types
from mcp.server import Server, ServerRequestContext

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import load, parse, tools_of

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
PROMISE = {"type": "object", "properties": {"result": {"type": "integer"}}}


async def list_tools(
    _context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    """Give one tool a page."""
    names = ["double", "crash"]
    page = int(params.cursor) if params and params.cursor else 0
    return types.ListToolsResult(
        tools=[
            types.Tool(name=names[page], input_schema=SCHEMA, output_schema=PROMISE)
        ],
        next_cursor=str(page + 1) if page + 1 < len(names) else None,
    )


async def call_tool(
    _context: ServerRequestContext[Any], params: types.CallToolRequestParams
) -> types.CallToolResult:
    if params.name == "crash":
        raise ValueError("secret")
    value = (params.arguments or {})["n"] * 2
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=str(value))],
        structured_content={"result": value},
    )


server: Server[Any] = Server("low", on_list_tools=list_tools, on_call_tool=call_tool)


def called(name: str, **arguments: Any) -> Reply:
    (tool,) = (each for each in tools_of(server, validate=None) if each.name == name)

    async def wait() -> Reply:
        reply = tool.invoke(arguments)
        assert not isinstance(reply, Reply)
        return await reply

    return asyncio.run(wait())


def test_every_page_of_tools_is_listed() -> None:
    crash, double = tools_of(server, validate=None)
    assert (crash.name, double.name) == ("crash", "double")
    assert double.function is None
    assert double.validates is False
    assert double.output_schema == PROMISE
    assert double.identity == "mcp::double"


def test_a_tool_without_a_function_is_known_by_its_alias(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = type(pytest)("low_shop")
    module.low = server  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "low_shop", module)
    tools = load(parse("low_shop:low"), validate=None, root=tmp_path)
    assert [tool.identity for tool in tools] == [
        "low_shop:low::crash",
        "low_shop:low::double",
    ]


def test_results_and_exceptions_of_handlers() -> None:
    assert called("double", n=2) == Reply(value={"result": 4}, wire="4")
    reply = called("crash")
    assert repr(reply.exception) == "ValueError('secret')"
    assert reply.flagged


def test_nothing_stands_between_the_arguments_and_the_handler() -> None:
    assert isinstance(called("double").exception, KeyError)


def test_a_result_that_breaks_the_promise_is_turned_down_by_the_client() -> None:
    reply = called("double", n="x")
    assert isinstance(reply.exception, RuntimeError)
    assert "Invalid structured content" in str(reply.exception)


def test_nothing_validates_before_a_low_level_handler_and_the_remedy_says_so() -> None:
    _, double = tools_of(server, validate=None)
    runner = Runner()
    try:
        explored = Engine(Settings(max_calls=60), runner).explore(
            Assignment(item="t", tool=double, contract=Contract(double)),
            exploration_named("fuzz"),
        )
    finally:
        runner.close()
    escaped = [each for each in explored.evidence.findings if each.rule == "TR801"]
    assert any("converted `n` or refused it" in each.remedy for each in escaped)
