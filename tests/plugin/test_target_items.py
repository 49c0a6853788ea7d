"""Targets as items: which there are, how they are named, and which are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Write = Callable[..., None]

TARGET = "shop:TOOLS"
ADD, FIND, FIRST = (
    f"{TARGET}::{each}::fuzz" for each in ("add", "find_orders", "first_word")
)
ALL = {ADD: "passed", FIND: "passed", FIRST: "failed"}
PLAIN = "def test_plain():\n    pass\n"


def test_a_target_is_driven_and_test_files_are_left_alone(
    write: Write, run: Run
) -> None:
    write("test_plain.py", PLAIN)
    ran = run("--toolresult", TARGET)
    assert ran.outcomes == ALL
    assert list(ran.outcomes) == [ADD, FIND, FIRST]
    assert ran.exit == 1
    assert "FAILED shop:TOOLS::first_word::fuzz - Failed: TR801" in ran.stdout
    assert "traceback entries are hidden" not in ran.stdout


def test_a_target_and_test_files_that_are_named_run_together(
    write: Write, run: Run
) -> None:
    write("test_plain.py", PLAIN)
    write("test_other.py", PLAIN)
    ran = run("--toolresult", TARGET, "test_plain.py")
    assert ran.outcomes == ALL | {"test_plain.py::test_plain": "passed"}
    assert run("--toolresult", TARGET, "test_plain.py", ADD).outcomes == {
        ADD: "passed",
        "test_plain.py::test_plain": "passed",
    }


def test_targets_of_the_ini_file_wait_to_be_asked_for(write: Write, run: Run) -> None:
    write("tests/test_plain.py", PLAIN)
    ini = ("-o", f"toolresult_tools={TARGET}", "-o", "testpaths=tests")
    plain = {"tests/test_plain.py::test_plain": "passed"}
    assert run(*ini).outcomes == plain
    assert run(*ini, "--toolresult-auto").outcomes == ALL | plain
    assert run(*ini, "--toolresult-auto", "tests").outcomes == ALL | plain
    assert run(*ini, ADD).outcomes == {ADD: "passed"}
    assert (
        run(*ini, "--toolresult-auto", "--toolresult", TARGET).outcomes == ALL | plain
    )
    assert run(*ini, "--toolresult", "shop:add").outcomes == {
        "shop:add::add::fuzz": "passed"
    }


@pytest.mark.parametrize(
    ("node_id", "chosen"),
    [
        (TARGET, {ADD, FIND, FIRST}),
        (f"{TARGET}::add", {ADD}),
        (ADD, {ADD}),
    ],
)
def test_node_ids_are_taken_back(run: Run, node_id: str, chosen: set[str]) -> None:
    assert run("--toolresult", TARGET, node_id).outcomes.keys() == chosen


def test_a_node_id_of_a_target_that_is_not_listed_names_it(run: Run) -> None:
    assert run(ADD, FIND).outcomes == {ADD: "passed", FIND: "passed"}
    assert run("shop.py:TOOLS::add::fuzz").outcomes == {
        "shop.py:TOOLS::add::fuzz": "passed"
    }


@pytest.mark.parametrize("target", ["tools:TOOLS", "tools.py:TOOLS"])
def test_a_node_id_is_taken_as_pytest_prints_it_below_its_root(
    write: Write,
    run: Run,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
) -> None:
    write(
        "below/tools.py",
        "def half(n: int) -> float:\n    return 1 / n\n\nTOOLS = [half]\n",
    )
    monkeypatch.chdir(project / "below")
    ran = run("--toolresult", target)
    assert ran.outcomes == {f"{target}::half::fuzz": "failed"}
    printed = f"../{target}::half::fuzz"
    assert f"FAILED {printed}" in ran.stdout
    assert run(printed).outcomes == ran.outcomes


def test_an_alias_names_the_items(run: Run) -> None:
    ran = run("--toolresult", f"mine={TARGET}", "mine::add")
    assert ran.outcomes == {"mine::add::fuzz": "passed"}
    assert run("--toolresult", f"mine={TARGET}").outcomes.keys() == {
        f"mine::{each}::fuzz" for each in ("add", "find_orders", "first_word")
    }


def test_files_are_named_by_relative_and_by_absolute_path(
    write: Write, run: Run, project: Path
) -> None:
    write("my tools/odd names.py", "def one(n: int) -> int:\n    return n\n")
    ran = run("--toolresult", "my tools/odd names.py:one")
    assert ran.outcomes == {"my-tools/odd-names.py:one::one::fuzz": "passed"}
    node_id = next(iter(ran.outcomes))
    assert run("--toolresult", "my tools/odd names.py:one", node_id).exit == 0
    ran = run("--toolresult", str(project / "shop.py") + ":add")
    assert [name.rpartition("/")[2] for name in ran.outcomes] == [
        "shop.py:add::add::fuzz"
    ]


def test_several_targets_are_driven(write: Write, run: Run) -> None:
    write("more.py", "def one(n: int) -> int:\n    return n\n\nTOOLS = {'uno': one}\n")
    ran = run(
        "--toolresult", "shop:add", "--toolresult", "more", "--toolresult", "more"
    )
    assert list(ran.outcomes) == ["shop:add::add::fuzz", "more::uno::fuzz"]


def test_a_tool_is_one_row_however_it_was_reached(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import find_orders

        @pytest.mark.toolresult(tool=find_orders, partial={"customer_id": "c-1"})
        def test_it(tool_case):
            tool_case.run()
        """,
    )
    ran = run("--toolresult", "shop.py:find_orders", "test_it.py")
    assert len(ran.outcomes) == 3
    statuses = ran.tool("find_orders")["statuses"]
    assert statuses["partial"]["by"] == ["declared", "fuzz", "relations"]


