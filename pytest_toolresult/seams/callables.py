"""The seam of callables that the user names, such as `shop.db.execute`.

Whatever a tool depends on can be broken there: a client that no other seam knows, or
a layer of the project's own. What happens below such a callable is seen and broken by
the other seams as ever, and stopped where an exploration does not allow it.
"""

from __future__ import annotations

import errno
import inspect
import os
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.errors import ContractError
from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.redaction.canaries import dsn
from pytest_toolresult.seams.naming import Named, named
from pytest_toolresult.seams.recording import cross
from pytest_toolresult.seams.shapes import count, emptied, inflated
from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Awaitable,
        Callable,
        Generator,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage

OPERATION: Final = "call"

_ERRORS: Final[Mapping[str, Callable[[str], Exception]]] = {
    "timeout": lambda where: TimeoutError(f"timed out waiting for {where}"),
    "refused": lambda where: ConnectionRefusedError(
        errno.ECONNREFUSED, f"{os.strerror(errno.ECONNREFUSED)}: {where}"
    ),
    "no_permission": lambda where: PermissionError(
        errno.EACCES, f"{os.strerror(errno.EACCES)}: {where}"
    ),
    "unexpected": lambda where: RuntimeError(f"unexpected state of {where}"),
}
_VALUES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "wrong_shape": lambda _value: None,
    "emptied": emptied,
    "inflated": inflated,
}
_AT_THE_START: Final = frozenset({"refused", "no_permission"})
"""What keeps a stream from beginning; all else breaks it after its first item."""

_LONGEST: Final = 40
_MOST: Final = 4


