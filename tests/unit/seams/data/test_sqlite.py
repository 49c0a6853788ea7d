from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import connect as by_name
from typing import TYPE_CHECKING, Any

import aiosqlite
import pytest

from pytest_toolresult.faults import CATALOGUE, Injection
from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.seams.aiosqlite_ import AIOSQLITE
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.recording import Recording, recording
from pytest_toolresult.seams.shapes import MANY
from pytest_toolresult.seams.sqlite_ import SQLITE, WatchedConnection
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Bench, Benches

ALL = "SELECT id, name FROM orders ORDER BY id"
ROWS = [(1, "ann"), (2, "bob"), (3, "cid")]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO orders VALUES (?, ?)", ROWS)
    return path


@pytest.fixture
def at(bench: Benches) -> Bench:
    return bench(SQLITE)


class Own(sqlite3.Connection):
    pass


class OwnCursor(sqlite3.Cursor):
    pass


class OwnBoth(sqlite3.Connection):
    def cursor(self) -> Any:  # type: ignore[override]
        return super().cursor(OwnCursor)


def _one_by_one(found: sqlite3.Cursor) -> list[Any]:
    found.execute(ALL)
    return list(iter(found.fetchone, None))


def _in_lots(found: sqlite3.Cursor) -> list[Any]:
    found.execute(ALL)
    return [row for lot in iter(lambda: found.fetchmany(2), []) for row in lot]


def _by_next(found: sqlite3.Cursor) -> list[Any]:
    found.execute(ALL)
    return list(iter(lambda: next(found, None), None))


def _named(found: sqlite3.Cursor) -> list[Any]:
    found.row_factory = sqlite3.Row
    return [(row["id"], row["name"]) for row in found.execute(ALL)]


def _own_cursor(connection: sqlite3.Connection) -> list[Any]:
    return connection.cursor(OwnCursor).execute(ALL).fetchall()


def _reading(database: Path) -> dict[str, Callable[[], Any]]:
    """The ways to the same rows."""

    def use(how: Callable[[Any], Any], make: Any = None, **kwargs: Any) -> Any:
        def tool() -> Any:
            with closing((make or sqlite3.connect)(database, **kwargs)) as connection:
                return how(connection)

        return tool

    def directly(connection: Any) -> Any:
        return connection.execute(ALL).fetchall()

    def cursor(how: Callable[[Any], Any]) -> Any:
        return use(lambda connection: how(connection.cursor()))

    return {
        "module": use(directly),
        "name": use(directly, by_name),
        "dbapi2": use(directly, lambda file: sqlite3.dbapi2.connect(file)),  # noqa: PLW0108 - looked up when called
        "factory": use(directly, factory=Own),
        "own cursors": use(lambda made: directly(made.cursor()), factory=OwnBoth),
        "own cursor": use(_own_cursor),
        "keywords": use(directly, timeout=1.0, uri=False),
        "all at once": cursor(lambda found: found.execute(ALL).fetchall()),
        "iterated": cursor(lambda found: list(found.execute(ALL))),
        "one by one": cursor(_one_by_one),
        "in lots": cursor(_in_lots),
        "by next": cursor(_by_next),
        "row factory": cursor(_named),
    }


WAYS = list(_reading(Path()))


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_rows_is_seen(way: str, database: Path, at: Bench) -> None:
    tool = _reading(database)[way]
    assert tool() == ROWS
    assert at.run(tool) == ROWS
    assert [each.call.operation for each in at.crossings] == ["connect", "execute"]
    assert [each.call.detail for each in at.crossings] == ["shop.db", ALL]
    assert at.crossings[1].rows == 3
    assert at.offered() == {
        "connect": ["unavailable"],
        "execute": [
            "locked",
            "undefined",
            "io_error",
            "closed",
            "emptied",
            "inflated",
        ],
    }
    assert at.broken(tool, "emptied", "execute") == []
    assert at.crossings[1].rows == 0
    many = at.broken(tool, "inflated", "execute")
    assert len({identity for identity, _ in many}) == len(many) == MANY
    for name in ("locked", "undefined", "io_error", "closed"):
        assert isinstance(at.raised(tool, name, "execute"), sqlite3.Error)
    assert tool() == ROWS


