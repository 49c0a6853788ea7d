from __future__ import annotations

import sqlite3
import tempfile
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from sqlite3 import connect as connect_by_another_name
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.guard import GuardReport, Stopped, guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """A database file that nothing may change, checked after the test."""
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)")
        connection.execute("CREATE INDEX by_item ON orders (item)")
        connection.execute("INSERT INTO orders (item) VALUES ('tea')")
    before = file.read_bytes()
    yield file
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["shop.db"]


@pytest.fixture
def older(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection that is older than the call."""
    connection = sqlite3.connect(database)
    yield connection
    connection.close()


WRITES = {
    "INSERT INTO orders (item) VALUES ('x')": "INSERT INTO orders",
    "UPDATE orders SET item = 'x'": "UPDATE orders",
    "DELETE FROM orders": "DELETE FROM orders",
    "WITH a AS (SELECT 1) DELETE FROM orders": "DELETE FROM orders",
    "CREATE TABLE more (a)": "a change of the schema",
    "CREATE INDEX i ON orders (item)": "a change of the schema",
    "DROP TABLE orders": "a change of the schema",
    "ALTER TABLE orders RENAME TO gone": "ALTER TABLE orders",
    "REINDEX by_item": "REINDEX by_item",
    "ANALYZE": "a change of the schema",
    "VACUUM": "VACUUM",
    "PRAGMA user_version = 3": "PRAGMA user_version=3",
    "PRAGMA journal_mode = WAL": "PRAGMA journal_mode=WAL",
    "PRAGMA optimize": "PRAGMA optimize",
    "PRAGMA writable_schema = ON": "PRAGMA writable_schema=ON",
}


def denied(report: GuardReport) -> str:
    assert report.blocked is not None
    assert report.blocked.power == "sql"
    start, _, words = report.blocked.action.partition(": ")
    assert start == "runs SQL that writes"
    return words


@pytest.mark.parametrize("statement", WRITES)
def test_an_older_connection_does_not_write(
    statement: str, older: sqlite3.Connection
) -> None:
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        older.execute(statement)
    assert denied(report) == WRITES[statement]
    assert not older.in_transaction


@pytest.mark.parametrize("statement", WRITES)
def test_a_new_connection_does_not_write(statement: str, database: Path) -> None:
    with guarded(frozenset()) as report:
        with closing(sqlite3.connect(database)) as connection:
            with pytest.raises(Stopped):
                connection.execute(statement)
    assert denied(report)


def test_a_statement_prepared_before_does_not_write(older: sqlite3.Connection) -> None:
    statement = "DELETE FROM orders WHERE id = ?"
    older.execute(statement, (77,))
    older.rollback()
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        older.execute(statement, (1,))
    assert denied(report) == "DELETE FROM orders"


def test_what_the_tool_swallowed_is_reported(older: sqlite3.Connection) -> None:
    def tool() -> dict[str, Any]:
        try:
            older.execute("DELETE FROM orders")
        except BaseException as error:  # noqa: BLE001 - the rudest tool there is
            return {"status": "error", "message": str(error)}
        return {"status": "success"}

    with guarded(frozenset()) as report:
        assert tool()["status"] == "error"
    assert denied(report) == "DELETE FROM orders"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM orders",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT 2 FROM n) SELECT i FROM n",
        "PRAGMA table_info(orders)",
        "PRAGMA foreign_keys = ON",
        "PRAGMA busy_timeout = 100",
        "PRAGMA journal_mode = MEMORY",
        "PRAGMA user_version",
        "EXPLAIN QUERY PLAN SELECT * FROM orders",
        "CREATE TEMP TABLE mine (a)",
        "ATTACH ':memory:' AS other",
    ],
)
def test_reading_passes(statement: str, database: Path) -> None:
    with guarded(frozenset()) as report:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute(statement).fetchall()
    assert report.blocked is None


def test_transactions_without_writes_pass(older: sqlite3.Connection) -> None:
    with guarded(frozenset()) as report:
        older.execute("BEGIN IMMEDIATE")
        older.execute("SAVEPOINT one")
        older.execute("SELECT * FROM orders").fetchall()
        older.execute("RELEASE one")
        older.commit()
    assert report.blocked is None


def test_writes_that_wait_for_a_commit_stay_waiting(older: sqlite3.Connection) -> None:
    older.execute("DELETE FROM orders")
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        older.commit()
    assert denied(report).startswith("COMMIT")
    older.rollback()


def test_memory_passes() -> None:
    older = sqlite3.connect(":memory:")
    with guarded(frozenset()) as report:
        older.execute("CREATE TABLE a (b)")
        with closing(sqlite3.connect("file::memory:?cache=shared", uri=True)) as new:
            new.execute("CREATE TABLE a (b)")
        with closing(sqlite3.connect("")) as unnamed:
            unnamed.execute("CREATE TABLE a (b)")
    assert report.blocked is None
    assert older.execute("SELECT count(*) FROM a").fetchone() == (0,)
    older.close()


def test_scratch_passes() -> None:
    with guarded(frozenset()) as report:
        file = Path(tempfile.mkdtemp(), "new.db")
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("CREATE TABLE a (b)")
            connection.execute("INSERT INTO a VALUES (1)")
    assert report.blocked is None


CREATIONS: dict[str, Callable[[Path], Any]] = {
    "connect": sqlite3.connect,
    "uri": lambda file: sqlite3.connect(f"file:{file}?mode=rwc", uri=True),
    "text": lambda file: sqlite3.dbapi2.connect(str(file)),
}


@pytest.mark.parametrize("way", CREATIONS)
def test_no_database_is_created(way: str, database: Path) -> None:
    new = database.with_name("new.db")
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        CREATIONS[way](new)
    assert report.blocked is not None
    assert report.blocked.action == f"creates a database: {new}"


def test_no_database_is_created_by_attaching(database: Path) -> None:
    with guarded(frozenset()) as report:
        with closing(sqlite3.connect(":memory:")) as connection:
            with pytest.raises(Stopped):
                connection.execute(f"ATTACH '{database.with_name('new.db')}' AS new")
    assert report.blocked is not None
    assert report.blocked.action.startswith("creates a database")


def test_an_attached_database_is_not_written(database: Path) -> None:
    with guarded(frozenset()) as report:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute(f"ATTACH '{database}' AS shop")
            assert connection.execute("SELECT count(*) FROM shop.orders").fetchone()
            assert report.blocked is None
            with pytest.raises(Stopped):
                connection.execute("DELETE FROM shop.orders")
    assert denied(report) == "DELETE FROM orders"


def test_connect_under_another_name_is_watched(database: Path) -> None:
    original = connect_by_another_name
    with guarded(frozenset()) as report:
        with closing(connect_by_another_name(database)) as connection:
            with pytest.raises(Stopped):
                connection.execute("DELETE FROM orders")
    assert denied(report)
    assert connect_by_another_name is original
    assert sqlite3.connect is original


def test_connections_out_of_sight_are_stopped(database: Path) -> None:
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        sqlite3.Connection(database)
    assert report.blocked is not None
    assert "past sqlite3.connect" in report.blocked.action


def test_the_projects_authorizer_decides_first_and_is_put_back(
    older: sqlite3.Connection,
) -> None:
    asked: list[int] = []

    def no_functions(action: int, *_: object) -> int:
        asked.append(action)
        deny = action == sqlite3.SQLITE_FUNCTION
        return sqlite3.SQLITE_DENY if deny else sqlite3.SQLITE_OK

    older.set_trace_callback(lambda _: None)
    older.set_authorizer(no_functions)
    for _ in range(2):
        with guarded(frozenset()) as report:
            older.execute("SELECT id FROM orders")
            with pytest.raises(sqlite3.DatabaseError):
                older.execute("SELECT abs(id) FROM orders")
            assert report.blocked is None
            with pytest.raises(Stopped):
                older.execute("DELETE FROM orders")
        assert denied(report)
    asked.clear()
    with pytest.raises(sqlite3.DatabaseError):
        older.execute("SELECT abs(id) FROM orders")
    assert asked


def test_a_connection_writes_again_afterwards(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as older:
        with guarded(frozenset()):
            new = sqlite3.connect(tmp_path / "a.db")
        for connection in (older, new):
            with connection:
                connection.execute("CREATE TABLE IF NOT EXISTS a (b)")
                connection.execute("INSERT INTO a VALUES (1)")
        new.close()
        assert older.execute("SELECT count(*) FROM a").fetchone() == (2,)


def test_the_connection_of_another_thread_is_noted(database: Path) -> None:
    ready, done = threading.Event(), threading.Event()

    def own() -> None:
        with closing(sqlite3.connect(database)):
            ready.set()
            done.wait()

    thread = threading.Thread(target=own)
    thread.start()
    ready.wait()
    with guarded(frozenset()) as report:
        pass
    done.set()
    thread.join()
    assert any("another thread" in note for note in report.notes)


SHARED_WRITES = [
    "INSERT INTO orders (item) VALUES ('x')",
    "DELETE FROM orders",
    "CREATE TABLE more (a)",
    "DROP TABLE orders",
    "VACUUM",
    "PRAGMA user_version = 3",
    "ATTACH 'new.db' AS new",
]


@pytest.mark.parametrize("statement", SHARED_WRITES)
@pytest.mark.parametrize("older", [True, False])
def test_a_connection_that_threads_may_share_does_not_write(
    statement: str, database: Path, *, older: bool
) -> None:
    with ExitStack() as stack:
        if older:
            connection = _shared(stack, database)
        report = stack.enter_context(guarded(frozenset()))
        if not older:
            connection = _shared(stack, database)
        assert connection.execute("SELECT item FROM orders").fetchall() == [("tea",)]
        assert report.blocked is None
        with pytest.raises(Stopped):
            connection.execute(statement)
        assert denied(report)


def _shared(stack: ExitStack, database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(database, check_same_thread=False)
    return stack.enter_context(closing(connection))


def test_a_shared_connection_writes_again_afterwards(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.db", check_same_thread=False)
    for _ in range(2):
        with guarded(frozenset()), suppress(Stopped):
            connection.execute("CREATE TABLE a (b)")
        assert not connection.in_transaction
    with connection:
        connection.execute("CREATE TABLE a (b)")
        connection.execute("ATTACH ':memory:' AS other")
    connection.close()


def test_threads_that_use_a_connection_meanwhile_do_not_block(database: Path) -> None:
    connection = sqlite3.connect(database, check_same_thread=False)
    end = threading.Event()

    def poll() -> None:
        number = 0
        while not end.is_set():
            number += 1
            connection.execute(f"SELECT {number} FROM orders").fetchall()

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        for _ in range(30):
            # Python may give one thread the other's error, or nobody any: that nothing
            # is written is all that is sure.
            with guarded(frozenset()), suppress(Stopped, sqlite3.Error):
                connection.execute("DELETE FROM orders")
    finally:
        end.set()
        thread.join()
    connection.rollback()
    assert connection.execute("SELECT item FROM orders").fetchall() == [("tea",)]
    connection.close()


def test_ordinary_database_errors_stay_what_they_are(older: sqlite3.Connection) -> None:
    with guarded(frozenset()) as report:
        with pytest.raises(sqlite3.OperationalError, match="no such table: gone"):
            older.execute("SELECT * FROM gone")
        with pytest.raises(sqlite3.OperationalError, match="mine"):
            raise sqlite3.OperationalError("mine")
    assert report.blocked is None
    assert "__init__" not in vars(sqlite3.DatabaseError)


def test_odd_connections_are_watched(database: Path) -> None:
    class Careless(sqlite3.Connection):
        def execute(self, *_: Any, **__: Any) -> Any:
            raise AssertionError

    odd = sqlite3.connect(database, factory=Careless)
    odd.row_factory = lambda _cursor, row: dict(enumerate(row))
    odd.text_factory = bytes
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        odd.cursor().execute("DELETE FROM orders")
    odd.close()
    assert denied(report)


def test_sql_may_be_allowed(tmp_path: Path) -> None:
    with guarded(frozenset({"sql"})) as report:
        with closing(sqlite3.connect(tmp_path / "a.db")) as connection, connection:
            connection.execute("CREATE TABLE a (b)")
    assert report.blocked is None
