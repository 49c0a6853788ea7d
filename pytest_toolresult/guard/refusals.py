"""Turns SQLite's refusal of a statement into our own exception.

SQLite answers a refusal with an error of its own, which a tool could turn into a
result. Python makes that error by calling the exception's class, so while the guard
is armed the class raises ours in its place.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.guard.period import Stopped

SQL_EVENT: Final = "pytest_toolresult.sql"
"""Our audit event of a statement that writes: words, and the file or `None`."""

ATTACH_EVENT: Final = "pytest_toolresult.sql_attach"
"""Our audit event of an `ATTACH`: the database's name, or `None` if computed."""

_READ_ONLY: Final = "attempt to write a readonly database"
_NO_MORE: Final = "too many attached databases - max 0"

_EXPECTED: Final = threading.local()


def expect(stopped: Stopped) -> None:
    """Raise an exception of ours in this thread instead of SQLite's next error."""
    _EXPECTED.stopped = stopped


def forget() -> None:
    """Expect no error of SQLite any more that ours would stand for."""
    _EXPECTED.stopped = None


@contextmanager
def speaking() -> Iterator[None]:
    """Raise ours instead of SQLite's errors while the block lasts."""
    forget()
    sqlite3.DatabaseError.__init__ = _speak  # type: ignore[assignment]
    try:
        yield
    finally:
        del sqlite3.DatabaseError.__init__


def _speak(self: sqlite3.DatabaseError, *args: Any) -> None:
    stopped = getattr(_EXPECTED, "stopped", None)
    _EXPECTED.stopped = None
    if stopped is not None:
        raise stopped
    message = str(args[0]) if args else ""
    if message == _READ_ONLY:
        sys.audit(SQL_EVENT, "through a connection that was made read-only", None)
    elif message == _NO_MORE:
        sys.audit(ATTACH_EVENT, None)
    super(sqlite3.DatabaseError, self).__init__(*args)
