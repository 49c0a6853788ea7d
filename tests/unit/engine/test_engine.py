"""Whole explorations and single calls through the engine, and their evidence."""

from __future__ import annotations

import asyncio
import random
import resource
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call, Case
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.errors import DialectError
from pytest_toolresult.explore import Summary, exploration_named
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_toolresult.engine.assignment import Assignment

    Assign = Callable[..., Assignment]

FUZZ = exploration_named("fuzz")


def answer(status: str, data: Any = None, error: Any = None, **meta: Any) -> Any:
    return {"status": status, "data": data, "error": error, "meta": meta}


def find(name: str, limit: int = 3) -> Any:
    if not name:
        problem = {"code": "NO_NAME", "message": "give a name", "retryable": False}
        return answer("error", error=problem)
    return answer("success", [name] * min(max(limit, 1), 9))


def half(number: int) -> float:
    if number < 0:
        raise KeyError(number)
    return 10 / number


def spin(number: int) -> int:
    while number == 0:
        time.sleep(0.001)
    return number


def declared(**arguments: Any) -> Call:
    return Call(arguments=arguments, origin="declared", case=Case(arguments))


def test_a_call_is_made_judged_and_counted(engine: Engine, assign: Assign) -> None:
    verified = engine.verify(assign(find), declared(name="x"))
    assert verified.result.status == "success"
    assert verified.result.data == ["x"] * 3
    assert verified.result.findings == ()
    evidence = verified.evidence
    assert (evidence.calls, evidence.refused) == (1, 0)
    assert evidence.statuses == {"success": 1}
    assert evidence.subject.expected == {"success", "error"}
    assert evidence.subject.codes == {"NO_NAME"}
    assert evidence.subject.dialect == "envelope"
    assert engine.verify(assign(find), declared(name="")).evidence.codes == {
        "NO_NAME": 1
    }


def test_a_status_with_an_error_finding_does_not_count(
    engine: Engine, assign: Assign
) -> None:
    verified = engine.verify(assign(lambda: answer("success", [])), declared())
    assert [each.rule for each in verified.result.findings] == ["TR202"]
    assert verified.evidence.statuses == {}
    assert verified.evidence.calls == 1


def test_others_draw_the_random_numbers_they_would_have_drawn(
    engine: Engine, assign: Assign
) -> None:
    def shuffle(number: int) -> int:
        random.seed(number)
        return number

    random.seed(7)
    state = random.getstate()
    engine.explore(assign(shuffle), FUZZ)
    assert random.getstate() == state


def test_refused_arguments_never_reach_the_tool(engine: Engine, assign: Assign) -> None:
    verified = engine.verify(assign(half), declared(number="many"))
    assert "valid integer" in verified.refused
    assert (verified.evidence.calls, verified.evidence.refused) == (0, 1)
    assert verified.evidence.findings == ()


def test_circumstances_surround_the_call(engine: Engine, assign: Assign) -> None:
    inside: list[bool] = [False]

    @contextmanager
    def down() -> Iterator[None]:
        inside[0] = True
        yield
        inside[0] = False

    def look() -> bool:
        return inside[0]

    call = Call(arguments={}, origin="declared", case=Case({}, when=down))
    assert engine.verify(assign(look), call).result.data is True
    assert inside == [False]


def test_async_calls_run_on_the_loop_that_runs(engine: Engine, assign: Assign) -> None:
    async def which() -> int:
        await asyncio.sleep(0)
        return id(asyncio.get_running_loop())

    async def test() -> None:
        verified = await engine.averify(assign(which), declared())
        assert verified.result.data == id(asyncio.get_running_loop())

    asyncio.run(test())


def test_each_fault_is_shown_once_with_the_simplest_arguments(
    engine: Engine, assign: Assign
) -> None:
    explored = engine.explore(assign(half), FUZZ)
    found = {
        each.message.partition(":")[0]: each for each in explored.evidence.findings
    }
    assert found.keys() == {"ZeroDivisionError", "KeyError"}
    assert found["ZeroDivisionError"].arguments == {"number": 0}
    assert found["KeyError"].arguments == {"number": -1}
    assert found["KeyError"].count > 1
    assert found["KeyError"].replay == "auto {'number': -1}"
    assert explored.judged >= explored.evidence.calls - 80


def test_shrinking_stays_at_the_fault_that_is_shrunk(
    engine: Engine, assign: Assign
) -> None:
    def picky(words: list[str]) -> int:
        """Count words, such as `left` and `right`."""
        if "right" in words:
            raise KeyError(words[0])
        return 10 // len(words)

    found = engine.explore(assign(picky), FUZZ).evidence.findings
    assert [each.arguments for each in found if "KeyError" in each.message] == [
        {"words": ["right"]}
    ]
    assert [each.arguments for each in found if "Zero" in each.message] == [
        {"words": []}
    ]


