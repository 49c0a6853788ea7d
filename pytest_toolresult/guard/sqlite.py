"""Stops SQL that writes, since SQLite's own file access raises no audit event.

An authorizer on every connection asks the guard whenever a statement is prepared, on
those that are older than the period (found through the garbage collector) and those
made meanwhile. `sqlite3.connect` adds it at once; any other way of making a connection
is stopped, since its statements would be out of sight. An authorizer of the project
goes on deciding first and is put back afterwards.

What changes only memory passes: in-memory and temporary databases, and those below
scratch. Not seen are `Connection.blobopen` and `Connection.backup` into a file:
SQLite asks no authorizer there.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
import threading
import weakref
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from pytest_toolresult.guard.paths import is_free, target
from pytest_toolresult.guard.period import Stopped
from pytest_toolresult.guard.statements import (
    ATTACH,
    VACUUM_SCHEMA,
    ends_transaction,
    writes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pytest_toolresult.guard.period import Limits

    Judge = Callable[[tuple[Any, ...], Limits], str | None]

HANDLE: Final = "sqlite3.connect/handle"
"""The audit event of every new connection, raised a moment before it is usable."""

_SQL: Final = "pytest_toolresult.sql"
_ATTACH: Final = "pytest_toolresult.sql_attach"
_ORIGINAL: Final = sqlite3.connect
_MAKING: Final = threading.local()


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class _Authorizer:
    """The authorizer of one connection.

    Attributes:
        files: The real path beneath each schema; "" where it lives in memory.
        journal: The journal mode the connection began with.
        in_transaction: Whether a transaction was open at the beginning.
        users: The project's own authorizer, if there was one.
        denied: Whether it denied anything.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    journal: str = ""
    in_transaction: bool = False
    users: Callable[..., int] | None = None
    denied: bool = False

    def __call__(
        self,
        action: int,
        first: str | None,
        second: str | None,
        schema: str | None,
        trigger: str | None,
    ) -> int:
        if self.users is not None:
            verdict = self.users(action, first, second, schema, trigger)
            if verdict != sqlite3.SQLITE_OK:
                return verdict
        try:
            self._ask(action, first, second, schema)
        except Stopped:
            self.denied = True
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    def _ask(
        self, action: int, first: str | None, second: str | None, schema: str | None
    ) -> None:
        if action == ATTACH:
            sys.audit(_ATTACH, first)
            return
        words = writes(action, first, second, schema, journal=self.journal)
        if words is None and self.in_transaction and ends_transaction(action, first):
            words = f"{first} of a transaction that is older than the call"
        if words is not None:
            sys.audit(_SQL, words, self._file(schema))

    def _file(self, schema: str | None) -> str | None:
        """The file that would change; `None` where it is not known."""
        return self.files.get("main" if schema in {None, VACUUM_SCHEMA} else schema)


