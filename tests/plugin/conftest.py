"""Small projects of users, and runs of pytest in them that tests can look at."""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import shlex
import sys
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pydantic
import pytest

import pytest_toolresult
from pytest_toolresult.watch.resources import is_frozen_anyway

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REPORT = "toolresult-report.json"

# Whatever a run within this process loads first is dropped at its end and has to be
# loaded again by the next: what is heavy is loaded here, once.
for _module in pkgutil.walk_packages(pytest_toolresult.__path__, "pytest_toolresult."):
    importlib.import_module(_module.name)
for _name in (
    "_pytest.stepwise",
    "asyncio",
    "hypothesis.strategies",
    "pydantic.dataclasses",
    "pydantic.json_schema",
):
    importlib.import_module(_name)
pydantic.create_model("_Loading", a=int)
pydantic.TypeAdapter(int).json_schema()
pydantic.validate_call(lambda: None)


@pytest.fixture(autouse=True, scope="module")
def _cheap_collections() -> Iterator[None]:
    """Spare what stands already from the collections that each inner run makes."""
    gc.collect()
    gc.freeze()
    is_frozen_anyway.cache_clear()  # else what counts open files would undo it
    yield
    gc.unfreeze()
    is_frozen_anyway.cache_clear()


PLUGINS = ("toolresult", "hypothesispytest", "xdist", "asyncio", "anyio", "timeout")
"""The plugins of a project, by their entry points. All that are installed here for
some test or other would take a second and a half to load, for each run and worker."""
NOTHING_TO_REWRITE = "ignore::pytest.PytestAssertRewriteWarning"
"""What a run within this process says of plugins that the outer one has loaded."""

INI = """
[pytest]
asyncio_default_fixture_loop_scope = function
toolresult_examples = 25
"""

SHOP = '''
from __future__ import annotations


def answer(status, data=None, error=None, **meta):
    return {"status": status, "data": data, "error": error, "meta": meta}


def find_orders(customer_id: str, limit: int = 10) -> dict:
    """Find a customer's orders."""
    if not customer_id.strip() or limit < 1:
        error = {"code": "BAD_REQUEST", "retryable": False,
                 "message": "name a customer, and a limit from 1"}
        return answer("error", error=error)
    orders = [{"order_status": "paid"}] * 12 if customer_id == "c-1" else []
    if not orders:
        return answer("empty", [], searched=customer_id)
    if limit < len(orders):
        cut = {"truncated": True, "total": len(orders), "next_offset": limit}
        return answer("partial", orders[:limit], **cut)
    return answer("success", orders, total=len(orders))


def first_word(text: str) -> dict:
    """Return the first word of a text."""
    return answer("success", text.split()[0])


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


TOOLS = [find_orders, first_word, add]
'''


@dataclass(frozen=True)
class Ran:
    """A finished run of pytest in a user's project."""

    exit: int
    stdout: str
    stderr: str
    outcomes: dict[str, str]
    report: dict[str, Any]

    @property
    def findings(self) -> list[dict[str, Any]]:
        """Every finding of every tool."""
        tools = self.report["tools"]
        return [finding for tool in tools for finding in tool["findings"]]

    @property
    def rules(self) -> set[str]:
        """The rules that were broken."""
        return {finding["rule"] for finding in self.findings}

    @property
    def short(self) -> dict[str, str]:
        """The outcome of each item by the last part of its node id."""
        return {name.rpartition("::")[2]: each for name, each in self.outcomes.items()}

    def tool(self, name: str) -> dict[str, Any]:
        """What the report says of one tool."""
        found = [each for each in self.report["tools"] if each["name"] == name]
        assert len(found) == 1, found
        return dict(found[0])

    def at(self, item: str) -> dict[str, Any]:
        """The evidence of the one item whose node id ends like this."""
        found = [
            each
            for name, several in self.report["evidence"].items()
            if name.endswith(item)
            for each in (several if isinstance(several, list) else [several])
        ]
        assert len(found) == 1, self.report["evidence"].keys()
        return dict(found[0])


def _outcomes(reports: list[Any]) -> dict[str, str]:
    """Tell of each item how it ended, setup and teardown included.

    Nearly all tools of these tests depend on nothing that could be broken, and keep
    to what is asked of several calls: a `[faults]` that is skipped is left out, and a
    `[relations]` that does not fail.
    """
    found: dict[str, str] = {}
    for each in reports:
        is_faults = each.nodeid.endswith(("::faults", "faults]"))
        if is_faults and each.skipped and not hasattr(each, "wasxfail"):
            continue
        is_relations = each.nodeid.endswith(("::relations", "relations]"))
        if is_relations and not each.failed and not hasattr(each, "wasxfail"):
            continue
        ended = "xfailed" if hasattr(each, "wasxfail") else each.outcome
        if each.when == "call" or ended != "passed":
            found[str(each.nodeid)] = ended
    return found


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an ini file and, in `shop.py`, some tools."""
    # A file that is rewritten within a second looks unchanged to its byte code.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    # On CI pytest tells each failure twice.
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "COLUMNS", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    options = [*(f"-p {each}" for each in PLUGINS), f"-W {NOTHING_TO_REWRITE}"]
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(options))
    pytester.makefile(".ini", pytest=INI)
    pytester.makepyfile(shop=SHOP)
    return pytester.path


@pytest.fixture
def write(project: Path) -> Callable[..., None]:
    """Write files of the project: `write("test_it.py", '''...''')`."""

    def write_file(name: str, text: str) -> None:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), "utf-8")

    return write_file


@pytest.fixture
def run(project: Path, pytester: pytest.Pytester) -> Callable[..., Ran]:
    """Run pytest in the project, in this process."""

    def run_pytest(*args: str) -> Ran:
        report = project / REPORT
        report.unlink(missing_ok=True)
        options = ["-p", "no:randomly", f"--toolresult-report=json:{report}"]
        done = pytester.runpytest_inprocess(*options, *args)
        recorder: Any = getattr(done, "reprec", None)
        # pytest leaves a stub where it did not come as far as to configure itself.
        started = hasattr(recorder, "getreports")
        reports = recorder.getreports("pytest_runtest_logreport") if started else []
        return _ran(done, _outcomes(reports), report)

    return run_pytest


@pytest.fixture
def spawn(project: Path, pytester: pytest.Pytester) -> Callable[..., Ran]:
    """Run pytest in the project in a process of its own, as from a shell."""

    def run_pytest(*args: str, timeout: float = 30) -> Ran:
        report = project / REPORT
        report.unlink(missing_ok=True)
        options = ["-p", "no:randomly", f"--toolresult-report=json:{report}"]
        done = pytester.runpytest_subprocess(*options, *args, timeout=timeout)
        return _ran(done, {}, report)

    return run_pytest


def _ran(done: pytest.RunResult, outcomes: dict[str, str], report: Path) -> Ran:
    return Ran(
        exit=int(done.ret),
        stdout="\n".join(done.outlines),
        stderr="\n".join(done.errlines),
        outcomes=outcomes,
        report=json.loads(report.read_text("utf-8")) if report.is_file() else {},
    )


@pytest.fixture
def shell(project: Path, pytester: pytest.Pytester) -> Callable[[str], Ran]:
    """Run a printed command line as a person would paste it."""

    def run_line(line: str) -> Ran:
        assert line.startswith("pytest ")
        command = f"{shlex.quote(sys.executable)} -m {line} -p no:randomly"
        done = pytester.run("sh", "-c", command, timeout=30)
        return _ran(done, {}, project / "none")

    assert os.sep == "/"
    return run_line
