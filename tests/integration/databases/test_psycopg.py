from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool, PoolTimeout

from pytest_toolresult.guard import Stopped, guarded, unsafe_clients
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.psycopg_ import PSYCOPG
from pytest_toolresult.seams.psycopg_pool_ import PSYCOPG_POOL
from pytest_toolresult.seams.shapes import MANY
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Bench, Benches
    from tests.integration.databases.conftest import Server

ALL = "SELECT id, name FROM orders ORDER BY id"
ROWS = [(1, "ann"), (2, "bob"), (3, "cid")]


@pytest.fixture
def dsn(postgres: Server) -> Iterator[str]:
    conninfo = f"host=127.0.0.1 port={postgres.port} user=shop dbname=postgres"
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("SET lock_timeout = '5s'")
        connection.execute("CREATE TABLE orders (id int PRIMARY KEY, name text)")
        connection.execute("INSERT INTO orders VALUES (1,'ann'), (2,'bob'), (3,'cid')")
        connection.execute(
            "CREATE FUNCTION clear() RETURNS int LANGUAGE sql"
            " AS 'DELETE FROM orders RETURNING id'"
        )
        connection.execute("CREATE SEQUENCE numbers")
        yield conninfo
        connection.execute("DROP TABLE orders; DROP FUNCTION clear")
        connection.execute("DROP SEQUENCE numbers")


@pytest.fixture
def at(bench: Benches) -> Bench:
    return bench(PSYCOPG_POOL, PSYCOPG)


async def _later(connection: Any) -> Any:
    return await (await connection.execute(ALL)).fetchall()


async def _iterated_later(connection: Any) -> Any:
    return [row async for row in await connection.execute(ALL)]


def _one_by_one(connection: Any) -> Any:
    return list(iter(connection.execute(ALL).fetchone, None))


def _in_lots(connection: Any) -> Any:
    found = connection.execute(ALL)
    return [row for lot in iter(lambda: found.fetchmany(2), []) for row in lot]


def _named(connection: Any) -> Any:
    found = connection.cursor(row_factory=dict_row).execute(ALL)
    return [(row["id"], row["name"]) for row in found]


def _on_the_server(connection: Any) -> Any:
    with connection.cursor("walk") as cursor:
        return cursor.execute(ALL).fetchall()


def _tools(dsn: str) -> dict[str, Callable[[], Any]]:
    """The ways to the same rows."""

    def use(how: Callable[[Any], Any], **kwargs: Any) -> Callable[[], Any]:
        def tool() -> Any:
            with psycopg.connect(dsn, **kwargs) as connection:
                return how(connection)

        return tool

    def use_later(how: Callable[[Any], Any]) -> Callable[[], Any]:
        async def tool() -> Any:
            async with await psycopg.AsyncConnection.connect(dsn) as connection:
                return await how(connection)

        return lambda: asyncio.run(tool())

    return {
        "all": use(lambda connection: connection.execute(ALL).fetchall()),
        "autocommit": use(lambda made: made.execute(ALL).fetchall(), autocommit=True),
        "iterated": use(lambda connection: list(connection.execute(ALL))),
        "one by one": use(_one_by_one),
        "in lots": use(_in_lots),
        "row factory": use(_named),
        "server cursor": use(_on_the_server),
        "client cursor": use(
            lambda made: made.execute(ALL).fetchall(),
            cursor_factory=psycopg.ClientCursor,
        ),
        "composed": use(lambda made: made.execute(sql.SQL(ALL)).fetchall()),
        "async": use_later(_later),
        "async iterated": use_later(_iterated_later),
    }


