"""Plain Python callables as tools: what a hand-written agent loop calls."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.docstrings import summary
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.parameters import identity_of, underlying
from pytest_toolresult.signatures import Refused, Signature, describe
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pytest_toolresult.calls import Arguments

    Invoke = Callable[[Arguments], Reply | Awaitable[Reply]]
    Bind = Callable[[Arguments], tuple[list[Any], dict[str, Any]]]


class CallableAdapter:
    """Functions, coroutine functions, methods, partials and callable objects."""

    name: Final = "callable"

    def recognises(self, candidate: object) -> bool:
        """Tell whether it can be called; a class makes objects and is no tool."""
        return callable(candidate) and not isinstance(candidate, type)

    def tools(
        self, candidate: Callable[..., Any], *, validate: bool | None
    ) -> Sequence[Tool]:
        """Present the callable as one tool."""
        plain = underlying(candidate)
        signature = describe(candidate)
        return [
            Tool(
                name=_name(candidate),
                identity=identity_of(candidate),
                framework=self.name,
                schema=signature.schema,
                invoke=_invocation(candidate, signature, validate=validate),
                function=plain if inspect.isfunction(plain) else None,
                validates=validate is not False,
                convert=None if validate is False else signature.convert,
                description=summary(_documentation(candidate)),
                unusable=signature.unusable or _streams(plain),
            )
        ]


ADAPTER: Final = CallableAdapter()


def _name(function: Callable[..., Any]) -> str:
    """Call it by its own name; an object by the name of its class."""
    if isinstance(function, functools.partial):
        return _name(function.func)
    name = getattr(function, "__name__", None) or type(function).__name__
    return "lambda" if name == "<lambda>" else str(name)


def _documentation(function: Callable[..., Any]) -> str | None:
    """Find the docstring a runtime would show: never that of `partial` itself."""
    if isinstance(function, functools.partial):
        return _documentation(function.func)
    return inspect.getdoc(function)


def _streams(plain: Callable[..., Any]) -> str | None:
    """Say why a generator function cannot be driven.

    Runtimes differ in what they make of the pieces (text joined, a list, only the
    last one), so there is no single result that could be judged.
    """
    if inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain):
        return (
            "it yields its result piece by piece, and runtimes put the pieces"
            " together differently; give a function that returns the whole"
        )
    return None


def _invocation(
    function: Callable[..., Any], signature: Signature, *, validate: bool | None
) -> Invoke:
    def checked(arguments: Arguments) -> tuple[list[Any], dict[str, Any]]:
        return signature.bind(signature.convert(arguments))

    bind = signature.bind if validate is False else checked
    coroutine = _is_coroutine_function(function)
    return _async_call(function, bind) if coroutine else _sync_call(function, bind)


def _sync_call(function: Callable[..., Any], bind: Bind) -> Invoke:
    def invoke(arguments: Arguments) -> Reply:
        bound = _bound(bind, arguments)
        if isinstance(bound, Reply):
            return bound
        args, kwargs = bound
        try:
            return Reply(value=function(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whatever the tool raises is the result
            return Reply(exception=error)

    return invoke


def _async_call(function: Callable[..., Any], bind: Bind) -> Invoke:
    async def invoke(arguments: Arguments) -> Reply:
        bound = _bound(bind, arguments)
        if isinstance(bound, Reply):
            return bound
        args, kwargs = bound
        try:
            result = function(*args, **kwargs)
            return Reply(value=await result if inspect.isawaitable(result) else result)
        except Exception as error:  # noqa: BLE001 - whatever the tool raises is the result
            return Reply(exception=error)

    return invoke


def _bound(
    bind: Bind, arguments: Arguments
) -> tuple[list[Any], dict[str, Any]] | Reply:
    """Bind arguments; a refusal or a crash of the user's validators is a reply."""
    try:
        return bind(arguments)
    except Refused as refusal:
        return Reply(refused=str(refusal))
    except Exception as error:  # noqa: BLE001 - a validator of the user's crashed
        return Reply(exception=error)


def _is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Tell whether a call has to be awaited, also beneath a synchronous wrapper.

    A function that hands out a coroutine without being one has forgotten an
    `await`; its result is left as it is, so that this shows.
    """
    inner: Any = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(
        underlying(inner)
    )
