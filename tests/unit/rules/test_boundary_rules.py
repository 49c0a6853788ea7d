"""What the rules of other hundreds say of boundary calls, and of several calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.faults import BoundaryCall
from pytest_toolresult.findings import Severity
from pytest_toolresult.outcomes import Outcome, Reply

if TYPE_CHECKING:
    from pytest_toolresult.interactions import Interaction
    from tests.unit.rules.conftest import Trials

READ = BoundaryCall(seam="files", operation="open", site="shop.py:5", detail="a.txt")
MIRROR = BoundaryCall(seam="httpx", operation="GET", site="shop.py:9", detail="/mirror")
ERROR, WARNING = Severity.ERROR, Severity.WARNING


async def find() -> None: ...


class Finder:
    async def __call__(self) -> None: ...


def lookup() -> None: ...


@pytest.mark.parametrize("function", [find, Finder()])
def test_an_async_tool_that_waits_in_a_blocking_way(
    trials: Trials, function: Any
) -> None:
    crossed = trials.fine(blocks=True)
    value = trials.answer("success", 1)
    assert trials.alone(value, crossed, function=function) == {"TR805"}
    assert trials.alone(value, trials.fine(), function=function) == set()


def test_the_runtime_decides_where_a_plain_tool_runs(trials: Trials) -> None:
    crossed = trials.fine(blocks=True)
    value = trials.answer("success", 1)
    assert trials.alone(value, crossed, function=lookup) == set()
    assert trials.alone(value, crossed) == set()


def test_a_file_keeps_a_loop_waiting_for_a_moment_only(trials: Trials) -> None:
    value = trials.answer("success", 1)
    crossed = trials.fine(READ, blocks=True)
    subject = trials.interaction(value, crossed, function=find)
    (found,) = trials.compare(subject, subject)
    assert (found.rule, found.severity) == ("TR805", WARNING)


def computing(trials: Trials, *seconds: float, function: Any = find) -> list[str]:
    value = trials.answer("success", 1)
    usual, subject = (
        trials.interaction(value, function=function, facts={"busy_s": each})
        for each in seconds
    )
    return [each.rule for each in trials.compare(usual, subject)]


def test_an_async_tool_that_computes_for_long_each_time(trials: Trials) -> None:
    assert computing(trials, 0.7, 0.9) == ["TR805"]
    assert computing(trials, 2.0, 0.1) == []
    assert computing(trials, 0.1, 0.1) == []
    assert computing(trials, 0.7, 0.9, function=lookup) == []


def repeated(trials: Trials, *growth: int) -> list[str]:
    calls = [
        trials.interaction(
            trials.error(),
            trials.broken("locked"),
            facts={"resources": {"files": each}},
        )
        for each in growth
    ]
    return [each.rule for each in trials.series(*calls)]


def test_what_stays_open_each_time_is_a_leak(trials: Trials) -> None:
    assert repeated(trials, 1, 1, 1, 1, 1) == ["TR806"]
    assert repeated(trials, 3, 1, 1, 1, 1) == ["TR806"]


def test_what_stays_open_once_is_a_pool(trials: Trials) -> None:
    assert repeated(trials, 1, 0, 0, 0, 0) == []
    assert repeated(trials, 1, 1, 0, 1, 1) == []
    assert repeated(trials, 1, 1) == []


def test_only_equal_calls_are_repeats(trials: Trials) -> None:
    grown: dict[str, Any] = {"resources": {"threads": 1}}
    calls = [
        trials.interaction(trials.error(), arguments={"id": number}, facts=grown)
        for number in range(5)
    ]
    assert trials.series(*calls) == []


def cancelled(trials: Trials, ending: Any, *later: Any, **facts: Any) -> set[str]:
    reply = Reply(value=trials.answer("success", 1))
    if ending == "raised":
        reply = Reply(exception=asyncio.CancelledError())
    crossed = (trials.broken("cancelled"), *later)
    subject = trials.interaction(None, *crossed)
    outcome = Outcome(
        ending=ending,
        reply=None if ending == "hung" else reply,
        boundary=crossed,
        fired=subject.outcome.fired,
        **facts,
    )
    return trials.alone(None, *crossed, outcome=outcome)


def test_a_cancelled_call_ends(trials: Trials) -> None:
    assert cancelled(trials, "raised") == set()
    assert cancelled(trials, "raised", resources={"tasks": 0}) == set()


def test_a_cancelled_call_that_goes_on(trials: Trials) -> None:
    assert cancelled(trials, "returned") == {"TR813"}
    assert cancelled(trials, "returned", trials.fine(MIRROR)) == {"TR813"}
    assert cancelled(trials, "raised", resources={"tasks": 1}) == {"TR813"}
    assert cancelled(trials, "hung") == {"TR803", "TR813"}


def test_being_cancelled_without_a_fault_is_an_escaping_exception(
    trials: Trials,
) -> None:
    reply = Reply(exception=asyncio.CancelledError())
    outcome = Outcome(ending="raised", reply=reply)
    assert trials.alone(None, outcome=outcome) == {"TR801"}


@pytest.mark.parametrize(
    ("message", "arguments", "found"),
    [
        ("It said: <!DOCTYPE html><html></html>", {}, True),
        ('Answer 400: {"detail": "no such user"}', {}, True),
        ('Rows: [{"id": 1}]', {}, True),
        ('The filter {"id": 1} is not known.', {"filter": {"id": 1}}, False),
        ('The filter {"id": 1} is not known.', {"filter": '{"id": 1}'}, False),
        ("Write it as {field: value}, such as {city: Oslo}.", {}, False),
        ("The price must be <p and more than q.", {}, False),
    ],
)
def test_what_another_service_answered_in_a_message(
    trials: Trials, message: str, arguments: dict[str, Any], *, found: bool
) -> None:
    value = trials.error("UPSTREAM")
    value["error"]["message"] = message
    rules = trials.alone(value, arguments=arguments)
    assert rules == ({"TR310"} if found else set())


def faulted(trials: Trials, code: str, fault: str) -> Interaction:
    return trials.interaction(trials.error(code), trials.broken(fault))


@pytest.mark.parametrize(
    ("faults", "found"),
    [
        (["timeout", "http_403"], True),
        (["http_404", "http_403"], True),
        (["missing_file", "no_permission"], True),
        (["timeout", "refused", "http_503", "http_500"], False),
        (["http_401", "http_403"], False),
        (["malformed", "timeout"], False),
    ],
)
def test_a_code_for_causes_that_ask_for_different_steps(
    trials: Trials, faults: list[str], *, found: bool
) -> None:
    calls = [faulted(trials, "DOWN", fault) for fault in faults]
    told = trials.series(*calls)
    assert [each.rule for each in told] == (["TR311"] if found else [])
    apart = [faulted(trials, fault.upper(), fault) for fault in faults]
    assert trials.series(*apart) == []


def test_each_code_is_told_with_a_fault_that_shows_it(trials: Trials) -> None:
    faults = {"A1": ["timeout", "http_403"], "B1": ["missing_file", "no_permission"]}
    calls = [faulted(trials, code, each) for code in faults for each in faults[code]]
    found = trials.series(*calls)
    assert [each.fault and each.fault["name"] for each in found] == [
        "http_403",
        "no_permission",
    ]
    assert 'the code "A1" stands for timeout and for http_403' in found[0].message
