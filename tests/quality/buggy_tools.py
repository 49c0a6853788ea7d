"""Tools with five faults each, that need different arguments and hide one another."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field


def answer(data: Any) -> dict[str, Any]:
    return {"status": "success", "data": data, "error": None, "meta": {}}


class Address(BaseModel):
    street: str
    postcode: str | None = None
    country: Literal["NL", "BE", "LU"] = "NL"


class Line(BaseModel):
    article: str
    pieces: Annotated[int, Field(ge=0, le=500)]
    rebate: float = 0.0


class Order(BaseModel):
    lines: list[Line]
    address: Address | None = None
    remark: str = ""


def nested(order: Order, express: bool = False) -> Any:  # noqa: FBT001, FBT002 - as models see it
    first = order.lines[0] if express or order.lines else None
    if order.address and order.address.country == "LU":
        raise KeyError(order.address.country)
    if order.address and order.address.postcode == "":
        raise AttributeError(order.address)
    if any(line.rebate == 1 for line in order.lines):
        raise ZeroDivisionError(order)
    if express and first and first.pieces == 500:
        raise OverflowError(first)
    return answer({"lines": len(order.lines)})


def lists(numbers: list[int], words: list[str], pairs: list[list[float]]) -> Any:
    if len(set(numbers)) < len(numbers):
        raise KeyError(numbers)
    if any(word != word.strip() for word in words):
        raise AttributeError(words)
    if any(number < 0 for number in numbers):
        raise ZeroDivisionError(numbers)
    if any(len(pair) == 1 for pair in pairs):
        raise IndexError(pairs)
    if len(words) > 99:
        raise OverflowError(len(words))
    return answer({"all": len(numbers) + len(words) + len(pairs)})


def texts(title: str, path: str, mail: str = "a@b.co", code: str = "ABC-1") -> Any:
    if "\x00" in path:
        raise ValueError(path)
    if title.isdigit():
        raise KeyError(title)
    if ".." in path:
        raise AttributeError(path)
    if mail == "":
        raise IndexError(mail)
    if code.islower():
        raise ZeroDivisionError(code)
    return answer({"length": min(len(title), 9)})


def numbers(
    amount: float, day: dt.date, limit: int = 10, page: Annotated[int, Field(ge=1)] = 1
) -> Any:
    if amount < 0:
        raise KeyError(amount)
    if limit == 0:
        raise ZeroDivisionError(limit)
    if limit > 2**31:
        raise OverflowError(limit)
    if (day.month, day.day) == (2, 29):
        raise AttributeError(day)
    if page == 10_000:
        raise IndexError(page)
    return answer({"amount": min(amount, 1.0)})


def optional(
    owner: str | None = None,
    tags: list[str] | None = None,
    since: dt.date | None = None,
    filters: dict[str, int] | None = None,
    most: int | None = None,
) -> Any:
    if owner == "":
        raise KeyError(owner)
    if tags == []:
        raise IndexError(tags)
    if since and since.year == 9999:
        raise OverflowError(since)
    if filters and "" in filters:
        raise AttributeError(filters)
    if most is not None and most < 0:
        raise ZeroDivisionError(most)
    return answer({"given": owner is not None})


TOOLS = [nested, lists, texts, numbers, optional]
