"""The seam of sqlite3, and of what is built upon it.

Its classes are written in C and cannot be changed, so connections are made of
subclasses. They cost next to nothing while no call is observed: a cursor becomes one
that looks at each row only for statements of a call that is.

Connections that were made before the seam was in place are not seen. `watch` puts it
there for good, before the modules of tools are imported.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.guard.databases import database
from pytest_toolresult.seams import rows, sql
from pytest_toolresult.seams.aliases import replace_everywhere
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.recording import cross, current
from pytest_toolresult.seams.sqlite_errors import NAME, break_if_planned

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.recording import Passage

_connect = sqlite3.connect  # the guard finds it here, and watches what it makes
_FACTORY_POSITION: Final = 5  # of `factory` among the arguments of `connect`

_CONNECTING: Final = ("unavailable",)
_COMMITTING: Final = ("locked", "disk_full")
_WRITING: Final = ("locked", "disk_full", "undefined", "closed")
_READING: Final = ("locked", "undefined", "io_error", "closed")


class SqliteSeam:
    """Makes connections that see each statement of a call."""

    name = NAME
    library = "sqlite3"

    def __init__(self) -> None:
        self._answers = rows.Answers()
        self._permanent: Patches | None = None
        # One object for ever: modules compare, and may have copied, what they find.
        self._stand_in = self.connect

    def install(self, patches: Patches) -> None:
        """Make watched connections wherever `sqlite3.connect` is called."""
        self._answers.forget()
        if self._permanent is None:
            self._lead_here(patches)

    def watch(self) -> bool:
        """Make watched connections from now on, until `unwatch`.

        Tools often connect as their module is imported. What was made before cannot
        be broken.

        Returns:
            Whether that is new, so that the caller has to undo it.
        """
        if self._permanent is not None:
            return False
        self._permanent = Patches()
        self._lead_here(self._permanent)
        return True

    def unwatch(self) -> None:
        """Make plain connections again."""
        if self._permanent is not None:
            self._permanent.restore()
            self._permanent = None

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at a call."""
        return [CATALOGUE[name] for name in self._names(call)]

    def connect(self, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        """Stand in for `sqlite3.connect`."""
        file = _file(args, kwargs)
        passage = cross(NAME, "connect", detail=_shown(file))
        if passage is not None:
            break_if_planned(passage)
        args, kwargs = _with_factory(args, kwargs)
        connection: sqlite3.Connection = _connect(*args, **kwargs)
        if isinstance(connection, WatchedConnection):
            connection.lasts = _lasts(file)
        return connection

    def asked(self, passage: Passage, statement: str, parameters: Any) -> None:
        """Remember what a call asks."""
        self._answers.asked(passage, statement, parameters)

    def _names(self, call: BoundaryCall) -> Sequence[str]:
        if call.operation == "connect":
            return _CONNECTING
        if call.operation == "commit":
            return _COMMITTING
        asked = self._answers.statement(call)
        if asked is None or not asked.writes:
            return (*_READING, *self._answers.fitting(call))
        return ("integrity", *_WRITING) if asked.changes_rows else _WRITING

    def _lead_here(self, patches: Patches) -> None:
        for module in (sqlite3, sqlite3.dbapi2):
            patches.replace(module, "connect", self._stand_in)
        replace_everywhere(patches, {_connect: self._stand_in})


SQLITE: Final = SqliteSeam()


class WatchedConnection(sqlite3.Connection):
    """A connection whose cursors see each statement of a call.

    Attributes:
        lasts: Whether what is written outlives the process.
    """

    lasts = True
    makes_cursors = False
    """Whether the project's own class decides what a cursor is."""

    def cursor(self, *args: Any, **kwargs: Any) -> Any:
        """Make a cursor that sees each statement."""
        if self.makes_cursors:
            return _turned(super().cursor(*args, **kwargs))
        factory = args[0] if args else kwargs.get("factory", sqlite3.Cursor)
        return super().cursor(_watched_cursor(factory))

    def execute(self, *args: Any) -> Any:
        """Run a statement, with a cursor that sees it where a call is observed."""
        return super().execute(*args) if current() is None else self._own.execute(*args)

    def executemany(self, *args: Any) -> Any:
        """Run a statement for each of several parameters."""
        if current() is None:
            return super().executemany(*args)
        return self._own.executemany(*args)

    def executescript(self, *args: Any) -> Any:
        """Run several statements."""
        if current() is None:
            return super().executescript(*args)
        return self._own.executescript(*args)

    @property
    def _own(self) -> Any:
        """A cursor as the connection itself makes one, past any that is overridden."""
        return sqlite3.Connection.cursor(self, _watched_cursor(sqlite3.Cursor))

    def commit(self) -> None:
        """Commit, unless that is to fail."""
        self._about_to_commit()
        super().commit()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> Any:
        """Commit or roll back; a failing commit is rolled back, as ever."""
        if kind is None:
            try:
                self._about_to_commit()
            except BaseException:
                self.rollback()
                raise
        return super().__exit__(kind, value, trace)

    def _about_to_commit(self) -> None:
        if current() is None or not self.in_transaction:
            return
        passage = cross(NAME, "commit", mutates=self.lasts)
        if passage is not None:
            break_if_planned(passage)


class WatchedCursor(sqlite3.Cursor):
    """A cursor that turns into an `ObservedCursor` for the statements of a call."""

    plain: type[sqlite3.Cursor]
    observed: type[sqlite3.Cursor]

    def execute(self, statement: str, *args: Any) -> Any:
        """Run a statement."""
        passage = None if current() is None else _entered(self, statement, *args)
        if passage is None:
            return super().execute(statement, *args)
        try:
            result = super().execute(statement, *args)
        except sqlite3.Error as error:
            passage.failure = type(error).__name__
            raise
        _observe(self, passage, statement, *args)
        return result

    def executemany(self, statement: str, *args: Any) -> Any:
        """Run a statement for each of several parameters."""
        if current() is not None:
            _entered(self, statement)
        return super().executemany(statement, *args)

    def executescript(self, script: str, *args: Any) -> Any:
        """Run several statements."""
        if current() is not None:
            _entered(self, script)
        return super().executescript(script, *args)


class ObservedCursor:
    """What a cursor does with the rows of an observed statement.

    It is a class of its own so that the rows of all others do not pass through here.
    """

    passage: Passage
    served: Iterator[Any] | None

    def execute(self, statement: str, *args: Any) -> Any:
        """Run the next statement, observed or not."""
        return _as_before(self).execute(statement, *args)

    def executemany(self, statement: str, *args: Any) -> Any:
        """Run the next statement, observed or not."""
        return _as_before(self).executemany(statement, *args)

    def executescript(self, script: str, *args: Any) -> Any:
        """Run the next statements, observed or not."""
        return _as_before(self).executescript(script, *args)

    def fetchone(self) -> Any:
        """Return the next row, or `None`."""
        return next(iter(self._take(1)), None)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return the next rows."""
        return self._take(self.arraysize if size is None else size)  # type: ignore[attr-defined]

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        return self._take(None)

    def __iter__(self) -> ObservedCursor:
        """Iterate over the rows that are left."""
        return self

    def __next__(self) -> Any:
        """Return the next row."""
        for row in self._take(1):
            return row
        raise StopIteration

    def _take(self, size: int | None) -> list[Any]:
        passage = self.passage
        if passage.fault is not None and passage.fault.name == "io_error":
            break_if_planned(passage)
        if self.served is not None:
            return list(islice(self.served, size))
        plain: Any = type(self).plain  # type: ignore[attr-defined]
        taken = plain.fetchall(self) if size is None else plain.fetchmany(self, size)
        passage.rows = (passage.rows or 0) + len(taken)
        return list(taken)


def _entered(cursor: Any, statement: str, parameters: Any = ()) -> Passage | None:
    """Report a statement, and break it if that shows before any row is read."""
    told = sql.read(statement)
    lasts = getattr(cursor.connection, "lasts", True)
    passage = cross(NAME, "execute", detail=statement, mutates=told.writes and lasts)
    if passage is None:
        return None
    SQLITE.asked(passage, statement, parameters)
    later = passage.fault is not None and passage.fault.name == "io_error"
    if not later or told.writes:
        break_if_planned(passage)
    return passage


def _observe(
    cursor: Any, passage: Passage, statement: str, parameters: Any = ()
) -> None:
    if cursor.description is None:
        return
    cursor.__class__ = type(cursor).observed
    cursor.passage = passage
    cursor.served = None
    change = rows.CHANGES.get(passage.fault.name) if passage.fault else None
    if change is None:
        return
    factory, cursor.row_factory = cursor.row_factory, None
    taken = type(cursor).plain.fetchall(cursor)
    cursor.row_factory = factory
    changed = change(taken, statement, parameters)
    if changed != taken:
        passage.fire()
    passage.rows = len(changed)
    cursor.served = iter([factory(cursor, row) if factory else row for row in changed])


def _as_before(cursor: Any) -> Any:
    cursor.__class__ = type(cursor).before
    return cursor


@cache
def _watched_connection(base: type[sqlite3.Connection]) -> type[sqlite3.Connection]:
    if issubclass(base, WatchedConnection):
        return base
    makes_cursors = base.cursor is not sqlite3.Connection.cursor
    names = {"makes_cursors": makes_cursors}
    return _named_like(base, (WatchedConnection, base), names)


def _watched_cursor(factory: Any) -> Any:
    """Return a class of ours in the place of a class; leave other callables alone."""
    if not isinstance(factory, type) or issubclass(
        factory, (WatchedCursor, ObservedCursor)
    ):
        return factory
    kind: Any = factory
    return _cursor_like(kind)


@cache
def _cursor_like(factory: type[sqlite3.Cursor]) -> Any:
    passive: Any = _named_like(factory, (WatchedCursor, factory), {"plain": factory})
    passive.observed = _named_like(
        factory, (ObservedCursor, factory), {"plain": factory, "before": passive}
    )
    return passive


def _turned(cursor: Any) -> Any:
    """Let a cursor of the project's own class see each statement."""
    with suppress(TypeError):  # classes written in C stay what they are
        cursor.__class__ = _watched_cursor(type(cursor))
    return cursor


def _named_like(base: type, bases: tuple[type, ...], names: dict[str, Any]) -> type:
    """Make a subclass that shows itself as its base does."""
    shown = {"__module__": base.__module__, "__qualname__": base.__qualname__}
    return type(base.__name__, bases, {**shown, **names})


def _with_factory(
    args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if len(args) > _FACTORY_POSITION:
        made = _subclass(args[_FACTORY_POSITION])
        return (*args[:_FACTORY_POSITION], made, *args[_FACTORY_POSITION + 1 :]), kwargs
    factory = _subclass(kwargs.get("factory", sqlite3.Connection))
    return args, {**kwargs, "factory": factory}


def _subclass(factory: Any) -> Any:
    """Return a class of ours in the place of a class; leave other callables alone."""
    return _watched_connection(factory) if isinstance(factory, type) else factory


def _file(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    return args[0] if args else kwargs.get("database", "")


def _lasts(file: Any) -> bool:
    try:
        return database(file) is not None
    except (TypeError, ValueError):
        return True


def _shown(file: Any) -> str:
    """The name of a database's file: its folder may be another in each run."""
    try:
        path = database(file)
    except (TypeError, ValueError):
        return type(file).__name__
    return PurePath(path).name if path else ":memory:"
