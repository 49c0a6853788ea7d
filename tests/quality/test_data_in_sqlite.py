"""What the sweep alone reaches where a tool's data is nowhere in its code.

The tools read a real SQLite file, so nothing can be mined. Names of things that exist
and small ids are met; an id that only the database knows has to be harvested from a
result or a message, which is not the sweep's part.
"""

from __future__ import annotations

import sqlite3
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.codescan import own_constants
from pytest_toolresult.signatures import Refused, describe
from pytest_toolresult.strategies.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ROWS: dict[str, list[tuple[Any, ...]]] = {
    "customers(id TEXT, name TEXT, email TEXT)": [
        ("c-2281", "Alice", "ann@example.com"),
        ("c-2282", "Bob", "bob@example.org"),
    ],
    "orders(id INTEGER, state TEXT, total REAL, day TEXT)": [
        (number, ("open", "closed")[number % 2], 9.99 * number, f"2024-02-{number:02}")
        for number in range(1, 29)
    ],
    "weather(city TEXT, celsius REAL)": [("Lisbon", 21), ("London", 12), ("Tokyo", 18)],
    "rates(currency TEXT, rate REAL)": [("EUR", 1.0), ("USD", 1.1), ("JPY", 160.0)],
    "countries(code TEXT, capital TEXT)": [("FR", "Paris"), ("DE", "Berlin")],
    "notes(path TEXT, body TEXT)": [("notes.txt", "hello world"), ("b.txt", "bye")],
    "limits(name TEXT, most INTEGER)": [("transfer", 7350)],
    "invoices(id TEXT, total REAL)": [("INV-7Q2X", 80.0)],
}
TABLES: list[sqlite3.Connection] = []


def rows(statement: str, *values: object) -> list[tuple[Any, ...]]:
    return TABLES[0].execute(statement, values).fetchall()


def status(found: list[Any], most: int = 10) -> str:
    if not found:
        return "empty"
    return "partial" if len(found) > most else "success"


def order(order_id: int) -> str:
    return status(rows("SELECT * FROM orders WHERE id = ?", order_id))


def orders_in_state(state: str) -> str:
    return status(rows("SELECT * FROM orders WHERE state = ?", state))


def orders_since(since: str) -> str:
    return status(rows("SELECT * FROM orders WHERE day >= ?", since), most=5)


def orders_above(minimum_price: float) -> str:
    found = rows("SELECT * FROM orders WHERE total > ?", minimum_price)
    return status(found, most=26)


def weather(city: str) -> str:
    return status(rows("SELECT * FROM weather WHERE city = ?", city))


def rate(currency: str) -> str:
    return status(rows("SELECT * FROM rates WHERE currency = ?", currency))


def capital(country: str) -> str:
    return status(rows("SELECT * FROM countries WHERE code = ?", country))


def customer_by_name(name: str) -> str:
    return status(rows("SELECT * FROM customers WHERE name = ?", name))


def customer_by_email(email: str) -> str:
    return status(rows("SELECT * FROM customers WHERE email = ?", email))


def customer_by_id(customer_id: str) -> str:
    return status(rows("SELECT * FROM customers WHERE id = ?", customer_id))


def search_notes(query: str) -> str:
    found = rows("SELECT * FROM notes WHERE body LIKE ?", f"%{query}%")
    return status(found, most=1)


def note(path: str) -> str:
    return status(rows("SELECT * FROM notes WHERE path = ?", path))


def transfer(amount: float) -> str:
    ((most,),) = rows("SELECT most FROM limits WHERE name = 'transfer'")
    return "error" if amount > most else "success"


def invoice(invoice_id: str) -> str:
    found = rows("SELECT * FROM invoices WHERE id = ?", invoice_id)
    return status(found) if found else "error"


GOALS: dict[Callable[..., str], set[str]] = {
    order: {"success", "empty"},
    orders_in_state: {"partial", "empty"},
    orders_since: {"success", "partial", "empty"},
    orders_above: {"success", "partial", "empty"},
    weather: {"success", "empty"},
    rate: {"success", "empty"},
    capital: {"success", "empty"},
    customer_by_name: {"success", "empty"},
    customer_by_email: {"success", "empty"},
    customer_by_id: {"success", "empty"},
    search_notes: {"success", "partial", "empty"},
    note: {"success", "empty"},
    transfer: {"success", "error"},
    invoice: {"success", "error"},
}
BEYOND = {customer_by_id, invoice, orders_since}
"""Only who has seen results or messages can know their ids and the last days."""


@pytest.fixture
def _database(tmp_path: Path) -> Iterator[None]:
    connection = sqlite3.connect(tmp_path / "shop.db")
    for table, given in ROWS.items():
        connection.execute(f"CREATE TABLE {table}")
        name, places = table.partition("(")[0], ", ".join("?" * len(given[0]))
        connection.executemany(f"INSERT INTO {name} VALUES ({places})", given)  # noqa: S608
    TABLES.append(connection)
    yield
    TABLES.clear()
    connection.close()


def reached(tool: Callable[..., str], most: int) -> set[str]:
    signature = describe(tool)
    assert signature.schema is not None
    seen: set[str] = set()
    found = sweep(signature.schema, constants=own_constants(tool))
    for arguments in islice(found, most):
        try:
            args, kwargs = signature.bind(signature.convert(arguments))
        except Refused:
            continue
        try:
            seen.add(tool(*args, **kwargs))
        except (OverflowError, sqlite3.Error):
            seen.add("crash")
    return seen


@pytest.mark.usefixtures("_database")
def test_most_paths_are_reached_without_knowing_the_data() -> None:
    missing = {tool: goals - reached(tool, 500) for tool, goals in GOALS.items()}
    complete = [tool for tool, left in missing.items() if not left]
    named = {tool.__name__: left for tool, left in missing.items() if left}
    assert len(complete) / len(GOALS) >= 0.75, named
    assert {tool for tool, left in missing.items() if left} <= BEYOND, named
