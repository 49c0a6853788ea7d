"""Makes a connection that several threads may use read-only for a while.

SQLite refuses by itself then, without asking Python: see `authorizers` for why that
matters. It is coarser: temporary tables are refused too, the table is not named, and
while threads really use the connection at the same moment Python may report one's
error to the other, so that a refusal goes unseen (it is a refusal all the same). A
change of the journal mode to or from WAL passes.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass

from pytest_toolresult.guard.databases import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOnly:
    """A connection that has been made read-only.

    Attributes:
        connection: The connection.
        query_only: Whether it had been read-only before.
        attached: How many databases it could attach.
        in_transaction: Whether a transaction was open.
    """

    connection: sqlite3.Connection
    query_only: bool
    attached: int
    in_transaction: bool

    def undo(self) -> None:
        """Let it write again, if it is still open."""
        with suppress(sqlite3.ProgrammingError):
            begun = self.connection.in_transaction and not self.in_transaction
            if begun:  # nothing can have been written in it
                sqlite3.Connection.rollback(self.connection)
            rows(self.connection, f"PRAGMA query_only={int(self.query_only)}")
            self.connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, self.attached)


def make_read_only(connection: sqlite3.Connection) -> ReadOnly:
    """Have SQLite refuse whatever writes, and attach no other database.

    Raises:
        sqlite3.ProgrammingError: The connection is closed.
    """
    found = rows(connection, "PRAGMA query_only")
    made = ReadOnly(
        connection=connection,
        query_only=bool(found and found[0][0]),
        attached=connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        in_transaction=connection.in_transaction,
    )
    rows(connection, "PRAGMA query_only=1")
    return made
