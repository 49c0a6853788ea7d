"""Hands out other rows through psycopg's cursors than the server's."""

from __future__ import annotations

import inspect
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FunctionType

    from pytest_toolresult.seams.patches import Patches


class ServedRows:
    """The rows that cursors are to hand out."""

    def __init__(self) -> None:
        self._served: WeakKeyDictionary[Any, Iterator[Any]] = WeakKeyDictionary()

    def install(self, patches: Patches) -> None:
        """Ask here first wherever rows are taken."""
        import psycopg

        for name, take in _TAKING.items():
            for cursor in (psycopg.Cursor, psycopg.ServerCursor):
                if name in vars(cursor):
                    lead(patches, vars(cursor)[name], self._fetching(take))
            for later in (psycopg.AsyncCursor, psycopg.AsyncServerCursor):
                if name in vars(later):
                    lead(patches, vars(later)[name], self._fetching_later(take))
        for cursor in (psycopg.Cursor, psycopg.ServerCursor):
            if inspect.isgeneratorfunction(cursor.__iter__):  # before psycopg 3.3
                lead(patches, cursor.__iter__, self._iterating)
        for later in (psycopg.AsyncCursor, psycopg.AsyncServerCursor):
            if inspect.isasyncgenfunction(later.__aiter__):
                lead(patches, later.__aiter__, self._iterating_later)

    def hand_out(self, cursor: Any, rows: list[Any]) -> None:
        """Hand out these rows from now on, and not the server's."""
        self._served[cursor] = iter(rows)
        with suppress(AttributeError):
            cursor._rowcount = len(rows)  # noqa: SLF001 - tools ask for it

    def forget(self, cursor: Any) -> None:
        """Hand out the server's again."""
        self._served.pop(cursor, None)

    def _fetching(self, take: Callable[..., Any]) -> Callable[..., Any]:
        def fetch(original: FunctionType, cursor: Any, *args: Any) -> Any:
            served = self._served.get(cursor)
            if served is None:
                return original(cursor, *args)
            return take(served, cursor, *args)

        return fetch

    def _fetching_later(self, take: Callable[..., Any]) -> Callable[..., Any]:
        async def fetch(original: FunctionType, cursor: Any, *args: Any) -> Any:
            served = self._served.get(cursor)
            if served is None:
                return await original(cursor, *args)
            return take(served, cursor, *args)

        return fetch

    def _iterating(self, original: FunctionType, cursor: Any) -> Any:
        served = self._served.get(cursor)
        yield from original(cursor) if served is None else served

    async def _iterating_later(self, original: FunctionType, cursor: Any) -> Any:
        served = self._served.get(cursor)
        if served is None:
            async for row in original(cursor):
                yield row
            return
        for row in served:
            yield row


@contextmanager
def plain_rows(cursor: Any) -> Iterator[Callable[[Any], Any]]:
    """Have rows as tuples for a moment; what makes the project's own is yielded."""
    from psycopg.rows import tuple_row

    factory = cursor.row_factory
    cursor.row_factory = tuple_row
    try:
        yield factory(cursor)
    finally:
        cursor.row_factory = factory


def lead(patches: Patches, method: Any, handler: Callable[..., Any]) -> None:
    """Lead a method of a class through a handler."""
    lead_through(patches, getattr(method, "__func__", method), handler)


def _next_async(served: Iterator[Any], _cursor: Any) -> Any:
    for row in served:
        return row
    raise StopAsyncIteration


_TAKING: Final[Mapping[str, Callable[..., Any]]] = {
    "fetchone": lambda served, _cursor: next(served, None),
    "fetchmany": lambda served, cursor, size=0: list(
        islice(served, size or cursor.arraysize)
    ),
    "fetchall": lambda served, _cursor: list(served),
    "__next__": lambda served, _cursor: next(served),
    "__anext__": _next_async,
}
