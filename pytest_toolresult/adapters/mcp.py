"""Servers of the official MCP SDK (2.x), called in memory through its client.

The client is what a runtime uses, so arguments are validated, contexts injected and
results converted exactly as in production.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.adapters.mcp_connection import (
    Connections,
    RaisedExceptions,
    abandon,
    daemon_workers,
)
from pytest_toolresult.errors import TargetError
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.parameters import identity_of, underlying
from pytest_toolresult.signatures import Refused, reasons, refuse_surrogates
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from mcp import MCPError
    from mcp.types import CallToolResult, ContentBlock
    from mcp.types import Tool as ListedTool

    from pytest_toolresult.calls import Arguments

_HIGH_LEVEL: Final = "MCPServer"
_LOW_LEVEL: Final = "Server"
_FIRST_GENERATION: Final = "FastMCP"


class McpAdapter:
    """`mcp.server.MCPServer` and the low-level `mcp.server.Server`."""

    name: Final = "mcp"

    def recognises(self, candidate: object) -> bool:
        """Tell by the class names, so that `mcp` is not imported for it."""
        return _class_name(candidate) is not None

    async def tools(
        self,
        candidate: object,
        *,
        validate: bool | None,  # noqa: ARG002 - the server decides, as in production
    ) -> Sequence[Tool]:
        """List the server's tools.

        `MCPServer` validates arguments, the low-level server does not; neither can
        be told otherwise.
        """
        kind = _class_name(candidate)
        if kind == _FIRST_GENERATION or not _has_client():
            raise TargetError(_TOO_OLD)
        calls = _Calls(candidate, high_level=kind == _HIGH_LEVEL)
        return [_tool(each, calls) for each in await _listed(candidate)]


ADAPTER: Final = McpAdapter()

_TOO_OLD: Final = (
    "FastMCP servers of the MCP SDK 1.x are not supported;"
    " the SDK 2.x is (pip install 'mcp>=2'), where the class is called MCPServer"
)


def _has_client() -> bool:
    """Tell the SDK 2.x, which connects to a server in memory, from 1.x."""
    import mcp

    return hasattr(mcp, "Client")


class _Calls:
    """Calls the tools of one server."""

    def __init__(self, server: object, *, high_level: bool) -> None:
        self.server: Any = server
        self.high_level = high_level
        self._connections = Connections(server)
        self._raised = RaisedExceptions(server)

    def function(self, name: str) -> Callable[..., Any] | None:
        """Return the function that was registered, where the server shows it."""
        function = getattr(self._registered(name), "fn", None)
        return function if callable(function) else None

    def convert(self, name: str) -> Callable[[Arguments], Mapping[str, Any]] | None:
        """Return what validates arguments, where the server shows it."""
        metadata = getattr(self._registered(name), "fn_metadata", None)
        convert = getattr(metadata, "validate_arguments", None)
        return convert if callable(convert) else None

    def _registered(self, name: str) -> object:
        registry = getattr(self.server, "_tool_manager", None)
        return registry.get_tool(name) if registry is not None else None

    async def connect(self) -> None:
        """Connect on the running loop, where nothing is connected yet."""
        await self._connections.client()

    async def invoke(self, name: str, reading: _Reading, arguments: Arguments) -> Reply:
        """Make one call on the running loop."""
        import asyncio

        from mcp import MCPError

        try:
            # In memory they would pass; no transport takes them off the wire.
            refuse_surrogates(arguments)
            client = await self._connections.client()
            with daemon_workers().in_use():
                calling = client.call_tool(name, dict(arguments))
                return await self._observed(calling, reading)
        except asyncio.CancelledError:
            if reading.function is not None:
                abandon(reading.function.__code__)
            raise
        except Refused as refusal:
            return Reply(refused=str(refusal))
        except MCPError as error:
            return Reply(exception=_beneath(error), flagged=True)
        except Exception as error:  # noqa: BLE001 - the runtime turned the result down
            return Reply(exception=error)

    async def _observed(
        self, calling: Awaitable[CallToolResult], reading: _Reading
    ) -> Reply:
        if not self.high_level:
            return reading.reply(await calling, [])
        with self._raised.watched() as raised:
            return reading.reply(await calling, raised)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """How the results of one tool are read.

    Attributes:
        function: The plain function beneath, where it can be reached.
        wrapped: Whether the server puts results that are no object into
            `{"result": ...}`, as its output schema says.
    """

    function: Any
    wrapped: bool

    def reply(self, result: CallToolResult, raised: Sequence[Exception]) -> Reply:
        """Read a result, and the exception the server made it from."""
        wire = "\n".join(_texts(result))
        if result.is_error and raised:
            refusal = _refusal(raised[-1])
            if refusal:
                return Reply(value=wire, wire=wire, flagged=True, refused=refusal)
        exception = _origin(raised[-1]) if result.is_error and raised else None
        return Reply(
            value=self._value(result),
            wire=wire,
            flagged=result.is_error,
            exception=exception,
        )

    def _value(self, result: CallToolResult) -> Any:
        structured = result.structured_content
        if structured is None:
            return _unstructured(result)
        return structured["result"] if self.wrapped else structured


def _unstructured(result: CallToolResult) -> Any:
    """Read the content blocks: JSON where it is some, else text.

    The server sends one block for each item of a list, so several JSON blocks are
    a list. Blocks that are no text come as the protocol writes them.
    """
    blocks = [_block(each) for each in result.content]
    texts = [each for each in blocks if isinstance(each, str)]
    if len(texts) == len(blocks):
        return "\n".join(texts) if texts else None
    return blocks[0] if len(blocks) == 1 else blocks


def _block(block: ContentBlock) -> Any:
    if block.type == "text":
        return _parsed(block.text)
    return block.model_dump(mode="json", by_alias=True, exclude_none=True)


def _parsed(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _texts(result: CallToolResult) -> Iterator[str]:
    return (each.text for each in result.content if each.type == "text")


def _refusal(error: Exception) -> str | None:
    """Say why the server turned the arguments down, or `None` where it did not.

    It raises a plain `ToolError` from pydantic's error for arguments only; a
    validation error in the tool's body arrives as an `UnexpectedToolError`.
    """
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import ValidationError

    cause = error.__cause__
    if type(error) is ToolError and isinstance(cause, ValidationError):
        return reasons(cause)
    return None


def _origin(error: BaseException) -> BaseException:
    """Find what the tool raised, beneath the errors the server wraps around it."""
    from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError

    cause = error.__cause__
    if isinstance(error, UnexpectedToolError) and cause is not None:
        return _origin(cause)
    return cause if isinstance(error, ToolError) and cause is not None else error


def _beneath(error: MCPError) -> BaseException:
    """Find what a handler raised where the server says `Internal server error`."""
    from mcp.types import INTERNAL_ERROR

    context = error.__context__
    return context if error.code == INTERNAL_ERROR and context else error


async def _listed(server: Any) -> Sequence[ListedTool]:
    """List the tools page by page, as a client does."""
    from mcp import Client

    found: list[ListedTool] = []
    async with Client(server) as client:
        page = await client.list_tools()
        found.extend(page.tools)
        while page.next_cursor is not None:
            page = await client.list_tools(cursor=page.next_cursor)
            found.extend(page.tools)
    return found


def _tool(listed: ListedTool, calls: _Calls) -> Tool:
    function = calls.function(listed.name)
    plain = underlying(function) if function else None
    plain = plain if hasattr(plain, "__code__") else None
    wrapped = _is_wrapped(listed.output_schema, plain)
    reading = _Reading(function=plain, wrapped=wrapped)
    hints = listed.annotations
    return Tool(
        name=listed.name,
        identity=identity_of(function) if function else f"mcp::{listed.name}",
        framework=ADAPTER.name,
        schema=listed.input_schema,
        output_schema=_unwrapped(listed.output_schema, wrapped=wrapped),
        invoke=partial(calls.invoke, listed.name, reading),
        function=plain,
        validates=calls.high_level,
        convert=calls.convert(listed.name),
        prepare=calls.connect,
        dialect="mcp",
        read_only=hints.read_only_hint if hints else None,
        description=listed.description or "",
    )


def _is_wrapped(
    schema: Mapping[str, Any] | None, function: Callable[..., Any] | None
) -> bool:
    """Tell whether an output schema is the wrapping that `MCPServer` makes.

    It has `result` as its only property and is titled after the function.
    """
    if schema is None or list(schema.get("properties", ())) != ["result"]:
        return False
    title = str(schema.get("title", ""))
    name = getattr(function, "__name__", None)
    return title == f"{name}Output" if name else title.endswith("Output")


def _unwrapped(
    schema: Mapping[str, Any] | None, *, wrapped: bool
) -> Mapping[str, Any] | None:
    """Give the schema of the value that a reply carries."""
    if schema is None or not wrapped:
        return schema
    kept = {key: schema[key] for key in ("$defs",) if key in schema}
    return {**kept, **schema["properties"]["result"]}


def _class_name(candidate: object) -> str | None:
    """Find the SDK's class among those of an object: subclasses count as well."""
    for each in type(candidate).__mro__:
        root = each.__module__.partition(".")[0]
        known = (_HIGH_LEVEL, _LOW_LEVEL, _FIRST_GENERATION)
        if root == "mcp" and each.__name__ in known:
            return each.__name__
    return None