WAYS = list(_tools(""))
READING = ["timeout", "reset", "locked", "undefined", "no_permission", "closed"]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_rows_is_seen(way: str, dsn: str, at: Bench) -> None:
    tool = _tools(dsn)[way]
    assert tool() == ROWS
    assert at.run(tool) == ROWS
    assert [each.call.operation for each in at.crossings][:2] == ["connect", "execute"]
    assert all(each.call.site.startswith("test_psycopg.py:") for each in at.crossings)
    if way != "server cursor":  # nobody knows how many there are
        assert at.crossings[1].rows == 3
        assert at.offered()["execute"] == [*READING, "emptied", "inflated"]
        assert at.broken(tool, "emptied", "execute") == []
        many = at.broken(tool, "inflated", "execute")
        assert len({identity for identity, _ in many}) == len(many) == MANY
    for name in READING:
        assert isinstance(at.raised(tool, name, "execute"), psycopg.Error)
        assert at.crossings[1].failure == name
    assert tool() == ROWS


def _provoked(dsn: str, port: int) -> dict[str, Callable[[], Any]]:
    """How to meet each error for real."""
    closed_port = _closed_port()

    def run(statement: str, before: str = "SELECT 1", **kwargs: Any) -> Any:
        def tool() -> None:
            with psycopg.connect(dsn, **kwargs) as connection:
                connection.execute(before)
                connection.execute(statement)

        return tool

    def reset() -> None:
        with psycopg.connect(dsn) as other, psycopg.connect(dsn) as connection:
            other.execute(
                "SELECT pg_terminate_backend(%s)", [connection.info.backend_pid]
            )
            connection.execute(ALL)

    def locked() -> None:
        with psycopg.connect(dsn) as holder, psycopg.connect(dsn) as connection:
            holder.execute("LOCK TABLE orders")
            connection.execute("SET lock_timeout = 10")
            connection.execute(ALL)

    def no_permission() -> None:
        with psycopg.connect(dsn) as connection:
            connection.execute("CREATE ROLE nobody_much")
            connection.execute("SET ROLE nobody_much")
            connection.execute(ALL)

    def closed() -> None:
        connection = psycopg.connect(dsn)
        connection.close()
        connection.execute(ALL)

    return {
        "timeout": run("SELECT pg_sleep(3)", "SET statement_timeout = 10"),
        "reset": reset,
        "locked": locked,
        "undefined": run("SELECT total FROM orders"),
        "no_permission": no_permission,
        "integrity": run("INSERT INTO orders VALUES (1, 'dan')"),
        "closed": closed,
        "refused": lambda: psycopg.connect(f"host=127.0.0.1 port={closed_port}"),
        "dns": lambda: psycopg.connect("host=db.invalid"),
        "wrong password": lambda: psycopg.connect(
            f"host=127.0.0.1 port={port} user=locked_out password=x dbname=postgres"
        ),
    }


def _closed_port() -> int:
    with socket.socket() as candidate:
        candidate.bind(("127.0.0.1", 0))
        return int(candidate.getsockname()[1])


def _writing(dsn: str) -> Callable[[], Any]:
    def tool() -> None:
        with psycopg.connect(dsn) as connection:
            connection.execute("DELETE FROM orders WHERE id = %s", [9])

    return tool


@pytest.mark.parametrize("name", list(_provoked("", 0)))
def test_an_error_is_like_the_real_one(
    name: str, dsn: str, postgres: Server, at: Bench
) -> None:
    with pytest.raises(psycopg.Error) as real:
        _provoked(dsn, postgres.port)[name]()
    connecting = name in {"refused", "dns", "wrong password"}
    tool = _writing(dsn) if name == "integrity" else _tools(dsn)["all"]
    fault = "no_permission" if name == "wrong password" else name
    made = at.raised(tool, fault, "connect" if connecting else "execute")
    assert isinstance(made, psycopg.Error)
    assert carries_a_canary(made)
    assert "CONTEXT" not in str(made)
    if name == "reset":  # when it arrives decides whether it has a class of its own
        assert isinstance(real.value, psycopg.OperationalError)
        assert isinstance(made, psycopg.OperationalError)
        assert str(made) in str(real.value)
        return
    assert type(made) is type(real.value)
    assert made.sqlstate == real.value.sqlstate
    assert _gist(made) == _gist(real.value)


