"""The parts of the engine: readers, the memory of hangs, telling faults apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.probing import HangMemory, Probe
from pytest_toolresult.engine.reading import Reader
from pytest_toolresult.engine.triage import Triage, fingerprints
from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.tools import Tool

    Invoke = Callable[[Call, float], Outcome]


def find(query: str = "x", n: int = 1) -> Any:
    return {"status": "success", "data": query * n, "error": None, "meta": {}}


@pytest.fixture
def tool() -> Tool:
    return tools_of(find, validate=None)[0]


@pytest.fixture
def reader(tool: Tool) -> Reader:
    return Reader.for_outcomes(tool, Contract(find), Settings(), [])


def returned(value: Any, **changes: Any) -> Outcome:
    return Outcome(ending="returned", reply=Reply(value=value), **changes)


def raised(error: BaseException) -> Outcome:
    return Outcome(ending="raised", reply=Reply(exception=error))


def call(**arguments: Any) -> Call:
    return Call(arguments=arguments, origin="fuzz")


def finding(rule: str = "TR801", place: str = "", **changes: Any) -> Finding:
    made = Finding(
        rule=rule,
        name="some-rule",
        severity=Severity.ERROR,
        tool="find",
        place=place,
        message="wrong",
        remedy="right it",
    )
    return replace(made, **changes)


class TestReader:
    @pytest.mark.parametrize(
        ("set_to", "declared", "name"),
        [
            (None, None, "envelope"),
            ("native", None, "native"),
            ("native", "envelope", "envelope"),
            ("native", "auto", "envelope"),
            ("auto", None, "envelope"),
        ],
    )
    def test_the_contract_goes_before_the_settings(
        self, tool: Tool, set_to: str | None, declared: str | None, name: str
    ) -> None:
        contract = Contract(find, dialect=declared)
        settings = Settings(dialect=set_to)
        reader = Reader.for_outcomes(tool, contract, settings, [returned(find())])
        assert reader.decision.dialect.name == name

    @pytest.mark.parametrize("ending", ["hung", "blocked", "refused"])
    def test_what_has_no_answer_has_no_envelope(
        self, reader: Reader, ending: Any
    ) -> None:
        reply = Reply(refused="no") if ending == "refused" else None
        read = reader.read(call(), Outcome(ending=ending, reply=reply))
        assert read.envelope is None
        assert read.status is None

    def test_one_result_alone_may_be_read_in_another_dialect(self, tool: Tool) -> None:
        outcomes = [returned(find()), returned("text")]
        reader = Reader.for_outcomes(tool, Contract(find), Settings(), outcomes)
        alone = [reader.alone(each).decision.dialect.name for each in outcomes]
        assert alone == ["envelope", "native"]
        fixed = Contract(find, dialect="envelope")
        reader = Reader.for_outcomes(tool, fixed, Settings(), outcomes)
        assert reader.alone(outcomes[1]).decision.dialect.name == "envelope"


class TestHangMemory:
    def test_equal_arguments_are_known_however_they_are_spelt(self, tool: Tool) -> None:
        hangs = HangMemory()
        assert (tool, {"n": 0}) not in hangs
        hangs.add(tool, {"n": 0})
        assert (tool, {"n": 0}) in hangs
        assert (tool, {"n": "0"}) in hangs
        assert (tool, {"n": 1}) not in hangs
        assert (tool, {"n": "nonsense"}) not in hangs
        assert hangs.count(tool) == 1

    def test_another_tool_is_not_meant(self, tool: Tool) -> None:
        hangs = HangMemory()
        hangs.add(tool, {"n": 0})
        other = replace(tool, identity="elsewhere:find")
        assert (other, {"n": 0}) not in hangs
        assert hangs.count(other) == 0

    def test_one_value_is_blamed_where_the_others_did_no_harm(self, tool: Tool) -> None:
        hangs = HangMemory()
        sound: list[dict[str, Any]] = [{"query": "a", "n": 5}, {"query": "b", "n": 2}]
        hangs.add(tool, {"query": "a", "n": 0}, sound)
        assert (tool, {"query": "anything", "n": 0}) in hangs
        assert (tool, {"query": "a", "n": 1}) not in hangs

    def test_nothing_is_blamed_where_two_values_differ(self, tool: Tool) -> None:
        hangs = HangMemory()
        hangs.add(tool, {"query": "a", "n": 0}, [{"query": "b", "n": 1}])
        assert (tool, {"query": "a", "n": 0}) in hangs
        assert (tool, {"query": "b", "n": 0}) not in hangs
        assert (tool, {"query": "a", "n": 2}) not in hangs

    def test_arguments_that_cannot_be_compared_do_no_harm(self, tool: Tool) -> None:
        class Odd:
            def __eq__(self, other: object) -> bool:
                raise RuntimeError("do not compare me")

            __hash__ = None  # type: ignore[assignment]

        strange = replace(tool, convert=lambda _: {"n": Odd()})
        hangs = HangMemory()
        hangs.add(strange, {"n": 0}, [{"n": 1}])
        assert (strange, {"n": 0}) not in hangs


class TestProbe:
    @pytest.fixture
    def probe(self, reader: Reader) -> Callable[[Invoke], Probe]:
        def make(invoke: Invoke) -> Probe:
            return Probe(reader, invoke, HangMemory(), bound=5.0, seconds=60.0)

        return make

    def test_calls_are_kept_and_counted(self, probe: Callable[[Invoke], Probe]) -> None:
        refused = Outcome(ending="refused", reply=Reply(refused="no"))
        made = iter([returned(1), refused, returned(2)])
        one = probe(lambda *_: next(made))
        for n in range(3):
            assert one(call(n=n)) is not None
        assert len(one.seen) == 3
        assert one.calls == 2

    def test_a_hang_shrinks_the_bound_and_is_not_tried_again(
        self, probe: Callable[[Invoke], Probe]
    ) -> None:
        bounds: list[float] = []

        def invoke(made: Call, bound: float) -> Outcome:
            bounds.append(bound)
            if made.arguments["n"] == 0:
                return Outcome(ending="hung", bound_s=bound)
            return returned(1, duration_s=0.2)

        one = probe(invoke)
        for n in (1, 0, 2, 0):
            assert one(call(n=n)) is not None
        assert bounds == [5.0, 5.0, 2.0]
        assert one.known_hangs == 1
        assert len(one.seen) == 3

    def test_a_tool_that_goes_on_hanging_is_given_up(
        self, probe: Callable[[Invoke], Probe]
    ) -> None:
        one = probe(lambda _, bound: Outcome(ending="hung", bound_s=bound))
        made = [one(call(query=str(n), n=n)) for n in range(6)]
        assert [each is None for each in made] == [False] * 4 + [True] * 2
        assert one.over == "4 calls hung"


class TestTriage:
    def test_the_same_fault_counts_up(self, reader: Reader) -> None:
        triage = Triage()
        for n in range(3):
            read = reader.read(call(n=n), returned(n))
            triage.add(read, [finding("TR809", f"data[{n}].at")])
        (found,) = triage.findings()
        assert (found.count, found.place) == (3, "data[0].at")
        assert triage.faults()[0].arguments == {"n": 0}

    def test_rules_and_places_are_faults_of_their_own_worst_first(
        self, reader: Reader
    ) -> None:
        triage = Triage()
        warning = finding("TR104", severity=Severity.WARNING)
        several = [warning, finding("TR809", "data.b"), finding("TR809", "data.a")]
        triage.add(reader.read(call(), returned(1)), several)
        assert [(each.rule, each.place) for each in triage.findings()] == [
            ("TR809", "data.a"),
            ("TR809", "data.b"),
            ("TR104", ""),
        ]

    @staticmethod
    def crashes(reader: Reader) -> list[Interaction]:
        def one() -> None:
            raise KeyError("one")

        def two() -> None:
            raise KeyError("two")

        made = []
        for function in (one, two):
            with pytest.raises(KeyError) as caught:
                function()
            made.append(reader.read(call(), raised(caught.value)))
        return made

    def test_two_places_that_raise_are_two_crashes(self, reader: Reader) -> None:
        triage = Triage()
        for each in self.crashes(reader) * 2:
            triage.add(each, [finding("TR801")])
        assert [each.count for each in triage.findings()] == [2, 2]

    def test_what_a_call_did_beside_is_one_fault_however_it_ended(
        self, reader: Reader
    ) -> None:
        triage = Triage()
        for each in [*self.crashes(reader), reader.read(call(), returned(1))]:
            triage.add(each, [finding("TR804")])
        assert [each.count for each in triage.findings()] == [3]

    def test_one_call_shows_a_fault_once(self, reader: Reader) -> None:
        read = reader.read(call(), returned(1))
        several = [finding("TR809", "data[0]"), finding("TR809", "data[1]")]
        assert len(fingerprints(read, several)) == 1
