from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context  # noqa: TC002 - the server evaluates it
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ImageContent, TextContent, ToolAnnotations
from pydantic import BaseModel, TypeAdapter

from pytest_toolresult.outcomes import Reply
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from pytest_toolresult.tools import Tool

    Call = Callable[..., Reply]


class Report(BaseModel):
    result: str


class Total(BaseModel):
    amount: int
    currency: str = "EUR"


@dataclass
class Lifespan:
    calls: int = 0


STARTED: list[str] = []


@asynccontextmanager
async def lifespan(_server: MCPServer[Lifespan]) -> AsyncIterator[Lifespan]:
    STARTED.append("up")
    try:
        yield Lifespan()
    finally:
        STARTED.append("down")


server: MCPServer[Lifespan] = MCPServer("shop", lifespan=lifespan, log_level="CRITICAL")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


@server.tool(name="find")
async def find_orders(customer_id: str) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {"status": "success", "data": [customer_id]}


@server.tool()
def loose(kind: str):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return {
        "object": {"status": "empty", "data": []},
        "list": [{"a": 1}, {"a": 2}],
        "digits": "123",
        "braces": "{not json",
        "none": None,
        "image": ImageContent(type="image", data="AA==", mime_type="image/png"),
    }[kind]


@server.tool()
def total(amount: int) -> Total:
    return Total(amount=amount)


@server.tool()
def report() -> Report:
    return Report(result="fine")


@server.tool()
def listed() -> list[int]:
    return [1, 2]


@server.tool()
def crashes() -> str:
    raise KeyError("secret")


@server.tool()
def fails() -> str:
    raise ToolError("rate limited")


@server.tool()
def breaks_protocol() -> str:
    raise MCPError(code=-32042, message="not now")


@server.tool()
def parses(text: str) -> int:
    return TypeAdapter(int).validate_python(text)


@server.tool()
def says_otherwise() -> int:
    return "many"  # type: ignore[return-value]


@server.tool()
def own_result() -> CallToolResult:
    text = TextContent(type="text", text="no stock")
    return CallToolResult(content=[text], is_error=True)


@server.tool()
async def counted(ctx: Context[Lifespan, Any]) -> int:
    await ctx.report_progress(1, 2)
    state: Lifespan = ctx.request_context.lifespan_context
    state.calls += 1
    return state.calls


@server.tool()
def leaves() -> int:
    sys.exit(3)


@server.tool()
async def leaves_later() -> int:
    sys.exit(3)


@pytest.fixture(scope="module")
def tools() -> dict[str, Tool]:
    return {tool.name: tool for tool in tools_of(server, validate=None)}


@pytest.fixture
def call(tools: dict[str, Tool]) -> Iterator[Call]:
    """Make calls on one loop, as the runner does."""
    with asyncio.Runner() as runner:

        def call(name: str, **arguments: Any) -> Reply:
            return runner.run(invoked(tools[name], arguments))

        yield call


async def invoked(tool: Tool, arguments: dict[str, Any]) -> Reply:
    reply = tool.invoke(arguments)
    assert isinstance(reply, Awaitable)
    answer = await reply
    assert isinstance(answer, Reply)
    return answer


def test_tools_are_listed_as_the_server_tells_them(tools: dict[str, Tool]) -> None:
    tool = tools["add"]
    assert tool.framework == tool.dialect == "mcp"
    assert tool.identity == f"{__name__}:add"
    assert tool.function is add
    assert tool.description == "Add two numbers."
    assert tool.schema is not None
    assert tool.schema["required"] == ["a"]
    assert tool.output_schema is not None
    assert tool.output_schema["type"] == "integer"
    assert tool.validates
    assert tool.read_only is True
    assert tools["find"].identity == f"{__name__}:find_orders"
    assert tools["find"].read_only is None
    assert list(tools) == sorted(tools)


def test_structured_results_come_unwrapped(call: Call) -> None:
    assert call("add", a="1") == Reply(value=3, wire="3")
    assert call("find", customer_id="c").value == {"status": "success", "data": ["c"]}
    assert call("total", amount=3).value == {"amount": 3, "currency": "EUR"}
    assert call("listed").value == [1, 2]
    assert call("listed").wire == "1\n2"


def test_a_result_that_has_a_field_called_result_stays_whole(
    call: Call, tools: dict[str, Tool]
) -> None:
    assert call("report").value == {"result": "fine"}
    schema = tools["report"].output_schema
    assert schema is not None
    assert list(schema["properties"]) == ["result"]


