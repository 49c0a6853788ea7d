"""Leads the calls of a Python function through a handler, whoever holds the function.

Replacing an attribute reaches those who look it up there. A function is also held
under names of other modules, as a default argument, in tables, by objects it was handed
to and by bound methods. All of them run its code, so the code is what is replaced: by
a few instructions of the same kind that call the handler.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import partial
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator

    from pytest_toolresult.seams.patches import Patches

_HANDLER: Final = "<handler>"
"""The constant of the templates whose place the handler takes."""


def lead_through(
    patches: Patches, function: FunctionType, handler: Callable[..., Any]
) -> None:
    """Have a handler called in the place of a function, until the patches are out.

    Args:
        patches: Takes the handler out again.
        function: Any function written in Python, closures and methods included.
        handler: Called with a function that does what this one did, and then with the
            arguments. It is of the same kind: for a coroutine function it returns an
            awaitable, for a generator function an iterator.
    """
    before, original = function.__code__, _clone(function)
    told = _signature(function)
    function.__code__ = _trampoline(before, partial(handler, original))
    patches.on_restore(lambda: setattr(function, "__code__", before))
    if told is not None:
        patches.replace(function, "__signature__", told)


def _clone(function: FunctionType) -> FunctionType:
    made = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    made.__qualname__ = function.__qualname__
    made.__module__ = function.__module__
    return made


def _signature(function: FunctionType) -> inspect.Signature | None:
    """What the function takes, lest the few instructions be asked for it."""
    if "__signature__" in vars(function):
        return None
    with suppress(TypeError, ValueError):
        return inspect.signature(function)
    return None


def _trampoline(code: CodeType, handler: Callable[..., Any]) -> CodeType:
    template = _template(code)
    constants: tuple[Any, ...] = template.co_consts
    return template.replace(
        co_consts=tuple(handler if one == _HANDLER else one for one in constants),
        co_freevars=code.co_freevars,  # a function's code must fit its closure
        co_name=code.co_name,
        co_qualname=code.co_qualname,
    )


def _template(code: CodeType) -> CodeType:
    if code.co_flags & inspect.CO_COROUTINE:
        return _coroutine.__code__
    if code.co_flags & inspect.CO_ASYNC_GENERATOR:
        return _async_generator.__code__
    if code.co_flags & inspect.CO_GENERATOR:
        return _generator.__code__
    return _plain.__code__


# The templates run among the names of the functions whose code they take the place of:
# they must use none but their own.


def _plain(*args: Any, **kwargs: Any) -> Any:
    handler: Any = "<handler>"
    return handler(*args, **kwargs)


async def _coroutine(*args: Any, **kwargs: Any) -> Any:
    handler: Any = "<handler>"
    return await handler(*args, **kwargs)


def _generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
    handler: Any = "<handler>"
    return (yield from handler(*args, **kwargs))


async def _async_generator(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
    handler: Any = "<handler>"
    items = handler(*args, **kwargs)
    try:
        async for item in items:
            yield item
    finally:
        await items.aclose()
