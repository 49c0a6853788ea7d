"""Stops SQL that writes, since SQLite's own file access raises no audit event.

Connections that are older than the period are found through the garbage collector.
`sqlite3.connect` gives new ones; any other way of making one is stopped, since its
statements would be out of sight. A connection that one thread alone may use gets an
authorizer, one that several may use is made read-only.

What changes only memory passes: in-memory and temporary databases, and those below
scratch. Not seen is `Connection.backup` into a file that is there already.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
import threading
import weakref
from contextlib import contextmanager, suppress
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard.authorizers import Authorizer, put, take_back
from pytest_toolresult.guard.databases import database, files, is_mine, shared
from pytest_toolresult.guard.paths import is_free
from pytest_toolresult.guard.readonly import ReadOnly, make_read_only
from pytest_toolresult.guard.refusals import ATTACH_EVENT, SQL_EVENT, forget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pytest_toolresult.guard.authorizers import Learn
    from pytest_toolresult.guard.period import Limits

    Judge = Callable[[tuple[Any, ...], Limits], str | None]

HANDLE: Final = "sqlite3.connect/handle"
"""The audit event of every new connection, raised a moment before it is usable."""

_ORIGINAL: Final = sqlite3.connect
_SHARED_POSITION: Final = 4  # of `check_same_thread` among `connect`'s arguments
_MAKING: Final = threading.local()


class Connections:
    """The connections of this process, watched between `arm` and `disarm`.

    Looking through all objects costs some milliseconds, so it is only done where
    connections live or new modules may hold `sqlite3.connect` under their own name;
    during an exploration once, and not for each call.
    """

    def __init__(self) -> None:
        self._kept: Kept | None = None
        self._alive = True
        self._modules = 0
        self._root = ""
        self._learn: Learn | None = None
        self._old: list[sqlite3.Connection] = []
        self._new: list[weakref.ref[Authorizer]] = []
        self._read_only: list[ReadOnly] = []
        self._namespaces: list[tuple[dict[str, Any], str]] = []
        self._led: list[tuple[dict[str, Any], str]] = []
        self._stand_in = self.connect

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep in mind, for many periods, which connections there are."""
        outer, self._kept = self._kept, Kept()
        if not self._alive:  # there were none, and none has been made since
            self._kept.found([])
        try:
            yield
        finally:
            self._alive = self._kept.living() != []
            self._kept = outer

    def made(self, connection: sqlite3.Connection) -> None:
        """Learn of a connection that has just been made, also out of our sight."""
        if self._kept is not None:
            self._kept.add(connection)
        if not _making():
            self._alive = True

    def arm(
        self, root: str, note: Callable[[str], None], learn: Learn | None = None
    ) -> None:
        """Watch every connection there is, and `sqlite3.connect`.

        Args:
            root: The scratch folder's real path.
            note: Takes a sentence about each connection that cannot be watched.
            learn: Takes each column that is read of a file.
        """
        self._root, self._learn = root, learn
        forget()
        self._look()
        if self._old:
            self._watch_old(note)
        self._lead_here()

    def disarm(self) -> None:
        """Give the connections back as they were."""
        for space, name in self._led:
            if space.get(name) is self._stand_in:
                space[name] = _ORIGINAL
        self._led.clear()
        if self._old or self._new or self._read_only:
            self._give_back()

    def _give_back(self) -> None:
        for made in self._read_only:
            made.undo()
            self._alive = True
        self._read_only.clear()
        if any(reference() is not None for reference in self._new):
            self._alive = True
            self._old.extend(self._living())
        self._new.clear()
        for connection in self._old:
            with suppress(sqlite3.ProgrammingError):  # closed, or another thread's
                take_back(connection)
        self._old.clear()

    def _look(self) -> None:
        """Find the connections that are older than the period."""
        same_modules = self._modules == len(sys.modules)
        kept = self._kept.living() if self._kept is not None and same_modules else None
        if kept is not None:
            self._old = kept
        elif self._alive or not same_modules:
            self._look_through_all()
            if self._kept is not None:
                self._kept.found(self._old)

    def _look_through_all(self) -> None:
        self._modules = len(sys.modules)
        found = _holders()
        self._namespaces = list(_names(found))
        self._old = [one for one in found if _is_connection(one)]
        self._alive = bool(self._old)

    def _living(self) -> list[sqlite3.Connection]:
        kept = self._kept.living() if self._kept is not None else None
        if kept is not None:
            return kept
        return [one for one in _holders() if _is_connection(one)]

    def connect(self, *args: Any, **kwargs: Any) -> sqlite3.Connection:
        """Stand in for `sqlite3.connect`: make a connection and watch it."""
        _MAKING.depth = _making() + 1
        try:
            connection: sqlite3.Connection = _ORIGINAL(*args, **kwargs)
        finally:
            _MAKING.depth -= 1
        if _is_for_all(args, kwargs):
            self._keep_from_writing(connection)
        else:
            self._new.append(weakref.ref(put(connection, self._learn)))
        return connection

    def _watch_old(self, note: Callable[[str], None]) -> None:
        for_all = shared(self._old) if self._kept is None else self._kept.shared()
        for connection in self._old:
            self._watch(connection, note, for_all=id(connection) in for_all)

    def _watch(
        self,
        connection: sqlite3.Connection,
        note: Callable[[str], None],
        *,
        for_all: bool,
    ) -> None:
        with suppress(sqlite3.ProgrammingError):  # it has been closed
            if for_all:
                self._keep_from_writing(connection)
            elif is_mine(connection):
                put(connection, self._learn)
            elif _is_open(connection):
                note(
                    "a SQLite connection belongs to another thread: the guard cannot "
                    "see what it writes"
                )

    def _keep_from_writing(self, connection: sqlite3.Connection) -> None:
        main = files(connection).get("main")
        if main is None or (main and not is_free(main, self._root)):
            self._read_only.append(make_read_only(connection))

    def _lead_here(self) -> None:
        for space, name in self._namespaces:
            if space.get(name) is _ORIGINAL:
                space[name] = self._stand_in
                self._led.append((space, name))