def test_unstructured_results_are_read_from_the_text(call: Call) -> None:
    assert call("loose", kind="object").value == {"status": "empty", "data": []}
    assert call("loose", kind="list").value == [{"a": 1}, {"a": 2}]
    assert call("loose", kind="digits").value == "123"
    assert call("loose", kind="braces").value == "{not json"
    assert call("loose", kind="none") == Reply(value=None, wire="")
    image = call("loose", kind="image")
    assert image.value["mimeType"] == "image/png"
    assert image.wire == ""


def test_refused_arguments_are_told_from_the_tools_own_validation(call: Call) -> None:
    reply = call("add", a="x")
    assert reply.refused is not None
    assert reply.refused.startswith("a: Input should be a valid integer")
    assert reply.flagged
    assert reply.exception is None
    assert (reply.wire or "").startswith("Error executing tool add")
    reply = call("parses", text="x")
    assert reply.refused is None
    assert type(reply.exception).__name__ == "ValidationError"


def test_a_text_that_no_transport_carries_never_reaches_the_tool(call: Call) -> None:
    refused = call("parses", text="\ud83d").refused
    assert refused is not None
    assert "surrogate" in refused


def test_an_argument_the_tool_does_not_have_is_dropped_by_the_server(
    call: Call,
) -> None:
    assert call("add", a=1, z=3).value == 3


def test_a_swallowed_exception_is_handed_back(call: Call) -> None:
    reply = call("crashes")
    assert repr(reply.exception) == "KeyError('secret')"
    assert reply.flagged
    assert reply.wire == "Error executing tool crashes"
    assert "call_tool" not in vars(server)


def test_it_is_also_where_logging_is_switched_off(call: Call) -> None:
    logging.disable(logging.CRITICAL)
    try:
        assert isinstance(call("crashes").exception, KeyError)
        assert call("add", a="x").refused is not None
    finally:
        logging.disable(logging.NOTSET)


def test_a_crash_is_logged_without_drawing_its_traceback(
    call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    call("crashes")
    (record,) = caplog.records
    assert record.name.startswith("mcp.server.mcpserver")
    assert record.levelno == logging.ERROR
    assert "'crashes' raised" in record.getMessage()
    assert record.exc_info is None
    assert not logging.getLogger(record.name).filters


def test_errors_on_purpose_keep_their_text(call: Call) -> None:
    reply = call("fails")
    assert repr(reply.exception) == "ToolError('rate limited')"
    assert reply.wire == "Error executing tool fails: rate limited"
    reply = call("own_result")
    assert (reply.flagged, reply.exception) == (True, None)
    assert reply.value == "no stock"


def test_a_protocol_error_is_the_tools_exception(call: Call) -> None:
    reply = call("breaks_protocol")
    assert isinstance(reply.exception, MCPError)
    assert reply.flagged


def test_a_result_that_contradicts_its_annotation_is_an_error(call: Call) -> None:
    reply = call("says_otherwise")
    assert reply.flagged
    assert type(reply.exception).__name__ == "ValidationError"
    assert reply.refused is None


def test_one_lifespan_spans_the_calls_of_a_loop(tools: dict[str, Tool]) -> None:
    STARTED.clear()
    for _ in range(2):
        with asyncio.Runner() as runner:
            values = [runner.run(invoked(tools["counted"], {})).value for _ in range(3)]
        assert values == [1, 2, 3]
    assert STARTED == ["up", "down", "up", "down"]


def test_calls_at_the_same_time_keep_apart(tools: dict[str, Tool]) -> None:
    async def together() -> list[Reply]:
        names = ["crashes", "add", "fails", "crashes"]
        arguments = [{}, {"a": 1}, {}, {}]
        return await asyncio.gather(
            *(invoked(tools[n], a) for n, a in zip(names, arguments, strict=True))
        )

    crashed, added, failed, again = asyncio.run(together())
    assert isinstance(crashed.exception, KeyError)
    assert added == Reply(value=3, wire="3")
    assert isinstance(failed.exception, ToolError)
    assert isinstance(again.exception, KeyError)


@pytest.mark.parametrize("name", ["leaves", "leaves_later"])
def test_ending_the_process_passes_through_and_calls_go_on(
    call: Call, name: str
) -> None:
    assert call("add", a=1).value == 3
    with pytest.raises(SystemExit):
        call(name)
    assert call("add", a=1).value == 3


def connect() -> None:
    raise OSError("no database")


def test_a_server_whose_lifespan_fails_says_so_at_once() -> None:
    @asynccontextmanager
    async def closed(_server: MCPServer[None]) -> AsyncIterator[None]:
        connect()
        yield

    broken: MCPServer[None] = MCPServer("x", lifespan=closed, log_level="CRITICAL")
    with pytest.raises(Exception, match="OSError: no database") as caught:
        tools_of(broken, validate=None)
    assert type(caught.value).__name__ == "TargetError"
