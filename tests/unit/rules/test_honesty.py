"""What the rules about faults say of calls that were made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.faults import BoundaryCall
from pytest_toolresult.findings import Severity
from pytest_toolresult.outcomes import Outcome, Reply

if TYPE_CHECKING:
    from tests.unit.rules.conftest import Trials

ROWS = [{"id": 1, "total": 5}, {"id": 2, "total": 7}, {"id": 3, "total": 9}]
FETCH = BoundaryCall(seam="httpx", operation="GET", site="shop.py:7", detail="/orders")
AGAIN = replace(FETCH, occurrence=1)
MIRROR = replace(FETCH, detail="mirror.example/orders", site="shop.py:9")
READ = BoundaryCall(seam="files", operation="open", site="shop.py:12", detail="rates")
SAVE = replace(READ, operation="write", site="shop.py:9", mutates=True)
PAY = replace(FETCH, operation="POST", detail="/payments", mutates=True)


def judged(
    trials: Trials, value: Any, *boundary: Any, usual: Any = None, **options: Any
) -> list[tuple[str, Severity]]:
    """Compare a faulted call with one that gave `ROWS`, or what `usual` says."""
    declared = {"kind": options.pop("kind")} if "kind" in options else {}
    crossed = options.pop("crossed", (trials.fine(),))
    right = trials.answer("success", ROWS) if usual is None else usual
    dialect = options.get("dialect", "envelope")
    reference = trials.interaction(right, *crossed, dialect=dialect)
    subject = trials.interaction(value, *boundary, **options)
    found = trials.compare(reference, subject, **declared)
    return [(each.rule, each.severity) for each in found]


ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE


@pytest.mark.parametrize(
    ("fault", "told", "found"),
    [
        ("http_500", ("success", [{"id": 9, "total": 0}]), [("TR901", ERROR)]),
        ("timeout", ("success", {"total": 0}), [("TR901", ERROR)]),
        ("timeout", ("success", ROWS[:1]), [("TR903", ERROR)]),
        ("timeout", ("empty", []), [("TR902", ERROR)]),
        ("malformed", ("empty", None), [("TR902", ERROR)]),
        # what a tool may make of an answer that can mean two things
        ("http_404", ("empty", None), []),
        ("empty_body", ("empty", []), []),
        ("http_404", ("success", {"done": True}), [("TR901", ERROR)]),
        ("http_404", ("success", {"found": False}), [("TR901", ADVICE)]),
        ("http_404", ("success", [{"id": 9, "total": 0}]), [("TR901", ADVICE)]),
        ("wrong_shape", ("success", ROWS[:2]), [("TR903", ADVICE)]),
        # what is told is right
        ("timeout", ("success", {"total": 0}, {"stale": True}), []),
        ("timeout", ("success", ROWS[:1], {"warnings": ["page 2"]}), []),
        ("timeout", ("success", {"total": 0, "fallback": "cache"}), []),
        ("timeout", ("partial", ROWS[:1], {"failed": 1, "total": 3}), []),
        # no failure, only other data
        ("emptied", ("empty", []), []),
        ("inflated", ("success", {"total": 5_000}), []),
    ],
)
def test_what_a_fault_may_come_to(
    trials: Trials, fault: str, told: tuple[Any, ...], found: list[Any]
) -> None:
    status, data, meta = (*told, {})[:3]
    value = trials.answer(status, data, **meta)
    assert judged(trials, value, trials.broken(fault)) == found


def test_an_error_is_right_and_so_is_the_usual_data_after_a_retry(
    trials: Trials,
) -> None:
    crossed = (trials.broken("timeout"), trials.fine(AGAIN))
    assert judged(trials, trials.error(), trials.broken("timeout")) == []
    assert judged(trials, trials.answer("success", ROWS), *crossed) == []


def test_a_retry_that_ends_in_other_data_is_no_recovery(trials: Trials) -> None:
    crossed = (trials.broken("timeout"), trials.fine(AGAIN))
    value = trials.answer("success", [{"id": 7, "total": 1}])
    assert judged(trials, value, *crossed) == [("TR901", ERROR)]


def test_the_same_data_from_elsewhere_is_a_recovery(trials: Trials) -> None:
    crossed = (trials.broken("timeout"), trials.fine(MIRROR))
    assert judged(trials, trials.answer("success", ROWS), *crossed) == []


def test_what_an_earlier_call_has_saved_is_stale(trials: Trials) -> None:
    usual = (trials.fine(), trials.fine(SAVE))
    crossed = (trials.broken("timeout"), trials.fine(READ))
    plain = trials.answer("success", ROWS)
    marked = trials.answer("success", ROWS, stale=True)
    assert judged(trials, plain, *crossed, crossed=usual) == [("TR901", ERROR)]
    assert judged(trials, marked, *crossed, crossed=usual) == []


def test_a_side_effect_that_fails_is_advice(trials: Trials) -> None:
    usual = (trials.fine(), trials.fine(SAVE))
    crossed = (trials.fine(), trials.broken("disk_full", SAVE))
    value = trials.answer("success", ROWS)
    assert judged(trials, value, *crossed, crossed=usual) == [("TR901", ADVICE)]


@pytest.mark.parametrize("kind", [None, "action"])
def test_an_action_that_fails_is_no_side_effect(trials: Trials, kind: Any) -> None:
    done = trials.answer("success", {"sent_id": "m-1"})
    crossed = (trials.broken("refused", PAY),)
    usual = (trials.fine(PAY),)
    found = judged(trials, done, *crossed, crossed=usual, usual=done, kind=kind)
    assert found == [("TR901", ERROR)]


@pytest.mark.parametrize(
    ("fault", "text", "found"),
    [
        # a tool that passes text on cannot tell one text from another
        ("html", "<html>down</html>", [("TR901", ADVICE)]),
        ("http_500", "a page about something else", [("TR901", ERROR)]),
        ("http_500", "The service is unavailable just now.", []),
        ("http_500", "Error: the service answered 500", [("TR201", ERROR)]),
        ("timeout", None, [("TR902", ERROR)]),
    ],
)
def test_text_without_an_envelope(
    trials: Trials, fault: str, text: object, found: list[Any]
) -> None:
    crossed = trials.broken(fault)
    usual = "a page about the weather"
    assert judged(trials, text, crossed, usual=usual, dialect="native") == found


def test_a_text_says_nothing_where_there_is_a_status(trials: Trials) -> None:
    usual = {"status": "success", "data": "a page about the weather"}
    value = {"status": "success", "data": "{'error': 'the key was refused'}"}
    options: dict[str, Any] = {
        "usual": usual,
        "dialect": "map: status=status data=data",
    }
    found = judged(trials, value, trials.broken("http_401"), **options)
    assert [rule for rule, _ in found if rule != "TR412"] == ["TR901"]


def test_a_body_that_is_passed_on_unread_is_advice(trials: Trials) -> None:
    usual = {"status_code": 200, "json": {"city": "Oslo", "degrees": 21}}
    body = {"status_code": 200, "text": '{"city": "Oslo", "degrees": 21,, }'}
    options: dict[str, Any] = {"usual": usual, "dialect": "native"}
    broken = trials.broken("malformed")
    assert judged(trials, body, broken, **options) == [("TR901", ADVICE)]
    hollow = {"status_code": 200, "text": ""}
    assert judged(trials, hollow, broken, **options) == [("TR901", ERROR)]


def test_a_result_that_is_itself_a_failure_is_told_once(trials: Trials) -> None:
    value = trials.answer("success", {"ok": False, "detail": "down"})
    assert judged(trials, value, trials.broken("refused")) == [("TR201", ERROR)]


def test_a_finding_names_the_fault_and_both_answers(trials: Trials) -> None:
    usual = trials.interaction(trials.answer("success", {"rate": 2}), trials.fine())
    value = trials.answer("success", {"rate": 1})
    subject = trials.interaction(value, trials.broken("http_503"))
    (found,) = trials.compare(usual, subject)
    assert found.fault == {"name": "http_503", "seam": "httpx", "site": "shop.py:7"}
    assert "httpx GET /orders at shop.py:7 failed (http_503)" in found.message
    assert '{"rate": 1} instead of {"rate": 2}' in found.message


def test_two_faults_at_a_time_have_too_many_right_answers(trials: Trials) -> None:
    usual = trials.interaction(trials.answer("success", ROWS), trials.fine())
    crossed = (trials.broken("timeout"), trials.broken("emptied", READ))
    for value in (trials.answer("empty"), trials.answer("success", ROWS[:1])):
        subject = trials.interaction(value, *crossed)
        assert trials.compare(usual, subject) != []
        first, second = subject.outcome.fired
        call = replace(subject.call, injection=second, besides=(first,))
        assert trials.compare(usual, replace(subject, call=call)) == []


def test_two_hard_faults_leave_nothing_but_an_error(trials: Trials) -> None:
    usual = trials.interaction(trials.answer("success", ROWS), trials.fine())
    crossed = (trials.broken("timeout"), trials.broken("io_error", READ))
    subject = trials.interaction(trials.answer("empty"), *crossed)
    first, second = subject.outcome.fired
    call = replace(subject.call, injection=second, besides=(first,))
    found = trials.compare(usual, replace(subject, call=call))
    assert [each.rule for each in found] == ["TR902"]


def test_a_program_that_fails_found_nothing_out(trials: Trials) -> None:
    run = BoundaryCall(
        seam="subprocess", operation="start", site="shop.py:3", mutates=True
    )
    assert trials.alone(trials.answer("empty"), trials.broken("timeout", run)) == {
        "TR902"
    }
    crossed = (trials.fine(rows=0), trials.broken("disk_full", SAVE))
    assert trials.alone(trials.answer("empty"), *crossed) == set()


def test_without_a_usable_reference_nothing_is_compared(trials: Trials) -> None:
    subject = trials.interaction(
        trials.answer("success", ROWS[:1]), trials.broken("timeout")
    )
    failed = trials.interaction(trials.error())
    refused = trials.interaction(None, outcome=Outcome(ending="refused"))
    assert trials.compare(failed, subject) == []
    assert trials.compare(refused, subject) == []
    assert trials.compare(subject, refused) == []


@pytest.mark.parametrize(
    ("fault", "retryable", "found"),
    [
        ("http_429", False, [("TR904", ERROR)]),
        ("locked", False, [("TR904", ERROR)]),
        ("no_permission", True, [("TR904", ERROR)]),
        ("tls", True, [("TR904", ADVICE)]),
        ("http_429", True, []),
        ("no_permission", False, []),
        ("http_500", True, []),
        ("http_500", False, []),
    ],
)
def test_whether_a_retry_helps(
    trials: Trials, fault: str, retryable: object, found: list[Any]
) -> None:
    value = trials.error(retryable=retryable)
    assert judged(trials, value, trials.broken(fault)) == found


def test_a_failure_that_was_seen_by_itself_counts_as_well(trials: Trials) -> None:
    seen = trials.fine(failure="http_429")
    assert trials.alone(trials.error(retryable=False), seen) == {"TR904"}
    assert trials.alone(trials.answer("empty"), trials.fine(failure="timeout")) == {
        "TR902"
    }
    assert trials.alone(trials.answer("empty"), trials.fine(failure="http_404")) == (
        set()
    )


def test_of_two_causes_nobody_knows_which_the_error_is_about(trials: Trials) -> None:
    crossed = (trials.broken("http_401"), trials.broken("timeout", MIRROR))
    assert trials.alone(trials.error(retryable=True), *crossed) == set()
    assert trials.alone(trials.error(retryable=False), *crossed) == set()


@pytest.mark.parametrize(
    ("code", "retryable", "kind", "rules"),
    [
        ("DB_TIMEOUT", False, None, {"TR904"}),
        ("not-found", True, None, {"TR904"}),
        ("INVALID_DATE", True, None, {"TR904"}),
        ("INVALID_RESPONSE", True, None, set()),
        ("ACCOUNT_LOCKED", False, None, set()),
        ("TIMEOUT", False, "code", set()),
        ("NOT_FOUND", False, None, set()),
    ],
)
def test_the_code_may_tell_the_cause(
    trials: Trials, code: str, retryable: object, kind: Any, rules: set[str]
) -> None:
    value = trials.error(code, retryable=retryable)
    assert trials.alone(value, kind=kind) == rules


def recovery(trials: Trials, value: Any, **facts: Any) -> list[str]:
    usual = trials.interaction(trials.answer("success", ROWS), trials.fine())
    faulted = trials.interaction(trials.error(), trials.broken("closed"))
    after = trials.interaction(value, trials.fine(), reference=faulted.call, **facts)
    found = trials.compare(usual, after)
    assert all(each.fault and each.fault["name"] == "closed" for each in found)
    return [each.rule for each in found]


def test_a_tool_has_to_recover(trials: Trials) -> None:
    assert recovery(trials, trials.error()) == ["TR905"]
    assert recovery(trials, trials.answer("empty", [])) == ["TR905"]
    assert recovery(trials, trials.answer("success", ROWS)) == []
    assert recovery(trials, trials.error(retry_after=30)) == []


def test_a_call_without_a_fault_before_it_has_nothing_to_recover_from(
    trials: Trials,
) -> None:
    usual = trials.interaction(trials.answer("success", ROWS))
    assert trials.compare(usual, trials.interaction(trials.error())) == []


@pytest.mark.parametrize(
    ("fault", "facts", "found"),
    [
        ("timeout", {}, ["TR906"]),
        ("empty_body", {}, ["TR906"]),
        ("refused", {}, []),
        ("http_503", {}, []),
        ("timeout", {"idempotent": True}, []),
    ],
)
def test_an_action_must_not_be_repeated_in_the_dark(
    trials: Trials, fault: str, facts: dict[str, Any], found: list[str]
) -> None:
    done = trials.answer("success", {"payment_id": "p-1"})
    usual = trials.interaction(done, trials.fine(PAY))
    again = replace(PAY, occurrence=1)
    crossed = (trials.broken(fault, PAY, **facts), trials.fine(again))
    subject = trials.interaction(done, *crossed)
    assert [each.rule for each in trials.compare(usual, subject)] == found


def test_reading_may_be_repeated(trials: Trials) -> None:
    crossed = (trials.broken("timeout"), trials.fine(AGAIN))
    assert judged(trials, trials.answer("success", ROWS), *crossed) == []


def test_a_faulted_call_is_held_to_all_other_rules(trials: Trials) -> None:
    value = trials.error("")
    assert [rule for rule, _ in judged(trials, value, trials.broken("dns"))] == [
        "TR301"
    ]


def test_an_escaping_exception_is_not_compared(trials: Trials) -> None:
    usual = trials.interaction(trials.answer("success", ROWS), trials.fine())
    subject = trials.interaction(
        None,
        outcome=Outcome(
            ending="raised",
            reply=Reply(exception=KeyError("rows")),
            boundary=(trials.broken("wrong_shape"),),
        ),
    )
    subject = replace(subject, call=Call(arguments={}, origin="faults"))
    assert [each.rule for each in trials.compare(usual, subject)] == ["TR801"]
