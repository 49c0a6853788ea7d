"""What the draw finds beyond the sweep, and that it finds nothing where nothing is."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest
from hypothesis import Phase, settings
from pydantic import BaseModel, Field

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore.fuzz import FUZZ
from pytest_toolresult.findings import Severity
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.findings import Finding

FIVE_LEAVES = ("amount", "city", "tags", "note", "unit")


@pytest.fixture(autouse=True)
def _same_draws() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.register_profile("same", derandomize=True, database=None)
    settings.load_profile("same")
    yield
    settings.load_profile(before)


def answer(status: str, data: Any = None, error: Any = None) -> dict[str, Any]:
    return {"status": status, "data": data, "error": error, "meta": {}}


def refused(message: str) -> dict[str, Any]:
    error = {"code": "REFUSED", "message": message, "retryable": False}
    return answer("error", error=error)


def findings(function: Callable[..., Any], calls: int = 250) -> list[Finding]:
    (tool,) = tools_of(function, validate=None)
    contract = Contract(function)
    runner = Runner(timeout=2.0)
    engine = Engine(Settings(max_calls=calls), runner)
    assignment = Assignment(item="here", tool=tool, contract=contract)
    found = engine.explore(assignment, FUZZ).evidence.findings
    runner.close()
    return [each for each in found if each.severity is Severity.ERROR]


def known_refunds() -> list[str]:
    return [sha256(bytes([number])).hexdigest()[:12] for number in range(4)]


def refund(refund_id: str, reason: str = "broken") -> dict[str, Any]:
    if refund_id not in known_refunds():
        return refused(f"unknown refund; open ones: {', '.join(known_refunds())}")
    return answer("success", {"parts": reason[:0].split("-")[1]})


def test_an_id_that_the_tool_handed_out_is_tried() -> None:
    assert [each.rule for each in findings(refund)] == ["TR801"]
    assert [each.rule for each in findings(refund, calls=25)] == ["TR801"]


class Stop(BaseModel):
    place: str
    nights: int = Field(ge=0, le=30)


class Trip(BaseModel):
    stops: list[Stop]
    currency: Literal["EUR", "USD", "JPY"] = "EUR"


def plan(trip: Trip, travellers: Annotated[int, Field(ge=1, le=9)] = 1) -> Any:
    nights = [each.nights for each in trip.stops]
    if 30 in nights and travellers == 9:
        raise KeyError(trip.currency)
    return answer("success", {"nights": sum(nights), "travellers": travellers})


def test_two_boundaries_of_a_nested_model_are_met_together() -> None:
    found = findings(plan, calls=600)
    assert [each.rule for each in found] == ["TR801"]
    assert found[0].arguments["travellers"] == 9


def travel(
    by: Literal["foot", "bike", "train", "ship"],
    at: Literal["morning", "noon", "evening", "night"],
    on: Literal["weekday", "saturday", "sunday", "holiday"],
) -> Any:
    if (by, at, on) == ("bike", "night", "sunday"):
        raise ZeroDivisionError(by)
    return answer("success", {"by": by})


def test_what_three_odd_values_bring_about_needs_the_draw() -> None:
    assert [each.rule for each in findings(travel, calls=600)] == ["TR801"]
    settings.register_profile("still", phases=[Phase.explicit], database=None)
    settings.load_profile("still")
    assert findings(travel, calls=600) == []


def five(
    amount: int, city: str, tags: list[str], note: str = "", unit: str = "km"
) -> Any:
    if amount < 0:
        raise KeyError(amount)
    if "\n" in city:
        raise IndexError(city)
    if len(tags) > 1 and len(set(tags)) < len(tags):
        raise AttributeError(tags)
    if note.isupper():
        raise ZeroDivisionError(note)
    if unit == "mile":
        raise TypeError(unit)
    return answer("success", {"amount": amount})


def test_five_bugs_are_five_findings_near_the_simplest_arguments() -> None:
    found = findings(five)
    assert {each.rule for each in found} == {"TR801"}
    assert len({each.cause for each in found}) == len(found) == 5
    simplest = {"amount": 0, "city": "", "tags": []}
    for each in found:
        changed = [
            name
            for name in FIVE_LEAVES
            if each.arguments.get(name) != simplest.get(name)
        ]
        assert len(changed) <= 1, each.arguments


def clean(
    trip: Trip | None = None,
    names: dict[str, list[int]] | None = None,
    pair: tuple[str, int] = ("a", 1),
    code: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d+$")] = "ABC-1",
) -> Any:
    return answer(
        "success",
        {
            "stops": len(trip.stops) if trip else 0,
            "code": code,
            "names": len(names or {}),
            "first": len(pair[0]),
        },
    )


def test_a_clean_tool_has_no_finding() -> None:
    assert findings(clean, calls=400) == []


def test_the_draw_is_the_same_each_time_under_a_derandomized_profile() -> None:
    assert findings(plan, calls=600) == findings(plan, calls=600)
