"""The authorizer that asks the guard about every step of a statement.

It serves connections that one thread alone may use. SQLite asks it while it holds the
connection's lock, and it needs Python's lock to answer; a second thread that holds
Python's lock and waits for the connection's would wait for ever.
"""

from __future__ import annotations

import gc
import sqlite3
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_toolresult.guard import refusals
from pytest_toolresult.guard.databases import files, journal
from pytest_toolresult.guard.period import Stopped
from pytest_toolresult.guard.statements import (
    ATTACH,
    READ,
    VACUUM_SCHEMA,
    ends_transaction,
    writes,
)
from pytest_toolresult.outcomes import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Learn = Callable[[Column], None]
    """Takes each column that a statement reads."""


@dataclass(slots=True, kw_only=True, eq=False, weakref_slot=True)
class Authorizer:
    """The authorizer of one connection.

    Attributes:
        files: The real path beneath each schema; "" where it lives in memory.
        journal: The journal mode the connection began with.
        in_transaction: Whether a transaction was open at the beginning.
        learn: Takes what is read of a file.
        users: The project's own authorizer, if there was one.
        denied: Whether it denied anything.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    journal: str = ""
    in_transaction: bool = False
    learn: Learn | None = None
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
        """Answer SQLite: the project's own authorizer first, then the guard."""
        if self.users is not None:
            verdict = self.users(action, first, second, schema, trigger)
            if verdict != sqlite3.SQLITE_OK:
                return verdict
        if action == READ:
            self._read(first, second, schema)
            return sqlite3.SQLITE_OK
        try:
            self._ask(action, first, second, schema)
        except Stopped as stopped:
            self.denied = True
            refusals.expect(stopped)
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    def _read(self, table: str | None, column: str | None, schema: str | None) -> None:
        file = self.files.get(schema or "main")
        if self.learn and file and table and column:
            self.learn(Column(file=file, table=table, name=column))

    def _ask(
        self, action: int, first: str | None, second: str | None, schema: str | None
    ) -> None:
        if action == ATTACH:
            sys.audit(refusals.ATTACH_EVENT, first)
            return
        words = writes(action, first, second, schema, journal=self.journal)
        if words is None and self.in_transaction and ends_transaction(action, first):
            words = f"{first} of a transaction that is older than the call"
        if words is not None:
            sys.audit(refusals.SQL_EVENT, words, self._file(schema))

    def _file(self, schema: str | None) -> str | None:
        """The file that would change; `None` where it is not known."""
        return self.files.get("main" if schema in {None, VACUUM_SCHEMA} else schema)


def put(connection: sqlite3.Connection, learn: Learn | None = None) -> Authorizer:
    """Add an authorizer; the project's own is the callable that it displaces.

    Statements that are prepared already ask it as well: SQLite prepares them again.

    Args:
        connection: The connection.
        learn: Takes each column that a statement reads of a file.

    Raises:
        sqlite3.ProgrammingError: The connection is closed, or another thread's.
    """
    authorizer = Authorizer(
        files=files(connection),
        journal=journal(connection),
        in_transaction=connection.in_transaction,
        learn=learn,
    )
    before = gc.get_referents(connection)
    sqlite3.Connection.set_authorizer(connection, authorizer)
    left = Counter(map(id, gc.get_referents(connection)))
    gone = [one for one in before if callable(one) and not _still(one, left)]
    authorizer.users = gone[0] if gone else None
    return authorizer


def _still(one: object, left: Counter[int]) -> bool:
    left[id(one)] -= 1
    return left[id(one)] >= 0


def take_back(connection: sqlite3.Connection) -> None:
    """Put the project's authorizer back, where ours is.

    Raises:
        sqlite3.ProgrammingError: The connection is closed, or another thread's.
    """
    for one in gc.get_referents(connection):
        if isinstance(one, Authorizer):
            sqlite3.Connection.set_authorizer(connection, one.users)
            begun = connection.in_transaction and not one.in_transaction
            if begun and one.denied:
                # Python opened it for a statement that was stopped.
                sqlite3.Connection.rollback(connection)
