"""What the tools of these tests depend on."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

URL = "http://127.0.0.1/orders"
ORDERS = [{"id": 1, "total": "9.50"}, {"id": 2, "total": "12.00"}]


def fetch(customer: str, *, limit: int = 10) -> list[dict[str, Any]]:
    """Return orders."""
    return [{**each, "customer": customer} for each in ORDERS[:limit]]


async def fetch_later(customer: str) -> list[dict[str, Any]]:
    return fetch(customer)


def stream(customer: str) -> Iterator[dict[str, Any]]:
    yield from fetch(customer)


async def stream_later(customer: str) -> AsyncIterator[dict[str, Any]]:
    for each in fetch(customer):
        yield each


@contextmanager
def opened(customer: str) -> Iterator[list[dict[str, Any]]]:
    yield fetch(customer)


@asynccontextmanager
async def opened_later(customer: str) -> AsyncIterator[list[dict[str, Any]]]:
    yield fetch(customer)


def closing_over(rows: list[dict[str, Any]]) -> Any:
    def look_up(customer: str) -> list[dict[str, Any]]:
        return [{**each, "customer": customer} for each in rows]

    return look_up


look_up = closing_over(ORDERS)


class Store:
    shared = 2

    def __init__(self, name: str = "main") -> None:
        self.name = name

    def search(self, customer: str) -> list[dict[str, Any]]:
        return fetch(customer)

    @classmethod
    def count(cls) -> int:
        return cls.shared

    @staticmethod
    def first(customer: str) -> dict[str, Any] | None:
        return fetch(customer)[0] if customer else None

    def __call__(self, customer: str) -> list[dict[str, Any]]:
        return self.search(customer)


class Archive(Store):
    pass


store = Store()
other = Store("other")
held = partial(fetch, "ann")
