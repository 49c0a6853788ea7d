"""The seam of SQLAlchemy 2: any driver, async engines and ORM sessions included.

What an engine asks of its driver goes through its dialect. There it is seen, for
engines that are older than the call as well; the driver's own seam keeps quiet.
"""

from __future__ import annotations

from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.guard import unguarded
from pytest_toolresult.seams import postgres, rows, sql
from pytest_toolresult.seams.psycopg_ import untold
from pytest_toolresult.seams.recording import cross
from pytest_toolresult.seams.sqlalchemy_errors import (
    OTHER,
    Troubles,
    error,
    provoking,
    troubles,
)
from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage

NAME: Final = "sqlalchemy"


class SqlalchemySeam:
    """Sees connections being taken from engines, statements and commits."""

    name = NAME
    library = "sqlalchemy"

    def __init__(self) -> None:
        self._answers = rows.Answers()
        self._troubles: dict[BoundaryCall, Troubles] = {}

    def install(self, patches: Patches) -> None:
        """Lead what engines and dialects do through here."""
        from sqlalchemy.engine import Engine
        from sqlalchemy.engine.default import DefaultDialect

        self._answers.forget()
        self._troubles.clear()
        lead_through(patches, _plain(Engine, "raw_connection"), self._connect)
        for name in ("do_execute", "do_executemany", "do_execute_no_params"):
            lead_through(patches, _plain(DefaultDialect, name), self._execute)
        lead_through(patches, _plain(DefaultDialect, "do_commit"), self._commit)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at a call."""
        faults = [CATALOGUE[name] for name in self._names(call)]
        return untold(faults) if call.operation == "connect" else faults

    def _names(self, call: BoundaryCall) -> Sequence[str]:
        known = self._troubles.get(call) or OTHER
        if call.operation == "connect":
            return known.connecting
        if call.operation == "commit":
            return known.committing
        asked = self._answers.statement(call)
        if asked is not None and asked.writes:
            return known.writing
        return (*known.reading, *self._answers.fitting(call))

    def _connect(self, original: FunctionType, engine: Any) -> Any:
        passage = self._enter(
            engine.dialect, "connect", detail=_database(engine.url.database)
        )
        if passage is None:
            return original(engine)
        _break(passage, engine.dialect)
        with passage.below():
            return original(engine)

    def _commit(self, original: FunctionType, dialect: Any, connection: Any) -> Any:
        if not getattr(connection, "in_transaction", True):
            return original(dialect, connection)  # of SQLite: nothing was written
        passage = self._enter(dialect, "commit")
        if passage is None:
            return original(dialect, connection)
        with passage.below():
            if passage.fault is not None:
                dialect.do_rollback(connection)  # nothing is left of it and its locks
                _break(passage, dialect)
            return original(dialect, connection)

    def _execute(
        self,
        original: FunctionType,
        dialect: Any,
        cursor: Any,
        statement: str,
        *told: Any,
        context: Any = None,
    ) -> None:
        """Stand in for all ways of executing: with parameters and without."""
        bare = original.__name__ == "do_execute_no_params"
        *given, context = (*told, context) if len(told) < (1 if bare else 2) else told
        parameters = given[0] if given else ()
        passage = self._about_to_execute(
            dialect, cursor, (statement, parameters), context
        )
        if passage is None:
            original(dialect, cursor, statement, *given, context)
            return
        with passage.below():
            original(dialect, cursor, statement, *given, context)
            _observe(passage, dialect, cursor, (statement, parameters), context)

    def _about_to_execute(
        self, dialect: Any, cursor: Any, asked: tuple[str, Any], context: Any
    ) -> Passage | None:
        """Report a statement, and break it if that shows before any row is read."""
        statement, parameters = asked
        told = sql.read(statement)
        embedded = dialect.name == "sqlite"  # its seam's guard sees what it writes
        passage = self._enter(
            dialect,
            "execute",
            detail=statement,
            needs="sql" if told.writes and not embedded else None,
            mutates=told.writes and embedded and _lasts(context),
        )
        if passage is not None:
            passage.idempotent = True  # a statement that failed has changed nothing
            self._answers.asked(passage, statement, parameters)
            if told.writes or not _is_late(passage):
                with passage.below():
                    _break(passage, dialect, cursor)
        return passage

    def _enter(self, dialect: Any, operation: str, **told: Any) -> Passage | None:
        passage = cross(NAME, operation, suspends=dialect.is_async, **told)
        if passage is None:
            return None
        self._troubles[passage.call] = troubles(dialect)
        if dialect.is_async:
            from sqlalchemy.util import await_only

            await_only(passage.reached())
        return passage


class ObservedRows:
    """A driver's cursor whose rows are counted, or are others."""

    def __init__(self, cursor: Any, passage: Passage, dialect: Any) -> None:
        self._cursor = cursor
        self._passage = passage
        self._dialect = dialect
        self._served: Iterator[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        """Be the driver's cursor in all else."""
        return getattr(self._cursor, name)

    def hand_out(self, changed: list[Any]) -> None:
        """Hand out these rows and not the driver's."""
        self._served = iter(changed)
        self._passage.rows = len(changed)

    def fetchone(self) -> Any:
        """Return the next row, or `None`."""
        if self._served is not None:
            return next(self._served, None)
        taken = self._take("fetchone")
        return next(iter(self._counted([] if taken is None else [taken])), None)

    def fetchmany(self, size: int | None = None) -> Any:
        """Return the next rows."""
        if self._served is not None:
            return list(islice(self._served, size or self._cursor.arraysize))
        return self._counted(
            self._take("fetchmany", *(() if size is None else (size,)))
        )

    def fetchall(self) -> Any:
        """Return all rows that are left."""
        if self._served is not None:
            return list(self._served)
        return self._counted(self._take("fetchall"))

    def _take(self, way: str, *size: int) -> Any:
        if _is_late(self._passage):
            _break(self._passage, self._dialect)
        with self._passage.below():
            return getattr(self._cursor, way)(*size)

    def _counted(self, taken: Any) -> Any:
        self._passage.rows = (self._passage.rows or 0) + len(taken)
        return taken


def _observe(
    passage: Passage, dialect: Any, cursor: Any, asked: tuple[str, Any], context: Any
) -> None:
    """See to the rows of a statement that has been executed."""
    statement, parameters = asked
    if context is None or sql.read(statement).writes or cursor.description is None:
        return
    context.cursor = observed = ObservedRows(cursor, passage, dialect)
    change = rows.CHANGES.get(passage.fault.name) if passage.fault else None
    if change is None:
        return
    taken = [tuple(row) for row in cursor.fetchall()]
    changed = change(taken, statement, parameters)
    if changed != taken:
        passage.fire()
    observed.hand_out(changed)


def _break(passage: Passage, dialect: Any, cursor: Any = None) -> None:
    name = passage.fault.name if passage.fault else ""
    if not name or name in rows.CHANGES:
        return
    passage.fire()
    statement = provoking(dialect, name) if cursor is not None else None
    if statement is None:
        raise error(dialect, name)
    try:
        with unguarded():
            dialect.do_execute_no_params(cursor, statement)
    except dialect.loaded_dbapi.Error as raised:
        postgres.without_context(raised)
        raise


def _is_late(passage: Passage) -> bool:
    """Whether the fault shows only when rows are taken."""
    return passage.fault is not None and passage.fault.name == "io_error"


def _lasts(context: Any) -> bool:
    """Whether what is written to SQLite outlives the process."""
    return context is None or not _in_memory(context.root_connection.engine.url)


def _in_memory(url: Any) -> bool:
    return (url.database or ":memory:") == ":memory:" or "mode=memory" in str(url)


def _database(name: str | None) -> str:
    return PurePath(name).name if name else ""


def _plain(owner: type, name: str) -> FunctionType:
    function: FunctionType = vars(owner)[name]
    return function


SQLALCHEMY: Final = SqlalchemySeam()
