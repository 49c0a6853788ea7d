"""Drives the tools of the shop as `[success]` and `[faults]` do."""

from __future__ import annotations

import importlib.util
import json
import os
import sqlite3
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

from pytest_toolresult.adapters.callables import ADAPTER
from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from pytest_toolresult.ledger import Evidence

HERE: Final = Path(__file__).parent
_BACKENDS: Final = "tests.quality.mutants.shop_backends"
DEPENDENCIES: Final = {
    "search_memory": (f"{_BACKENDS}.Memory.search",),
    "send_notices": (f"{_BACKENDS}.send_mail",),
    "monthly_report": (f"{_BACKENDS}.Warehouse.fetch",),
}
_PAGES: Final = 3


class _Shop(BaseHTTPRequestHandler):
    """The services that the tools ask."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        body = json.dumps(_answer(parts.path, parse_qs(parts.query))).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


def _answer(path: str, asked: dict[str, list[str]]) -> Any:
    if path == "/events":
        page = int(asked["page"][0])
        events = [{"event_id": page * 10 + number} for number in range(10)]
        following = page + 1 if page < _PAGES else None
        return {"events": events, "next": following, "total": _PAGES * 10}
    return {
        "/forecast": {"city": "Oslo", "degrees": 21},
        "/quotes/ABC": {"symbol": "ABC", "price": "12.50"},
        "/products": {"products": [{"sku": f"p-{n}"} for n in range(8)], "total": 8},
        "/tickets": {"tickets": [{"number": n, "title": "x"} for n in range(6)]},
        "/rates": {"rates": {"EUR": "1.1", "GBP": "1.3"}},
        "/pages/about": {"text": "We sell pens and ink. " * 3},
        "/stock": {"sku": "p-1", "left": 4},
    }.get(path, {})


@contextmanager
def shop(folder: Path) -> Iterator[None]:
    """Open the shop: its services, its files, its database."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["SHOP_BASE"] = f"http://127.0.0.1:{server.server_port}"
    os.environ["SHOP_FILES"] = str(folder)
    _fill(folder)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def _fill(folder: Path) -> None:
    (folder / "a.txt").write_text("Order more ink.\n")
    (folder / "rates.json").write_text('{"EUR": "1.0", "GBP": "1.2"}')
    connection = sqlite3.connect(folder / "shop.db")
    connection.executescript(
        "create table orders(order_id, customer, total);"
        "create table customers(customer_id, name); create table products(name);"
    )
    orders = [(f"o-{number}", "ann", number * 2) for number in range(10)]
    connection.executemany("insert into orders values (?, ?, ?)", orders)
    names = [(f"c-{number}", f"bob{number}") for number in range(10)]
    connection.executemany("insert into customers values (?, ?)", names)
    connection.executemany("insert into products values (?)", [n[1:] for n in names])
    connection.commit()
    connection.close()


def load(path: Path, name: str) -> ModuleType:
    """Load a module from its file under a name of its own."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Trial:
    """Makes the calls."""

    def __init__(self) -> None:
        self._runner = Runner()
        self._engine = Engine(Settings(max_calls=400), self._runner)

    def close(self) -> None:
        """Let go of what the runner holds."""
        self._runner.close()

    def faults(self, function: Callable[..., Any], given: dict[str, Any]) -> Evidence:
        """Explore what a tool depends on."""
        assignment = self._assignment(function, given)
        explored = self._engine.explore(assignment, exploration_named("faults"))
        return explored.evidence

    def success(self, function: Callable[..., Any], given: dict[str, Any]) -> Evidence:
        """Make the declared call alone."""
        assignment = self._assignment(function, given)
        (case,) = assignment.contract.cases
        call = Call(arguments=case.arguments, origin="declared", case=case)
        return self._engine.verify(assignment, call).evidence

    def _assignment(
        self, function: Callable[..., Any], given: dict[str, Any]
    ) -> Assignment:
        contract = Contract(
            function,
            success=given,
            repeatable=True,
            dependencies=DEPENDENCIES.get(function.__name__, ()),
        )
        (tool,) = ADAPTER.tools(function, validate=True)
        return Assignment(item=function.__name__, tool=tool, contract=contract)


def errors(evidence: Evidence) -> list[Finding]:
    """Return the findings that fail an item."""
    return [each for each in evidence.findings if each.severity is Severity.ERROR]
