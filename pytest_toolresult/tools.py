"""A tool under test, whatever framework it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.outcomes import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Something a model can call, as an adapter presents it.

    Attributes:
        name: What the model calls it.
        identity: What makes it one tool however it was reached:
            `module:qualname` of the unwrapped function, or `ALIAS::name`.
        framework: The adapter's name, such as `callable` or `mcp`.
        schema: A JSON Schema of the arguments (an object schema), or `None` where
            none could be made; `unusable` then says why.
        invoke: Calls the tool with arguments exactly as its runtime does, at once
            or as an awaitable. It hands back what the tool raised, refused and
            returned as a `Reply`; only `BaseException`s that are no `Exception`
            pass through it.
        output_schema: The JSON Schema the tool promises for its results, if any.
        function: The plain function beneath, where it can be reached.
        validates: Whether the runtime validates and converts arguments before the
            tool sees them.
        dialect: The dialect of the framework's results, or `None` for the default.
        read_only: Whether the tool says that it changes nothing; `None` unknown.
        description: What the model is told about the tool.
        convert: Returns the arguments as the tool sees them after validation, so
            that equal calls are known as such; raises `ValueError` where they are
            refused. `None` where they go in as they came.
        prepare: Has ready what calls on the running loop need, such as a connection
            to a server. It runs before a call, outside of the call's bound and
            guard: a server that starts is not the tool.
        unusable: Why no arguments can be made for it, or `None`.
    """

    name: str
    identity: str
    framework: str
    schema: Mapping[str, Any] | None
    invoke: Callable[[Arguments], Reply | Awaitable[Reply]]
    output_schema: Mapping[str, Any] | None = None
    function: Callable[..., Any] | None = None
    validates: bool = True
    dialect: str | None = None
    read_only: bool | None = None
    description: str = ""
    convert: Callable[[Arguments], Mapping[str, Any]] | None = None
    prepare: Callable[[], Awaitable[object]] | None = None
    unusable: str | None = None
