"""The seam of psycopg 3, synchronous and asynchronous."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.guard import unguarded
from pytest_toolresult.guard.clients import watched_client
from pytest_toolresult.redaction.canaries import host, noted
from pytest_toolresult.seams import postgres, rows, sql
from pytest_toolresult.seams.psycopg_guard import (
    reading_only,
    stop_foreign,
    stop_writing,
    text_of,
)
from pytest_toolresult.seams.psycopg_rows import ServedRows, lead, plain_rows
from pytest_toolresult.seams.recording import cross, current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage, Recording

NAME: Final = "psycopg"

_CONNECTING: Final = ("refused", "timeout", "dns", "no_permission")
_COMMITTING: Final = ("closed", "reset")
_AT_ONCE: Final[Mapping[str, str]] = {
    "refused": 'connection failed: connection to server at "{host}", port 5432 failed:'
    " Connection refused\n\tIs the server running on that host and accepting TCP/IP"
    " connections?",
    "dns": "failed to resolve host '{host}': [Errno -2] Name or service not known",
    "no_permission": 'connection failed: connection to server at "{host}", port 5432'
    ' failed: FATAL:  password authentication failed for user "svc_orders"',
    "closed": "the connection is closed",
    "reset": "consuming input failed: server closed the connection unexpectedly\n\tThis"
    " probably means the server terminated abnormally\n\tbefore or while processing the"
    " request.",
}


def error(name: str) -> Exception:
    """Make the exception for what goes wrong without the server.

    Args:
        name: A fault at connecting or committing, or `closed`.
    """
    import psycopg

    secret = f"{NAME} {name}"
    if name == "timeout":
        late = psycopg.errors.ConnectionTimeout("connection timeout expired")
        return noted(late, secret)
    text = _AT_ONCE[name].format(host=host(secret))
    made = psycopg.OperationalError(text)
    return noted(made, secret) if text == _AT_ONCE[name] else made


def untold(faults: Sequence[Fault]) -> Sequence[Fault]:
    """Leave open whether to try again where the driver does not tell.

    A wrong password comes in the class of a server that is away, and without a code.
    """
    return [
        replace(fault, retryable=None) if fault.name == "no_permission" else fault
        for fault in faults
    ]


class PsycopgSeam:
    """Sees connections, statements and commits."""

    name = NAME
    library = "psycopg"

    def __init__(self) -> None:
        self._answers = rows.Answers()
        self._served = ServedRows()
        self._made: WeakKeyDictionary[Any, Recording] = WeakKeyDictionary()

    def install(self, patches: Patches) -> None:
        """Lead what reaches the server through here."""
        import psycopg

        self._answers.forget()
        sync, asynchronous = psycopg.Connection, psycopg.AsyncConnection
        lead(patches, sync.connect, self._connect)
        lead(patches, asynchronous.connect, self._connect_later)
        lead(patches, sync.commit, self._commit)
        lead(patches, asynchronous.commit, self._commit_later)
        for cursor in (psycopg.Cursor, psycopg.ServerCursor):
            lead(patches, cursor.execute, self._execute)
        for later in (psycopg.AsyncCursor, psycopg.AsyncServerCursor):
            lead(patches, later.execute, self._execute_later)
        self._lead_bulk(patches)
        self._served.install(patches)
        lead(patches, psycopg.Cursor._execute_gen, reading_only)  # noqa: SLF001 - where the connection is locked
        patches.on_restore(watched_client(NAME))

    def _lead_bulk(self, patches: Patches) -> None:
        import psycopg

        lead(patches, psycopg.Cursor.executemany, self._execute)
        lead(patches, psycopg.AsyncCursor.executemany, self._execute_later)
        for cursor in (psycopg.Cursor, psycopg.AsyncCursor):
            for name in ("stream", "copy"):
                lead(patches, getattr(cursor, name), self._check)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at a call."""
        faults = [CATALOGUE[name] for name in self._names(call)]
        return untold(faults) if call.operation == "connect" else faults

    def _names(self, call: BoundaryCall) -> Sequence[str]:
        if call.operation == "connect":
            return _CONNECTING
        if call.operation == "commit":
            return _COMMITTING
        asked = self._answers.statement(call)
        if asked is not None and asked.writes:
            return (*postgres.WRITING, "closed")
        return (*postgres.READING, "closed", *self._answers.fitting(call))

    def _connect(
        self, original: FunctionType, cls: Any, conninfo: str = "", **kwargs: Any
    ) -> Any:
        stop_foreign(conninfo, _parameters(kwargs))
        passage = cross(NAME, "connect", detail=_database(conninfo, kwargs))
        if passage is None:
            return original(cls, conninfo, **kwargs)
        _fail(passage)
        with passage.below():
            connection = original(cls, conninfo, **kwargs)
        self._remember(connection)
        return connection

    async def _connect_later(
        self, original: FunctionType, cls: Any, conninfo: str = "", **kwargs: Any
    ) -> Any:
        stop_foreign(conninfo, _parameters(kwargs))
        detail = _database(conninfo, kwargs)
        passage = cross(NAME, "connect", detail=detail, suspends=True)
        if passage is None:
            return await original(cls, conninfo, **kwargs)
        await passage.reached()
        _fail(passage)
        with passage.below():
            connection = await original(cls, conninfo, **kwargs)
        self._remember(connection)
        return connection

    def _remember(self, connection: Any) -> None:
        record = current()
        if record is not None:
            self._made[connection] = record

    def _commit(self, original: FunctionType, connection: Any) -> Any:
        passage = _committing(connection)
        if passage is not None and passage.fault is not None:
            connection.rollback()  # nothing is left of it, and of its locks
            self._lose(passage, connection)
            _fail(passage)
        return original(connection)

    async def _commit_later(self, original: FunctionType, connection: Any) -> Any:
        passage = _committing(connection, suspends=True)
        if passage is not None:
            await passage.reached()
            if passage.fault is not None:
                await connection.rollback()
                self._lose(passage, connection)
            _fail(passage)
        return await original(connection)

    def _execute(
        self,
        original: FunctionType,
        cursor: Any,
        query: Any,
        params: Any = None,
        **kwargs: Any,
    ) -> Any:
        self._served.forget(cursor)
        text = text_of(query, cursor)
        stop_writing(text)
        passage = self._enter(text, params, suspends=False)
        given = () if params is None else (params,)
        if passage is None:
            return original(cursor, query, *given, **kwargs)
        with passage.below(), _noting(passage):
            if _is_provoked(passage):
                self._provoke(passage, cursor)
            result = original(cursor, query, *given, **kwargs)
            change = _change(passage)
            if change is None or cursor.description is None:
                _count(passage, cursor)
            else:
                with plain_rows(cursor) as make:
                    taken = cursor.fetchall()
                changed = change(taken, text, params)
                if changed != taken:
                    passage.fire()
                passage.rows = len(changed)
                self._served.hand_out(cursor, [make(row) for row in changed])
        return result

    async def _execute_later(
        self,
        original: FunctionType,
        cursor: Any,
        query: Any,
        params: Any = None,
        **kwargs: Any,
    ) -> Any:
        self._served.forget(cursor)
        text = text_of(query, cursor)
        stop_writing(text)
        passage = self._enter(text, params, suspends=True)
        given = () if params is None else (params,)
        if passage is None:
            return await original(cursor, query, *given, **kwargs)
        await passage.reached()
        with passage.below(), _noting(passage):
            if _is_provoked(passage):
                await self._provoke_later(passage, cursor)
            result = await original(cursor, query, *given, **kwargs)
            change = _change(passage)
            if change is None or cursor.description is None:
                _count(passage, cursor)
            else:
                with plain_rows(cursor) as make:
                    taken = await cursor.fetchall()
                changed = change(taken, text, params)
                if changed != taken:
                    passage.fire()
                passage.rows = len(changed)
                self._served.hand_out(cursor, [make(row) for row in changed])
        return result

    def _check(
        self, original: FunctionType, cursor: Any, query: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Let pass what is read in a stream, unless it writes."""
        stop_writing(text_of(query, cursor))
        return original(cursor, query, *args, **kwargs)

    def _enter(self, text: str, params: Any, *, suspends: bool) -> Passage | None:
        needs = "sql" if sql.read(text).writes else None
        passage = cross(NAME, "execute", detail=text, needs=needs, suspends=suspends)  # type: ignore[arg-type]
        if passage is not None:
            passage.idempotent = True  # a statement that failed has changed nothing
            self._answers.asked(passage, text, () if params is None else params)
            if passage.fault is not None and passage.fault.name == "closed":
                _fail(passage)
        return passage

    def _provoke(self, passage: Passage, cursor: Any) -> None:
        import psycopg

        try:
            with unguarded():
                psycopg.Cursor(cursor.connection).execute(_provoking(passage))
        finally:
            self._lose(passage, cursor.connection)

    async def _provoke_later(self, passage: Passage, cursor: Any) -> None:
        import psycopg

        try:
            with unguarded():
                await psycopg.AsyncCursor(cursor.connection).execute(
                    _provoking(passage)
                )
        finally:
            self._lose(passage, cursor.connection)

    def _lose(self, passage: Passage, connection: Any) -> None:
        """Lose a connection for good if the tool's own call has made it.

        One that is shared is left as it is, lest all later calls meet the same fault.
        """
        lost = passage.fault is not None and passage.fault.name in {"closed", "reset"}
        if lost and self._made.get(connection) is current():
            connection.pgconn.finish()


def _committing(connection: Any, *, suspends: bool = False) -> Passage | None:
    from psycopg.pq import TransactionStatus

    if connection.pgconn.transaction_status != TransactionStatus.INTRANS:
        return None
    return cross(NAME, "commit", suspends=suspends)


def _fail(passage: Passage) -> None:
    if passage.fault is not None and (
        passage.fault.name in _AT_ONCE or passage.fault.name == "timeout"
    ):
        passage.fire()
        raise error(passage.fault.name)


def _is_provoked(passage: Passage) -> bool:
    return passage.fault is not None and passage.fault.name in postgres.WRITING


def _provoking(passage: Passage) -> str:
    passage.fire()
    return postgres.provoking(passage.fault.name if passage.fault else "")


def _change(passage: Passage) -> Callable[..., list[Any]] | None:
    return rows.CHANGES.get(passage.fault.name) if passage.fault else None


def _count(passage: Passage, cursor: Any) -> None:
    if cursor.description is not None and cursor.rowcount >= 0:
        passage.rows = cursor.rowcount


@contextmanager
def _noting(passage: Passage) -> Iterator[None]:
    """Note what went wrong; what was provoked shall not say so."""
    import psycopg

    try:
        yield
    except psycopg.Error as failure:
        if passage.fired:
            postgres.without_context(failure)
        else:
            passage.failure = type(failure).__name__
        raise


def _parameters(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the connection itself, without those of the Python object."""
    own = {
        "autocommit",
        "context",
        "cursor_factory",
        "prepare_threshold",
        "row_factory",
    }
    return {name: value for name, value in kwargs.items() if name not in own}


def _database(conninfo: str, kwargs: Mapping[str, Any]) -> str:
    from psycopg.conninfo import conninfo_to_dict

    told = conninfo_to_dict(conninfo, **_parameters(kwargs))
    return str(told.get("dbname") or told.get("service") or "")


PSYCOPG: Final = PsycopgSeam()
