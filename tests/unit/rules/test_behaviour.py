from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.findings import Severity
from pytest_toolresult.outcomes import Outcome, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.rules.conftest import Bench


def first_word(query: str) -> str:
    return query.split(maxsplit=1)[0]


def caught(function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Exception:
    with pytest.raises(Exception) as info:  # noqa: PT011 - any will do here
        function(*args, **keywords)
    error: Exception = info.value
    return error


def raised(error: BaseException, **facts: Any) -> Outcome:
    return Outcome(ending="raised", reply=Reply(exception=error), **facts)


def test_an_escaping_exception_is_told_with_its_line(bench: Bench) -> None:
    (found,) = bench.judge(raised(caught(first_word, "")), dialect="native")
    assert found.rule == "TR801"
    assert "IndexError: list index out of range at " in found.message
    assert "test_behaviour.py:" in found.message
    assert found.message.endswith(" in first_word")


def test_a_frame_of_a_library_is_not_the_projects(bench: Bench) -> None:
    def read() -> object:
        import json

        return json.loads("{")

    (found,) = bench.judge(raised(caught(read)))
    assert found.message.endswith(" in read")


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_a_deliberate_raise_is_an_error_where_the_dialect_says_so(
    bench: Bench, dialect: str
) -> None:
    outcome = raised(ValueError("city must not be empty"), deliberate=True)
    expected = [] if dialect == "native" else ["TR801"]
    assert [each.rule for each in bench.judge(outcome, dialect=dialect)] == expected


def test_an_exception_that_the_framework_hid_is_found(bench: Bench) -> None:
    reply = Reply(value="tool failed", flagged=True, exception=KeyError("id"))
    outcome = Outcome(ending="returned", reply=reply)
    (found,) = bench.judge(outcome)
    assert found.rule == "TR801"
    assert "the framework hid it" in found.message


@pytest.mark.parametrize("origin", ["fuzz", "declared"])
def test_a_call_that_does_not_bind_is_advice_where_it_was_generated(
    bench: Bench, origin: Any
) -> None:
    call = Call(arguments={"qery": ""}, origin=origin)
    outcome = raised(caught(first_word, qery=""))
    (found,) = bench.judge(outcome, call=call, validates=False)
    generated = origin == "fuzz"
    assert found.severity == (Severity.ADVICE if generated else Severity.ERROR)
    assert "validating layer" in found.remedy


@pytest.mark.parametrize(
    ("outcome", "rule", "words"),
    [
        (Outcome(ending="hung", bound_s=1.5), "TR803", "within 1.5 s"),
        (
            Outcome(ending="exited", reply=Reply(exception=SystemExit(2))),
            "TR802",
            "SystemExit: 2",
        ),
    ],
)
def test_endings(bench: Bench, outcome: Outcome, rule: str, words: str) -> None:
    (found,) = bench.judge(outcome)
    assert found.rule == rule
    assert words in found.message


@pytest.mark.parametrize(
    ("facts", "rule", "place"),
    [
        ({"stdout": "debug\n"}, "TR804", ""),
        ({"changed_arguments": ("tags[0].name",)}, "TR807", "arguments.tags[0].name"),
        ({"never_awaited": ("fetch",)}, "TR812", ""),
    ],
)
def test_what_a_call_does_beside_answering(
    bench: Bench, facts: dict[str, Any], rule: str, place: str
) -> None:
    outcome = Outcome(ending="returned", reply=Reply(value="fine"), **facts)
    (found,) = bench.judge(outcome, dialect="native")
    assert (found.rule, found.place) == (rule, place)


def test_a_returned_coroutine_is_one_finding(bench: Bench) -> None:
    async def fetch() -> None: ...

    coroutine = fetch()
    reply = Reply(value=coroutine)
    outcome = Outcome(ending="returned", reply=reply, never_awaited=("fetch",))
    found = bench.judge(outcome)
    coroutine.close()
    assert [each.rule for each in found] == ["TR812"]


@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        (datetime.now(UTC), "isoformat"),
        (Decimal("1.5"), "str(value)"),
        (b"x", "base64"),
        ({"a"}, "sorted"),
        (object(), "into their fields"),
    ],
)
def test_what_json_cannot_hold(bench: Bench, value: object, remedy: str) -> None:
    (found,) = bench.answer("success", {"orders": [value]})
    assert (found.rule, found.place) == ("TR809", "data.orders[0]")
    assert remedy in found.remedy


def test_keys_cycles_and_endless_digits_are_no_json(bench: Bench) -> None:
    whole: dict[Any, Any] = {1: "x", "long": 10**5_000}
    whole["self"] = whole
    found = bench.answer("success", whole)
    assert {(each.rule, each.place) for each in found} == {
        ("TR809", "data[1]"),
        ("TR809", "data.long"),
        ("TR809", "data.self"),
    }


def test_a_framework_that_wrote_the_text_decides_about_objects(bench: Bench) -> None:
    value = {"at": datetime.now(UTC)}
    assert bench.rules(value, dialect="native", wire='{"at": "now"}') == set()


def test_half_a_character_that_came_in_may_go_out(bench: Bench) -> None:
    echoed = Call(arguments={"name": "a\ud83d"}, origin="fuzz")
    assert bench.rules("hello a\ud83d", dialect="native", call=echoed) == set()
    assert bench.rules("hello a\ud83d", dialect="native") == {"TR811"}
