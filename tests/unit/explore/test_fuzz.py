from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.contract import Contract
from pytest_toolresult.explore.fuzz import FUZZ
from pytest_toolresult.interactions import Interaction
from pytest_toolresult.outcomes import Ending, Outcome, Reply
from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.validity import fits
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.calls import Call

INTEGERS = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
}
TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}


def add(a: int, b: int) -> int:
    return a + b


def make_tool(schema: Any, **fields: Any) -> Tool:
    return Tool(
        name="tool",
        identity="shop:tool",
        framework="callable",
        schema=schema,
        invoke=lambda _: Reply(),
        **fields,
    )


class Probe:
    """Ends each call as a rule says and remembers it."""

    def __init__(
        self, tool: Tool, ending: Callable[[Mapping[str, Any]], Ending | None]
    ) -> None:
        self.calls: list[Mapping[str, Any]] = []
        self.endings: Counter[str] = Counter()
        self._tool = tool
        self._ending = ending

    def __call__(self, call: Call) -> Interaction | None:
        assert call.origin == "fuzz"
        ending = self._ending(call.arguments)
        if ending is None:
            return None
        self.calls.append(call.arguments)
        self.endings[ending] += 1
        return Interaction(
            tool=self._tool,
            call=call,
            outcome=Outcome(ending=ending),
            envelope=None,
            dialect="native",
        )


def strict(schema: Any) -> Callable[[Mapping[str, Any]], Ending]:
    shapes = Shapes(schema)
    return lambda each: "returned" if fits(shapes, schema, each) else "refused"


def test_a_clean_tool_is_called_at_least_25_times_within_its_budget() -> None:
    tool = make_tool(INTEGERS, function=add)
    probe = Probe(tool, strict(INTEGERS))
    summary = FUZZ.run(tool, Contract(add), probe, max_calls=60)
    assert summary.calls == probe.endings["returned"] == 60
    assert 10 < probe.endings["refused"] <= 30
    assert summary.not_covered == {}


def test_a_tool_with_little_to_vary_is_called_again() -> None:
    schema = {
        "type": "object",
        "properties": {"on": {"const": True}},
        "required": ["on"],
        "additionalProperties": False,
    }
    tool = make_tool(schema)
    probe = Probe(tool, strict(schema))
    assert FUZZ.run(tool, Contract(add), probe, max_calls=60).calls == 25
    assert probe.endings["returned"] == 25


def test_what_the_tool_compares_with_is_tried() -> None:
    def greet(text: str) -> str:
        return "at your service" if text == "open sesame" else "who is there?"

    tool = make_tool(TEXT, function=greet)
    probe = Probe(tool, strict(TEXT))
    FUZZ.run(tool, Contract(greet), probe, max_calls=60)
    assert {"text": "open sesame"} in probe.calls


def test_a_tool_without_parameters_is_called_three_times() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    for ending in ("returned", "raised"):
        tool = make_tool(schema)
        probe = Probe(tool, lambda each, end=ending: "refused" if each else end)  # type: ignore[misc]
        assert FUZZ.run(tool, Contract(add), probe, max_calls=60).calls == 3
        assert probe.calls.count({}) == 3


def test_no_call_is_made_without_a_schema() -> None:
    tool = make_tool(None, unusable="its signature cannot be read")
    probe = Probe(tool, lambda _: "returned")
    summary = FUZZ.run(tool, Contract(add), probe, max_calls=60)
    assert summary.not_covered == {"arguments": "its signature cannot be read"}
    assert (summary.calls, probe.calls) == (0, [])


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"properties": {"x": False}, "required": ["x"]}, "no value can be built"),
        ({"properties": {"x": {"type": 5}}, "required": ["x"]}, "cannot be read"),
        ({"properties": {"x": {"minimum": "a"}}, "required": ["x"]}, "cannot be read"),
        ({"properties": 3, "type": "object"}, "cannot be read"),
    ],
)
def test_a_schema_that_is_wrong_is_reported(schema: Any, words: str) -> None:
    tool = make_tool(schema)
    probe = Probe(tool, lambda _: "returned")
    summary = FUZZ.run(tool, Contract(add), probe, max_calls=60)
    assert words in summary.not_covered["arguments"]


def test_declared_arguments_come_first_and_those_under_a_fault_do_not() -> None:
    from contextlib import nullcontext

    from pytest_toolresult.calls import Case

    contract = Contract(
        add,
        success={"text": "declared"},
        error=[{"text": "bad"}, Case({"text": "faulty"}, when=nullcontext)],
    )
    tool = make_tool(TEXT)
    probe = Probe(tool, lambda _: "returned")
    FUZZ.run(tool, contract, probe, max_calls=40)
    assert probe.calls[:2] == [{"text": "declared"}, {"text": "bad"}]
    assert {"text": "faulty"} not in probe.calls


def test_refused_mistakes_leave_the_budget_to_valid_arguments() -> None:
    tool = make_tool(TEXT)
    probe = Probe(tool, strict(TEXT))
    summary = FUZZ.run(tool, Contract(add), probe, max_calls=80)
    assert summary.calls == 80
    assert probe.endings["refused"] <= 40


def test_a_validator_that_refuses_everything_ends_the_exploration() -> None:
    tool = make_tool(TEXT)
    probe = Probe(tool, lambda _: "refused")
    assert FUZZ.run(tool, Contract(add), probe, max_calls=30).calls == 0
    assert len(probe.calls) == 30


@pytest.mark.parametrize(("ending", "most"), [("blocked", 20), ("hung", 5)])
def test_what_ends_badly_again_and_again_is_given_up(ending: Any, most: int) -> None:
    tool = make_tool(TEXT)
    probe = Probe(tool, lambda _: ending)
    assert FUZZ.run(tool, Contract(add), probe, max_calls=100).calls == most


def test_a_blocked_call_now_and_then_stops_nothing() -> None:
    tool = make_tool(TEXT)
    turn: list[int] = []

    def every_third(_: Any) -> Ending:
        turn.append(1)
        return "returned" if len(turn) % 3 == 0 else "blocked"

    probe = Probe(tool, every_third)
    assert FUZZ.run(tool, Contract(add), probe, max_calls=100).calls == 100


def test_the_exploration_ends_when_the_probe_says_so() -> None:
    tool = make_tool(TEXT)
    left = iter(["returned"] * 7)
    probe = Probe(tool, lambda _: next(left, None))  # type: ignore[arg-type]
    assert FUZZ.run(tool, Contract(add), probe, max_calls=100).calls == 7
