"""What one exploration finds out about a tool's arguments, every other one does."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.explore import EXPLORATIONS, exploration_named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.session import Engine

    Assign = Callable[..., Assignment]

ORDER = "ord-7f3a"


class Archive:
    """A database that alone knows which orders there are."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("CREATE TABLE orders (order_id TEXT, item TEXT)")
            connection.execute("INSERT INTO orders VALUES (?, 'tea')", (ORDER,))

    def get_order(self, order_id: str) -> Any:
        """Get an order."""
        try:
            row = self._read(order_id)
        except sqlite3.Error as error:
            return failure(passes="locked" in str(error))
        if row is None:
            return answer("empty", asked=order_id)
        return answer("success", {"item": row[0]})

    def _read(self, order_id: str) -> Any:
        with closing(sqlite3.connect(self._file)) as connection:
            return connection.execute(
                "SELECT item FROM orders WHERE order_id = ?", (order_id,)
            ).fetchone()


def answer(status: str, data: Any = None, error: Any = None, **meta: Any) -> Any:
    return {"status": status, "data": data, "error": error, "meta": meta}


def failure(*, passes: bool) -> Any:
    message = "the archive cannot be read; tell the user so"
    code = "ARCHIVE_BUSY" if passes else "ARCHIVE_LOST"
    error = {"code": code, "message": message, "retryable": passes}
    return answer("error", error=error)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive.db")


@pytest.mark.parametrize("name", EXPLORATIONS)
def test_what_only_the_data_knows_leads_to_a_success(
    name: str, archive: Archive, engine: Engine, assign: Assign
) -> None:
    explored = engine.explore(assign(archive.get_order), exploration_named(name))
    evidence = explored.evidence
    assert evidence.found["success"] == {"order_id": ORDER}
    assert evidence.statuses["success"] > 0
    assert evidence.findings == ()


def test_faults_are_put_into_the_success_that_was_found(
    archive: Archive, engine: Engine, assign: Assign
) -> None:
    explored = engine.explore(assign(archive.get_order), exploration_named("faults"))
    assert explored.evidence.planned
    assert explored.evidence.planned == explored.evidence.fired
    assert explored.evidence.codes.keys() == {"ARCHIVE_BUSY", "ARCHIVE_LOST"}
