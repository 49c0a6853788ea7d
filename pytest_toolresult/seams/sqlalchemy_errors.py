"""What goes wrong with the database beneath SQLAlchemy, as its driver would say it.

SQLAlchemy wraps the errors of a driver in its own, so the driver's classes are raised:
sqlite3's and psycopg's as their seams make them, those of statements by the PostgreSQL
server itself, and the ones every driver has for other databases.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.redaction.canaries import dsn, noted
from pytest_toolresult.seams import postgres, psycopg_, sqlite_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Troubles:
    """What can go wrong with one kind of database, by what is done."""

    connecting: Sequence[str]
    reading: Sequence[str]
    writing: Sequence[str]
    committing: Sequence[str]


_SQLITE: Final = Troubles(
    connecting=("unavailable",),
    reading=("locked", "undefined", "io_error"),
    writing=("integrity", "locked", "disk_full", "undefined"),
    committing=("locked", "disk_full"),
)
_POSTGRES: Final = Troubles(
    connecting=("refused", "timeout", "no_permission"),
    reading=postgres.READING,
    writing=postgres.WRITING,
    committing=("reset",),
)
OTHER: Final = Troubles(
    connecting=("refused", "timeout"),
    reading=("timeout", "reset", "locked", "undefined", "no_permission"),
    writing=("integrity", "timeout", "reset", "locked", "undefined", "no_permission"),
    committing=("reset",),
)
_MESSAGES: Final[Mapping[str, tuple[str, str]]] = {
    "refused": ("OperationalError", "could not connect to {secret}"),
    "timeout": ("OperationalError", "timed out"),
    "reset": ("OperationalError", "lost connection to the server during query"),
    "locked": ("OperationalError", "lock wait timeout exceeded"),
    "undefined": ("ProgrammingError", "unknown column '{secret}'"),
    "no_permission": ("OperationalError", "access denied for user 'svc_orders'"),
    "integrity": ("IntegrityError", "duplicate entry '{secret}' for key 'source'"),
}
"""For databases that are not known more closely, in the classes of
https://peps.python.org/pep-0249/#exceptions"""


def troubles(dialect: Any) -> Troubles:
    """Return what can go wrong with the database of a dialect."""
    return {"sqlite": _SQLITE, "postgresql": _POSTGRES}.get(dialect.name, OTHER)


def provoking(dialect: Any, name: str) -> str | None:
    """Return a statement that makes the server raise an error, where one does.

    Args:
        dialect: The dialect of the database.
        name: A fault at a statement.
    """
    return postgres.provoking(name) if dialect.name == "postgresql" else None


def error(dialect: Any, name: str) -> Exception:
    """Make the driver's own exception.

    Args:
        dialect: The dialect of the database.
        name: A fault that no server raises for us.
    """
    driver = dialect.loaded_dbapi
    if issubclass(sqlite3.Error, driver.Error):
        return sqlite_errors.error(name)
    if dialect.driver.startswith("psycopg") and dialect.driver != "psycopg2":
        return psycopg_.error(name)
    kind, message = _MESSAGES[name]
    planted = f"sqlalchemy {name}"
    made: Exception = getattr(driver, kind)(message.format(secret=dsn(planted)))
    return made if "{secret}" in message else noted(made, planted)
