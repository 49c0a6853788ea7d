"""How many status paths of tools that other people wrote are reached, in how few calls.

The tools of strands-agents-tools and agno that need no network, no account and no
terminal are called as they are, guarded, in a folder with a few files. One arm is the
sweep with a quarter of the calls, the other draws what Hypothesis's `from_type` gives
for every parameter. What counts is pairs of a tool and a status that was seen.

Run it with `tox -e benchmark`.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import logging
import os
import sys
import tempfile
import time
import typing
import warnings
from contextlib import chdir
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.codescan import own_constants
from pytest_toolresult.runner import Runner
from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.sweep import sweep
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.tools import Tool

DRAWN: Final = 1000
SWEPT: Final = DRAWN // 4
TIMEOUT_S: Final = 1.0
MOST_HANGS: Final = 3
PACKAGES: Final = ("strands-agents-tools", "agno", "hypothesis", "pytest-toolresult")

FILES: Final = {
    "README.md": "# Shop\n\nSells things.\n",
    "src/main.py": "def main():\n    print('hello')\n",
    "data/report.csv": "day,total\n2024-01-31,12\n2024-02-29,30\n",
    "empty.txt": "",
}
STRANDS: Final = ("calculator", "current_time", "editor", "cron")
AGNO: Final = {
    "calculator.CalculatorTools": {},
    "csv_toolkit.CsvTools": {"csvs": ["data/report.csv"]},
    "file.FileTools": {},
    "local_file_system.LocalFileSystemTools": {},
    "sql.SQLTools": {"db_url": "sqlite://"},
    "file_generation.FileGenerationTools": {},
    "workspace.Workspace": {},
}
LEFT_OUT: Final = ("run_command",)
FAILED: Final = ("error", "failed", "could not", "cannot", "invalid", "unsupported")


@dataclass(kw_only=True)
class Reached:
    """What one arm has seen of one tool."""

    calls: int = 0
    statuses: set[str] = field(default_factory=set)


def functions() -> dict[str, Callable[..., Any]]:
    """Return the plain functions of all tools, made anew, by a name of their own."""
    found = dict(_strands())
    for path, options in AGNO.items():
        module, _, kind = path.partition(".")
        try:
            toolkit = getattr(importlib.import_module(f"agno.tools.{module}"), kind)
            held = toolkit(**options).functions
        except ImportError as error:
            print(f"left out {path}: {error}", file=sys.stderr)
            continue
        for name, each in held.items():
            if name not in LEFT_OUT:
                found[f"agno {kind}.{name}"] = each.entrypoint
    return found


def _strands() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in STRANDS:
        tool = getattr(importlib.import_module(f"strands_tools.{name}"), name)
        yield f"strands {name}", inspect.unwrap(tool)


def status_of(outcome: Outcome) -> str | None:
    """Read a result as its framework's users would; `None` says nothing."""
    if outcome.ending == "raised":
        return "error"
    if outcome.ending != "returned" or outcome.reply is None:
        return None
    value = getattr(outcome.reply.value, "content", outcome.reply.value)
    if isinstance(value, str):
        return _status_of_text(value)
    if isinstance(value, dict) and value.get("status") in {"success", "error"}:
        return str(value["status"])
    return "success" if value or value == 0 else "empty"


def _status_of_text(text: str) -> str:
    try:
        read = json.loads(text)
    except ValueError:
        read = text.strip()
    if isinstance(read, dict):
        failed = read.get("error") or read.get("status") == "error"
        return "error" if failed else "success" if read else "empty"
    if isinstance(read, str):
        if read.lower().startswith(FAILED):
            return "error"
        return "empty" if not read or read.lower().startswith("no ") else "success"
    return "success" if read or read == 0 else "empty"


class Arm:
    """Makes the calls of one arm and notes what they came to."""

    def __init__(self, runner: Runner, tool: Tool) -> None:
        self._runner = runner
        self._tool = tool
        self._hangs = 0
        self.reached = Reached()

    @property
    def is_over(self) -> bool:
        """Whether a tool that hangs again and again is given up."""
        return self._hangs >= MOST_HANGS

    def call(self, arguments: dict[str, Any]) -> None:
        """Make one guarded call."""
        call = Call(arguments=arguments, origin="fuzz")
        nothing: frozenset[Any] = frozenset()
        outcome = self._runner.run(self._tool, call, timeout=TIMEOUT_S, powers=nothing)
        self._hangs += outcome.ending == "hung"
        self.reached.calls += outcome.ending != "refused"
        if status := status_of(outcome):
            self.reached.statuses.add(status)