def test_a_hang_is_not_shrunk_and_the_bound_shrinks(
    engine: Engine, assign: Assign
) -> None:
    began = time.perf_counter()
    explored = engine.explore(assign(spin, timeout=0.2), FUZZ)
    assert time.perf_counter() - began < 4
    (hang,) = explored.evidence.findings
    assert (hang.rule, hang.arguments, hang.count) == ("TR803", {"number": 0}, 1)
    again = engine.explore(assign(spin, timeout=0.2), FUZZ)
    assert again.evidence.findings == ()
    assert again.judged > 20


def test_no_call_is_spent_on_a_simpler_hang(engine: Engine, assign: Assign) -> None:
    hung = []

    def count_to(number: int) -> int:
        while number > 100:
            hung.extend([number] if number not in hung else [])
            time.sleep(0.001)
        return number

    contract = {"success": {"number": 12_345}, "examples": 1, "timeout": 0.05}
    explored = engine.explore(assign(count_to, **contract), FUZZ)
    assert [each.rule for each in explored.evidence.findings] == ["TR803"]
    assert hung == [12_345]


def test_what_a_tool_makes_of_a_stopped_call_is_no_status_of_its_own(
    engine: Engine, assign: Assign, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.txt"
    kept.write_text("x")

    def clean_up(name: str) -> Any:
        if name:
            with suppress(BaseException):
                kept.unlink()
        return answer("success", [name])

    explored = engine.explore(assign(clean_up), FUZZ)
    assert kept.exists()
    assert explored.evidence.calls > 20
    assert explored.judged == explored.evidence.statuses["success"] < 10
    assert "deletes" in explored.evidence.not_covered["fuzz"]


def test_a_hang_of_a_single_call_is_remembered(engine: Engine, assign: Assign) -> None:
    assignment = assign(spin, timeout=0.1)
    assert (
        engine.verify(assignment, declared(number=0)).result.findings[0].rule == "TR803"
    )
    assert engine.explore(assignment, FUZZ).evidence.findings == ()


def test_a_reset_comes_before_each_call_also_of_a_replay(
    engine: Engine, assign: Assign
) -> None:
    stock = [0]

    def take() -> int:
        stock[0] -= 1
        return 1 // (stock[0] + 1)

    assert engine.explore(assign(take), FUZZ).evidence.findings

    def refill() -> None:
        stock[0] = 1

    assert not engine.explore(assign(take), FUZZ, reset=refill).evidence.findings
    assert not engine.replay(assign(take), FUZZ, {}, reset=refill).evidence.findings
    stock[0] = 0
    assert engine.replay(assign(take), FUZZ, {}).evidence.findings


def test_who_makes_the_calls_can_be_chosen(engine: Engine, assign: Assign) -> None:
    made: list[float] = []
    assignment = assign(find, timeout=0.5)
    loop = asyncio.new_event_loop()

    def invoke(call: Call, bound: float) -> Any:
        made.append(bound)
        return loop.run_until_complete(engine.aguarded(assignment, call, bound))

    explored = engine.explore(assignment, FUZZ, invoke=invoke)
    replayed = engine.replay(assignment, FUZZ, {"name": "x"}, invoke=invoke)
    loop.close()
    assert len(made) == explored.evidence.calls + explored.evidence.refused + 1
    assert replayed.evidence.calls == 1
    assert set(made) == {0.5}


def test_a_dialect_is_named_in_a_replay_where_it_matters(
    engine: Engine, assign: Assign
) -> None:
    def mixed(word: str) -> Any:
        """Say `plain` or `stop`, or another word."""
        if word == "stop":
            raise KeyError(word)
        return "text" if word == "plain" else answer("success", word)

    found = engine.explore(assign(mixed), FUZZ).evidence.findings
    assert {each.rule: each.replay for each in found} == {
        "TR101": "envelope {'word': 'plain'}",
        "TR801": "auto {'word': 'stop'}",
    }


def test_what_the_guard_stopped_is_not_covered(
    engine: Engine, assign: Assign, tmp_path: Any
) -> None:
    target = tmp_path.parent.parent / "kept"

    def write(text: str) -> int:
        return target.write_text(text)  # type: ignore[no-any-return]

    explored = engine.explore(assign(write), FUZZ)
    assert explored.judged == 0
    assert 'allow=("files",)' in explored.why_nothing
    assert explored.evidence.findings == ()
    assert explored.evidence.not_covered == {"fuzz": explored.why_nothing}


def test_a_schema_that_cannot_be_made_is_said(engine: Engine, assign: Assign) -> None:
    class Opaque:
        pass

    def use(it: Opaque) -> bool:
        return it is not None

    explored = engine.explore(assign(use), FUZZ)
    assert explored.judged == 0
    assert explored.evidence.calls == 0
    assert "Opaque" in explored.why_nothing


def test_an_exploration_that_makes_no_call_says_so(
    engine: Engine, assign: Assign
) -> None:
    class Lazy:
        name = "lazy"

        def run(self, *_: Any, **__: Any) -> Summary:
            return Summary(calls=0)

        def replay(self, *_: Any) -> Summary:
            return Summary(calls=0)

        def shrink(
            self, tool: Any, arguments: Any, holds: Any, *, max_calls: int
        ) -> Any:
            raise AssertionError((tool, arguments, holds, max_calls))

    explored = engine.explore(assign(find), Lazy())
    assert (explored.judged, explored.why_nothing) == (0, "no call was made")


def test_a_dialect_that_does_not_exist_or_breaks(
    engine: Engine, assign: Assign
) -> None:
    with pytest.raises(DialectError, match="did you mean 'native'"):
        engine.explore(assign(find, dialect="nativ"), FUZZ)

    def broken(raw: Any) -> Any:
        return raw["nothing"]

    with pytest.raises(DialectError, match="raised KeyError"):
        engine.verify(assign(find, dialect=broken), declared(name="x"))


def test_the_safety_cut_ends_an_exploration(assign: Assign) -> None:
    from pytest_toolresult.engine.session import Engine
    from pytest_toolresult.runner import Runner
    from pytest_toolresult.settings import Settings

    runner = Runner(timeout=1.0)
    engine = Engine(Settings(item_seconds=0.5), runner)

    def nap(text: str) -> str:
        time.sleep(0.01)
        return text

    explored = engine.explore(assign(nap), FUZZ)
    runner.close()
    assert 1 <= explored.evidence.calls <= 60
    assert "safety cut of 0.5 s" in explored.evidence.not_covered["fuzz"]


def test_the_simplest_arguments_for_each_status_are_kept(
    engine: Engine, assign: Assign
) -> None:
    explored = engine.explore(assign(find), FUZZ)
    found = explored.evidence.found
    assert found["error"] == {"name": ""}
    assert list(found["success"]) == ["name"]


def test_what_needs_help_is_not_kept_as_found(engine: Engine, assign: Assign) -> None:
    @contextmanager
    def helped() -> Iterator[None]:
        yield

    call = Call(
        arguments={"name": "x"},
        origin="declared",
        case=Case({"name": "x"}, when=helped),
    )
    assert engine.verify(assign(find), call).evidence.found == {}


def test_secrets_among_the_arguments_found_are_masked(
    engine: Engine, assign: Assign
) -> None:
    planted = "ghp_Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsPg6Xe0AuB"
    verified = engine.verify(assign(lambda key: {"n": len(key)}), declared(key=planted))
    assert "success" in verified.evidence.found
    assert planted not in str(verified.evidence.found)


def test_progress_is_told_at_intervals_in_the_words_of_the_tool(
    engine: Engine, assign: Assign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_toolresult.engine.probing._PROGRESS_S", 0.0)
    told: list[Any] = []
    explored = engine.explore(assign(find), FUZZ, on_progress=told.append)
    assert [each.calls for each in told] == sorted(each.calls for each in told)
    assert told[-1].calls == explored.evidence.calls
    assert told[-1].statuses == explored.evidence.statuses
    monkeypatch.setattr("pytest_toolresult.engine.probing._PROGRESS_S", 60.0)
    told.clear()
    engine.explore(assign(find), FUZZ, on_progress=told.append)
    assert told == []


def reserve(rows: int = 3) -> list[int]:
    """Make as many rows as the model wants."""
    return [0] * rows


def test_memory_is_bounded_and_its_lack_is_a_finding(assign: Assign) -> None:
    runner = Runner(timeout=5.0)
    engine = Engine(Settings(max_calls=60, memory=300), runner)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    evidence = engine.explore(assign(reserve), FUZZ).evidence
    runner.close()
    (starved,) = (each for each in evidence.findings if "MemoryError" in each.message)
    assert starved.rule == "TR801"
    assert starved.arguments["rows"] >= 10**8
    assert "Bound what one call can ask for" in starved.remedy
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_what_keeps_returns_from_being_watched_is_said(
    engine: Engine, assign: Assign
) -> None:
    with _watching_taken():
        evidence = engine.explore(assign(find), FUZZ).evidence
    assert "other tool" in evidence.not_covered["returns"]
    assert evidence.subject.returns == frozenset()
    assert "returns" not in engine.explore(assign(find), FUZZ).evidence.not_covered


@contextmanager
def _watching_taken() -> Iterator[None]:
    """Take what returns are watched by."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        sys.setprofile(lambda *_: None)
        yield
        sys.setprofile(None)
        return
    free = [each for each in (3, 4) if monitoring.get_tool(each) is None]
    for each in free:
        monitoring.use_tool_id(each, "another")
    yield
    for each in free:
        monitoring.free_tool_id(each)
