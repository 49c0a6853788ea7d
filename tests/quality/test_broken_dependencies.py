"""Tools over a real server, database, file and process, each hiding one failure.

Every tool is sound but for one answer to one fault, which no argument brings about.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.findings import Severity
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.ledger import Evidence

    Explore = Callable[..., Evidence]

PAGES = 4


class Harbour(BaseHTTPRequestHandler):
    """A service that knows ships, and tells its prices page by page."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        url = urlsplit(self.path)
        if url.path == "/berths":
            page = int(parse_qs(url.query)["page"][0])
            berths = [{"berth_id": f"b-{page}-{n}"} for n in range(5)]
            more = page + 1 if page < PAGES else None
            self.answer({"berths": berths, "next": more, "total": 5 * PAGES})
        else:
            self.answer({"ship": url.path.rpartition("/")[2], "tons": 1200})

    def answer(self, body: Any) -> None:
        sent = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


PLACE: dict[str, Any] = {}


@pytest.fixture(scope="module", autouse=True)
def _harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("harbour")
    with closing(sqlite3.connect(folder / "crews.db")) as connection:
        connection.execute("create table crews (name text, ship text)")
        rows = [(f"sailor {number}", "anna") for number in range(6)]
        connection.executemany("insert into crews values (?, ?)", rows)
        connection.commit()
    (folder / "tide.txt").write_text("high at noon\n", "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Harbour)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    PLACE.update(folder=folder, url=f"http://127.0.0.1:{server.server_port}")
    yield
    server.shutdown()
    server.server_close()
    thread.join()


def success(data: Any, **meta: Any) -> Any:
    return {"status": "success", "data": data, "error": None, "meta": meta}


def empty(**meta: Any) -> Any:
    return {"status": "empty", "data": [], "error": None, "meta": meta}


def partial(data: Any, **meta: Any) -> Any:
    return {"status": "partial", "data": data, "error": None, "meta": meta}


def failed(code: str, message: str, *, retryable: bool) -> Any:
    error = {"code": code, "message": message, "retryable": retryable}
    return {"status": "error", "data": None, "error": error, "meta": {}}


def refused_by_harbour(status: int, *, patient: bool = True) -> Any:
    may_pass = status in {429, 500, 502, 503} if patient else status >= 500
    told = "try again in a minute" if may_pass else "ask the harbour for access"
    return failed(f"HARBOUR_{status}", told, retryable=may_pass)


def ship(name: str, *, patient: bool = True) -> Any:
    try:
        response = httpx.get(f"{PLACE['url']}/ships/{name}", timeout=5)
    except httpx.TransportError as error:
        secure = "certificate" in str(error).lower() or "ssl" in str(error).lower()
        return failed("UNREACHABLE", "no harbour", retryable=not secure)
    if response.status_code == 404:
        return empty(ship=name)
    if response.is_error:
        return refused_by_harbour(response.status_code, patient=patient)
    try:
        found = response.json()
    except ValueError:
        return failed("GARBLED", "the harbour is not itself", retryable=True)
    if not isinstance(found, dict) or "ship" not in found:
        return empty(ship=name)
    return success(found)


def impatient_ship(name: str) -> Any:
    """Tell about a ship; of all errors only the 429 is told wrongly."""
    return ship(name, patient=False)


async def berths(*, whole: bool = True) -> Any:
    found: list[Any] = []
    page, total = 1, 0
    async with httpx.AsyncClient(timeout=5) as client:
        while page:
            try:
                response = await client.get(f"{PLACE['url']}/berths?page={page}")
                response.raise_for_status()
                answer = response.json()
                found += answer["berths"]
                page, total = answer.get("next"), answer["total"]
            except httpx.HTTPStatusError as error:
                if not found:
                    return refused_by_harbour(error.response.status_code)
                break
            except (httpx.TransportError, ValueError, LookupError, TypeError) as error:
                secure = "certificate" in str(error).lower()
                if not found:
                    return failed("UNREACHABLE", "no harbour", retryable=not secure)
                break
    if page and whole:
        return partial(found, failed=1, total=total)
    if not found:
        return empty()
    if len(found) > 100:
        return partial(found[:100], truncated=True, total=len(found))
    return success(found, total=len(found))


async def short_berths() -> Any:
    """List all berths; a page that fails ends the list, and nobody hears of it."""
    return await berths(whole=False)


async def all_berths() -> Any:
    """List all berths."""
    return await berths()


def crew(ship: str, *, honest: bool = True) -> Any:
    try:
        with closing(sqlite3.connect(PLACE["folder"] / "crews.db")) as connection:
            query = "select name from crews where ship = ?"
            rows = [row[0] for row in connection.execute(query, (ship,))]
    except sqlite3.OperationalError as error:
        busy = "locked" in str(error)
        if not honest and busy:
            return empty(ship=ship)
        return failed("CREWS", "the list cannot be read", retryable=busy)
    except sqlite3.Error:
        return failed("CREWS_BROKEN", "the list is damaged", retryable=False)
    if not rows:
        return empty(ship=ship)
    if len(rows) > 50:
        return partial(rows[:50], truncated=True, total=len(rows))
    return success(rows)


def hidden_crew(ship: str) -> Any:
    """List a crew; a locked list is told as an empty ship."""
    return crew(ship, honest=False)


def open_crew(ship: str) -> Any:
    """List a crew."""
    return crew(ship)


def tide() -> Any:
    """Read the tide table, which is taken for text whatever stands in it."""
    try:
        text = (PLACE["folder"] / "tide.txt").read_text("utf-8")
    except FileNotFoundError:
        return failed("NO_TABLE", "there is no table", retryable=False)
    except OSError:
        return failed("TABLE", "the table cannot be read", retryable=False)
    if not text:
        return empty()
    return (
        success(text)
        if len(text) < 500
        else partial(text[:500], truncated=True, total=len(text))
    )


def lights() -> Any:
    """Ask the lamps; a process that was killed counts as one that is fine."""
    command = [sys.executable, "-I", "-S", "-c", "print('lit')"]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return failed("SLOW", "the lamps take too long", retryable=True)
    except OSError:
        return failed("NO_LAMPS", "there is no way to ask", retryable=False)
    if done.returncode > 0:
        return failed("LAMPS", "the lamps refuse", retryable=False)
    if not done.stdout and not done.returncode:
        return empty()
    if len(done.stdout) > 500:
        return partial(done.stdout[:500], truncated=True, total=len(done.stdout))
    return success(done.stdout or "no word")


@pytest.fixture
def explore() -> Iterator[Explore]:
    """Break what a tool depends on."""
    runner = Runner()
    engine = Engine(Settings(), runner)

    def run(function: Callable[..., Any], **arguments: Any) -> Evidence:
        (tool,) = tools_of(function, validate=None)
        contract = Contract(function, success=arguments, repeatable=True)
        assignment = Assignment(item="it", tool=tool, contract=contract)
        return engine.explore(assignment, exploration_named("faults")).evidence

    yield run
    runner.close()


SEEDED: list[tuple[Callable[..., Any], dict[str, Any], str, set[str]]] = [
    (impatient_ship, {"name": "anna"}, "TR904", {"http_429"}),
    (short_berths, {}, "TR903", {"timeout", "http_503", "malformed"}),
    (hidden_crew, {"ship": "anna"}, "TR902", {"locked"}),
    (tide, {}, "TR801", {"undecodable"}),
    (lights, {}, "TR212", {"killed"}),
]


@pytest.mark.parametrize(("tool", "arguments", "rule", "causes"), SEEDED)
def test_the_failure_is_found_at_the_fault_that_causes_it(
    explore: Explore,
    tool: Callable[..., Any],
    arguments: dict[str, Any],
    rule: str,
    causes: set[str],
) -> None:
    evidence = explore(tool, **arguments)
    errors = [each for each in evidence.findings if each.severity is Severity.ERROR]
    assert {each.rule for each in errors} == {rule}
    found = {each.fault["name"] for each in errors if each.fault}
    assert found >= causes
    if len(causes) == 1:
        assert found == causes
    assert evidence.planned == evidence.fired
    assert evidence.calls < 100


def quoting_ship(name: str) -> Any:
    """Tell about a ship; of an outage it tells what the client says."""
    try:
        return ship_or_raise(name)
    except httpx.HTTPError as error:
        return failed("HARBOUR", f"the harbour: {error}", retryable=True)


def bare_ship(name: str) -> Any:
    """Tell about a ship; what the client raises is left to whoever calls."""
    return ship_or_raise(name)


def ship_or_raise(name: str) -> Any:
    response = httpx.get(f"{PLACE['url']}/ships/{name}", timeout=5)
    response.raise_for_status()
    return success(response.json())


def test_what_a_client_says_is_not_for_the_model(explore: Explore) -> None:
    evidence = explore(quoting_ship, name="anna")
    leaks = [each for each in evidence.findings if each.rule == "TR601"]
    assert {each.place for each in leaks} == {"error.message"}
    under = {each.fault["name"] for each in leaks if each.fault}
    assert under == {"timeout", "refused", "dns", "tls", "reset", "slow"}


def test_an_error_that_escapes_is_no_leak_as_well(explore: Explore) -> None:
    evidence = explore(bare_ship, name="anna")
    found = {each.rule for each in evidence.findings if each.fault}
    assert "TR801" in found
    assert not {rule for rule in found if rule.startswith("TR6")}


def first_berths(limit: int = 5) -> Any:
    """List the berths of the first page, as many as are asked for."""
    response = httpx.get(f"{PLACE['url']}/berths?page=1", timeout=5)
    response.raise_for_status()
    return success(response.json()["berths"][:limit])


def some_berths() -> Any:
    """List the berths, as if there were one page."""
    return first_berths()


def test_a_first_page_is_not_all_there_is() -> None:
    def told(tool: Callable[..., Any]) -> list[str]:
        (one,) = tools_of(tool, validate=None)
        contract = Contract(tool, success={}, faults=False)
        call = Call(arguments={}, origin="declared", case=contract.cases[0])
        assignment = Assignment(item="it", tool=one, contract=contract)
        findings = engine.verify(assignment, call).evidence.findings
        return [each.rule for each in findings if each.severity is Severity.ERROR]

    runner = Runner()
    engine = Engine(Settings(), runner)
    assert told(some_berths) == ["TR208"]
    assert told(first_berths) == []
    assert told(all_berths) == []
    runner.close()


def sound_ship(name: str) -> Any:
    """Tell about a ship."""
    return ship(name)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (sound_ship, {"name": "anna"}),
        (all_berths, {}),
        (open_crew, {"ship": "anna"}),
    ],
)
def test_sound_tools_are_left_alone_and_take_all_their_paths(
    explore: Explore, tool: Callable[..., Any], arguments: dict[str, Any]
) -> None:
    evidence = explore(tool, **arguments)
    errors = [each for each in evidence.findings if each.severity is Severity.ERROR]
    assert errors == []
    assert evidence.statuses.keys() >= {"success", "empty", "error"}
    assert evidence.planned == evidence.fired


def test_the_server_is_asked_once_for_each_page(explore: Explore) -> None:
    Harbour.asked.clear()
    evidence = explore(all_berths)
    assert evidence.calls > 50
    assert sorted(Harbour.asked) == [f"/berths?page={n}" for n in range(1, PAGES + 1)]


def test_libraries_are_as_they_were(explore: Explore) -> None:
    before = httpx.HTTPTransport.handle_request, sqlite3.connect, subprocess.Popen, open
    explore(open_crew, ship="anna")
    after = httpx.HTTPTransport.handle_request, sqlite3.connect, subprocess.Popen, open
    assert after == before
