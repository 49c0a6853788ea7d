"""Asks a SQLite connection about itself, past whatever the project made of it."""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from pytest_toolresult.guard.paths import target

if TYPE_CHECKING:
    from collections.abc import Iterable


def rows(connection: sqlite3.Connection, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement that reads or sets something of the connection alone.

    Raises:
        sqlite3.ProgrammingError: The connection is closed, or another thread's.
    """
    cursor = sqlite3.Cursor(connection)
    cursor.row_factory = None
    try:
        return cursor.execute(statement).fetchall()
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error:  # locked, no database, or denied: nothing is known
        return []
    finally:
        cursor.close()


def files(connection: sqlite3.Connection) -> dict[str, str]:
    """The real path beneath each schema; "" where it lives in memory."""
    return {
        _text(name): (target(_text(file)) or "") if file else ""
        for _, name, file in rows(connection, "PRAGMA database_list")
    }


def journal(connection: sqlite3.Connection) -> str:
    """The journal mode, such as `wal`; "" where it cannot be read."""
    found = rows(connection, "PRAGMA journal_mode")
    return _text(found[0][0]) if found else ""


def shared(connections: Iterable[sqlite3.Connection]) -> set[int]:
    """The `id` of those that any thread may use, found by trying in another."""
    found: set[int] = set()
    candidates = list(connections)

    def touch() -> None:
        found.update(id(one) for one in candidates if is_mine(one))

    if candidates:
        thread = threading.Thread(target=touch)
        thread.start()
        thread.join()
    return found


def is_mine(connection: sqlite3.Connection) -> bool:
    """Whether the running thread may use a connection, and it is open."""
    try:
        sqlite3.Cursor(connection).close()
    except sqlite3.ProgrammingError:
        return False
    return True


def database(name: Any) -> str | None:
    """The real path of a database's file, `None` where it lives in memory.

    `file:` names are read as URIs: the event does not tell whether they are.
    """
    text = os.fsdecode(name)
    if text.startswith("file:"):
        parts = urlsplit(text)
        if parse_qs(parts.query).get("mode", [""])[-1] == "memory":
            return None
        text = unquote(parts.path)
    return None if text in {"", ":memory:"} else target(text)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value or "")
