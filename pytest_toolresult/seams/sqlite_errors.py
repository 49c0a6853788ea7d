"""What sqlite3 says when something goes wrong.

Most of it is fixed, and tools go by the words: there a secret stands in a note. What is
not fixed is the name of a column, which a value is taken for that has no quotes.

Codes: https://www.sqlite.org/rescode.html
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.canaries import noted, token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.seams.recording import Passage

NAME: Final = "sqlite3"
"""What the seam's calls are reported under."""

_ERRORS: Final[Mapping[str, tuple[str, str, str]]] = {
    "unavailable": (
        "OperationalError",
        "SQLITE_CANTOPEN",
        "unable to open database file",
    ),
    "locked": ("OperationalError", "SQLITE_BUSY", "database is locked"),
    "closed": ("ProgrammingError", "", "Cannot operate on a closed database."),
    "undefined": ("OperationalError", "SQLITE_ERROR", "no such column: {token}"),
    "integrity": (
        "IntegrityError",
        "SQLITE_CONSTRAINT_UNIQUE",
        "UNIQUE constraint failed: orders.id",
    ),
    "io_error": ("OperationalError", "SQLITE_IOERR_READ", "disk I/O error"),
    "disk_full": ("OperationalError", "SQLITE_FULL", "database or disk is full"),
}


def error(name: str) -> sqlite3.Error:
    """Make the exception that sqlite3 raises for a fault.

    Args:
        name: One of the catalogue.
    """
    kind, code, message = _ERRORS[name]
    text = message.format(token=token(f"{NAME} {name}"))
    made: sqlite3.Error = getattr(sqlite3, kind)(text)
    if text == message:
        noted(made, f"{NAME} {name}")
    if code:
        made.sqlite_errorcode = getattr(sqlite3, code)
        made.sqlite_errorname = code
    return made


def break_if_planned(passage: Passage) -> None:
    """Raise the error of a passage's fault, if it has one."""
    if passage.fault is not None and passage.fault.name in _ERRORS:
        passage.fire()
        raise error(passage.fault.name)
