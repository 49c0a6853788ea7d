from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.calls import Call, Case
from pytest_toolresult.errors import SettingsError
from pytest_toolresult.faults import BoundaryCall, Fault, Injection
from pytest_toolresult.findings import Severity
from pytest_toolresult.outcomes import Blocked, Outcome, Reply
from pytest_toolresult.rules.catalogue import check_selectors, rule_named, rules
from pytest_toolresult.rules.names import NAMES
from pytest_toolresult.settings import Settings

if TYPE_CHECKING:
    from tests.unit.rules.conftest import Bench

UNMARKED: dict[str, Any] = {"status": "partial", "data": [1], "error": None, "meta": {}}
KEY = "sk-proj-Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsPg6Xe0AuB5tRq"


def test_the_ids_are_those_of_the_catalogue() -> None:
    assert len(NAMES) == 107
    assert all(NAMES[rule.id] == rule.name for rule in rules())
    assert all(set(rule.yields_to) <= NAMES.keys() for rule in rules())
    assert rule_named("TR201").name == "error-as-data"


@pytest.mark.parametrize("selector", ["TR402", "TR9", "TR", "TR104"])
def test_ids_and_prefixes_can_be_selected_before_they_are_built(selector: str) -> None:
    check_selectors([selector])


@pytest.mark.parametrize(
    ("selector", "hint"),
    [("TR999", "TR9"), ("TR215x", "TR215"), ("", "TR8"), ("E501", "Valid: TR1")],
)
def test_an_unknown_selector_names_valid_ones(selector: str, hint: str) -> None:
    with pytest.raises(SettingsError, match="unknown rule") as caught:
        check_selectors([selector])
    assert hint in str(caught.value)


def test_a_rule_that_is_not_built_cannot_be_had() -> None:
    with pytest.raises(SettingsError, match="'TR107'"):
        rule_named("TR107")


def test_only_the_first_of_a_chain_reports(bench: Bench) -> None:
    assert bench.rules(UNMARKED) == {"TR206"}


def test_a_waiver_uncovers_nothing(bench: Bench) -> None:
    assert bench.rules(UNMARKED, ignore={"TR206": "marked elsewhere"}) == set()
    assert bench.rules(UNMARKED, settings=Settings(select=("TR207",))) == set()


def test_rules_are_waived_by_id_or_prefix_and_selected(bench: Bench) -> None:
    whole = {"status": "ok", "data": 1, "meta": 3, "more": 1}
    assert bench.rules(whole) == {"TR102", "TR104", "TR105"}
    assert bench.rules(whole, ignore={"TR105": "known"}) == {"TR102", "TR104"}
    assert bench.rules(whole, settings=Settings(ignore={"TR1": "no"})) == set()
    assert bench.rules(whole, settings=Settings(select=("TR104",))) == {"TR104"}


def test_findings_come_worst_first(bench: Bench) -> None:
    found = bench.value({"status": "ok", "data": 1, "meta": 3, "more": 1})
    assert [each.severity.label for each in found] == ["error", "error", "warning"]


def test_rules_of_the_envelope_are_inactive_elsewhere(bench: Bench) -> None:
    whole = {"status": "ok", "data": 1}
    assert bench.rules(whole, dialect="native") == set()


@pytest.mark.parametrize("ending", ["refused", "blocked"])
def test_calls_that_never_ran_are_not_judged(bench: Bench, ending: Any) -> None:
    assert bench.judge(Outcome(ending=ending, stdout="x")) == []


def test_a_blocked_call_is_not_judged_even_if_the_tool_went_on(bench: Bench) -> None:
    blocked = Blocked(power="files", action="removes notes.txt")
    reply = Reply(value="Error: blocked")
    assert bench.judge(Outcome(ending="returned", reply=reply, blocked=blocked)) == []


def test_like_places_are_one_finding(bench: Bench) -> None:
    rows = [{"x": float("nan")} for _ in range(40)]
    (found,) = bench.answer("success", rows, meta={"count": 40})
    assert found.place == "data[0].x"
    assert found.message == "data[0].x is NaN (and at 39 more places alike)"


def test_a_finding_tells_what_was_asked_and_what_came_back(bench: Bench) -> None:
    where = BoundaryCall(seam="httpx", operation="get", site="shop.py:3")
    injection = Injection(fault=Fault(name="timeout"), where=where)
    arguments = {"city": "Paris", "limit": 3, "tags": ["a"], "ratio": float("nan")}
    call = Call(arguments=arguments, origin="faults", injection=injection)
    (found,) = bench.value("Error: down", dialect="native", call=call)
    assert (found.rule, found.severity, found.tool) == (
        "TR201",
        Severity.ERROR,
        "lookup",
    )
    assert found.arguments == {**arguments, "ratio": "NaN"}
    assert found.origin == "faults"
    assert found.fault == {"name": "timeout", "seam": "httpx", "site": "shop.py:3"}
    assert found.returned == '"Error: down"'
    assert found.remedy.startswith("Report it as an error")


def test_the_waived_path_is_told_with_its_reason(bench: Bench) -> None:
    (found,) = bench.answer("empty", [], never={"empty": "always has a row"})
    assert found.rule == "TR210"
    assert "always has a row" in found.message


@pytest.mark.parametrize(
    ("case", "places"),
    [
        (Case({}, status="success"), ["status"]),
        (Case({}, status="error", code="BUSY"), ["error.code"]),
        (Case({}, status="error", code="GONE"), []),
    ],
)
def test_a_declared_case_is_held_to_path_and_code(
    bench: Bench, case: Case, places: list[str]
) -> None:
    call = Call(arguments={}, origin="declared", case=case)
    error = {"code": "GONE", "message": "It is gone.", "retryable": False}
    whole = {"status": "error", "data": None, "error": error, "meta": {}}
    found = bench.value(whole, call=call)
    assert [(each.rule, each.place) for each in found] == [
        ("TR210", at) for at in places
    ]


PLACES = st.sampled_from(
    ["data", "key", "argument", "message", "stdout", "raised", "extra"]
)


@given(place=PLACES, cut=st.integers(0, 700), before=st.text(max_size=20))
def test_no_finding_shows_a_secret(
    bench: Bench, place: str, cut: int, before: str
) -> None:
    text = f"{before} {'x ' * cut}{KEY} and {'y' * cut}"
    call = Call(arguments={"q": text, text: [text]}, origin="fuzz")
    whole: dict[str, Any] = {"status": "odd", "data": 1, "error": None, "meta": None}
    outcome = Outcome(ending="returned", reply=Reply(value=whole), stdout=text)
    if place == "raised":
        reply = Reply(exception=ValueError(text))
        outcome = Outcome(ending="raised", reply=reply, stdout=text)
    elif place == "key":
        whole["data"] = {text: {text: float("nan")}}
    elif place == "extra":
        whole[text] = text
    elif place == "message":
        whole |= {"status": "error", "error": {"code": text, "message": text}}
    else:
        whole["data"] = [text]
    found = bench.judge(outcome, call=call)
    assert found
    shown = json.dumps([repr(each) for each in found])
    assert not any(KEY[start : start + 8] in shown for start in range(8, 40))


def test_a_field_that_a_secret_names_is_not_told_by_it(bench: Bench) -> None:
    token = "acme_tk_" + "Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP"
    found = bench.answer("success", {"data": {token: token, "fine": {token: 1.5}}})
    assert found
    assert all(token not in repr(each) for each in found)
