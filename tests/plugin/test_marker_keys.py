"""Each keyword argument of the marker changes how a test of its own ends."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Marked = Callable[..., Any]

TOOLS = '''
from __future__ import annotations

import logging
import socket
import subprocess
import time
from pathlib import Path

from shop import add, answer, find_orders, first_word

RUNNING = []
STOCK = [3]
ASIDE = Path(__file__).parent / "written.txt"


def spin(n: int) -> int:
    while n == 0:
        time.sleep(0.002)
    return n


def slow(n: int) -> int:
    time.sleep(0.15)
    return n


def halves(n: int) -> dict:
    return {"ok": True, "out": n}


def quote(path: str) -> str:
    return "Error: " + path


def output(command: str) -> dict:
    error = {"code": "EXIT_1", "message": "the command failed", "retryable": False}
    return answer("error", {"stdout": "", "stderr": "no"}, error)


def take(number: int) -> dict:
    """Take one from the stock."""
    STOCK[0] -= 1
    assert STOCK[0] >= 0
    return answer("success", STOCK[0] + 1)


def save(text: str) -> dict:
    ASIDE.write_text(text)
    return answer("success", {"saved": len(text)})


def double(text) -> dict:
    return answer("success", text * 2 + "!")


def check_health(region: str) -> dict:
    if RUNNING:
        return answer("success", {"region": region})
    return answer("error", error={"code": "DOWN", "message": "The service is down;"
                                  " try again.", "retryable": True})
'''


@pytest.fixture
def marked(write: Callable[..., None], run: Run) -> Marked:
    """Run one test that is marked with these keywords; its body checks nothing."""
    write("tools.py", TOOLS)

    def run_marked(keywords: str, *args: str, before: str = "") -> Any:
        test = f"""
            from __future__ import annotations
            from contextlib import contextmanager
            import pytest
            from pytest_toolresult import Case, Contract
            import tools
            from tools import *

            {textwrap.indent(textwrap.dedent(before), " " * 12).strip()}

            @pytest.mark.toolresult({keywords})
            def test_it(tool_case):
                tool_case.run()
            """
        write("test_it.py", test)
        return run("test_it.py", *args)

    return run_marked


def kinds_of_ending(ran: Any) -> dict[str, str]:
    return {
        name.partition("[")[2].removesuffix("]"): each
        for name, each in ran.outcomes.items()
    }


def test_tool_is_what_is_called(marked: Marked) -> None:
    ran = marked('tool=find_orders, success={"customer_id": "c-1", "limit": 99}')
    assert kinds_of_ending(ran) == {"success": "passed", "fuzz": "passed"}
    assert ran.tool("find_orders")["statuses"]["success"]["by"] == [
        "declared",
        "fuzz",
        "relations",
    ]


@pytest.mark.parametrize(
    ("path", "right", "wrong"),
    [
        ("success", {"customer_id": "c-1", "limit": 99}, {"customer_id": "nobody"}),
        ("empty", {"customer_id": "nobody"}, {"customer_id": "c-1", "limit": 99}),
        ("partial", {"customer_id": "c-1"}, {"customer_id": "nobody"}),
        ("error", {"customer_id": ""}, {"customer_id": "nobody"}),
    ],
)
def test_each_path_is_a_promise(
    marked: Marked, path: str, right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    ran = marked(f"tool=find_orders, fuzz=False, {path}=[{right}, {wrong}]")
    assert kinds_of_ending(ran) == {path: "passed", f"{path}-2": "failed"}
    assert ran.rules == {"TR210"}


def test_a_case_promises_a_code(marked: Marked) -> None:
    ran = marked(
        'tool=find_orders, fuzz=False, error=[Case({"customer_id": ""},'
        ' code="BAD_REQUEST"), Case({"customer_id": ""}, code="DB_TIMEOUT")]'
    )
    assert kinds_of_ending(ran) == {
        "error-BAD_REQUEST": "passed",
        "error-DB_TIMEOUT": "failed",
    }


def test_a_case_brings_about_its_circumstances(marked: Marked) -> None:
    running = """
        @contextmanager
        def running():
            tools.RUNNING.append(1)
            yield
            tools.RUNNING.clear()
        """
    ran = marked(
        'tool=check_health, fuzz=False, success=Case({"region": "eu"}, when=running),'
        ' error={"region": "eu"}',
        before=running,
    )
    assert kinds_of_ending(ran) == {"success": "passed", "error": "passed"}


def test_a_case_has_the_id_it_is_given(marked: Marked) -> None:
    ran = marked(
        'tool=find_orders, fuzz=False, empty=Case({"customer_id": "n"}, id="no-orders")'
    )
    assert kinds_of_ending(ran) == {"no-orders": "passed"}


@pytest.mark.parametrize(
    ("tool", "case", "kind", "rule"),
    [
        ("quote", 'success={"path": "a.log"}', "file", "TR201"),
        ("output", 'error={"command": "ls"}', "query", "TR204"),
    ],
)
def test_kind_decides_on_rules(
    marked: Marked, tool: str, case: str, kind: str, rule: str
) -> None:
    without = marked(f"tool={tool}, fuzz=False, {case}")
    assert (rule in without.rules) == (rule == "TR201")
    ran = marked(f'tool={tool}, fuzz=False, {case}, kind="{kind}"')
    assert (rule in ran.rules) == (rule == "TR204")
    assert ran.tool(tool)["kind"] == kind


def test_never_takes_a_path_out_of_what_is_expected(marked: Marked) -> None:
    keywords = (
        'tool=find_orders, fuzz=False, success={"customer_id": "c-1", "limit": 99},'
        " relations=False"
    )
    assert marked(keywords).report["summary"]["coverage"] == 25.0
    never = 'never={"partial": "reads all", "empty": "all have some", "error": "none"}'
    assert marked(f"{keywords}, {never}").report["summary"]["coverage"] == 100.0


def test_a_path_that_never_is_and_is_seen_fails(marked: Marked) -> None:
    ran = marked('tool=find_orders, never={"empty": "all have orders"}')
    assert kinds_of_ending(ran) == {"fuzz": "failed"}
    assert ran.rules == {"TR210"}


def test_codes_are_expected_of_a_tool(marked: Marked) -> None:
    error = 'tool=find_orders, fuzz=False, error={"customer_id": ""}'
    assert set(marked(error).tool("find_orders")["codes"]) == {"BAD_REQUEST"}
    ran = marked(f'{error}, codes=["BAD_REQUEST", "DB_TIMEOUT"]')
    assert ran.tool("find_orders")["codes"]["DB_TIMEOUT"] == {
        "expected": True,
        "seen": 0,
    }
    assert "DB_TIMEOUT" in ran.stdout


def test_what_is_not_allowed_is_not_explored(marked: Marked) -> None:
    ran = marked("tool=save")
    assert kinds_of_ending(ran) == {"fuzz": "skipped"}
    assert 'allow=("files",)' in ran.stdout


@pytest.mark.parametrize("key", ['allow=["files"]', "repeatable=True"])
def test_what_is_allowed_is_explored(marked: Marked, key: str) -> None:
    ran = marked(f"tool=save, examples=20, faults=False, {key}")
    assert kinds_of_ending(ran) == {"fuzz": "passed"}
    assert ran.tool("save")["calls"] >= 20


def test_allow_is_no_more_than_it_says(marked: Marked) -> None:
    ran = marked('tool=save, allow=["network", "sql"]')
    assert kinds_of_ending(ran) == {"fuzz": "skipped"}


@pytest.mark.parametrize(
    ("validated", "ending"), [("True", "passed"), ("False", "failed")]
)
def test_validate_arguments_stands_before_the_tool(
    marked: Marked, validated: str, ending: str
) -> None:
    ran = marked(f"tool=add, validate_arguments={validated}")
    assert kinds_of_ending(ran) == {"fuzz": ending}
    assert ran.tool("add")["validate_arguments"] is (validated == "True")


def test_a_marker_says_more_than_the_ini_file_about_validation(marked: Marked) -> None:
    ini = ("-o", "toolresult_validate_arguments=false")
    assert kinds_of_ending(marked("tool=add", *ini)) == {"fuzz": "failed"}
    validated = marked("tool=add, validate_arguments=True", *ini)
    assert kinds_of_ending(validated) == {"fuzz": "passed"}


def test_a_dialect_reads_the_results(marked: Marked) -> None:
    success = 'tool=halves, fuzz=False, success={"n": 1}'
    assert kinds_of_ending(marked(success)) == {"success": "passed"}
    ran = marked(f'{success}, dialect="envelope"')
    assert kinds_of_ending(ran) == {"success": "failed"}
    assert ran.rules >= {"TR101"}
    ran = marked(f'{success}, dialect="map: status=ok data=out"')
    assert ran.tool("halves")["dialect"] == "map: status=ok data=out"


def test_a_dialect_may_be_a_function(marked: Marked) -> None:
    function = """
        def as_partial(raw):
            return {"status": "partial", "data": raw["out"], "error": None,
                    "meta": {"truncated": True, "total": None}}
        """
    keywords = 'tool=halves, fuzz=False, partial={"n": 1}, dialect=as_partial'
    assert kinds_of_ending(marked(keywords, before=function)) == {"partial": "passed"}


def test_reset_runs_before_every_call(marked: Marked) -> None:
    assert kinds_of_ending(marked("tool=take"))["fuzz"] == "failed"
    reset = "def refill(): tools.STOCK[0] = 3"
    ran = marked("tool=take, reset=refill", before=reset)
    assert kinds_of_ending(ran)["fuzz"] == "passed"


def test_reset_may_be_the_name_of_a_fixture(marked: Marked) -> None:
    fixture = """
        @pytest.fixture
        def refill():
            def fill():
                tools.STOCK[0] = 3
            return fill
        """
    ran = marked('tool=take, reset="refill"', before=fixture)
    assert kinds_of_ending(ran)["fuzz"] == "passed"


def test_a_reset_fixture_that_is_missing_is_named(marked: Marked) -> None:
    ran = marked('tool=take, reset="refil"')
    assert kinds_of_ending(ran)["fuzz"] == "failed"
    assert "fixture 'refil' not found" in ran.stdout


def test_ignore_waives_a_rule(marked: Marked) -> None:
    assert kinds_of_ending(marked("tool=first_word"))["fuzz"] == "failed"
    ran = marked('tool=first_word, ignore={"TR801": "it is going to be replaced"}')
    assert kinds_of_ending(ran)["fuzz"] == "passed"
    assert ran.findings == []


def test_fuzz_may_be_left_out(marked: Marked) -> None:
    ran = marked('tool=first_word, success={"text": "a b"}, fuzz=False')
    assert kinds_of_ending(ran) == {"success": "passed"}


def test_examples_bound_the_exploration(marked: Marked) -> None:
    assert marked("tool=find_orders, examples=7").at("fuzz]")["calls"] == 7
    assert marked("tool=find_orders, examples=70").at("fuzz]")["calls"] == 70


@pytest.mark.parametrize(("timeout", "ending"), [("0.05", "failed"), ("2", "passed")])
def test_timeout_bounds_a_call(marked: Marked, timeout: str, ending: str) -> None:
    ran = marked(f'tool=slow, fuzz=False, success={{"n": 1}}, timeout={timeout}')
    assert kinds_of_ending(ran) == {"success": ending}
    assert ran.rules == ({"TR803"} if ending == "failed" else set())


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ('sucess={"a": 1}', "unknown argument 'sucess'; did you mean 'success'?"),
        ('kind="querry"', "unknown kind 'querry'; did you mean 'query'?"),
        ('never={"parial": "why"}', "unknown path in never 'parial'; did you mean"),
        ('never={"partial": ""}', "needs a reason in words, not ''"),
        (
            'never={"empty": "x"}, empty={"a": 1}',
            "path 'empty' has cases and is also declared impossible",
        ),
        ('ignore={"TR999": "x"}', "unknown rule 'TR999'"),
        ('ignore={"TR402": ""}', "needs a reason"),
        ('ignore=["TR402"]', "ignore must map each name to its reason"),
        ('dialect="envelop"', "unknown dialect 'envelop'; did you mean 'envelope'?"),
        ('dialect="no.such.function"', "is no function that can be imported"),
        ('dialect="map: data"', "is no mapping; write it as"),
        ('allow=["netwrok"]', "unknown permission in allow 'netwrok'; did you mean"),
        ('allow="network"', "allow must be a list of texts"),
        ("success={1, 2}", "success must be arguments (a mapping), a Case or a list"),
        ('success={"a": {1}}', "are no JSON object"),
        ("success={1: 2}", "must be texts"),
        ('success=[["a"]]', "must be a mapping"),
        ('success=Case({}, code="X")', "only errors have codes"),
        ('success=Case({}, status="empty")', "leave its status out"),
        ('error=Case({}, when="shop")', "must be a callable that returns a context"),
        ("budget=-1", "budget must be a number above 0, not -1"),
        ("examples=1.5", "examples must be a number above 0, not 1.5"),
        ("timeout=0", "timeout must be a number above 0, not 0"),
        ("repeatable=1", "repeatable must be True or False, not 1"),
        ('fuzz="no"', "fuzz must be True or False, not 'no'"),
        ("faults=0", "faults must be True or False, not 0"),
        ("relations=None", "relations must be True, False or a list of relations"),
        ("relations=[]", "such as relations=[limit_halves_rows], not []"),
        ("relations=[add]", "which is no relation; make one of a function with"),
        ('validate_arguments="no"', "validate_arguments must be True or False"),
        ("reset=3", "reset must be a callable or a name, not 3"),
        ('codes="X"', "codes must be a list of texts, not 'X'"),
        ('dependencies="shop.db"', "dependencies must be a list of texts"),
        ("allow_pii=[1]", "allow_pii must be a list of texts"),
    ],
)
def test_what_cannot_be_declared_is_a_collection_error(
    marked: Marked, keywords: str, told: str
) -> None:
    ran = marked(f"tool=add, {keywords}")
    assert ran.exit == pytest.ExitCode.INTERRUPTED
    assert told in ran.stdout
    assert "test_it: " in ran.stdout
    assert "Traceback" not in ran.stdout


NOTES = """
    from pathlib import Path

    LOG = Path(__file__).with_name("log.txt")

    def note(text: str) -> str:
        with LOG.open("a") as file:
            file.write("x")
        return LOG.read_text()
    """


def test_a_reset_permits_what_it_puts_back(
    marked: Marked, write: Callable[..., None], project: Path
) -> None:
    write("notes.py", NOTES)
    stopped = marked("tool=notes.note", before="import notes")
    assert kinds_of_ending(stopped)["fuzz"] == "skipped"
    assert not (project / "log.txt").exists()
    clear = "import notes\ndef clear(): notes.LOG.write_text('')"
    ran = marked("tool=notes.note, reset=clear", before=clear)
    assert kinds_of_ending(ran)["fuzz"] == "passed"
    assert (project / "log.txt").read_text() == "x"
