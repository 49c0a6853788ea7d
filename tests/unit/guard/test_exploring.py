"""Many periods in a row, between which connections come and go."""

from __future__ import annotations

import gc
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.guard import Stopped, exploring, guarded
from pytest_toolresult.guard import sqlite as guard_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator

DELETE = "DELETE FROM orders"
SHARED = pytest.mark.parametrize("own_thread", [True, False], ids=["own", "shared"])


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """A database whose one row has to be there after the test."""
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE orders (item TEXT)")
        connection.execute("INSERT INTO orders VALUES ('tea')")
    yield file
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT item FROM orders").fetchall() == [("tea",)]


def stopped(connection: sqlite3.Connection) -> bool:
    """Try to write in a period of its own."""
    with guarded(frozenset()) as report, suppress(Stopped):
        connection.execute(DELETE)
    return report.blocked is not None


@SHARED
def test_each_period_stops_what_older_connections_write(
    database: Path,
    own_thread: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    connection = sqlite3.connect(database, check_same_thread=own_thread)
    with closing(connection), exploring():
        assert [stopped(connection) for _ in range(3)] == [True] * 3


@SHARED
def test_a_connection_made_between_periods_is_watched(
    database: Path,
    own_thread: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    with exploring():
        with guarded(frozenset()):
            pass
        for _ in range(20):  # numbers of objects are used again
            connection = sqlite3.connect(database, check_same_thread=own_thread)
            with closing(connection):
                assert stopped(connection)
            own_thread = not own_thread


def test_a_connection_that_a_call_left_open_is_watched_in_the_next(
    database: Path,
) -> None:
    with exploring():
        with guarded(frozenset()):
            connection = sqlite3.connect(database)
            connection.execute("SELECT 1")
        assert stopped(connection)
        connection.close()


def test_a_connection_that_nobody_holds_is_let_go_of(database: Path) -> None:
    ended: list[str] = []

    class Telling(sqlite3.Connection):
        def __del__(self) -> None:
            ended.append("gone")
            self.close()

    with exploring():
        with guarded(frozenset()):
            pass
        connection = sqlite3.connect(database, factory=Telling)
        with guarded(frozenset()):
            connection.execute("SELECT item FROM orders").fetchall()
        del connection
        for _ in range(2):  # one of them may have to look through all objects
            with guarded(frozenset()):
                pass
        gc.collect()  # as ever: a connection refers to itself
        assert ended == ["gone"]


def test_the_objects_of_the_process_are_looked_through_once(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    look = guard_sqlite._holders  # noqa: SLF001 - what costs the time

    def counted() -> list[Any]:
        nonlocal looks
        looks += 1
        return look()

    monkeypatch.setattr(guard_sqlite, "_holders", counted)
    with closing(sqlite3.connect(database)) as connection, exploring():
        for _ in range(10):
            assert stopped(connection)
    assert looks == 1


def test_afterwards_connections_write_again(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        with exploring():
            assert stopped(connection)
        with connection:
            connection.execute("INSERT INTO orders VALUES ('milk')")
            connection.execute("DELETE FROM orders WHERE item = 'milk'")


def test_where_no_connection_lives_no_exploration_looks_for_one(
    monkeypatch: pytest.MonkeyPatch, database: Path
) -> None:
    looks: list[int] = []

    def nowhere() -> list[Any]:
        looks.append(1)
        return []  # whoever runs the tests may hold one

    with monkeypatch.context() as patched:
        patched.setattr(guard_sqlite, "_holders", nowhere)
        with exploring(), guarded(frozenset()):
            pass
        looks.clear()
        for _ in range(3):
            with exploring(), guarded(frozenset()):
                pass
    assert looks == []
    with closing(sqlite3.connect(database)) as connection, exploring():
        assert stopped(connection)


def test_each_call_finds_folder_and_variables_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE", "before")
    monkeypatch.chdir(tmp_path)
    inner = tmp_path / "inner"
    inner.mkdir()
    with exploring():
        for _ in range(3):
            with guarded(frozenset()):
                assert (os.environ["STATE"], Path.cwd()) == ("before", tmp_path)
                os.environ["STATE"] = "changed"
                os.environ["MORE"] = "yes"
                os.chdir(inner)
            assert (os.environ["STATE"], Path.cwd()) == ("before", tmp_path)
            assert "MORE" not in os.environ
    assert (os.environ["STATE"], Path.cwd()) == ("before", tmp_path)


def test_what_changes_between_calls_stays_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with exploring():
        with guarded(frozenset()):
            pass
        monkeypatch.setenv("STATE", "reset")
        monkeypatch.chdir(tmp_path)
        with guarded(frozenset()):
            del os.environ["STATE"]
    assert (os.environ["STATE"], Path.cwd()) == ("reset", tmp_path)


def test_a_mapping_in_place_of_the_variables_is_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mapping = {"STATE": "before"}
    monkeypatch.setattr(os, "environ", mapping)
    with exploring():
        for _ in range(2):
            with guarded(frozenset()):
                os.environ["STATE"] = "changed"
            assert mapping == {"STATE": "before"}
        with guarded(frozenset()):
            monkeypatch.setattr(os, "environ", {})
    assert os.environ is mapping