class CallableSeam:
    """The seam of one callable.

    Attributes:
        name: The dotted name.
        library: The module that holds it.
    """

    def __init__(self, dotted: str, *, root: Path | None = None) -> None:
        """Find the callable.

        Args:
            dotted: Its name.
            root: The folder that is made importable; the working folder by default.

        Raises:
            ContractError: If there is none of that name, or it cannot be broken.
            TargetError: If its module cannot be imported.
        """
        self._named = named(dotted, root=root)
        self._function = _breakable(self._named)
        self._fitting: dict[BoundaryCall, tuple[str, ...]] = {}
        self.name = dotted
        self.library = self._named.module

    def install(self, patches: Patches) -> None:
        """Lead every call of it through here, by whatever name it is called."""
        lead_through(patches, self._function, self._handler())

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at it; of values only what changed them."""
        fitting = self._fitting.get(call, self._values)
        names = (*_ERRORS, *(each for each in fitting if each in self._values))
        return [CATALOGUE[name].put_at(self.name) for name in names]

    @property
    def _values(self) -> tuple[str, ...]:
        """The changes to what it hands over: none to an object that it makes."""
        if isinstance(self._named.value, type):
            return ()
        return ("emptied", "inflated") if self._streams else tuple(_VALUES)

    @property
    def _streams(self) -> bool:
        return inspect.isgeneratorfunction(self._function) or (
            inspect.isasyncgenfunction(self._function)
        )

    def _handler(self) -> Callable[..., Any]:
        for fits, handler in (
            (inspect.iscoroutinefunction, self._coroutine),
            (inspect.isasyncgenfunction, self._async_generator),
            (inspect.isgeneratorfunction, self._generator),
            (_is_context_manager, self._context_manager),
            (_is_async_context_manager, self._async_context_manager),
        ):
            if fits(self._function):
                return handler
        return self._plain

    def _plain(self, original: FunctionType, *args: Any, **kwargs: Any) -> Any:
        passage = self._enter(args, kwargs)
        if passage is None:
            return original(*args, **kwargs)
        self._fail(passage)
        with _noting(passage):
            value = original(*args, **kwargs)
        if inspect.isawaitable(value):
            return self._later(passage, value)
        return self._handed_over(passage, value)

    async def _coroutine(
        self, original: FunctionType, *args: Any, **kwargs: Any
    ) -> Any:
        passage = self._enter(args, kwargs, suspends=True)
        if passage is None:
            return await original(*args, **kwargs)
        await passage.reached()
        self._fail(passage)
        with _noting(passage):
            value = await original(*args, **kwargs)
        return self._handed_over(passage, value)

    def _generator(
        self, original: FunctionType, *args: Any, **kwargs: Any
    ) -> Generator[Any, Any, Any]:
        passage = self._enter(args, kwargs)
        if passage is None:
            return (yield from original(*args, **kwargs))
        self._fail(passage, _AT_THE_START)
        items = original(*args, **kwargs)
        if _changes(passage):
            items = self._handed_over(passage, list(items))
        handed_over = 0
        for item in items:
            yield item
            handed_over += 1
            self._fail(passage)
        self._fail(passage)
        self._learn_stream(passage, handed_over)
        return None

    async def _async_generator(
        self, original: FunctionType, *args: Any, **kwargs: Any
    ) -> AsyncIterator[Any]:
        passage = self._enter(args, kwargs, suspends=True)
        if passage is None:
            async for item in original(*args, **kwargs):
                yield item
            return
        await passage.reached()
        self._fail(passage, _AT_THE_START)
        items = original(*args, **kwargs)
        if _changes(passage):
            items = _again(self._handed_over(passage, [item async for item in items]))
        handed_over = 0
        async for item in items:
            yield item
            handed_over += 1
            self._fail(passage)
        self._fail(passage)
        self._learn_stream(passage, handed_over)

    def _context_manager(
        self, original: FunctionType, *args: Any, **kwargs: Any
    ) -> Any:
        @contextmanager
        def around() -> Iterator[Any]:
            passage = self._enter(args, kwargs)
            if passage is not None:
                self._fail(passage)
            with original(*args, **kwargs) as value:
                yield value if passage is None else self._handed_over(passage, value)

        return around()

    def _async_context_manager(
        self, original: FunctionType, *args: Any, **kwargs: Any
    ) -> Any:
        @asynccontextmanager
        async def around() -> AsyncIterator[Any]:
            passage = self._enter(args, kwargs, suspends=True)
            if passage is not None:
                await passage.reached()
                self._fail(passage)
            async with original(*args, **kwargs) as value:
                yield value if passage is None else self._handed_over(passage, value)

        return around()

    def _enter(
        self,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        *,
        suspends: bool = False,
    ) -> Passage | None:
        if not self._named.concerns(args):
            return None
        return cross(
            self.name, OPERATION, detail=_detail(args, kwargs), suspends=suspends
        )

    def _fail(self, passage: Passage, only: frozenset[str] | None = None) -> None:
        fault = passage.fault
        if fault is None or fault.name not in _ERRORS:
            return
        if only is None or fault.name in only:
            passage.fire()
            raise _ERRORS[fault.name](dsn(f"{self.name} {fault.name}"))

    async def _later(self, passage: Passage, value: Awaitable[Any]) -> Any:
        return self._handed_over(passage, await value)

    def _handed_over(self, passage: Passage, value: Any) -> Any:
        """Return what the tool gets in the place of what the callable returned."""
        fault = passage.fault
        if fault is None or not _changes(passage):
            self._learn(passage, value)
            passage.rows = count(value)
            return value
        changed = _VALUES[fault.name](value)
        if not _is_equal(changed, value):
            passage.fire()
        passage.rows = count(changed)
        return changed

    def _learn(self, passage: Passage, value: Any) -> None:
        """Remember which changes would make a difference at this call."""
        self._fitting[passage.call] = tuple(
            name for name in self._values if not _is_equal(_VALUES[name](value), value)
        )

    def _learn_stream(self, passage: Passage, length: int) -> None:
        if not _changes(passage):
            passage.rows = length
            self._fitting[passage.call] = self._values if length else ()


def _breakable(found: Named) -> FunctionType:
    function = found.function()
    if function is None:
        kind = type(found.value).__name__
        raise ContractError(
            f"{found.dotted!r} is not written in Python ({kind}) and cannot be broken;"
            " name the function of the project that calls it"
        )
    return function


@contextmanager
def _noting(passage: Passage) -> Iterator[None]:
    """Note what the callable raised by itself."""
    try:
        yield
    except Exception as error:
        passage.failure = type(error).__name__
        raise


async def _again(items: Sequence[Any]) -> AsyncIterator[Any]:
    for item in items:
        yield item


def _changes(passage: Passage) -> bool:
    return passage.fault is not None and passage.fault.name in _VALUES


def _is_equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - comparing is the project's own code
        return one is other


def _is_context_manager(function: FunctionType) -> bool:
    """Whether the decorator made it: all that it makes have their code in common."""
    sample: Any = contextmanager(function)
    return function.__code__ is sample.__code__


def _is_async_context_manager(function: FunctionType) -> bool:
    sample: Any = asynccontextmanager(function)
    return function.__code__ is sample.__code__


def _detail(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Tell calls of one line apart by what they were given, as far as that is plain.

    An object shows by its class alone: its text may differ from run to run.
    """
    told = [_told(each) for each in args]
    told += [f"{name}={_told(each)}" for name, each in kwargs.items()]
    return ", ".join(told)


def _told(value: Any, depth: int = 2) -> str:
    if value is None or type(value) in {bool, int, float, str, bytes}:
        return repr(value[:_LONGEST] if isinstance(value, (str, bytes)) else value)
    if type(value) in {list, tuple} and depth:
        inner = ", ".join(_told(each, depth - 1) for each in value[:_MOST])
        return f"[{inner}]"
    if type(value) is dict and depth:
        pairs = list(value.items())[:_MOST]
        inner = ", ".join(
            f"{_told(key)}: {_told(one, depth - 1)}" for key, one in pairs
        )
        return f"{{{inner}}}"
    return type(value).__name__
