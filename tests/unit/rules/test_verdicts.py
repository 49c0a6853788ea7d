"""What is remembered of a result, and what has to be judged again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call, Case
from pytest_toolresult.contract import Contract
from pytest_toolresult.dialects import dialect_named
from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.interactions import Interaction
from pytest_toolresult.outcomes import LogLine, Outcome, Reply
from pytest_toolresult.rules import judge as judging
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.verdicts import Verdicts
from pytest_toolresult.settings import Settings
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.rules.exhibit import Exhibit

    Judge = Callable[..., list[Finding]]

TOOL = Tool(
    name="lookup",
    identity="shop:lookup",
    framework="callable",
    schema=None,
    invoke=lambda _: Reply(),
)
ANSWER = {"status": "success", "data": {"path": "/srv/a"}, "error": None, "meta": {}}
LINE = LogLine(level=20, logger="shop", text="looked up")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put rules of the test in place of all others; lists the calls of the first."""
    seen: list[str] = []

    def counting(_: Exhibit, __: Contract) -> Iterator[Breach]:
        """Nothing is wrong.

        Why: a test counts.
        Fix: nothing.
        Bad: `1`
        Good: `2`
        """
        seen.append("judged")
        return iter(())

    def path_of_the_host(found: Exhibit, _: Contract) -> Iterator[Breach]:
        """A path does not stem from the arguments.

        Why: it is the host's.
        Fix: leave it out.
        Bad: `1`
        Good: `2`
        """
        path = found.data_fields.get("path", "")
        if path.startswith("/") and path not in found.call.arguments.values():
            yield Breach(place="data.path", detail=f"{path} is of the host")

    made = [
        rule("TR803", "hang", Severity.ERROR)(counting),
        rule("TR306", "internal-detail", Severity.ERROR)(path_of_the_host),
    ]
    monkeypatch.setattr(judging, "rules", lambda: made)
    return seen


@pytest.fixture
def judge() -> Judge:
    dialect = dialect_named("envelope")
    hold = partial(
        judging.judge,
        contract=Contract(None),
        dialect=dialect,
        settings=Settings(),
        verdicts=Verdicts(),
    )

    def judge(outcome: Outcome, case: Case | None = None, **arguments: Any) -> Any:
        call = Call(arguments=arguments, origin="fuzz", case=case)
        envelope = dialect.read(outcome)
        return hold(
            Interaction(
                tool=TOOL,
                call=call,
                outcome=outcome,
                envelope=envelope,
                dialect=dialect.name,
            )
        )

    return judge


def returned(value: object = None, **seen: Any) -> Outcome:
    return Outcome(ending="returned", reply=Reply(value=value), **seen)


def plain(**data: Any) -> dict[str, Any]:
    return {**ANSWER, "data": data}


def test_equal_results_are_judged_once(judged: list[str], judge: Judge) -> None:
    for number in range(5):
        outcome = returned(plain(rows=[1, 2]), duration_s=float(number), log=(LINE,))
        assert judge(outcome, number=number) == []
    assert len(judged) == 1


@pytest.mark.parametrize(
    "other",
    [
        returned(plain(rows=[1, True])),
        returned(plain(rows=[1, 2]), stdout="said"),
        returned(plain(rows=[1, 2]), log=(LINE,)),
        returned(plain(rows=[1, 2]), changed_arguments=("tags",)),
        returned(plain(rows=[1, 2]), never_awaited=("fetch",)),
        returned(plain(rows=[1, 2]), resources={"files": 1}),
        replace(returned(), reply=Reply(value=plain(rows=[1, 2]), wire="{}")),
    ],
)
def test_whatever_else_was_seen_makes_another_result(
    judged: list[str], judge: Judge, other: Outcome
) -> None:
    judge(returned(plain(rows=[1, 2])))
    judge(other)
    assert len(judged) == 2


def test_what_hangs_on_the_arguments_is_judged_each_time(
    judged: list[str], judge: Judge
) -> None:
    assert judge(returned(ANSWER), path="/srv/a") == []
    (found,) = judge(returned(ANSWER), path="/srv/b")
    assert found.place == "data.path"
    assert judge(returned(ANSWER), path="/srv/a") == []
    assert len(judged) == 3


@pytest.mark.parametrize(
    "outcome",
    [
        returned({**ANSWER, "data": object()}),
        Outcome(ending="raised", reply=Reply(exception=KeyError("a"))),
        Outcome(ending="hung", bound_s=1.0),
    ],
    ids=["object", "exception", "hang"],
)
def test_what_cannot_be_compared_is_judged_each_time(
    judged: list[str], judge: Judge, outcome: Outcome
) -> None:
    judge(outcome)
    judge(outcome)
    assert len(judged) == 2


def test_a_promise_is_held_to_by_itself(judged: list[str], judge: Judge) -> None:
    for status in ("success", "empty"):
        judge(returned(plain(rows=[1])), Case({}, status=status))
    assert len(judged) == 2


def test_a_remembered_finding_tells_of_the_call_at_hand(judge: Judge) -> None:
    wrong = {**ANSWER, "status": "great"}
    first, second = judge(returned(wrong), number=1), judge(returned(wrong), number=2)
    assert [each.rule for each in first] == [each.rule for each in second] == ["TR102"]
    assert first[0].arguments == {"number": 1}
    assert second[0].arguments == {"number": 2}