class Kept:
    """The living connections, held for the time of an exploration.

    They cannot be referenced weakly. One that nobody else holds any more is let go of
    before the next call.
    """

    def __init__(self) -> None:
        self._connections: list[sqlite3.Connection] | None = None
        self._shared: dict[int, bool] = {}
        self._alone = _alone()

    def add(self, connection: sqlite3.Connection) -> None:
        """Keep one that has just been made."""
        if self._connections is not None:
            self._connections.append(connection)

    def found(self, connections: Iterable[sqlite3.Connection]) -> None:
        """Keep those that a look through all objects found."""
        self._connections = list(connections)
        self._shared.clear()

    def living(self) -> list[sqlite3.Connection] | None:
        """Those that somebody beside us holds; `None` before the first look."""
        if self._connections is None:
            return None
        if not self._connections:
            return []
        several = zip(self._connections, _references(self._connections), strict=True)
        self._connections = [one for one, count in several if count > self._alone]
        # With the object goes what is known under its number, which is used again.
        living = set(map(id, self._connections))
        self._shared = {one: is_ for one, is_ in self._shared.items() if one in living}
        return list(self._connections)

    def shared(self) -> set[int]:
        """The `id` of those that any thread may use; that never changes."""
        kept = self._connections or []
        unknown = [one for one in kept if id(one) not in self._shared]
        self._shared |= dict.fromkeys(map(id, unknown), False)
        self._shared |= dict.fromkeys(shared(unknown), True)
        return {number for number, is_shared in self._shared.items() if is_shared}


@cache
def _alone() -> int:
    """Count the references to a connection that nobody holds.

    It refers to itself through its cache of statements.
    """
    sample = _ORIGINAL(":memory:")
    try:
        return _references([sample])[0] - 1
    finally:
        sample.close()


def _references(connections: list[Any]) -> list[int]:
    return [sys.getrefcount(one) for one in connections]


def _making() -> int:
    return int(getattr(_MAKING, "depth", 0))


def _is_for_all(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    if len(args) > _SHARED_POSITION:
        return not args[_SHARED_POSITION]
    return not kwargs.get("check_same_thread", True)


def _is_connection(one: object) -> bool:
    return issubclass(type(one), sqlite3.Connection)


def _is_open(connection: sqlite3.Connection) -> bool:
    try:
        return connection.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


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


def _judge_connect(args: tuple[Any, ...], limits: Limits) -> str | None:
    file = database(args[0])
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
    return _judge_file(database(args[0]), limits)


def _judge_file(file: str | None, limits: Limits) -> str | None:
    if file is None or is_free(file, limits.root):
        return None
    if os.path.lexists(file) or not os.path.isdir(os.path.dirname(file)):
        return None
    return f"creates a database: {file}"


def _judge_sql(args: tuple[Any, ...], limits: Limits) -> str | None:
    words, file = args
    if file is not None and (not file or is_free(file, limits.root)):
        return None
    return f"runs SQL that writes: {words}"


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        "sqlite3.connect": _judge_connect,
        ATTACH_EVENT: _judge_attach,
        SQL_EVENT: _judge_sql,
    }
)
