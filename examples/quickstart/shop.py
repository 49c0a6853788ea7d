"""The tools of a shop's agent, over SQLite. Two faults are in here on purpose.

    pytest --toolresult examples/quickstart/shop.py:TOOLS

finds both of them. `shop_fixed.py` is the same file without them.
"""

from __future__ import annotations

import functools
import os
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

DATABASE = Path(__file__).resolve().with_name("shop.sqlite3")

OrderStatus = Literal["paid", "shipped", "cancelled"]


def answer(status: str, data: object = None, **meta: object) -> dict[str, Any]:
    return {"status": status, "data": data, "error": None, "meta": meta}


def failure(code: str, message: str, *, retryable: bool = False) -> dict[str, Any]:
    error = {"code": code, "message": message, "retryable": retryable}
    return {"status": "error", "data": None, "error": error, "meta": {}}


def reports_failures(tool: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """Tell the model what the database could not do, and whether to try again."""

    @functools.wraps(tool)
    def reporting(*args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            return tool(*args, **kwargs)
        except sqlite3.Error as outage:
            if "locked" in str(outage):
                return failure(
                    "DATABASE_BUSY",
                    "The shop's database is busy. Try again in a moment.",
                    retryable=True,
                )
            return failure(
                "DATABASE_FAILED",
                "The shop's database does not answer. Tell the customer that"
                " orders cannot be looked up at the moment.",
            )
        except UnicodeError:
            return failure("BAD_TEXT", "An argument holds half of a character.")

    return reporting


def query(sql: str, *values: object) -> list[dict[str, Any]]:
    address = f"{DATABASE.as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=0.5)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, values)]


@reports_failures
def find_orders(
    order_status: OrderStatus = "paid",
    placed_since: str = "",
    limit: int = 20,
    cursor: int = 0,
) -> dict[str, Any]:
    """Find orders by their status, the newest first.

    Args:
        order_status: paid, shipped or cancelled.
        placed_since: Only orders from this day on, such as 2026-03-01.
        limit: How many orders to return, 1 to 50.
        cursor: Where to go on: `next_cursor` of the answer before.
    """
    if not 1 <= limit <= 50:
        return failure("BAD_LIMIT", "limit must be from 1 to 50.")
    if not 0 <= cursor <= 10_000:
        return failure("BAD_CURSOR", "cursor must be a next_cursor of this tool.")
    since = date.fromisoformat(placed_since) if placed_since else date.min
    orders = query(
        "SELECT id AS order_id, customer_id, order_status, total_price, placed_at,"
        " count(*) OVER () AS matching FROM orders"
        " WHERE order_status = ? AND placed_at >= ?"
        " ORDER BY placed_at DESC LIMIT ? OFFSET ?",
        order_status,
        since.isoformat(),
        limit,
        cursor,
    )
    total = max((order.pop("matching") for order in orders), default=0)
    if not orders:
        return answer("empty", [], looked_for=f"{order_status} since {since}")
    end = cursor + len(orders)
    counts = {"returned": len(orders), "total": total}
    if end < total:
        return answer("partial", orders, truncated=True, next_cursor=end, **counts)
    return answer("success", orders, **counts)


@reports_failures
def get_order(order_id: str) -> dict[str, Any]:
    """Look up one order by its number, such as o-1001."""
    orders = query(
        "SELECT id AS order_id, customer_id, order_status, total_price, placed_at"
        " FROM orders WHERE id = ?",
        order_id,
    )
    if not orders:
        return answer("success", "Failed to find this order.")
    return answer("success", orders[0])


@reports_failures
def find_customers(city: str) -> dict[str, Any]:
    """Find the customers who live in a city, such as Lima."""
    customers = query(
        "SELECT id AS customer_id, name, city FROM customers WHERE city = ?", city
    )
    if not customers:
        return answer("empty", [], looked_for="customers in this city")
    return answer("success", customers, returned=len(customers))


@reports_failures
def add_note(order_id: str, text: str) -> dict[str, Any]:
    """Write a note to an order, such as o-1001, for the colleagues who pack it."""
    if not text.strip() or len(text) > 500:
        return failure("BAD_NOTE", "text must have from 1 to 500 characters.")
    if not query("SELECT id FROM orders WHERE id = ?", order_id):
        return failure("ORDER_NOT_FOUND", "No order has this number.")
    with closing(sqlite3.connect(DATABASE, timeout=0.5)) as connection, connection:
        row = connection.execute(
            "INSERT INTO notes (order_id, text) VALUES (?, ?) RETURNING id",
            (order_id, text),
        ).fetchone()
    return answer("success", {"note_id": row[0], "order_id": order_id})


def create_database() -> None:
    """Create the database where it is missing; whole or not at all."""
    if DATABASE.exists():
        return
    fresh = DATABASE.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(fresh)) as connection:
        connection.executescript(DATABASE.with_name("shop.sql").read_text("utf-8"))
    fresh.replace(DATABASE)


create_database()

TOOLS = [find_orders, get_order, find_customers, add_note]
