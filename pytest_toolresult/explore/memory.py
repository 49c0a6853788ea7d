"""What failed last time, from one run to the next."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypothesis.database import ExampleDatabase

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.tools import Tool

_MOST_KEPT: Final = 20
_NAMESPACE: Final = "pytest-toolresult"


class Memory(Protocol):
    """Keeps the arguments that showed something, per tool."""

    def recall(self, tool: Tool, exploration: str) -> Sequence[Arguments]:
        """Return what was kept, in an order that does not change."""
        ...

    def keep(
        self, tool: Tool, exploration: str, arguments: Iterable[Arguments]
    ) -> None:
        """Keep these arguments in place of what was kept."""
        ...


class ExampleMemory:
    """Keeps arguments in Hypothesis' example database.

    It is the one of the profile in force, so that a shared back end serves here as
    well, and nothing is kept where the profile has none, as in most CI.
    """

    def recall(self, tool: Tool, exploration: str) -> Sequence[Arguments]:
        """Return what was kept, in an order that does not change."""
        database = _database()
        if database is None:
            return []
        kept = sorted(database.fetch(_key(tool, exploration)))
        return [each for each in map(_read, kept) if each is not None]

    def keep(
        self, tool: Tool, exploration: str, arguments: Iterable[Arguments]
    ) -> None:
        """Keep these arguments in place of what was kept."""
        database = _database()
        if database is None:
            return
        key = _key(tool, exploration)
        known, kept = set(database.fetch(key)), _written(arguments)
        for each in known - kept:
            database.delete(key, each)
        for each in kept - known:
            database.save(key, each)


def _database() -> ExampleDatabase | None:
    from hypothesis import settings

    return settings().database


def _key(tool: Tool, exploration: str) -> bytes:
    return f"{_NAMESPACE}:{exploration}:{tool.identity}".encode()


def _written(arguments: Iterable[Arguments]) -> set[bytes]:
    written: dict[bytes, None] = {}
    for each in arguments:
        with suppress(TypeError, ValueError, RecursionError):  # not from JSON
            written[json.dumps(each, sort_keys=True).encode()] = None
    return set(list(written)[:_MOST_KEPT])


def _read(kept: bytes) -> Arguments | None:
    """Read an entry; a database that is shared may hold anything."""
    try:
        found = json.loads(kept)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