def _gist(error: psycopg.Error) -> list[str]:
    """The words of a message that are the same whatever it is about."""
    told = str(error).partition("\nLINE 1")[0].partition("\nDETAIL")[0]
    words = told.replace("'", '"').split()
    same = [word for word in words if '"' not in word and not word[:1].isdigit()]
    return same[-4:]


def test_a_wrong_password_does_not_say_whether_to_try_again(
    dsn: str, at: Bench
) -> None:
    tool = _tools(dsn)["all"]
    for operation, retryable in (("connect", None), ("execute", False)):
        fault = at.injection(tool, "no_permission", operation).fault
        assert fault.retryable is retryable


def test_errors_tell_a_secret_where_real_ones_may(dsn: str, at: Bench) -> None:
    told = str(at.raised(_tools(dsn)["all"], "undefined", "execute"))
    assert any(each.value in told for each in REGISTRY.planted())
    told = str(at.raised(_writing(dsn), "integrity", "execute"))
    assert any(each.value in told for each in REGISTRY.planted())


def test_a_transaction_is_aborted_as_by_a_real_error(dsn: str, at: Bench) -> None:
    def tool() -> Any:
        with psycopg.connect(dsn) as connection:
            with suppress(psycopg.errors.QueryCanceled):
                connection.execute(ALL)
            return connection.execute(ALL).fetchall()

    assert isinstance(
        at.raised(tool, "timeout", "execute"), psycopg.errors.InFailedSqlTransaction
    )


def test_a_commit_fails(dsn: str, at: Bench) -> None:
    raised = at.raised(_writing(dsn), "reset", "commit")
    assert isinstance(raised, psycopg.OperationalError)
    assert "server closed the connection" in str(raised)


def test_the_number_of_rows_agrees(dsn: str, at: Bench) -> None:
    def tool() -> Any:
        with psycopg.connect(dsn) as connection:
            found = connection.execute("SELECT count(*), max(name) FROM orders")
            return connection.execute(ALL).rowcount, found.fetchone()

    assert at.run(tool) == (3, (3, "cid"))
    assert at.broken(tool, "emptied", "execute", nth=0) == (3, (0, None))
    assert at.broken(tool, "emptied", "execute", nth=1) == (0, (3, "cid"))


def test_a_limit_holds(dsn: str, at: Bench) -> None:
    def tool() -> Any:
        with psycopg.connect(dsn) as connection:
            return connection.execute(f"{ALL} LIMIT %s", [20]).fetchall()

    assert len(at.broken(tool, "inflated", "execute")) == 20


@pytest.mark.parametrize("mode", ["transaction", "autocommit"])
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO orders VALUES (7, 'gil')",
        "WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone",
        "SELECT clear()",
        "SELECT * INTO copy_of FROM orders",
        "CREATE TEMP TABLE scratch (a int)",
        "SELECT nextval('numbers')",
        "SELECT * FROM orders FOR UPDATE",
    ],
)
def test_exploring_stops_what_writes(
    statement: str, mode: str, dsn: str, at: Bench
) -> None:
    def tool() -> None:
        with psycopg.connect(dsn, autocommit=mode == "autocommit") as connection:
            connection.execute(statement)

    with guarded(frozenset()) as report, pytest.raises(Stopped):
        at.run(tool)
    assert report.blocked is not None
    assert report.blocked.power == "sql"
    assert statement[:40] in report.blocked.action
    assert _tools(dsn)["all"]() == ROWS


def test_exploring_stops_what_writes_in_async_code(dsn: str, at: Bench) -> None:
    async def tool() -> None:
        async with await psycopg.AsyncConnection.connect(dsn) as connection:
            await connection.execute("SELECT clear()")

    with guarded(frozenset()), pytest.raises(Stopped):
        at.run(lambda: asyncio.run(tool()))
    assert _tools(dsn)["all"]() == ROWS


