"""One tool held to its promises, path by path.

The plugin adds the exploration of arguments, and that one fails: it finds the crash
that is left in `shop.py`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from shop import DATABASE, find_orders

from pytest_toolresult import Case

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def locked_database() -> Iterator[None]:
    """Hold the lock that another program would hold."""
    with closing(sqlite3.connect(DATABASE, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.toolresult(
    tool=find_orders,
    kind="query",
    success={"order_status": "shipped"},
    empty={"placed_since": "2999-01-01"},
    partial={"order_status": "paid", "limit": 2},
    error=[
        Case({"limit": 0}, code="BAD_LIMIT"),
        Case({}, code="DATABASE_BUSY", when=locked_database),
    ],
)
def test_find_orders(tool_case: Any) -> None:
    result = tool_case.run()
    if result.status == "success":
        assert {order["order_status"] for order in result.data} == {"shipped"}
    if result.status == "partial":
        assert result.meta["next_cursor"] == 2
