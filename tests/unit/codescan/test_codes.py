"""Which texts in code are error codes, and which only look like them."""

from __future__ import annotations

import enum
import os
from typing import Any

import pytest

from pytest_toolresult.codescan import own_constants, statuses_and_codes


def fail(code: str, message: str, *, retryable: bool = False) -> dict[str, Any]:
    error = {"code": code, "message": message, "retryable": retryable}
    return {"status": "error", "data": None, "error": error, "meta": {}}


def setting(name: str) -> str | None:
    return os.environ.get(name, "PLAIN_MODE")


class FailedError(Exception):
    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Currency(enum.Enum):
    PLN = "ZLOTY"


class ErrorCode(enum.Enum):
    BUSY = "busy_now"


ENVIRONMENT = {"api": [("LOG_LEVEL", "info"), ("DB_PASSWORD", "x")]}
AIRPORTS = {"Paris": "CDG_T2", "Oslo": ("OSL_T1", 3)}
BY_STATUS = {404: ("NOT_FOUND", False), 429: ("RATE_LIMITED", True)}
BY_EXCEPTION = {TimeoutError: "DB_TIMEOUT"}
ERRORS = {"slow": "TOO_SLOW", "gone": ("GONE_AWAY", "It is gone.")}
RECORDS = {"slow": {"code": "VERY_SLOW", "title": "SLOW_TITLE"}}
NESTED = {"api": {"PAYMENT_MODE": "live", "REGION": "EU_WEST"}}
LOCKED = "ACCOUNT_LOCKED"
LANGUAGE = "SWISS_GERMAN"


def by_position(name: str) -> Any:
    return fail("DB", "no database") if name else fail("not_found", "NO_ROW")


def by_keyword(name: str) -> Any:
    return fail(message="GONE", code="IS_GONE") if name else fail("A_B", message="C_D")


def by_exception(name: str) -> Any:
    if name:
        raise FailedError("QUOTA", "NONE_LEFT")


def by_constant(name: str) -> Any:
    return fail(LOCKED, "locked") if name != LANGUAGE else None


def by_tables(name: int, error: type[TimeoutError]) -> Any:
    first, retry = BY_STATUS.get(name, ("UPSTREAM", name >= 500))
    return fail(first, "failed", retryable=retry) or fail(BY_EXCEPTION[error], "")


def by_named_table(name: str) -> Any:
    return fail(ERRORS[name][0], "") or RECORDS[name]


def by_variable(name: str) -> Any:
    code = {1: "FIRST_KIND"}.get(len(name), "OTHER_KIND")
    return fail(code, "")


def by_enum(name: str) -> Any:
    return fail(ErrorCode.BUSY.value, name)


@pytest.mark.parametrize(
    ("tool", "codes"),
    [
        (by_position, {"DB", "not_found"}),
        (by_keyword, {"IS_GONE", "A_B"}),
        (by_exception, {"QUOTA"}),
        (by_constant, {"ACCOUNT_LOCKED"}),
        (by_tables, {"NOT_FOUND", "RATE_LIMITED", "UPSTREAM", "DB_TIMEOUT"}),
        (by_named_table, {"TOO_SLOW", "GONE_AWAY", "VERY_SLOW"}),
        (by_variable, {"FIRST_KIND", "OTHER_KIND"}),
        (by_enum, {"busy_now"}),
    ],
)
def test_a_code_is_known_by_where_it_goes(tool: Any, codes: set[str]) -> None:
    produced = statuses_and_codes(tool)
    assert produced is not None
    assert set(produced.codes) == codes


def environment(name: str) -> Any:
    mode = os.getenv("LOG_LEVEL", "MODE_A") or os.environ["DB_PASSWORD"]
    return setting("SERVICE_PORT") or os.environ.get("DB_HOST") or (name, mode)


def looked_up(name: str) -> Any:
    rows = [{"name": key, "value": value} for key, value in ENVIRONMENT[name]]
    return rows or AIRPORTS[name] or NESTED[name]


def compared(name: str, error: Exception) -> Any:
    if "SSL_FAILED" in str(error) or str(name).upper() == "ALL_ROWS":
        return name
    return 1 < len(name) < 7


def words(name: str) -> Any:
    statement = ["SELECT", "ASC"] if name else ["INSERT"]
    return name, statement, "EUR", "PATCH", Currency.PLN


@pytest.mark.parametrize("tool", [environment, looked_up, compared, words])
def test_what_only_looks_like_a_code_is_none(tool: Any) -> None:
    produced = statuses_and_codes(tool)
    assert produced is not None
    assert not produced.codes


def test_what_is_looked_up_and_compared_with_is_still_worth_trying() -> None:
    assert {"Paris", "Oslo", "CDG_T2"} <= set(own_constants(looked_up))
    assert own_constants(compared)[:2] == ("SSL_FAILED", "ALL_ROWS")
    assert {1, 7} <= set(own_constants(compared))