def swept(runner: Runner, function: Callable[..., Any]) -> Reached:
    """Call a tool with what the sweep gives."""
    (tool,) = tools_of(function, validate=True)
    arm = Arm(runner, tool)
    candidates = sweep(
        tool.schema or {},
        constants=own_constants(function),
        description=tool.description,
    )
    try:
        for arguments in islice(candidates, SWEPT):
            if arm.is_over:
                break
            arm.call(arguments)
    except UnsatisfiableError as error:
        print(f"{function.__qualname__}: {error}", file=sys.stderr)
    return arm.reached


def drawn(runner: Runner, function: Callable[..., Any], seed: int) -> Reached:
    """Call a tool with what Hypothesis draws for the types of its parameters."""
    import hypothesis

    (tool,) = tools_of(function, validate=False)
    arm = Arm(runner, tool)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(_by_type(function))
    def call(arguments: dict[str, Any]) -> None:
        if not arm.is_over:
            arm.call(arguments)

    call()
    return arm.reached


def _by_type(function: Callable[..., Any]) -> Any:
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument

    hints = typing.get_type_hints(function)
    required: dict[str, Any] = {}
    optional: dict[str, Any] = {}
    for name, each in inspect.signature(function).parameters.items():
        drawn_from = st.from_type(hints.get(name, str))
        chosen = required if each.default is each.empty else optional
        try:
            drawn_from.validate()
        except InvalidArgument:  # there is no strategy for `Any`
            drawn_from = st.none() | st.text()
        chosen[name] = drawn_from
    return st.fixed_dictionaries(required, optional=optional)


def measure(seed: int) -> list[tuple[str, Reached, Reached]]:
    """Run both arms over all tools, each in a fresh folder."""
    runner = Runner(timeout=TIMEOUT_S)
    rows = []
    try:
        for name in functions_in_a_folder():
            with folder():
                by_sweep = swept(runner, functions()[name])
            with folder():
                by_draw = drawn(runner, functions()[name], seed)
            rows.append((name, by_sweep, by_draw))
    finally:
        runner.close()
    return rows


def functions_in_a_folder() -> list[str]:
    """List the names of all tools; some are made only where their files are."""
    with folder():
        return list(functions())


class folder(chdir):  # noqa: N801 - it is used like the context manager it extends
    """A fresh working folder with a few files."""

    def __init__(self) -> None:
        self._made = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        for name, content in FILES.items():
            path = Path(self._made.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, "utf-8")
        super().__init__(self._made.name)

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        self._made.cleanup()


def table(rows: list[tuple[str, Reached, Reached]]) -> Iterator[str]:
    """Lay the figures out as a Markdown table."""
    yield "| tool | sweep | calls | `from_type` | calls |"
    yield "| --- | --- | --- | --- | --- |"
    for name, one, other in rows:
        pairs = (_listed(one), one.calls, _listed(other), other.calls)
        yield f"| {name} | {' | '.join(map(str, pairs))} |"
    sums = [
        (sum(len(r.statuses) for r in arm), sum(r.calls for r in arm))
        for arm in ([row[1] for row in rows], [row[2] for row in rows])
    ]
    (one, calls), (other, others) = sums
    yield f"| **{len(rows)} tools** | **{one}** | {calls} | **{other}** | {others} |"


def _listed(reached: Reached) -> str:
    return ", ".join(sorted(reached.statuses)) or "none"


def main() -> int:
    """Measure and print; fails where the sweep reaches fewer pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of what Hypothesis draws")
    seed = parser.parse_args().seed
    warnings.simplefilter("ignore")
    logging.disable()
    os.environ["BYPASS_TOOL_CONSENT"] = "true"  # strands-agents-tools would ask
    started = time.monotonic()
    rows = measure(seed)
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES), end="\n\n")
    print("\n".join(table(rows)))
    print(f"\n{time.monotonic() - started:.0f} s", file=sys.stderr)
    by_sweep, by_draw = (sum(len(row[arm].statuses) for row in rows) for arm in (1, 2))
    return int(by_sweep < by_draw)


if __name__ == "__main__":
    sys.exit(main())
