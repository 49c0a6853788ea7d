"""The examples do what their words and the documentation say.

Each runs as a user runs it: in a process of its own, in a copy of its folder.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
OUTPUTS = ROOT / "docs" / "outputs"

EXIT_FAILED = 1
RETURNS = re.compile(r"(?m)^  .* return statements never reached: .*\n")
"""What is watched on Python 3.12 and newer alone."""

OUTCOME = re.compile(r"(?m)^\S*::(\S+) (PASSED|FAILED|SKIPPED|ERROR)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished pytest run."""

    folder: Path
    exit: int
    stdout: str
    report: dict[str, Any]
    outcomes: dict[str, str]

    @property
    def errors(self) -> list[tuple[str, str]]:
        """The tool and the rule of each finding that fails a run."""
        return sorted(
            (tool["name"], finding["rule"])
            for tool in self.report["tools"]
            for finding in tool["findings"]
            if finding["severity"] == "error"
        )

    @property
    def told(self) -> str:
        """What the run prints about findings and coverage."""
        found = TOLD.search(self.stdout)
        assert found, self.stdout
        return re.sub(r"(?m)^-+ generated xml file.*\n", "", found[0])

    @property
    def rules(self) -> set[str]:
        """The rules that were broken, whatever their severity."""
        return {
            finding["rule"]
            for tool in self.report["tools"]
            for finding in tool["findings"]
        }

    @property
    def dialects(self) -> set[str]:
        """The dialects in which results were read."""
        return {tool["dialect"] for tool in self.report["tools"]}


TOLD = re.compile(
    r"(?ms)^=+ FAILURES =+$.*?(?=\n+Arguments found for each|^=+ short test summary)"
)
"""Up to what `-v` adds: what Hypothesis draws differs from one version to the next."""
MAP = "map: status=ok data=result error=err"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """Run pytest in a copy of an example, once for all tests that ask the same."""

    @cache
    def once(example: str, *options: str) -> Run:
        folder = tmp_path_factory.mktemp("example") / example
        ignored = shutil.ignore_patterns("__pycache__", "*.sqlite3", ".*")
        shutil.copytree(EXAMPLES / example, folder, ignore=ignored)
        return run_pytest(folder, *options)

    return once