class Connections:
    """The connections of this process, watched between `arm` and `disarm`.

    Looking through all objects costs some milliseconds, so it is only done where
    connections live or new modules may hold `sqlite3.connect` under their own name.
    """

    def __init__(self) -> None:
        self._alive = True
        self._modules = 0
        self._old: list[sqlite3.Connection] = []
        self._new: list[weakref.ref[_Authorizer]] = []
        self._namespaces: list[tuple[dict[str, Any], str]] = []
        self._led: list[tuple[dict[str, Any], str]] = []

    def made(self) -> None:
        """Learn that a connection has been made out of our sight."""
        if not _making():
            self._alive = True

    def arm(self, note: Callable[[str], None]) -> None:
        """Watch every connection there is, and `sqlite3.connect`.

        Args:
            note: Takes a sentence about each connection that cannot be watched.
        """
        if self._alive or self._modules != len(sys.modules):
            self._modules = len(sys.modules)
            found = _holders()
            self._namespaces = list(_names(found))
            self._old = [one for one in found if _is_connection(one)]
            self._alive = bool(self._old)
        for connection in self._old:
            _watch(connection, note)
        for space, name in self._namespaces:
            if space.get(name) is _ORIGINAL:
                space[name] = self.connect
                self._led.append((space, name))

    def disarm(self) -> None:
        """Give the connections back as they were."""
        for space, name in self._led:
            if space.get(name) == self.connect:
                space[name] = _ORIGINAL
        self._led.clear()
        if any(reference() is not None for reference in self._new):
            self._alive = True
            self._old.extend(one for one in _holders() if _is_connection(one))
        self._new.clear()
        for connection in self._old:
            _release(connection)
        self._old.clear()

    def connect(self, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        """Stand in for `sqlite3.connect`: make a connection and watch it."""
        _MAKING.depth = _making() + 1
        try:
            connection: sqlite3.Connection = _ORIGINAL(*args, **kwargs)
        finally:
            _MAKING.depth -= 1
        self._new.append(weakref.ref(_put(connection)))
        return connection


def _making() -> int:
    return int(getattr(_MAKING, "depth", 0))


def _is_connection(one: object) -> bool:
    return issubclass(type(one), sqlite3.Connection)


def _holders() -> list[Any]:
    """Every connection, and every mapping that holds `sqlite3.connect`."""
    kinds: list[type] = [sqlite3.Connection]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    return gc.get_referrers(*kinds, _ORIGINAL)


def _names(holders: Iterable[Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """The names under which modules hold `sqlite3.connect`, except our own."""
    for space in holders:
        if not isinstance(space, dict) or space is globals():
            continue
        module = sys.modules.get(str(space.get("__name__")))
        if module is not None and module.__dict__ is space:
            yield from ((space, name) for name in _keys_of_connect(space))


def _keys_of_connect(space: dict[str, Any]) -> list[str]:
    return [name for name, value in list(space.items()) if value is _ORIGINAL]


def _watch(connection: sqlite3.Connection, note: Callable[[str], None]) -> None:
    try:
        _put(connection)
    except sqlite3.ProgrammingError as error:
        if "thread" in str(error):
            note(
                "a SQLite connection belongs to another thread: the guard cannot see "
                "what it writes"
            )


def _put(connection: sqlite3.Connection) -> _Authorizer:
    """Add our authorizer; the project's own is the callable that it displaces.

    Raises:
        sqlite3.ProgrammingError: The connection is closed, or another thread's.
    """
    authorizer = _Authorizer(
        files=_files(connection),
        journal=_journal(connection),
        in_transaction=connection.in_transaction,
    )
    before = gc.get_referents(connection)
    sqlite3.Connection.set_authorizer(connection, authorizer)
    left = Counter(map(id, gc.get_referents(connection)))
    gone = [one for one in before if callable(one) and not _still(one, left)]
    if gone:
        users = gone[0]
        authorizer.users = users.users if isinstance(users, _Authorizer) else users
    return authorizer


def _still(one: object, left: Counter[int]) -> bool:
    left[id(one)] -= 1
    return left[id(one)] >= 0


def _release(connection: sqlite3.Connection) -> None:
    ours = [one for one in gc.get_referents(connection) if isinstance(one, _Authorizer)]
    with suppress(sqlite3.ProgrammingError):  # closed, or another thread's
        for authorizer in ours:
            sqlite3.Connection.set_authorizer(connection, authorizer.users)
            begun = connection.in_transaction and not authorizer.in_transaction
            if begun and authorizer.denied:
                # Python opened it for a statement that was stopped.
                sqlite3.Connection.rollback(connection)


def _files(connection: sqlite3.Connection) -> dict[str, str]:
    rows = _rows(connection, "PRAGMA database_list")
    return {_text(name): _real(_text(file)) for _, name, file in rows}


def _journal(connection: sqlite3.Connection) -> str:
    rows = _rows(connection, "PRAGMA journal_mode")
    return _text(rows[0][0]) if rows else ""


def _rows(connection: sqlite3.Connection, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement that reads, past whatever the project's subclass does."""
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


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value or "")


def _real(file: str) -> str:
    return target(file) or "" if file else ""


def _judge_connect(args: tuple[Any, ...], limits: Limits) -> str | None:
    file = _database(args[0])
    created = _judge_file(file, limits)
    if created is None and not _making():
        return f"opens a SQLite database past sqlite3.connect: {file or 'in memory'}"
    return created


def _judge_attach(args: tuple[Any, ...], limits: Limits) -> str | None:
    """Attaching only reads, but for a file that is not there yet.

    The name may be an expression that SQLite does not tell (`None`).
    """
    if args[0] is None:
        return "runs SQL that writes: ATTACH of a computed name"
    return _judge_file(_database(args[0]), limits)


def _judge_file(file: str | None, limits: Limits) -> str | None:
    if file is None or is_free(file, limits.root):
        return None
    if os.path.lexists(file) or not os.path.isdir(os.path.dirname(file)):
        return None
    return f"creates a database: {file}"


def _database(name: Any) -> str | None:
    """The real path of a database's file, `None` where it lives in memory.

    `file:` names are read as URIs: the event does not tell whether they are.
    """
    text = os.fsdecode(name)
    if text.startswith("file:"):
        parts = urlsplit(text)
        query = parse_qs(parts.query)
        if query.get("mode", [""])[-1] == "memory":
            return None
        text = unquote(parts.path)
    return None if text in {"", ":memory:"} else target(text)


def _judge_sql(args: tuple[Any, ...], limits: Limits) -> str | None:
    words, file = args
    if file is not None and (not file or is_free(file, limits.root)):
        return None
    return f"runs SQL that writes: {words}"


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        "sqlite3.connect": _judge_connect,
        _ATTACH: _judge_attach,
        _SQL: _judge_sql,
    }
)