def test_names_and_marks_select(run: Run) -> None:
    assert run("--toolresult", TARGET, "-k", "add or first").outcomes.keys() == {
        ADD,
        FIRST,
    }
    assert run("--toolresult", TARGET, "-k", "fuzz and not first").exit == 0
    assert (
        run("--toolresult", TARGET, "-m", "slow").exit
        == pytest.ExitCode.NO_TESTS_COLLECTED
    )
    ran = run("--toolresult", TARGET, "--deselect", FIRST)
    assert ran.outcomes == {ADD: "passed", FIND: "passed"}


def test_last_failed_and_stepwise_know_the_items(run: Run) -> None:
    target = ("--toolresult", TARGET)
    run(*target)
    assert run(*target, "--lf").outcomes == {FIRST: "failed"}
    assert next(iter(run(*target, "--ff").outcomes)) == FIRST
    assert list(run(*target, "--sw").outcomes) == [ADD, FIND, FIRST]
    assert list(run(*target, "--sw").outcomes) == [FIRST]


def test_a_run_stops_at_the_first_failure(write: Write, run: Run) -> None:
    write(
        "several.py",
        """
        def a_bad(n: int) -> int:
            return 1 // n
        def b_bad(n: int) -> int:
            return 1 // n
        def c_bad(n: int) -> int:
            return 1 // n
        TOOLS = [a_bad, b_bad, c_bad]
        """,
    )
    assert len(run("--toolresult", "several", "-x").outcomes) == 1
    assert len(run("--toolresult", "several", "--maxfail=2").outcomes) == 2


def test_items_are_listed(run: Run) -> None:
    ran = run("--toolresult", TARGET, "--collect-only", "-q")
    listed = [line for line in ran.stdout.splitlines() if "::" in line]
    names = ("fuzz", "faults", "relations")
    assert listed == [
        each.replace("::fuzz", f"::{name}") for each in ALL for name in names
    ]
    assert ran.outcomes == {}
    assert ran.report == {}
    assert "tool result coverage" not in ran.stdout
    tree = run("--toolresult", TARGET, "--collect-only").stdout
    assert "<TargetCollector shop:TOOLS>" in tree
    assert "    <ToolItem fuzz>" in tree


@pytest.mark.parametrize("capture", ["--capture=fd", "--capture=sys", "-s"])
def test_every_way_of_capturing(write: Write, run: Run, capture: str) -> None:
    write(
        "noisy.py",
        """
        import logging
        import os
        import sys

        def speak(n: int) -> int:
            print("said aloud")
            os.write(1, b"and below")
            sys.stderr.write("beside")
            logging.getLogger("noisy").warning("a warning of %s", n)
            return n
        """,
    )
    ran = run("--toolresult", "noisy:speak", capture)
    assert ran.short == {"fuzz": "failed"}
    assert ran.rules == {"TR804"}
    assert "said aloud\\nand below" in ran.stdout
    assert "Captured log call" not in ran.stdout
    assert "Captured stderr call" not in ran.stdout


def test_what_a_replayed_call_logs_is_shown(write: Write, run: Run) -> None:
    write(
        "noisy.py",
        """
        import logging

        def speak(n: int) -> int:
            logging.getLogger("noisy").warning("a warning of %s", n)
            return 1 // n
        """,
    )
    assert "a warning of" not in run("--toolresult", "noisy:speak").stdout
    node_id = "noisy:speak::speak::fuzz"
    assert "a warning of 0" in run(node_id, '--toolresult-replay={"n": 0}').stdout


