"""What `[faults]` finds in tools that other people wrote and released.

The tools run as they are installed; only the addresses of two services are turned to
a server on the loopback address, which their modules keep in a constant. Every finding
that would fail an item is printed, to be read and judged by a person.

Run it with `tox -e benchmark -- case_study`, or on its own.
"""

from __future__ import annotations

import importlib
import inspect
import json
import logging
import os
import sqlite3
import sys
import tempfile
import threading
import warnings
from contextlib import chdir
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.adapters.callables import ADAPTER
from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.findings import Severity
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.ledger import Evidence

PACKAGES: Final = ("strands-agents-tools", "agno")
STRANDS: Final = "map: status=status data=content"
"""How the tools of strands answer: a status, and a list of texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One tool as it is called."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]
    dialect: str = "native"


class _Services(BaseHTTPRequestHandler):
    """Answers as the services do that the tools ask."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = json.dumps(_answer(self.path)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


def _answer(path: str) -> Any:
    hits = [
        {
            "title": f"Page {number}",
            "url": f"https://example.org/{number}",
            "content": f"Pens and ink, part {number}.",
            "score": 0.9,
        }
        for number in range(5)
    ]
    if "weather" in path:
        return {"name": "Oslo", "main": {"temp": 21}, "weather": [{"main": "Clear"}]}
    if "direct" in path:
        return [{"name": "Oslo", "lat": 59.9, "lon": 10.7, "country": "NO"}]
    return {"requestId": "r-1", "results": hits, "query": "ink"}


def strands(base: str) -> Iterator[Subject]:
    """Yield tools of strands-agents-tools."""
    for name, constant in (
        ("exa", "EXA_API_BASE_URL"),
        ("tavily", "TAVILY_API_BASE_URL"),
    ):
        module = importlib.import_module(f"strands_tools.{name}")
        setattr(module, constant, base)
        function = inspect.unwrap(getattr(module, f"{name}_search"))
        yield Subject(
            name=f"strands {name}_search",
            function=function,
            arguments={"query": "ink"},
            dialect=STRANDS,
        )
    for mode, more in (
        ("view", {}),
        ("lines", {"start_line": 0, "end_line": 2}),
        ("search", {"search_pattern": "ink"}),
        ("stats", {}),
    ):
        given = {"path": "notes.txt", "mode": mode, **more}
        yield _old_style("file_read", f"file_read {mode}", given)
    given = {"method": "GET", "url": f"{base}/page"}
    yield _old_style("http_request", "http_request", given)
    editor = importlib.import_module("strands_tools.editor").editor
    yield Subject(
        name="strands editor view",
        function=inspect.unwrap(editor),
        arguments={"command": "view", "path": str(Path("notes.txt").resolve())},
        dialect=STRANDS,
    )


def _old_style(module: str, name: str, given: dict[str, Any]) -> Subject:
    """Call a tool that takes the runtime's own envelope around its arguments."""
    function = getattr(importlib.import_module(f"strands_tools.{module}"), module)

    def tool(arguments: dict[str, Any]) -> Any:
        return function({"toolUseId": "t-1", "name": module, "input": arguments})

    tool.__module__ = function.__module__
    return Subject(
        name=f"strands {name}",
        function=tool,
        arguments={"arguments": given},
        dialect=STRANDS,
    )


AGNO: Final[dict[str, tuple[dict[str, Any], dict[str, dict[str, Any]]]]] = {
    "sql.SQLTools": (
        {"db_url": "sqlite:///shop.db"},
        {
            "list_tables": {},
            "describe_table": {"table_name": "orders"},
            "run_sql_query": {"query": "select * from orders"},
        },
    ),
    "csv_toolkit.CsvTools": (
        {"csvs": ["orders.csv"]},
        {
            "read_csv_file": {"csv_name": "orders"},
            "get_columns": {"csv_name": "orders"},
        },
    ),
    "file.FileTools": (
        {},
        {"read_file": {"file_name": "notes.txt"}, "list_files": {}},
    ),
    "local_file_system.LocalFileSystemTools": (
        {},
        {"read_file": {"filename": "notes.txt"}},
    ),
    "python.PythonTools": ({}, {"read_file": {"file_name": "notes.txt"}}),
    "shell.ShellTools": ({}, {"run_shell_command": {"args": ["echo", "ink"]}}),
    "api.CustomApiTools": ({"base_url": "BASE"}, {"make_request": {"endpoint": "x"}}),
    "openweather.OpenWeatherTools": (
        {"api_key": "none"},
        {"get_current_weather": {"location": "Oslo"}},
    ),
}


def agno(base: str) -> Iterator[Subject]:
    """Yield tools of agno; what cannot be loaded is left out with a word."""
    for path, (options, calls) in AGNO.items():
        module, _, kind = path.partition(".")
        given = {
            name: base if value == "BASE" else value for name, value in options.items()
        }
        try:
            loaded = importlib.import_module(f"agno.tools.{module}")
            toolkit = getattr(loaded, kind)(**given)
        except (ImportError, AttributeError, TypeError) as error:
            print(f"left out {path}: {error}", file=sys.stderr)
            continue
        if hasattr(toolkit, "base_url") and kind == "OpenWeatherTools":
            toolkit.base_url = toolkit.geo_url = base
        for name, arguments in calls.items():
            function = toolkit.functions[name].entrypoint
            yield Subject(
                name=f"agno {kind}.{name}", function=function, arguments=arguments
            )


def explored(subject: Subject, engine: Engine) -> Evidence:
    """Break what a tool depends on."""
    contract = Contract(
        subject.function,
        success=subject.arguments,
        repeatable=True,
        dialect=subject.dialect,
    )
    (tool,) = ADAPTER.tools(subject.function, validate=True)
    assignment = Assignment(item=subject.name, tool=tool, contract=contract)
    return engine.explore(assignment, exploration_named("faults")).evidence


def told(subject: Subject, evidence: Evidence) -> None:
    """Print what came of one tool."""
    print(f"\n{subject.name}: {evidence.calls} calls, {dict(evidence.statuses)}")
    for what, why in evidence.not_covered.items():
        print(f"  not covered: {what}: {why}")
    for each in evidence.findings:
        if each.severity is Severity.ERROR:
            fault = (
                f"{each.fault['name']} at {each.fault['site']}" if each.fault else ""
            )
            print(f"  {each.rule} {each.name} {each.place} [{fault}] {each.message}")


def _fill(folder: Path) -> None:
    (folder / "notes.txt").write_text("pens\nink\npaper\n")
    (folder / "orders.csv").write_text("id,total\n1,5\n2,7\n")
    connection = sqlite3.connect(folder / "shop.db")
    connection.execute("create table orders(order_id integer, total integer)")
    rows = [(number, number * 2) for number in range(5)]
    connection.executemany("insert into orders values (?, ?)", rows)
    connection.commit()
    connection.close()


def main(chosen: list[str]) -> None:
    """Explore the tools whose names hold one of the words, or all."""
    warnings.simplefilter("ignore")
    logging.disable()
    os.environ.update(EXA_API_KEY="none", TAVILY_API_KEY="none")
    os.environ["BYPASS_TOOL_CONSENT"] = "true"
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Services)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    runner = Runner()
    engine = Engine(Settings(max_calls=250), runner)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        _fill(Path(folder))
        for subject in (*strands(base), *agno(base)):
            if not chosen or any(word in subject.name for word in chosen):
                told(subject, explored(subject, engine))
    runner.close()


if __name__ == "__main__":
    main(sys.argv[1:])
