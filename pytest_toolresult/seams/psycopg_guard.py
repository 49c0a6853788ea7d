"""Keeps what runs through psycopg from changing anything where that is not allowed.

Its C code talks to the server unseen by audit events. What a statement says is looked
at, and the server is told to refuse the rest: a function that is called by a `SELECT`
may write as well.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard import is_forbidden, stop_unless_allowed
from pytest_toolresult.guard.hosts import is_local
from pytest_toolresult.seams import sql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FunctionType

_SAVEPOINT: Final = b"toolresult_reads"
_CONTROLLING: Final = frozenset(
    [
        "abort",
        "begin",
        "commit",
        "end",
        "release",
        "reset",
        "rollback",
        "savepoint",
        "set",
        "start",
    ]
)
_SERVICES: Final = ("PGSERVICE", "service")


def stop_foreign(conninfo: str, parameters: Mapping[str, Any]) -> None:
    """Stop a connection to another host.

    Raises:
        Stopped: If it is not allowed.
    """
    from psycopg.conninfo import conninfo_to_dict

    told = conninfo_to_dict(conninfo, **parameters)
    hosts = told.get("hostaddr") or told.get("host") or os.environ.get("PGHOST", "")
    for host in str(hosts).split(","):
        if not (host.startswith(("/", "@")) or is_local(host)):
            stop_unless_allowed("network", f"connects to {host} (psycopg)")
    if told.get("service") or os.environ.get("PGSERVICE"):
        stop_unless_allowed("network", "connects to a service by its name (psycopg)")


def stop_writing(text: str) -> None:
    """Stop a statement that says it writes.

    Raises:
        Stopped: If it is not allowed.
    """
    if sql.read(text).writes:
        stop_unless_allowed("sql", f"runs SQL that writes: {text}")


def reading_only(
    original: FunctionType, cursor: Any, query: Any, *args: Any, **kwargs: Any
) -> Any:
    """Stand in for the generator that sends a statement and reads the results.

    Raises:
        Stopped: If the server refused what is not allowed.
    """
    from psycopg.errors import ReadOnlySqlTransaction

    text = text_of(query, cursor)
    if sql.read(text).verb in _CONTROLLING or not is_forbidden("sql"):
        return (yield from original(cursor, query, *args, **kwargs))
    with _refusing(cursor.connection):
        try:
            return (yield from original(cursor, query, *args, **kwargs))
        except ReadOnlySqlTransaction:
            stop_unless_allowed("sql", f"runs SQL that writes: {text}")
            raise


def text_of(query: Any, cursor: Any) -> str:
    """Return a query as text, whatever psycopg takes for one."""
    if isinstance(query, bytes):
        return query.decode(errors="replace")
    if isinstance(query, str):
        return query
    as_string: Callable[[Any], str] | None = getattr(query, "as_string", None)
    return as_string(cursor) if as_string else "".join(getattr(query, "strings", ()))


@contextmanager
def _refusing(connection: Any) -> Iterator[None]:
    """Have the server refuse what writes, for one statement.

    In a transaction that is a savepoint's affair, so that what the project does in the
    same transaction later is not refused.
    """
    from psycopg.pq import TransactionStatus

    raw, status = connection.pgconn, connection.pgconn.transaction_status
    if raw.pipeline_status or status not in {
        TransactionStatus.IDLE,
        TransactionStatus.INTRANS,
    }:
        yield
        return
    alone = connection.autocommit and status == TransactionStatus.IDLE
    if status == TransactionStatus.IDLE and not alone:
        raw.exec_(_beginning(connection))
    before, after = _words(raw, alone=alone)
    raw.exec_(before)
    yield
    if alone or raw.transaction_status == TransactionStatus.INTRANS:
        raw.exec_(after)


def _words(raw: Any, *, alone: bool) -> tuple[bytes, bytes]:
    """What to tell the server before and after."""
    if not alone:
        return (
            b"SAVEPOINT %b; SET TRANSACTION READ ONLY" % _SAVEPOINT,
            b"RELEASE SAVEPOINT %b" % _SAVEPOINT,
        )
    set_to = b"SET default_transaction_read_only = %b"
    usual = raw.exec_(b"SHOW default_transaction_read_only").get_value(0, 0) or b"off"
    return set_to % b"on", set_to % usual


def _beginning(connection: Any) -> bytes:
    level = connection.isolation_level
    if level is None:
        return b"BEGIN"
    name: str = level.name
    return b"BEGIN ISOLATION LEVEL " + name.replace("_", " ").encode()
