from __future__ import annotations

import sqlite3

import pytest

from pytest_toolresult.seams import rows, sql


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1",
        "select * from orders where status = 'to delete'",
        "SELECT a FROM t -- ; DROP TABLE t",
        "/* insert into */ SELECT a FROM t",
        'SELECT "update" FROM t',
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "EXPLAIN SELECT * FROM t",
        "PRAGMA user_version",
        "PRAGMA main.table_xinfo('orders')",
        "BEGIN; SELECT 1; COMMIT",
        "SET search_path TO shop",
        "SHOW server_version",
        "VALUES (1), (2)",
        "COPY orders TO STDOUT",
        "SELECT * FROM t FOR UPDATE",
        "SELECT replace(name, 'a', 'b') FROM t",
        "SELECT $$insert into t$$ FROM t",
        "",
        "-- nothing",
        ";",
    ],
)
def test_reading(statement: str) -> None:
    assert not sql.read(statement).writes


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO t VALUES (1)",
        "  update t set a = 1",
        "REPLACE INTO t VALUES (1)",
        "/* select */ DELETE FROM t",
        "SELECT 1; DROP TABLE t",
        "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
        "WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a",
        "EXPLAIN ANALYZE DELETE FROM t",
        "SELECT * INTO copy FROM t",
        "PRAGMA user_version = 3",
        "SET GLOBAL max_connections = 1",
        "COPY orders FROM STDIN",
        "CALL refresh()",
        "DO $$ BEGIN END $$",
        "GRANT ALL ON t TO ann",
        "unheard of",
    ],
)
def test_writing(statement: str) -> None:
    assert sql.read(statement).writes


@pytest.mark.parametrize(
    ("statement", "parameters", "expected"),
    [
        ("SELECT a FROM t", (), None),
        ("SELECT a FROM t LIMIT 5", (), 5),
        ("SELECT a FROM t WHERE b = ? LIMIT ?", ("x", 7), 7),
        ("SELECT a FROM t WHERE b = %s LIMIT %s OFFSET %s", ("x", 7, 1), 7),
        ("SELECT a FROM t LIMIT :n", {"n": 3}, 3),
        ("SELECT a FROM t LIMIT %(n)s::INTEGER", {"n": 3}, 3),
        ("SELECT a FROM t WHERE b = $1 LIMIT $2", ("x", 4), 4),
        ("SELECT a FROM t LIMIT 10, 20", (), 20),
        ("SELECT a FROM t FETCH FIRST 2 ROWS ONLY", (), 2),
        ("SELECT a FROM (SELECT a FROM t LIMIT 2)", (), None),
        ("SELECT a FROM t LIMIT -1", (), None),
        ("SELECT a FROM t LIMIT ?", (), None),
        ("SELECT a FROM t LIMIT (SELECT 2)", (), None),
    ],
)
def test_limit(statement: str, parameters: object, expected: int | None) -> None:
    assert sql.limit(statement, parameters) == expected


AGGREGATES = [
    "SELECT count(*) FROM orders",
    "SELECT count(*), sum(total), max(id) FROM orders WHERE id > 0",
    "SELECT COUNT(DISTINCT name) AS n FROM orders ORDER BY 1 LIMIT 1",
    "SELECT min(id), group_concat(name) FROM orders",
    "WITH big AS (SELECT * FROM orders) SELECT avg(total) FROM big",
    "SELECT name, count(*) FROM orders GROUP BY name",
    "SELECT name FROM orders",
    "SELECT name, row_number() OVER (ORDER BY id) FROM orders",
    "SELECT sum(total) OVER () FROM orders",
    "SELECT (SELECT count(*) FROM orders) AS n, name FROM orders",
    "SELECT * FROM (SELECT count(*) AS n FROM orders GROUP BY name)",
    "VALUES (1)",
]


@pytest.mark.parametrize("statement", AGGREGATES)
def test_emptied_rows_are_those_of_an_empty_table(statement: str) -> None:
    """SQLite itself says what each statement answers when there are no rows."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE orders (id INTEGER, name TEXT, total REAL)")
    nothing = connection.execute(statement).fetchall()
    connection.executemany(
        "INSERT INTO orders VALUES (?, ?, ?)", [(1, "ann", 9.5), (2, "bob", 12.0)]
    )
    something = connection.execute(statement).fetchall()
    connection.close()
    if statement.startswith("VALUES"):
        nothing = []
    assert rows.emptied(something, statement, ()) == nothing


def test_a_lot_of_rows_keeps_to_the_limit() -> None:
    two = [(1, "ann"), (2, "bob")]
    assert len(rows.inflated(two, "SELECT a, b FROM t LIMIT 50", ())) == 50
    many = rows.inflated(two, "SELECT a, b FROM t", ())
    assert len({identity for identity, _ in many}) == len(many) > 1000
    assert rows.inflated([(2,)], "SELECT count(*) FROM t", ()) == [(2,)]


def test_reading_costs_time_in_proportion() -> None:
    for hostile in ("(" * 50_000, "'" * 50_001, "a " * 50_000, "/*" * 50_000):
        assert sql.read(f"SELECT {hostile}").verb == "select"
