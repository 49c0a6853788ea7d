"""One tool held to its promises, path by path.

The plugin adds two explorations. That of arguments fails: it finds the crash that is
left in `shop.py`. That of faults passes: whatever happens to the database is reported.
"""

from __future__ import annotations

from typing import Any

import pytest
from shop import find_orders

from pytest_toolresult import Case, fault


@pytest.mark.toolresult(
    tool=find_orders,
    kind="query",
    success={"order_status": "shipped"},
    empty={"placed_since": "2999-01-01"},
    partial={"order_status": "paid", "limit": 2},
    error=[
        Case({"limit": 0}, code="BAD_LIMIT"),
        Case({}, code="DATABASE_BUSY", when=fault("locked", at="sqlite3")),
    ],
)
def test_find_orders(tool_case: Any) -> None:
    result = tool_case.run()
    if result.status == "success":
        assert {order["order_status"] for order in result.data} == {"shipped"}
    if result.status == "partial":
        assert result.meta["next_cursor"] == 2