def _provoked(database: Path) -> dict[str, Callable[[], Any]]:
    """How to meet each error for real."""

    def locked() -> None:
        with (
            closing(sqlite3.connect(database, isolation_level=None)) as holder,
            closing(sqlite3.connect(database, timeout=0)) as connection,
        ):
            holder.execute("BEGIN EXCLUSIVE")
            connection.execute(ALL)

    def closed() -> None:
        connection = sqlite3.connect(database)
        connection.close()
        connection.execute(ALL)

    def run(statement: str, before: str = "SELECT 1") -> Callable[[], None]:
        def tool() -> None:
            with closing(sqlite3.connect(database)) as connection:
                connection.execute(before)
                connection.execute(statement)

        return tool

    return {
        "unavailable": lambda: sqlite3.connect(database.parent / "no" / "shop.db"),
        "locked": locked,
        "closed": closed,
        "undefined": run("SELECT total FROM orders"),
        "integrity": run("INSERT INTO orders VALUES (1, 'dan')"),
        "disk_full": run(
            "INSERT INTO orders VALUES (9, printf('%.90000c', 'x'))",
            before="PRAGMA max_page_count=1",
        ),
    }


def _writing(database: Path) -> Callable[[], None]:
    def tool() -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("INSERT INTO orders VALUES (4, 'dan')")

    return tool


@pytest.mark.parametrize("name", list(_provoked(Path())))
def test_an_error_is_like_the_real_one(name: str, database: Path, at: Bench) -> None:
    with pytest.raises(sqlite3.Error) as real:
        _provoked(database)[name]()
    writes = name in {"integrity", "disk_full"}
    tool = _writing(database) if writes else _reading(database)["module"]
    operation = "connect" if name == "unavailable" else "execute"
    made = at.raised(tool, name, operation)
    assert type(made) is type(real.value)
    assert carries_a_canary(made)
    assert _code(made) // 256 == 0 or name == "integrity"
    assert _code(made) % 256 == _code(real.value) % 256
    assert _gist(made) == _gist(real.value)
    assert at.crossings[-1].failure == name


def _code(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0)


def _gist(error: BaseException) -> str:
    """A message without the names in it."""
    return str(error).partition(":")[0]


def test_what_a_tool_meets_by_itself_is_noted(database: Path, at: Bench) -> None:
    tool = _provoked(database)["undefined"]
    with pytest.raises(sqlite3.OperationalError):
        at.run(tool)
    assert at.crossings[-1].failure == "OperationalError"


def test_numbers_about_nothing(database: Path, at: Bench) -> None:
    def tool() -> Any:
        with closing(sqlite3.connect(database)) as connection:
            statement = "SELECT count(*), max(name) FROM orders"
            return connection.execute(statement).fetchone()

    assert at.run(tool) == (3, "cid")
    assert "inflated" not in at.offered()["execute"]
    assert at.broken(tool, "emptied", "execute") == (0, None)


def test_a_limit_holds(database: Path, at: Bench) -> None:
    def tool(limit: int) -> Any:
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute(f"{ALL} LIMIT ?", (limit,)).fetchall()

    assert len(at.broken(lambda: tool(20), "inflated", "execute")) == 20
    at.run(lambda: tool(2))
    assert "inflated" not in at.offered()["execute"]


def test_a_commit_fails(database: Path, at: Bench) -> None:
    def tool() -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("UPDATE orders SET name = 'eve' WHERE id = 1")
            connection.commit()

    for name in ("locked", "disk_full"):
        assert isinstance(at.raised(tool, name, "commit"), sqlite3.OperationalError)
    assert at.crossings[-1].call.mutates


def test_a_failed_commit_at_the_end_of_a_block_is_rolled_back(
    database: Path, at: Bench
) -> None:
    def tool() -> Any:
        with closing(sqlite3.connect(database)) as connection:
            try:
                with connection:
                    connection.execute("UPDATE orders SET name = name || '!'")
            except sqlite3.OperationalError as error:
                return str(error), connection.in_transaction
            return "committed", connection.in_transaction

    assert at.broken(tool, "locked", "commit") == ("database is locked", False)
    names = at.run(
        lambda: _with(database, "SELECT DISTINCT substr(name, 4) FROM orders")
    )
    assert names == [("!",)]  # of the run without faults alone


def _with(database: Path, statement: str) -> Any:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(statement).fetchall()


def test_writes_are_told_from_reads(database: Path, at: Bench) -> None:
    def tool() -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute(ALL)
            connection.executemany("INSERT INTO orders VALUES (?, ?)", [(8, "hal")])
            connection.executescript("DELETE FROM orders WHERE id = 8")
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE TABLE notes (text)")

    at.run(tool)
    assert [
        each.call.mutates for each in at.crossings if each.call.operation == "execute"
    ] == [False, True, True, False]
    assert at.offered()["execute"].count("integrity") == 2