def run_pytest(folder: Path, *options: str) -> Run:
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:randomly"]
    command += ["--toolresult-timeout=1", "--toolresult-report=json:report.json"]
    done = subprocess.run(
        [*command, "--junitxml=junit.xml", *options],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    report = folder / "report.json"
    assert report.exists(), done.stdout + done.stderr
    return Run(
        folder=folder,
        exit=done.returncode,
        stdout=done.stdout,
        report=json.loads(report.read_text("utf-8")),
        outcomes=dict(OUTCOME.findall(done.stdout)),
    )


def test_the_quickstart_finds_its_two_faults(run: Callable[..., Run]) -> None:
    shop = run("quickstart", "--toolresult", "shop.py:TOOLS")
    assert shop.errors == [("find_orders", "TR801"), ("get_order", "TR201")]
    assert shop.exit == EXIT_FAILED
    assert shop.dialects == {"envelope"}


def test_the_quickstart_changes_nothing_while_it_is_explored(
    run: Callable[..., Run],
) -> None:
    shop = run("quickstart", "--toolresult", "shop.py:TOOLS")
    with closing(sqlite3.connect(shop.folder / "shop.sqlite3")) as connection:
        assert connection.execute("SELECT count(*) FROM notes").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM orders").fetchone() == (8,)


def test_the_repaired_twin_passes(run: Callable[..., Run]) -> None:
    shop = run("quickstart", "--toolresult", "shop_fixed.py:TOOLS")
    assert shop.errors == []
    assert shop.exit == 0
    assert "PASSED" in shop.outcomes.values()


def test_the_twins_differ_by_the_repairs_alone() -> None:
    folder = EXAMPLES / "quickstart"
    broken, repaired = (
        (folder / name).read_text("utf-8").partition('"""\n\nfrom')[2].splitlines()
        for name in ("shop.py", "shop_fixed.py")
    )
    lines = list(difflib.unified_diff(broken, repaired, n=0, lineterm=""))[2:]
    assert [line for line in lines if line.startswith("-")] == [
        "-    since = date.fromisoformat(placed_since) if placed_since else date.min",
        '-        return answer("success", "Failed to find this order.")',
    ]
    assert sum(line.startswith("@@") for line in lines) == 2


def test_the_quickstarts_tool_test_walks_all_four_paths(
    run: Callable[..., Run],
) -> None:
    shop = run("quickstart", "test_shop.py")
    declared = ("success", "empty", "partial", "error-BAD_LIMIT", "error-DATABASE_BUSY")
    for name in declared:
        assert shop.outcomes[f"test_find_orders[{name}]"] == "PASSED", shop.stdout
    failed = {name for name, end in shop.outcomes.items() if end == "FAILED"}
    assert failed == {"test_find_orders[fuzz]"}
    (tool,) = shop.report["tools"]
    assert all(status["seen"] for status in tool["statuses"].values())
    assert shop.errors == [("find_orders", "TR801")]


def test_a_first_run_on_plain_text(run: Callable[..., Run]) -> None:
    first = run("first_runs", "--toolresult", "plain_text.py:TOOLS")
    assert first.errors == [
        ("count_pages", "TR803"),
        ("get_forecast", "TR801"),
        ("read_note", "TR201"),
        ("show_settings", "TR602"),
    ]
    assert first.dialects == {"native"}
    assert not any(rule.startswith("TR1") for rule in first.rules)
    assert first.exit == EXIT_FAILED


def test_a_first_run_on_results_of_ones_own(run: Callable[..., Run]) -> None:
    first = run("first_runs", "--toolresult", "own_result.py:TOOLS")
    assert first.errors == [
        ("count_stock", "TR801"),
        ("describe_upload", "TR602"),
        ("find_supplier", "TR201"),
        ("plan_deliveries", "TR803"),
    ]
    assert first.dialects == {MAP}
    assert f"toolresult_dialect = {MAP}" in first.stdout
    assert not any(rule.startswith("TR1") for rule in first.rules)


def test_a_first_run_on_the_envelope(run: Callable[..., Run]) -> None:
    first = run("first_runs", "--toolresult", "envelope.py:TOOLS")
    assert first.errors == [
        ("get_guest", "TR801"),
        ("list_guests", "TR202"),
        ("open_door", "TR201"),
        ("open_door", "TR602"),
        ("plan_breaks", "TR803"),
    ]
    assert first.dialects == {"envelope"}


@pytest.mark.parametrize("name", ["plain_text", "own_result", "envelope"])
def test_no_output_shows_the_secret(run: Callable[..., Run], name: str) -> None:
    first = run("first_runs", "--toolresult", f"{name}.py:TOOLS")
    piece = "E8Kzu2qTrBdg6JoAtY1odQiU"  # of the made-up token
    assert piece in (first.folder / f"{name}.py").read_text("utf-8")
    assert piece not in first.stdout
    for report in ("report.json", "junit.xml"):
        assert piece not in (first.folder / report).read_text("utf-8")


def test_the_server_has_one_crash(run: Callable[..., Run]) -> None:
    library = run("mcp_server", "--toolresult", "server.py:server")
    assert library.errors == [("locate_book", "TR801")]
    assert library.dialects == {"mcp"}
    assert library.exit == EXIT_FAILED


@pytest.mark.parametrize(
    ("example", "module"),
    [
        ("quickstart", "shop"),
        ("first_runs", "plain_text"),
        ("first_runs", "own_result"),
        ("first_runs", "envelope"),
    ],
)
def test_the_documentation_shows_what_is_printed(
    run: Callable[..., Run], example: str, module: str
) -> None:
    """With `WRITE_OUTPUTS=1` in the environment, write it instead."""
    told = run(example, "--toolresult", f"{module}.py:TOOLS").told
    page = OUTPUTS / f"{module}.txt"
    if os.environ.get("WRITE_OUTPUTS"):
        page.write_text(told, "utf-8")
    assert skeleton(page.read_text("utf-8")) == skeleton(told)


def test_the_readme_shows_what_is_printed() -> None:
    told = skeleton((OUTPUTS / "shop.txt").read_text("utf-8"))
    readme = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(
        r"(?m)(?:^    (?:TR\d|=+ tool result).*\n)(?:^(?:    .*)?\n)*", readme
    )
    assert len(blocks) == 2
    for block in blocks:
        assert skeleton(textwrap.dedent(block).strip()) in told


def skeleton(text: str) -> str:
    """Leave out what differs from one Python to the next: numbers, and so widths."""
    told = RETURNS.sub("", text)
    return re.sub(r"[ =_-]+", " ", re.sub(r"\d+", "N", told))
