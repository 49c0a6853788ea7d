"""Limits, pages and totals: tools that keep to them, and tools that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import Field

if TYPE_CHECKING:
    from collections.abc import Callable

    Tool = Callable[..., Any]

ORDERS = [{"order_id": number, "state": "paid"} for number in range(1, 12)]


def answer(status: str, data: Any = None, error: Any = None, **meta: Any) -> Any:
    return {"status": status, "data": data, "error": error, "meta": meta}


def refusal(message: str) -> Any:
    error = {"code": "BAD_ARGUMENT", "message": message, "retryable": False}
    return answer("error", error=error)


def page_of(start: int, limit: int, total: int | None = None, **meta: Any) -> Any:
    rows = [dict(row) for row in ORDERS[start : start + limit]]
    if not rows:
        return answer("empty", [])
    total = len(ORDERS) if total is None else total
    if start + len(rows) >= len(ORDERS):
        return answer("success", rows, total=total)
    return answer("partial", rows, truncated=True, total=total, **meta)


# --- limits -------------------------------------------------------------------------


def ignores_limit(limit: int = 5) -> Any:  # noqa: ARG001 - that is the fault
    return answer("success", [dict(row) for row in ORDERS], total=11)


def negative_from_the_end(limit: int = 5) -> Any:
    rows = [dict(row) for row in ORDERS[:limit]]
    return answer("success", rows, total=11) if rows else answer("empty", [])


def one_too_many(max_results: int = 5) -> Any:
    return page_of(0, max_results + 1, next_offset=max_results + 1)


def keeps_limit(limit: int = 5) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    return page_of(0, limit, next_offset=limit)


def bounded_limit(limit: Annotated[int, Field(ge=2, le=8)] = 5) -> Any:
    return page_of(0, limit, next_offset=limit)


def zero_is_no_limit(limit: int = 0) -> Any:
    if limit < 0:
        return refusal("limit must not be negative; 0 stands for none")
    return page_of(0, limit or 100, next_offset=limit)


def prices_up_to(limit: Annotated[int, Field(description="highest price")] = 9) -> Any:
    rows = [{"article": f"a{n}", "price": "1.00"} for n in range(4)]
    return answer("success", rows) if limit > 0 else answer("empty", [])


@pytest.mark.parametrize("tool", [ignores_limit, negative_from_the_end, one_too_many])
def test_more_rows_than_were_asked_for_are_told(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == {"TR509"}


@pytest.mark.parametrize(
    "tool", [keeps_limit, bounded_limit, zero_is_no_limit, prices_up_to]
)
def test_a_limit_that_is_kept_is_not(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()


def test_a_finding_says_both_calls_and_how_to_see_them_again(relate: Any) -> None:
    (found,) = relate.evidence(ignores_limit).findings
    assert found.arguments == {"limit": 1}
    assert "limit=1 was asked for, and 11 rows came" in found.message
    assert found.circumstances.startswith("beside the call as it is")
    assert found.returned
    assert found.otherwise
    assert found.replay == str({"$relation": "limits:limit"})
    again = relate.again(ignores_limit, {"$relation": "limits:limit"})
    assert [each.rule for each in again.findings] == ["TR509"]


def test_a_series_that_does_not_exist_is_named(relate: Any) -> None:
    again = relate.again(keeps_limit, {"$relation": "limits:size"})
    assert "no series of it is called 'limits:size'" in str(again.not_covered)


# --- totals -------------------------------------------------------------------------


def total_of_the_page(limit: int = 5) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    rows = [dict(row) for row in ORDERS[:limit]]
    return answer("success", rows, total=len(rows))


def total_in_data(limit: int = 5) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    rows = [dict(row) for row in ORDERS[:limit]]
    return answer("success", {"orders": rows, "total_count": len(rows)})


def total_of_all(limit: int = 5) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    return page_of(0, limit, next_offset=limit)


def total_is_money(limit: int = 5) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    rows = [dict(row) for row in ORDERS[:limit]]
    return answer("success", {"orders": rows, "total_amount": 7 * len(rows)})


@pytest.mark.parametrize("tool", [total_of_the_page, total_in_data])
def test_a_total_that_hangs_on_the_limit_is_told(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == {"TR506"}


@pytest.mark.parametrize("tool", [total_of_all, total_is_money])
def test_a_total_that_does_not_is_none(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()


# --- pages --------------------------------------------------------------------------


def _checked(limit: int, offset: int = 0) -> Any:
    if limit < 1 or offset < 0:
        return refusal("limit must be 1 or more, offset 0 or more")
    return None


def overlapping(limit: int = 4, offset: int = 0) -> Any:
    if wrong := _checked(limit, offset):
        return wrong
    start = max(offset - 1, 0)
    return page_of(start, limit, next_offset=offset + limit)


def skipping(limit: int = 4, page: int = 1) -> Any:
    if wrong := _checked(limit, page - 1):
        return wrong
    start = (page - 1) * (limit + 1)
    return page_of(start, limit, next_page=page + 1)


def counts_from_one_page_too_many(limit: int = 4, page: int = 1) -> Any:
    """List orders; with all of them asked for, there is nothing on the first page."""
    if limit < 1 or page < 1:
        raise ValueError("limit and page must be 1 or more")
    rows = [dict(row) for row in ORDERS[page * limit : (page + 1) * limit]]
    more = (page + 1) * limit < len(ORDERS)
    return {"orders": rows, "total": len(ORDERS), "has_more": more}


def ignores_offset(limit: int = 4, offset: int = 0) -> Any:
    if wrong := _checked(limit, offset):
        return wrong
    return page_of(0, limit, next_offset=limit)


def same_cursor(cursor: str = "", limit: int = 4) -> Any:
    if wrong := _checked(limit):
        return wrong
    start = int(cursor or 0)
    if not 0 <= start < len(ORDERS):
        return refusal("no such cursor")
    rows = [dict(row) for row in ORDERS[start : start + limit]]
    cursor = cursor or str(limit)
    return answer("partial", rows, truncated=True, total=11, next_cursor=cursor)


def _number(cursor: str | None) -> int | None:
    try:
        return int(cursor or 0)
    except ValueError:
        return None


def good_cursor(cursor: str | None = None, limit: int = 4) -> Any:
    start = _number(cursor)
    if limit < 1 or start is None or start < 0:
        return refusal("limit must be 1 or more, cursor one that was given out")
    return page_of(start, limit, next_cursor=str(start + limit))


def good_offset(limit: int = 4, offset: int = 0) -> Any:
    if wrong := _checked(limit, offset):
        return wrong
    return page_of(offset, limit, next_offset=offset + limit)


def good_page(page: int = 1, page_size: int = 4) -> Any:
    if wrong := _checked(page_size, page - 1):
        return wrong
    return page_of((page - 1) * page_size, page_size, next_page=page + 1)


def pages_from_zero(page: int, page_size: int = 4) -> Any:
    if wrong := _checked(page_size, page):
        return wrong
    return page_of(page * page_size, page_size, next_page=page + 1)


def bare_rows(limit: int = 4, offset: int = 0) -> Any:
    """List orders as plain rows, which say nothing about what follows."""
    if limit < 1 or offset < 0:
        raise ValueError("limit must be 1 or more, offset 0 or more")
    return [dict(row) for row in ORDERS[offset : offset + limit]]


def bare_rows_that_overlap(limit: int = 4, offset: int = 0) -> Any:
    """List orders as plain rows, one of them twice."""
    if limit < 1 or offset < 0:
        raise ValueError("limit must be 1 or more, offset 0 or more")
    start = max(offset - 1, 0)
    return [dict(row) for row in ORDERS[start : start + limit]]


def result_id(result_id: str = "", limit: int = 4) -> Any:
    """Read on in a result that was cut."""
    start = _number(result_id.removeprefix("res-"))
    if limit < 1 or start is None:
        return refusal("limit must be 1 or more, result_id one that was given out")
    return page_of(start, limit, result_id=f"res-{start + limit}")


@pytest.mark.parametrize(
    ("tool", "rule"),
    [
        (overlapping, "TR503"),
        (bare_rows_that_overlap, "TR503"),
        (skipping, "TR504"),
        (counts_from_one_page_too_many, "TR504"),
        (ignores_offset, "TR505"),
        (same_cursor, "TR505"),
    ],
)
def test_pages_that_do_not_add_up_are_told(relate: Any, tool: Tool, rule: str) -> None:
    assert relate.rules(tool) == {rule}


@pytest.mark.parametrize(
    "tool",
    [good_cursor, good_offset, good_page, pages_from_zero, bare_rows, result_id],
)
def test_pages_that_do_are_fine(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()


def test_a_tool_of_pages_costs_few_calls(relate: Any) -> None:
    assert relate.evidence(good_offset).calls <= 60


# --- shape --------------------------------------------------------------------------

CARS = {"red": ["Ada", "Bolt"], "green": ["Comet"]}


def unwraps_one(colour: str) -> Any:
    rows = [{"car": car, "colour": colour} for car in CARS.get(colour, [])]
    if not rows:
        return answer("empty", [])
    return answer("success", rows[0] if len(rows) == 1 else rows)


def unwraps_what_is_found(words: str = "a") -> Any:
    cars = ["Ada", "Bolt", "Cara", "Dora"]
    rows = [{"car": car} for car in cars if words.strip().lower() in car.lower()]
    if not rows:
        return answer("empty", [])
    return answer("success", rows[0] if len(rows) == 1 else rows)


def unwraps_by_limit(limit: int = 3) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    rows = [dict(row) for row in ORDERS[:limit]]
    return answer("success", {"orders": rows[0] if len(rows) == 1 else rows})


def always_a_list(colour: str) -> Any:
    rows = [{"car": car, "colour": colour} for car in CARS.get(colour, [])]
    return answer("success", rows) if rows else answer("empty", [])


def details_of_one(colour: str = "") -> Any:
    """Sum up the cars by colour, or give the details of one colour."""
    if not colour:
        return answer(
            "success", [{"colour": c, "cars": len(n)} for c, n in CARS.items()]
        )
    if colour not in CARS:
        return answer("empty", [])
    details = {"names": list(CARS[colour]), "shade": "dark", "sold_since": 1990}
    return answer("success", details)


def one_or_all(car: str = "") -> Any:
    """List the cars, or look one of them up by its name."""
    rows = [{"car": name, "doors": doors} for name, doors in (("Ada", 2), ("Bolt", 4))]
    if not car:
        return answer("success", rows)
    found = [row for row in rows if row["car"] == car]
    return answer("success", found[0]) if found else refusal("no car has this name")


@pytest.mark.parametrize("tool", [unwraps_one, unwraps_what_is_found, unwraps_by_limit])
def test_a_form_that_hangs_on_the_count_is_told(relate: Any, tool: Tool) -> None:
    declared = {"success": {"colour": "red"}} if tool is unwraps_one else {}
    assert relate.rules(tool, **declared) == {"TR706"}


@pytest.mark.parametrize("tool", [always_a_list, details_of_one, one_or_all])
def test_a_form_that_does_not_is_fine(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()