def test_exploring_still_stops_what_writes(database: Path, at: Bench) -> None:
    tool = _writing(database)
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        at.run(tool)
    assert report.blocked is not None
    assert report.blocked.action == "runs SQL that writes: INSERT INTO orders"
    with guarded(frozenset()):
        assert at.run(_reading(database)["name"]) == ROWS
        assert at.run(_reading(database)["factory"]) == ROWS
        assert len(at.crossings) == 2
    assert _reading(database)["module"]() == ROWS


@pytest.fixture
def unwatched() -> Iterator[None]:
    """Undo for a moment what is done for every run about tools, this one too."""
    new = SQLITE.watch()
    SQLITE.unwatch()
    yield
    SQLITE.unwatch()
    if not new:
        SQLITE.watch()


@pytest.mark.usefixtures("unwatched")
def test_connections_that_are_older_than_the_call(
    database: Path, bench: Benches
) -> None:
    assert SQLITE.watch()
    assert not SQLITE.watch()
    with closing(sqlite3.connect(database)) as connection:

        def tool(shared: sqlite3.Connection = connection) -> Any:
            return shared.execute(ALL).fetchall()

        assert tool() == ROWS
        at = bench(SQLITE)
        assert at.run(tool) == ROWS
        assert isinstance(at.raised(tool, "locked"), sqlite3.OperationalError)
        assert at.broken(tool, "emptied") == []
        assert tool() == ROWS


@pytest.mark.usefixtures("unwatched")
def test_nothing_of_it_is_left(database: Path) -> None:
    original = sqlite3.connect
    patches = Patches()
    SQLITE.install(patches)
    assert sqlite3.connect is not original
    patches.restore()
    assert sqlite3.connect is original is sqlite3.dbapi2.connect
    with closing(sqlite3.connect(database)) as connection:
        assert not isinstance(connection, WatchedConnection)


def test_a_connection_shows_itself_as_ever(database: Path, at: Bench) -> None:
    assert at.crossings == ()
    with closing(sqlite3.connect(database)) as connection:
        assert repr(connection).startswith("<sqlite3.Connection object")
        assert repr(connection.cursor()).startswith("<sqlite3.Cursor object")


def test_a_fault_for_rows_that_nobody_takes_has_no_effect(
    database: Path, at: Bench
) -> None:
    def tool() -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute(ALL)

    at.run(tool)
    where = at.crossings[1].call
    at.run(tool, Injection(fault=CATALOGUE["io_error"], where=where))
    assert at.last.fired == ()


def _async_tool(database: Path) -> Callable[[], Any]:
    async def tool() -> Any:
        async with (
            aiosqlite.connect(database) as connection,
            connection.execute(ALL) as cursor,
        ):
            return [row async for row in cursor]

    return lambda: asyncio.run(tool())


def test_aiosqlite(database: Path, bench: Benches) -> None:
    tool = _async_tool(database)
    at = bench(AIOSQLITE, SQLITE)
    assert at.run(tool) == ROWS
    assert [each.call.operation for each in at.crossings] == ["connect", "execute"]
    for each in at.crossings:
        assert each.call.site.startswith("test_sqlite.py:")
        assert not each.blocks
    assert isinstance(at.raised(tool, "locked", "execute"), sqlite3.OperationalError)
    assert at.broken(tool, "emptied", "execute") == []
    assert len(at.broken(tool, "inflated", "execute")) == MANY


def test_aiosqlite_does_not_get_a_connection(database: Path, bench: Benches) -> None:
    async def connect() -> None:
        connection = aiosqlite.connect(database)
        try:
            await connection
            await connection.close()
        finally:  # its thread talks to the loop once more
            await asyncio.to_thread(connection._thread.join)  # noqa: SLF001

    raised = bench(AIOSQLITE, SQLITE).raised(
        lambda: asyncio.run(connect()), "unavailable"
    )
    assert isinstance(raised, sqlite3.OperationalError)


def test_an_aiosqlite_connection_that_is_older_than_the_call(
    database: Path, bench: Benches
) -> None:
    async def scenario() -> None:
        at = bench(AIOSQLITE, SQLITE)
        async with aiosqlite.connect(database) as connection:
            with recording(Recording()) as record:
                await connection.execute_fetchall(ALL)
            assert [each.call.operation for each in record.boundary] == ["execute"]
            with recording(Recording()) as later:
                await connection.execute_fetchall(ALL)
            assert len(later.boundary) == 1
            assert at.crossings == ()

    asyncio.run(scenario())
