"""How many calls the sweep needs until a tool shows what only rare arguments show."""

from __future__ import annotations

import datetime as dt
import re
import struct
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote

import pytest

from pytest_toolresult.codescan import own_constants
from pytest_toolresult.strategies.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Callable

_PLANS: Final = {"starter": 5, "team-2023": 40}


def first_word(query: str) -> str:
    return query.split(maxsplit=1)[0]


def halvings(n: int) -> int:
    if n == 0:
        raise RuntimeError("would never end")
    return (n & -n).bit_length() - 1


def page_of(items: list[str], limit: int = 10) -> list[str]:
    return [items[position] for position in range(-limit)] if limit < 0 else items


def plan_price(plan: str) -> float:
    return 1 / (40 - _PLANS.get(plan, 0))


def forecast(city: str) -> str:
    if city == "Berlin":
        raise LookupError(city)
    return "sunny"


def days_left(deadline: dt.date) -> int:
    return (deadline + dt.timedelta(days=1)).day


def next_year(born: dt.date) -> dt.date:
    return born.replace(year=born.year + 1)


def amount_of(text: str) -> int:
    return int(text) if text.isdigit() else 0


def open_note(path: str) -> int:
    return len(path) if "\x00" not in path else int(path)


def pack(size: int) -> bytes:
    return struct.pack(">i", size) if size >= 0 else b""


def ticket(reference: str) -> int:
    if not re.fullmatch(r"TCK-[0-9]{4,8}(-[a-z]+)?", reference):
        return 0
    return int(reference.split("-")[2])


def rabat(amount: float, rate: float = 0.1) -> float:
    if amount > 7350:
        raise OverflowError(amount)
    return amount * rate


def order_by(direction: str = "asc") -> str:
    return {"asc": "ASC", "desc": "DESC"}.get(direction) or direction[99]


def stored(path: str) -> str:
    if ".." in path or path.startswith("/"):
        return "refused"
    if ".." in unquote(path):
        raise PermissionError(path)
    return "stored"


def encoded(message: str) -> int:
    return len(message.encode())


def average(values: list[float]) -> float:
    return sum(values) / len(values)


def between(start: dt.date, end: dt.date) -> float:
    return 1 / (end - start).days


def nested(filters: dict[str, list[int]]) -> int:
    return max(max(each) for each in filters.values()) if filters else 0


VALIDATED: Final[list[tuple[Callable[..., Any], int]]] = [
    (first_word, 10),
    (halvings, 10),
    (page_of, 40),
    (plan_price, 15),
    (forecast, 30),
    (days_left, 30),
    (next_year, 5),
    (amount_of, 100),
    (open_note, 20),
    (pack, 50),
    (ticket, 50),
    (rabat, 20),
    (order_by, 10),
    (stored, 100),
    (encoded, 60),
    (average, 10),
    (between, 10),
    (nested, 60),
]


def as_is_limit(limit: int = 10) -> list[int]:
    return [1, 2, 3][:limit]


def as_is_tags(tags: list[str]) -> list[str]:
    return sorted(tags + ["all"])  # noqa: RUF005 - as it is often written


def as_is_flag(dry_run: bool = False) -> str:  # noqa: FBT001, FBT002 - as models see it
    return ("done", "dry")[dry_run]


def as_is_user(user_id: str) -> str:
    return user_id.strip()


UNVALIDATED: Final[list[tuple[Callable[..., Any], int]]] = [
    (as_is_limit, 10),
    (as_is_tags, 20),
    (as_is_flag, 10),
    (as_is_user, 10),
]


def schema_of(tool: Callable[..., Any]) -> dict[str, Any]:
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", tool))
    return adapter.json_schema()


def calls_until_shown(tool: Callable[..., Any], *, validated: bool) -> int:
    """Count the calls that reach the tool until one of them crashes it."""
    from pydantic import ValidationError, validate_call

    call = validate_call(tool) if validated else tool
    calls = 0
    for arguments in sweep(schema_of(tool), constants=own_constants(tool)):
        calls += 1
        try:
            call(**arguments)
        except ValidationError:
            calls -= 1
        except Exception:  # noqa: BLE001 - any crash is what the tool hides
            return calls
        if calls > 500:
            break
    return 501


@pytest.mark.parametrize(
    ("tool", "most"), VALIDATED, ids=[tool.__name__ for tool, _ in VALIDATED]
)
def test_rare_arguments_are_met_early(tool: Callable[..., Any], most: int) -> None:
    assert calls_until_shown(tool, validated=True) <= most


@pytest.mark.parametrize(
    ("tool", "most"), UNVALIDATED, ids=[tool.__name__ for tool, _ in UNVALIDATED]
)
def test_mistakes_are_met_early(tool: Callable[..., Any], most: int) -> None:
    assert calls_until_shown(tool, validated=False) <= most
