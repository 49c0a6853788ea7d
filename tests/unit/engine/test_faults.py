"""Faults in what tools depend on: what is broken, what is made of it, what is said."""

from __future__ import annotations

import socket
import socketserver
import sqlite3
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import FAULT_KEY
from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_toolresult.engine.inquiry import Explored
    from pytest_toolresult.engine.session import Engine
    from pytest_toolresult.findings import Finding

    Explore = Callable[..., Explored]

FAULTS = exploration_named("faults")
ANY_SIZE = {"TR501": "the shelf may be long", "TR416": "nobody counts it"}


def answer(status: str, data: Any = None, error: Any = None, **meta: Any) -> Any:
    return {"status": status, "data": data, "error": error, "meta": meta}


def failure(code: str, message: str, *, retryable: bool) -> Any:
    error = {"code": code, "message": message, "retryable": retryable}
    return answer("error", error=error)


class Shelf:
    """What the tools below depend on."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False
        self.moods = 0

    def look(self, name: str) -> list[str]:
        self.asked.append(name)
        if self.broken:
            raise RuntimeError("the shelf was left broken")
        return [f"{name} 1", f"{name} 2"]

    def spare(self, name: str) -> list[str]:
        return [f"{name} 1", f"{name} 2"]


SHELF = Shelf()
LOOK = f"{__name__}.SHELF.look"
SPARE = f"{__name__}.SHELF.spare"


@pytest.fixture(autouse=True)
def _shelf() -> None:
    SHELF.asked.clear()
    SHELF.broken = False


def find(name: str) -> Any:
    try:
        found = SHELF.look(name)
    except (TimeoutError, ConnectionError):
        return failure("DOWN", "the shelf cannot be reached; try again", retryable=True)
    except Exception:
        return failure("SHELF", "the shelf is broken; tell somebody", retryable=False)
    if not found:
        return answer("empty", [], searched=name)
    if len(found) > 50:
        return answer(
            "partial", found[:50], truncated=True, total=len(found), next_offset=50
        )
    return answer("success", found)


def hide(name: str) -> Any:
    try:
        found = SHELF.look(name)
    except Exception:
        found = []
    return answer("success" if found else "empty", found)


def wait_and_retry(name: str) -> Any:
    for seconds in (1, 10, 20, None):
        try:
            found = SHELF.look(name) or []
            return answer("success" if found else "empty", found)
        except (TimeoutError, ConnectionError):
            if seconds is None:
                break
            time.sleep(seconds)
        except PermissionError:
            return failure("NO", "the shelf is not for you", retryable=False)
        except RuntimeError:
            return failure("SHELF", "the shelf is broken", retryable=False)
    return failure("DOWN", "the shelf cannot be reached; try again", retryable=True)


def second_source(name: str) -> Any:
    try:
        return answer("success", SHELF.look(name))
    except Exception:
        return answer("success", SHELF.spare(name))


def stay_broken(name: str) -> Any:
    try:
        return answer("success", SHELF.look(name))
    except ConnectionError:
        SHELF.broken = True
        return failure("DOWN", "the shelf cannot be reached; try again", retryable=True)
    except Exception:
        return failure("SHELF", "the shelf is broken", retryable=False)


FIRST: list[Any] = []


def keep_the_first_answer(name: str) -> Any:
    """Ask once, and keep what came of it: a limit that was met as well."""
    if not FIRST:
        try:
            FIRST.append(answer("success", SHELF.look(name)))
        except PermissionError:
            FIRST.append(failure("NO", "the shelf is not for you", retryable=False))
        except Exception:
            return failure("DOWN", "the shelf is away; try again", retryable=True)
    kept = FIRST[0]
    if kept["status"] == "success":
        FIRST.clear()
    return kept


def close_for_good(name: str) -> Any:
    try:
        return answer("success", SHELF.look(name))
    except Exception:
        SHELF.broken = True
        return failure("SHELF", "the shelf cannot be read", retryable=True)


async def wait_on_the_loop(name: str) -> Any:
    """Ask in a way that nothing else goes on meanwhile."""
    return query_a_socket(name)


def query_a_socket(name: str) -> Any:
    try:
        with socket.create_connection(("127.0.0.1", PORT[0]), timeout=20) as line:
            line.sendall(name.encode())
            return answer("success", line.recv(100).decode())
    except OSError as error:
        busy = not isinstance(error, (socket.gaierror, PermissionError))
        return failure("AWAY", "nobody answers there", retryable=busy)


PORT: list[int] = []


@pytest.fixture
def echo() -> Iterator[None]:
    """A server that gives back what it is sent."""

    class Echo(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(self.request.recv(100))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        PORT[:] = [server.server_address[1]]
        yield
        server.shutdown()
        thread.join()


@pytest.fixture
def explore(engine: Engine) -> Explore:
    """Break what a tool depends on: `explore(tool, dependencies=[...])`."""

    def run(function: Callable[..., Any], **keywords: Any) -> Explored:
        return engine.explore(assigned(function, **keywords), FAULTS)

    return run


def assigned(function: Callable[..., Any], **keywords: Any) -> Assignment:
    keywords.setdefault("dependencies", [LOOK])
    (tool,) = tools_of(function, validate=None)
    return Assignment(
        item="test_it.py::test_it[faults]",
        tool=tool,
        contract=Contract(function, **keywords),
        replay=lambda asked, _: str(dict(asked)),
    )


def by_fault(findings: tuple[Finding, ...]) -> dict[tuple[str, str], Finding]:
    return {(each.rule, (each.fault or {}).get("name", "")): each for each in findings}


def test_every_path_is_reached_by_breaking_one_call(explore: Explore) -> None:
    explored = explore(find, success={"name": "tea"})
    evidence = explored.evidence
    assert evidence.findings == ()
    assert evidence.statuses.keys() == {"success", "empty", "partial", "error"}
    assert evidence.codes.keys() == {"DOWN", "SHELF"}
    assert evidence.planned == evidence.fired
    assert len(evidence.planned) == explored.judged
    assert evidence.not_covered == {}
    assert set(SHELF.asked) == {"tea"}


def test_what_was_hidden_is_told_with_its_cause(explore: Explore) -> None:
    explored = explore(hide, success={"name": "tea"}, ignore=ANY_SIZE)
    found = by_fault(explored.evidence.findings)
    assert {rule for rule, _ in found} == {"TR902"}
    finding = found["TR902", "timeout"]
    assert finding.circumstances.startswith(f"while {LOOK} timed out (test_faults.py:")
    assert '"tea 1"' in finding.otherwise
    assert finding.origin == "faults"
    assert finding.fault
    assert finding.fault["seam"] == LOOK
    assert f"'{FAULT_KEY}': \"{LOOK}.call[" in finding.replay


def test_a_finding_is_shown_again_by_its_key(engine: Engine, explore: Explore) -> None:
    explored = explore(hide, success={"name": "tea"}, ignore=ANY_SIZE)
    (finding, *_) = explored.evidence.findings
    asked = eval(finding.replay)  # noqa: S307 - what the replay above has written
    assert asked["name"] == "tea"
    again = engine.replay(assigned(hide), FAULTS, asked).evidence
    assert [each.rule for each in again.findings] == [finding.rule]
    assert again.fired == {asked[FAULT_KEY]}


def test_a_key_that_names_no_call_is_refused_with_the_nearest(engine: Engine) -> None:
    asked = {"name": "tea", FAULT_KEY: f"{LOOK}.call['tea']@test_faults.py:1#0!timeout"}
    explored = engine.replay(assigned(hide), FAULTS, asked)
    assert explored.judged == 0
    assert "no call of it can be broken as" in explored.why_nothing
    assert "the nearest is" in explored.why_nothing


def test_hiccups_and_outages_are_both_tried_and_waiting_takes_no_time(
    explore: Explore,
) -> None:
    began = time.monotonic()
    explored = explore(wait_and_retry, success={"name": "tea"}, ignore=ANY_SIZE)
    evidence = explored.evidence
    assert time.monotonic() - began < 20  # 31 s of waiting, for each of two outages
    lasting = [key for key in evidence.planned if key.endswith("*")]
    assert {key.rpartition("!")[2] for key in lasting} == {"timeout*", "refused*"}
    assert evidence.codes["DOWN"] == 2
    assert evidence.findings == ()


def test_calls_that_only_a_failure_brings_about_are_broken_too(
    explore: Explore,
) -> None:
    evidence = explore(
        second_source, success={"name": "tea"}, dependencies=[LOOK, SPARE]
    ).evidence
    second = [key for key in evidence.fired if key.startswith(SPARE)]
    assert second
    raised = [each for each in evidence.findings if each.rule == "TR801"]
    assert raised
    assert {each.fault["seam"] for each in raised if each.fault} == {SPARE}
    assert " after " in raised[0].circumstances
    asked = eval(raised[0].replay)  # noqa: S307 - what the replay above has written
    assert len(asked[FAULT_KEY]) == 2


def test_two_faults_of_a_replay_are_put_one_after_the_other(
    engine: Engine, explore: Explore
) -> None:
    keywords = {"dependencies": [LOOK, SPARE]}
    found = explore(second_source, success={"name": "tea"}, **keywords).evidence
    raised = next(each for each in found.findings if each.rule == "TR801")
    asked = eval(raised.replay)  # noqa: S307 - what the replay above has written
    again = engine.replay(assigned(second_source, **keywords), FAULTS, asked)
    assert "TR801" in {each.rule for each in again.evidence.findings}


def test_a_tool_that_stays_broken_is_told_from_one_that_recovers(
    explore: Explore,
) -> None:
    findings = explore(stay_broken, success={"name": "tea"}).evidence.findings
    lasting = next(each for each in findings if each.rule == "TR905")
    assert lasting.circumstances.startswith(f"after {LOOK} was refused the connection")
    assert lasting.circumstances.endswith("which is over")
    assert not any(
        each.rule == "TR905"
        for each in explore(find, success={"name": "tea"}).evidence.findings
    )


@pytest.mark.parametrize(
    ("tool", "cause"),
    [(keep_the_first_answer, "no_permission"), (close_for_good, "timeout")],
)
def test_what_a_tool_does_not_get_over_is_named(
    explore: Explore, tool: Callable[..., Any], cause: str
) -> None:
    FIRST.clear()
    findings = explore(tool, success={"name": "tea"}).evidence.findings
    (lasting,) = (each for each in findings if each.rule == "TR905")
    assert lasting.fault
    assert lasting.fault["name"] == cause


def moody(name: str) -> Any:
    """Ask until it answers; say which call of all this was."""
    SHELF.moods += 1
    for _ in range(3):
        try:
            found = SHELF.look(name) or []
        except Exception:  # noqa: S112 - another try
            continue
        rows = [{"title": each, "mood": SHELF.moods} for each in found[:20]]
        return answer("success" if rows else "empty", rows)
    return failure("DOWN", "the shelf cannot be reached; try again", retryable=True)


def forgetful(name: str) -> Any:
    """Do the same, and leave out the titles after a failure."""
    try:
        SHELF.look(name)
        return moody(name)
    except Exception:
        found = moody(name)
        return found | {"data": [{"mood": each["mood"]} for each in found["data"]]}


def wander(name: str) -> Any:
    """Ask for another thing each time, as with a number that is used once."""
    SHELF.moods += 1
    try:
        found = SHELF.look(f"{name} {SHELF.moods}")
    except (TimeoutError, ConnectionError):
        return failure("DOWN", "the shelf cannot be reached; try again", retryable=True)
    except Exception:
        found = []
    return answer("success" if found else "empty", found)


def test_calls_about_another_thing_each_time_are_broken(
    explore: Explore, engine: Engine
) -> None:
    evidence = explore(wander, success={"name": "tea"}, ignore=ANY_SIZE).evidence
    assert evidence.planned == evidence.fired
    assert f"{LOOK}.call[*]@test_faults.py:wander#0!no_permission" in evidence.fired
    hidden = next(each for each in evidence.findings if each.rule == "TR902")
    asked = eval(hidden.replay)  # noqa: S307 - what the replay above has written
    again = engine.replay(assigned(wander), FAULTS, asked).evidence
    assert "TR902" in {each.rule for each in again.findings}


def test_data_that_differs_anyway_is_no_faults_doing(explore: Explore) -> None:
    evidence = explore(moody, success={"name": "tea"}, ignore=ANY_SIZE).evidence
    assert not {each.rule for each in evidence.findings} & {"TR901", "TR903"}
    assert evidence.not_covered["faults"] == (
        "its data differs from call to call without any fault (data[].mood), so a"
        " difference there was taken for no fault's doing"
    )
    found = explore(forgetful, success={"name": "tea"}, ignore=ANY_SIZE).evidence
    assert "TR901" in {each.rule for each in found.findings}


@pytest.mark.usefixtures("echo")
def test_a_loop_that_stands_still_is_told_at_the_wait(explore: Explore) -> None:
    keywords = {"success": {"name": "tea"}, "dependencies": []}
    findings = explore(wait_on_the_loop, **keywords).evidence.findings
    still = [each for each in findings if each.rule == "TR805"]
    assert {each.fault["name"] for each in still if each.fault} == {"timeout"}
    assert " timed out " in still[0].circumstances
    assert len({each.place for each in still}) == len(still)


def test_a_success_is_found_where_none_is_declared(explore: Explore) -> None:
    evidence = explore(find).evidence
    assert evidence.planned
    assert evidence.planned == evidence.fired


def test_a_partial_result_will_do_for_a_tool_that_never_sends_all(
    explore: Explore,
) -> None:
    def first_of_many(name: str) -> Any:
        found = SHELF.look(name or "tea")
        return answer("partial", found, truncated=True, total=9, next_cursor="2")

    def hides_failures(name: str) -> Any:
        try:
            return first_of_many(name)
        except Exception:
            return answer("empty", [])

    evidence = explore(hides_failures, ignore=ANY_SIZE).evidence
    assert evidence.planned
    assert evidence.planned == evidence.fired
    assert "TR902" in {each.rule for each in evidence.findings}


def test_what_is_wrong_without_a_fault_is_another_items_affair(
    explore: Explore,
) -> None:
    def crooked(name: str) -> Any:
        found = find(name)
        return found | {"took": 3}

    def told(**keywords: Any) -> list[str]:
        found = explore(crooked, **keywords).evidence.findings
        return [each.rule for each in found]

    assert told() == []
    assert told(fuzz=False) == ["TR104"]
    assert told(fuzz=False, success={"name": "tea"}) == []


def test_without_a_success_there_is_nothing_to_break(explore: Explore) -> None:
    def never(name: str) -> Any:
        return failure("NEVER", f"no, never, {name}", retryable=False)

    explored = explore(never)
    assert explored.judged == 0
    assert "no success to start from among 60 calls" in explored.why_nothing
    explored = explore(never, success={"name": "tea"})
    assert explored.why_nothing == (
        'the success case {"name": "tea"} does not succeed (error NEVER)'
    )


def test_without_a_dependency_nothing_is_passed(explore: Explore) -> None:
    def echo(name: str) -> Any:
        return answer("success", name)

    explored = explore(echo, success={"name": "tea"})
    assert explored.judged == 0
    assert "no call to anything it depends on was seen" in explored.why_nothing
    assert explored.evidence.not_covered.keys() == {"faults"}


def test_a_tool_that_answers_differently_each_time_is_said(explore: Explore) -> None:
    turns: list[str] = []

    def moody(name: str) -> Any:
        turns.append(name)
        return find(name) if len(turns) % 2 else answer("empty", [])

    explored = explore(moody, success={"name": "tea"})
    assert explored.judged == 0
    assert explored.why_nothing == (
        "it answers differently each time, without any fault: first success, then empty"
    )


def test_what_is_kept_from_the_first_call_on_is_reported_as_not_broken(
    explore: Explore,
) -> None:
    kept: dict[str, Any] = {}

    def lazy(name: str) -> Any:
        if name not in kept:
            kept[name] = find(name)
        return kept[name]

    explored = explore(lazy, success={"name": "tea"})
    assert explored.judged == 0
    assert explored.why_nothing == "none of the 1 faults took effect"
    assert len(explored.evidence.planned) == 1
    assert explored.evidence.fired == frozenset()


def test_the_most_calls_are_kept_to_and_what_is_left_out_is_said(
    explore: Explore,
) -> None:
    def walk(name: str) -> Any:
        first = SHELF.look(f"{name} a")
        second = SHELF.look(f"{name} b")
        return answer("success", [*first, *second])

    explored = explore(walk, success={"name": "tea"}, examples=10)
    assert explored.evidence.calls <= 10
    assert "faults that were left out: " in explored.evidence.not_covered["faults"]
    assert len({key.split("@")[0] for key in explored.evidence.fired}) == 2


def test_a_loop_is_broken_at_its_ends_and_in_the_middle(explore: Explore) -> None:
    def pages(name: str) -> Any:
        found = [each for page in range(9) for each in SHELF.look(f"{name} {page}")]
        return answer("success", found)

    evidence = explore(pages, success={"name": "tea"}, examples=500).evidence
    timed_out = {key for key in evidence.planned if key.endswith("!timeout")}
    assert {key.split("'")[1] for key in timed_out} == {"tea 0", "tea 4", "tea 8"}


def test_a_hang_under_a_fault_does_not_blame_the_arguments(engine: Engine) -> None:
    def spin(name: str) -> Any:
        while True:
            try:
                return answer("success", SHELF.look(name))
            except ConnectionError:
                continue
            except Exception:
                return failure("SHELF", "the shelf is broken", retryable=False)

    assignment = assigned(spin, success={"name": "tea"}, timeout=0.3)
    for _ in range(2):
        findings = engine.explore(assignment, FAULTS).evidence.findings
        assert ("TR803", "refused") in by_fault(findings)


def test_real_rows_of_a_real_database(explore: Explore, tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table tea (name text)")
        connection.executemany("insert into tea values (?)", [("oolong",), ("assam",)])
        connection.commit()

    def teas() -> Any:
        try:
            with closing(sqlite3.connect(path)) as connection:
                rows = connection.execute("select name from tea").fetchall()
        except sqlite3.OperationalError as error:
            busy = "locked" in str(error)
            return failure("DB", "the database did not answer", retryable=busy)
        except sqlite3.Error:
            return failure("DB", "the database did not answer", retryable=False)
        return answer("success" if rows else "empty", [row[0] for row in rows])

    evidence = explore(teas, dependencies=[]).evidence
    assert evidence.statuses.keys() >= {"success", "empty", "error"}, (
        evidence.not_covered
    )
    assert {key.split(".")[0] for key in evidence.planned} == {"sqlite3"}
    assert "TR902" not in {each.rule for each in evidence.findings}
