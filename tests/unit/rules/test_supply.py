"""What the rules say that compare an answer with what the tool was handed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.faults import BoundaryCall
from pytest_toolresult.findings import Severity

if TYPE_CHECKING:
    from tests.unit.rules.conftest import Trials

SELECT = BoundaryCall(
    seam="sqlite3", operation="execute", site="shop.py:5", detail="select name"
)
RUN = BoundaryCall(
    seam="subprocess", operation="run", site="shop.py:5", detail="make all"
)
NAMES = [f"p{number}" for number in range(10)]
TEXT = "word " * 2_000
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def inflated(
    trials: Trials, value: Any, *, usual_rows: int = 10, **options: Any
) -> list[tuple[str, Severity]]:
    usual = trials.interaction(
        trials.answer("success", NAMES), trials.fine(SELECT, rows=usual_rows)
    )
    crossed = trials.broken("inflated", SELECT, rows=2_000)
    subject = trials.interaction(value, crossed, **options)
    found = trials.compare(usual, subject)
    return [(each.rule, each.severity) for each in found if each.rule != "TR416"]


def test_rows_that_are_left_out_in_silence(trials: Trials) -> None:
    value = trials.answer("success", NAMES * 2)
    assert inflated(trials, value) == [("TR208", ERROR)]
    assert inflated(trials, trials.answer("success", NAMES)) == [("TR208", WARNING)]


@pytest.mark.parametrize(
    ("status", "meta"),
    [
        ("success", {"total": 2_000}),
        ("success", {"has_more": True}),
        ("success", {"next_cursor": "20"}),
        ("partial", {"truncated": True, "total": 2_000, "next_cursor": "20"}),
    ],
)
def test_rows_that_are_left_out_with_a_word(
    trials: Trials, status: str, meta: dict[str, Any]
) -> None:
    assert inflated(trials, trials.answer(status, NAMES * 2, **meta)) == []


def test_as_many_rows_as_were_asked_for(trials: Trials) -> None:
    value = trials.answer("success", NAMES * 2)
    assert inflated(trials, value, arguments={"limit": 20}) == []
    assert inflated(trials, value, arguments={"limit": "20"}) == []
    assert inflated(trials, value, arguments={"limit": 5}) != []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hello world " * 8 + "he", ["TR208"]),
        ("hello world " * 8, []),
        ("hello world " * 8 + "he [truncated]", []),
        ("something else" * 8, []),
        ("hello", []),
        ([{"text": "hello world " * 8 + "he"}], ["TR208"]),
    ],
)
def test_text_that_came_many_times_over(
    trials: Trials, text: object, found: list[str]
) -> None:
    usual = trials.interaction(trials.answer("success", "hello world "), trials.fine())
    subject = trials.interaction(
        trials.answer("success", text), trials.broken("inflated")
    )
    assert [each.rule for each in trials.compare(usual, subject)] == found


def test_lines_that_came_many_times_over_may_end_anywhere(trials: Trials) -> None:
    lines = "pens\nink\npaper\n"
    usual = trials.interaction(trials.answer("success", lines), trials.fine())
    for text in (f"{lines * 9}pens\nink\n", f"{lines * 9}pens\nink"):
        value = trials.answer("success", text)
        subject = trials.interaction(value, trials.broken("inflated"))
        assert trials.compare(usual, subject) == []


def test_rows_that_are_no_entries_are_not_counted(trials: Trials) -> None:
    value = trials.answer("success", NAMES * 2)
    assert inflated(trials, value, usual_rows=300) == []
    assert inflated(trials, trials.answer("success", {"sum": 8})) == []


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (TEXT[:1_000] + "n" * 500, {"TR208"}),
        (TEXT[:4_095] + "w", {"TR208"}),
        (TEXT[:1_501], set()),
        (TEXT[:1_499] + ".", set()),
        (TEXT[:1_499] + "\n", set()),
        (f"(truncated) {TEXT}"[:1_500] + " ", set()),
        ("word" * 75, set()),
    ],
)
@pytest.mark.parametrize("dialect", ["envelope", "native"])
def test_text_that_was_cut(
    trials: Trials, text: str, rules: set[str], dialect: str
) -> None:
    value = trials.answer("success", text) if dialect == "envelope" else text
    assert trials.alone(value, dialect=dialect) == rules


def test_text_that_was_cut_where_the_caller_said(trials: Trials) -> None:
    value = trials.answer("success", TEXT[:1_499] + "w")
    assert trials.alone(value, arguments={"max_chars": 1_500}) == set()


@pytest.mark.parametrize(
    ("failure", "detail", "later", "rules"),
    [
        ("exit 2", "make all", [], {"TR212"}),
        ("signal 9", "make all", [], {"TR212"}),
        ("killed", "make all", [], {"TR212"}),
        ("exit 1", "grep -r needle .", [], set()),
        ("exit 2", "grep -r needle .", [], {"TR212"}),
        ("timeout", "make all", [], set()),
        ("exit 2", "make all", [""], set()),
    ],
)
def test_a_process_that_failed_under_a_success(
    trials: Trials, failure: str, detail: str, later: list[str], rules: set[str]
) -> None:
    call = replace(RUN, detail=detail)
    crossed = [trials.fine(call, failure=each) for each in (failure, *later)]
    value = trials.answer("success", {"stdout": "half of it"})
    assert trials.alone(value, *crossed) == rules


def test_a_fault_at_a_process_is_told_as_its_exit_code(trials: Trials) -> None:
    value = trials.answer("success", {"stdout": ""})
    usual = trials.interaction(
        trials.answer("success", {"stdout": "3 passed"}), trials.fine(RUN)
    )
    subject = trials.interaction(value, trials.broken("killed", RUN))
    assert [each.rule for each in trials.compare(usual, subject)] == ["TR212"]


def test_without_a_status_the_exit_code_says_it(trials: Trials) -> None:
    crossed = trials.fine(RUN, failure="exit 2")
    assert trials.alone("half of it", crossed, dialect="native") == {"TR212"}
    told = "Error: make: *** [all] Error 2"
    assert trials.alone(told, crossed, dialect="native") == {"TR201"}
    shown = {"stdout": "half of it", "returncode": 2}
    assert trials.alone(shown, crossed, dialect="native") == set()


@pytest.mark.parametrize(
    ("command", "stderr", "rules"),
    [
        ("cat missing.txt | head", "cat: missing.txt: No such file", {"TR212"}),
        ("cat missing.txt || true", "cat: missing.txt: No such file", set()),
        ("set -o pipefail; cat a | head", "cat: a: No such file", set()),
        ("cat notes.txt | head", "warning: 3 lines", set()),
    ],
)
def test_a_pipeline_hides_its_early_parts(
    trials: Trials, command: str, stderr: str, rules: set[str]
) -> None:
    value = trials.answer("success", {"stdout": "", "stderr": stderr})
    assert trials.alone(value, arguments={"command": command}) == rules


def emptied(trials: Trials, value: Any, **fault: Any) -> list[str]:
    usual = trials.interaction(trials.answer("success", NAMES), trials.fine(SELECT))
    crossed = trials.broken("emptied", SELECT, rows=0)
    if fault:
        assert crossed.fault
        crossed = replace(crossed, fault=replace(crossed.fault, **fault))
    subject = trials.interaction(value, crossed)
    return [each.rule for each in trials.compare(usual, subject)]


def test_no_rows_are_no_error(trials: Trials) -> None:
    assert emptied(trials, trials.error()) == ["TR214"]
    assert emptied(trials, trials.answer("empty", [])) == []
    assert emptied(trials, trials.error(), at="shop.db.fetch") == []


def test_no_rows_are_no_error_without_a_fault_either(trials: Trials) -> None:
    nothing, some = trials.fine(SELECT, rows=0), trials.fine(SELECT, rows=3)
    no_results = trials.error("NO_RESULTS", retryable=False)
    not_found = trials.error("NOT_FOUND", retryable=False)
    assert trials.alone(no_results, nothing) == {"TR214"}
    assert trials.alone(not_found, nothing) == set()
    assert trials.alone(no_results, some) == set()
