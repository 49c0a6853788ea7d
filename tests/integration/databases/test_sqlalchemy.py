from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from sqlalchemy import exc, orm
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.seams.aiosqlite_ import AIOSQLITE
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.psycopg_ import PSYCOPG
from pytest_toolresult.seams.shapes import MANY
from pytest_toolresult.seams.sqlalchemy_ import SQLALCHEMY
from pytest_toolresult.seams.sqlite_ import SQLITE
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import Bench, Benches

ROWS = [(1, "ann"), (2, "bob"), (3, "cid")]
ALL = sa.text("SELECT id, name FROM orders ORDER BY id")


class Base(orm.DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "orders"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    name: orm.Mapped[str] = orm.mapped_column()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/shop.db"
    port = request.getfixturevalue("postgres").port
    return f"postgresql+psycopg://shop@127.0.0.1:{port}/postgres"


@pytest.fixture
def engine(url: str) -> Iterator[sa.Engine]:
    """An engine that has been used before a seam is in place."""
    engine = sa.create_engine(url)
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(sa.insert(Order), [_order(*row) for row in ROWS])
    yield engine
    Base.metadata.drop_all(engine)
    engine.dispose()


def _order(number: int, name: str) -> dict[str, object]:
    return {"id": number, "name": name}


@pytest.fixture
def at(bench: Benches) -> Bench:
    return bench(SQLALCHEMY, PSYCOPG, AIOSQLITE, SQLITE)


def _tools(engine: sa.Engine) -> dict[str, Callable[[], Any]]:
    """The ways to the same rows."""

    def use(how: Callable[[sa.Connection], Any]) -> Callable[[], Any]:
        def tool() -> Any:
            with engine.connect() as connection:
                return [tuple(row) for row in how(connection)]

        return tool

    def session() -> Any:
        with orm.Session(engine) as session:
            found = session.scalars(sa.select(Order).order_by(Order.id))
            return [(each.id, each.name) for each in found]

    def streamed(connection: sa.Connection) -> Any:
        return connection.execution_options(yield_per=2).execute(ALL).all()

    def asynchronous() -> Any:
        return asyncio.run(_later(engine.url))

    return {
        "text": use(lambda connection: connection.execute(ALL).all()),
        "iterated": use(lambda connection: list(connection.execute(ALL))),
        "core": use(lambda made: made.execute(sa.select(Order.id, Order.name)).all()),
        "fetchmany": use(lambda made: made.execute(ALL).fetchmany(MANY)),
        "driver": use(lambda made: made.exec_driver_sql(str(ALL)).all()),
        "streamed": use(streamed),
        "session": session,
        "async": asynchronous,
    }


async def _later(url: sa.URL) -> Any:
    if url.drivername == "sqlite":
        url = url.set(drivername="sqlite+aiosqlite")
    engine = create_async_engine(url)
    try:
        async with AsyncSession(engine) as session:
            return [tuple(row) for row in (await session.execute(ALL)).all()]
    finally:
        await engine.dispose()


WAYS = [
    "text",
    "iterated",
    "core",
    "fetchmany",
    "driver",
    "streamed",
    "session",
    "async",
]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_rows_is_seen(way: str, engine: sa.Engine, at: Bench) -> None:
    tool = _tools(engine)[way]
    assert tool() == ROWS
    assert at.run(tool) == ROWS
    assert [each.call.seam for each in at.crossings] == ["sqlalchemy"] * 2
    assert [each.call.operation for each in at.crossings] == ["connect", "execute"]
    assert all(
        each.call.site.startswith("test_sqlalchemy.py:") for each in at.crossings
    )
    assert at.crossings[1].rows == 3
    assert at.broken(tool, "emptied", "execute") == []
    many = at.broken(tool, "inflated", "execute")
    assert len({identity for identity, _ in many}) == len(many) == MANY
    for name in at.offered()["execute"]:
        if name not in {"emptied", "inflated"}:
            raised = at.raised(tool, name, "execute")
            assert isinstance(raised, exc.DBAPIError), name
            assert carries_a_canary(raised), name
    assert tool() == ROWS


def test_sqlite_commits_what_was_written_alone(engine: sa.Engine, at: Bench) -> None:
    def tool() -> None:
        with engine.begin() as connection:
            connection.execute(ALL)

    at.run(tool)
    commits = [each for each in at.crossings if each.call.operation == "commit"]
    assert len(commits) == (engine.dialect.name != "sqlite")


def test_no_connection(engine: sa.Engine, at: Bench) -> None:
    tool = _tools(engine)["session"]
    at.run(tool)
    for name in at.offered()["connect"]:
        raised = at.raised(tool, name, "connect")
        assert isinstance(raised, exc.OperationalError)


def test_errors_are_the_drivers_own(engine: sa.Engine, at: Bench) -> None:
    missing = sa.text("SELECT total FROM orders")
    with pytest.raises(exc.DBAPIError) as real, engine.connect() as connection:
        connection.execute(missing)
    made = at.raised(_tools(engine)["text"], "undefined", "execute")
    assert isinstance(made, exc.DBAPIError)
    assert type(made) is type(real.value)
    assert type(made.orig) is type(real.value.orig)


def test_what_breaks_a_rule_of_the_data(engine: sa.Engine, at: Bench) -> None:
    def tool(number: int) -> None:
        with engine.begin() as connection:
            connection.execute(sa.insert(Order), _order(number, "dan"))
            connection.execute(sa.delete(Order).where(Order.id == 9))

    with pytest.raises(exc.IntegrityError) as real:
        tool(1)
    made = at.raised(lambda: tool(9), "integrity", "execute")
    assert isinstance(made, exc.IntegrityError)
    assert type(made.orig) is type(real.value.orig)
    assert at.crossings[1].call.mutates


def test_a_commit_fails(engine: sa.Engine, at: Bench) -> None:
    def tool() -> None:
        with orm.Session(engine) as session:
            session.add(Order(id=4, name="dan"))
            session.commit()
            session.execute(sa.delete(Order).where(Order.id == 4))
            session.commit()

    at.run(tool)
    for name in at.offered()["commit"]:
        raised = at.raised(tool, name, "commit")
        assert isinstance(raised, exc.OperationalError)
    assert _tools(engine)["text"]() == ROWS


def test_numbers_and_limits(engine: sa.Engine, at: Bench) -> None:
    def tool() -> Any:
        with orm.Session(engine) as session:
            total = session.scalar(sa.select(sa.func.count()).select_from(Order))
            some = session.execute(sa.select(Order.id).limit(20)).all()
            return total, len(some)

    assert at.run(tool) == (3, 3)
    assert at.broken(tool, "emptied", "execute", nth=0) == (0, 3)
    assert at.broken(tool, "inflated", "execute", nth=1) == (3, 20)


def test_exploring_stops_what_writes(engine: sa.Engine, at: Bench) -> None:
    def tool() -> None:
        with engine.begin() as connection:
            connection.execute(sa.delete(Order))

    with guarded(frozenset()) as report, pytest.raises(Stopped):
        at.run(tool)
    assert report.blocked is not None
    assert report.blocked.power == "sql"
    with guarded(frozenset()):
        assert at.run(_tools(engine)["session"]) == ROWS
        assert at.run(_tools(engine)["async"]) == ROWS
    assert _tools(engine)["text"]() == ROWS


def test_another_database(engine: sa.Engine, at: Bench) -> None:
    """What is known of no database more closely, seen through one that is."""
    engine.dialect.name, before = "unheard_of", engine.dialect.name
    try:
        tool = _tools(engine)["text"]
        at.run(tool)
        offered = at.offered()
    finally:
        engine.dialect.name = before
    assert offered["connect"] == ["refused", "timeout"]


def test_nothing_of_it_is_left() -> None:
    before = sa.Engine.raw_connection.__code__
    patches = Patches()
    SQLALCHEMY.install(patches)
    assert sa.Engine.raw_connection.__code__ is not before
    patches.restore()
    assert sa.Engine.raw_connection.__code__ is before