@pytest.mark.parametrize(
    "options",
    [
        ("--tb=no",),
        ("--tb=short",),
        ("--tb=line",),
        ("--tb=native",),
        ("--tb=long",),
        ("-v",),
        ("-vv",),
        ("-q",),
        ("-p", "no:cacheprovider"),
        ("-p", "no:logging"),
        ("-p", "no:capture"),
        ("--import-mode=importlib",),
        ("--import-mode=append",),
        ("-p", "xdist"),
        ("-p", "no:xdist"),
        ("--showlocals",),
        ("--durations=3",),
        ("-rA",),
    ],
    ids=" ".join,
)
def test_the_usual_options_of_pytest(run: Run, options: tuple[str, ...]) -> None:
    ran = run("--toolresult", TARGET, *options)
    assert ran.outcomes == ALL
    assert ran.exit == 1
    assert "traceback entries are hidden" not in ran.stdout
    assert "INTERNALERROR" not in ran.stdout
    assert ("TR801 exception-escapes  first_word" in ran.stdout) == (
        "--tb=no" not in options
    )


def test_without_a_terminal_reporter(run: Run) -> None:
    ran = run("--toolresult", TARGET, "-p", "no:terminal")
    assert ran.outcomes == ALL
    assert ran.rules == {"TR801"}


def test_findings_go_into_the_junit_file(run: Run, project: Path) -> None:
    run("--toolresult", TARGET, "--junitxml=junit.xml")
    tree = ET.parse(project / "junit.xml")  # noqa: S314 - our own file
    case = next(
        each for each in tree.iter("testcase") if each.find("failure") is not None
    )
    assert case.get("classname") == "shop:TOOLS.first_word"
    values = [each.get("value") or "" for each in case.iter("property")]
    assert len(values) == 1
    assert values[0].startswith("TR801 first_word")


def test_without_the_plugin_its_option_is_unknown(
    spawn: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        monkeypatch.delenv(name)
    ran = spawn("-p", "no:toolresult", "--toolresult", TARGET)
    assert ran.exit == pytest.ExitCode.USAGE_ERROR
    assert "unrecognized arguments" in ran.stderr


def test_without_the_plugin_other_tests_run_on(
    write: Write, pytester: pytest.Pytester
) -> None:
    write("test_plain.py", PLAIN)
    write("toolresult.toml", "this is no TOML")
    done = pytester.runpytest_inprocess("-p", "no:toolresult", "-p", "no:randomly")
    done.assert_outcomes(passed=1)


def test_a_conftest_that_breaks_is_the_error_that_is_told(
    write: Write, run: Run
) -> None:
    write("tests/conftest.py", "raise RuntimeError('not today')")
    write("tests/test_plain.py", PLAIN)
    ran = run("--toolresult", TARGET, "tests")
    assert ran.exit == pytest.ExitCode.USAGE_ERROR
    assert ran.outcomes == {}
    assert "RuntimeError: not today" in ran.stderr


def test_a_file_that_breaks_leaves_targets_alone(write: Write, run: Run) -> None:
    write("test_broken.py", "import no_such_module")
    arguments = ("--toolresult", TARGET, "test_broken.py")
    assert run(*arguments).exit == pytest.ExitCode.INTERRUPTED
    assert run(*arguments, "--continue-on-collection-errors").outcomes == ALL


def test_no_item_passes_without_a_call(write: Write, run: Run) -> None:
    write(
        "useless.py",
        """
        import subprocess
        from typing import Annotated
        from pydantic import AfterValidator

        class Opaque:
            pass

        def refuses(it: Opaque) -> int:
            return 1

        def starts(text: str) -> str:
            return subprocess.run(["true", text]).args[1]

        def reject(n):
            raise ValueError("no number is good enough")

        def never_valid(n: Annotated[int, AfterValidator(reject)]) -> int:
            return n

        def works(n: int) -> int:
            return n

        TOOLS = [refuses, starts, never_valid, works]
        """,
    )
    ran = run("--toolresult", "useless", "-rs")
    assert ran.outcomes == {
        "useless::never_valid::fuzz": "skipped",
        "useless::refuses::fuzz": "skipped",
        "useless::starts::fuzz": "skipped",
        "useless::works::fuzz": "passed",
    }
    assert "starts a process: true" in ran.stdout
    assert 'allow=("subprocess",)' in ran.stdout
    assert "no number is good enough" in ran.stdout
    passed = [name for name, each in ran.outcomes.items() if each == "passed"]
    assert all(ran.report["evidence"][name]["calls"] for name in passed)


def test_the_order_of_items_does_not_matter(write: Write, run: Run) -> None:
    write(
        "conftest.py",
        """
        def pytest_collection_modifyitems(items):
            items.reverse()
        """,
    )
    backwards = run("--toolresult", TARGET)
    assert list(backwards.outcomes) == [FIRST, FIND, ADD]
    assert backwards.outcomes == ALL
    (found,) = backwards.findings
    (usual,) = run("--toolresult", TARGET, "-p", "no:conftest").findings
    assert found == usual
