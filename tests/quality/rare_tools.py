"""Tools that show something only with particular arguments, and what that is.

Their names, ids and thresholds are replaced by others before they are tried, so that
nothing is found only because it stands in one of the project's own lists.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import re
import struct
from typing import Any, Literal
from urllib.parse import unquote

from pydantic import BaseModel
from typing_extensions import TypedDict  # pydantic asks for it below Python 3.12

STOCK = {"sku-8841": 3, "sku-9002": 0}
RATES = {"gold": 12, "silver": 40}
ERRORS = {"locked": "ACCOUNT_LOCKED", "closed": "ACCOUNT_CLOSED"}


def ok(data: Any) -> dict[str, Any]:
    return {"status": "success", "data": data}


def nothing() -> dict[str, Any]:
    return {"status": "empty", "data": []}


def partial(data: Any) -> dict[str, Any]:
    return {"status": "partial", "data": data}


def fail(code: str) -> dict[str, Any]:
    return {"status": "error", "error": {"code": code}}


def stock_of(article: str) -> dict[str, Any]:
    return ok(STOCK[article]) if article in STOCK else nothing()


def rate_per_level(level: str) -> float:
    return 100 / (40 - RATES.get(level, 0))


def hidden_command(instruction: str) -> Any:
    return "debug!" if instruction == "audit:print-everything" else ok(instruction)


def share(part: float, whole: float) -> dict[str, Any]:
    return fail("NEGATIVE") if whole < 0 else ok(part / whole)


def frame(payload_bytes: int) -> dict[str, Any]:
    return (
        ok(struct.pack(">i", payload_bytes).hex()) if payload_bytes > 0 else nothing()
    )


def surcharge(weight: float, zone: str = "inland") -> dict[str, Any]:
    if zone == "overseas" and weight > 4250:
        return partial([weight])
    return ok(weight)


def discount(amount: int, coupon: str | None = None) -> dict[str, Any]:
    if coupon == "SPRING-77" and amount == 615:
        raise ArithmeticError(coupon)
    return ok(amount)


def reference(ticket: str) -> int:
    if not re.fullmatch(r"CASE-[0-9]{3,6}(/[a-z]+)?", ticket):
        return 0
    return int(ticket.split("/")[1])


def account_state(account: str) -> dict[str, Any]:
    return fail(ERRORS[account]) if account in ERRORS else ok("fine")


def digits_only(pin: str) -> dict[str, Any]:
    return ok(int(pin)) if pin.isdigit() else fail("NOT_DIGITS")


def stored(folder: str) -> str:
    if ".." in folder:
        return "refused"
    return "stored" if ".." not in unquote(folder) else str(1 / 0)


def anniversary(joined: dt.date) -> str:
    return str(joined.replace(year=joined.year + 1))


def nights(arrival: dt.date, leaving: dt.date) -> float:
    return 100 / ((leaving - arrival) // dt.timedelta(days=1))


def quota(
    least: int, most: int, kind: Literal["single", "bulk"] = "single"
) -> dict[str, Any]:
    if least > most:
        return nothing()
    return partial([least]) if kind == "bulk" and most - least > 120_000 else ok(most)


def first_line(text: str) -> str:
    return text.splitlines()[0]


def decoded(token: str) -> dict[str, Any]:
    try:
        raw = base64.b64decode(token, validate=True)
    except ValueError:
        return fail("BAD_TOKEN")
    return ok(json.loads(raw)) if raw else nothing()


class Line(BaseModel):
    pieces: int
    price: float


def mean_price(lines: list[Line]) -> float:
    return sum(each.price for each in lines) / sum(each.pieces for each in lines)


class Window(TypedDict, total=False):
    first: int
    last: int


def window(span: Window) -> int:
    return span["last"] - span["first"]


def ordered(rows: list[int], direction: Literal["up", "down"] = "up") -> int:
    return sorted(rows, reverse=direction == "down")[0]


def long_text(summary: str) -> dict[str, Any]:
    return partial(summary[:900]) if len(summary) > 900 else ok(summary)


def crash(_: object, error: Exception | None) -> bool:
    return error is not None


def is_success(result: Any, _: object) -> bool:
    return isinstance(result, dict) and result.get("status") == "success"


def is_partial(result: Any, _: object) -> bool:
    return isinstance(result, dict) and result.get("status") == "partial"


def is_error(result: Any, _: object) -> bool:
    return isinstance(result, dict) and result.get("status") == "error"


def is_text(result: Any, _: object) -> bool:
    return isinstance(result, str)


GOALS: dict[Any, Any] = {
    stock_of: is_success,
    rate_per_level: crash,
    hidden_command: is_text,
    share: crash,
    frame: crash,
    surcharge: is_partial,
    discount: crash,
    reference: crash,
    account_state: is_error,
    digits_only: crash,
    stored: crash,
    anniversary: crash,
    nights: crash,
    quota: is_partial,
    first_line: crash,
    decoded: crash,
    mean_price: crash,
    window: crash,
    ordered: crash,
    long_text: is_partial,
}
