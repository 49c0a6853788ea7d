from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.explore.glimpses import Glimpses
from pytest_toolresult.guard import guarded
from pytest_toolresult.outcomes import Column

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """
    CREATE TABLE orders (id TEXT, total REAL, note TEXT, api_token TEXT, picture BLOB);
    INSERT INTO orders VALUES ('o-1', 9.5, NULL, 'abc', x'00');
    INSERT INTO orders VALUES ('o-2', 9.5, '', 'def', x'01');
    CREATE VIEW forever AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT max(i) AS last FROM n;
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a shop?.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
    return str(path)


def column(file: str, name: str, table: str = "orders") -> Column:
    return Column(file=file, table=table, name=name)


def test_useful_values_are_given_once_with_their_names(file: str) -> None:
    glimpses = Glimpses()
    read = [column(file, name) for name in ("id", "total", "note", "picture")]
    expected = [("id", "o-1"), ("id", "o-2"), ("total", 9.5)]
    assert list(glimpses.take(read)) == expected
    assert list(glimpses.take(read)) == []


def test_what_a_name_calls_secret_is_not_looked_at(file: str) -> None:
    assert list(Glimpses().take([column(file, "api_token")])) == []


@pytest.mark.parametrize("name", ["gone", 'a"; DROP TABLE orders; --'])
def test_what_cannot_be_read_gives_nothing(file: str, name: str) -> None:
    # SQLite takes a quoted name that it does not know for a text.
    found = list(Glimpses().take([column(file, name)]))
    assert found in ([], [(name, name)])
    assert list(Glimpses().take([column(file, "id", table="gone")])) == []
    assert list(Glimpses().take([column(f"{file}.gone", "id")])) == []


def test_a_view_without_an_end_is_given_up(file: str) -> None:
    assert list(Glimpses().take([column(file, "last", table="forever")])) == []


def test_a_locked_file_is_left_alone(file: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert list(Glimpses().take([column(file, "id")])) == []


def test_the_guard_tells_what_is_read_conditions_first(file: str) -> None:
    with guarded(frozenset()) as report, closing(sqlite3.connect(file)) as connection:
        connection.execute("SELECT total FROM orders WHERE id = ?", ("o-1",))
    assert report.columns == (column(file, "id"), column(file, "total"))


def test_the_guard_tells_nothing_of_memory(file: str) -> None:
    with guarded(frozenset()) as report, closing(sqlite3.connect("")) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("SELECT a FROM t WHERE a = 1")
    assert report.columns == ()
    assert file