@pytest.mark.parametrize("bulk", ["copy", "executemany", "stream"])
def test_exploring_stops_what_writes_in_bulk(bulk: str, dsn: str, at: Bench) -> None:
    def tool() -> None:
        with psycopg.connect(dsn) as connection, connection.cursor() as cursor:
            if bulk == "copy":
                with cursor.copy("COPY orders FROM STDIN") as copy:
                    copy.write_row((8, "hal"))
            elif bulk == "executemany":
                cursor.executemany("DELETE FROM orders WHERE id = %s", [(1,), (2,)])
            else:
                list(cursor.stream("DELETE FROM orders RETURNING id"))

    with guarded(frozenset()), pytest.raises(Stopped):
        at.run(tool)
    assert _tools(dsn)["all"]() == ROWS


@pytest.mark.parametrize("way", WAYS)
def test_exploring_lets_reading_pass(way: str, dsn: str, at: Bench) -> None:
    with guarded(frozenset()):
        assert at.run(_tools(dsn)[way]) == ROWS
        assert isinstance(
            at.raised(_tools(dsn)[way], "undefined", "execute"),
            psycopg.errors.UndefinedColumn,
        )


@pytest.mark.usefixtures("at")
@pytest.mark.parametrize("mode", ["transaction", "autocommit"])
def test_a_connection_writes_again_afterwards(mode: str, dsn: str) -> None:
    """Even within the transaction that the call began."""
    with psycopg.connect(dsn, autocommit=mode == "autocommit") as connection:
        with guarded(frozenset()):
            assert connection.execute(ALL).fetchall() == ROWS
        connection.execute("DELETE FROM orders WHERE id = 3")
    assert _tools(dsn)["all"]() == ROWS[:2]


@pytest.mark.usefixtures("at")
def test_exploring_stops_connections_to_other_hosts() -> None:
    for conninfo in (
        "host=db.example.org",
        "host=127.0.0.1,db.example.org",
        "hostaddr=192.0.2.7",
        "service=orders",
        "postgresql://ann@db.example.org/orders",
    ):
        with guarded(frozenset()) as report, pytest.raises(Stopped):
            psycopg.connect(conninfo)
        assert report.blocked is not None
        assert report.blocked.power == "network"


def test_the_guard_takes_it_for_watched_meanwhile() -> None:
    def tool() -> Any:
        return psycopg.connect("")

    assert unsafe_clients(tool) == ("psycopg",)
    patches = Patches()
    PSYCOPG.install(patches)
    assert unsafe_clients(tool) == ()
    patches.restore()
    assert unsafe_clients(tool) == ("psycopg",)


def test_a_pool(dsn: str, at: Bench) -> None:
    with ConnectionPool(dsn, min_size=1, max_size=2) as pool:
        pool.wait()

        def tool() -> Any:
            with pool.connection() as connection:
                return connection.execute(ALL).fetchall()

        assert at.run(tool) == ROWS
        assert [each.call.operation for each in at.crossings] == [
            "getconn",
            "execute",
            "commit",
        ]
        raised = at.raised(tool, "timeout", "getconn")
        assert isinstance(raised, PoolTimeout)
        assert carries_a_canary(raised)
        assert str(raised) == "couldn't get a connection after 30.00 sec"
        assert at.broken(tool, "emptied", "execute") == []
        assert isinstance(at.raised(tool, "reset", "execute"), psycopg.OperationalError)
        assert tool() == ROWS


def test_an_async_pool(dsn: str, at: Bench) -> None:
    async def tool() -> Any:
        async with (
            AsyncConnectionPool(dsn, min_size=1, open=False) as pool,
            pool.connection(timeout=2) as connection,
        ):
            return await (await connection.execute(ALL)).fetchall()

    assert at.run(lambda: asyncio.run(tool())) == ROWS
    assert at.crossings[0].call.operation == "getconn"
    raised = at.raised(lambda: asyncio.run(tool()), "timeout", "getconn")
    assert str(raised) == "couldn't get a connection after 2.00 sec"


def test_nothing_of_it_is_left() -> None:
    before = [psycopg.Cursor.execute.__code__, psycopg.Connection.commit.__code__]
    patches = Patches()
    PSYCOPG.install(patches)
    patches.restore()
    after = [psycopg.Cursor.execute.__code__, psycopg.Connection.commit.__code__]
    assert after == before
