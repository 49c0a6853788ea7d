"""A real server on the loopback address, and clients of every library."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import re
import socket
import socketserver
import ssl
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx
import httpx2
import pytest
import requests
import trustme

from pytest_toolresult.faults import CATALOGUE, Crossing, Injection
from pytest_toolresult.seams.arming import armed
from pytest_toolresult.seams.recording import Recording, recording

if TYPE_CHECKING:
    from pytest_toolresult.seams.cassette import Cassette

ITEMS = [{"id": number, "name": f"item {number}"} for number in range(8)]
PAGE = {"items": ITEMS, "total": 8, "next": None}
TEXT = "line of text\n" * 20

TRUST = ssl.create_default_context()
"""Made once: the libraries read all certificates of the world for each client."""

LIMIT_S = 0.3
"""How long clients wait for the broken server."""


@dataclass(frozen=True)
class Got:
    """What a client made of a response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


class _Handler(socketserver.StreamRequestHandler):
    server: Backend

    def handle(self) -> None:
        with suppress(ConnectionError):
            while self._one():
                pass

    def _one(self) -> bool:
        line = self.rfile.readline().decode()
        if not line.strip():
            return False
        method, path, _ = line.split()
        length = 0
        while (header := self.rfile.readline().strip().lower()) != b"":
            if header.startswith(b"content-length:"):
                length = int(header.partition(b":")[2])
        self.server.asked.append(f"{method} {path}")
        self.rfile.read(length)
        return self._answer(method, path.partition("?")[0])

    def _answer(self, method: str, path: str) -> bool:
        if path == "/late":
            self.server.closing.wait(10 * LIMIT_S)
            return False
        if path == "/breaks":
            self._send("200 OK", b"x" * 100, cut=50)
            self._reset()
            return False
        status, body, more = self.server.answers.get(path, ("404 Not Found", b"", ""))
        self._send(status, body, more, head=method == "HEAD")
        return True

    def _send(
        self,
        status: str,
        body: bytes,
        more: str = "content-type: application/json",
        *,
        cut: int | None = None,
        head: bool = False,
    ) -> None:
        lines = f"HTTP/1.1 {status}\r\n{more}\r\ncontent-length: {len(body)}\r\n\r\n"
        self.wfile.write(lines.encode() + (b"" if head else body[:cut]))

    def _reset(self) -> None:
        self.server.closing.wait(LIMIT_S / 3)  # until the client has read the headers
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()


class Backend(socketserver.ThreadingTCPServer):
    """A server that works, and has some paths where it does not.

    Attributes:
        asked: The requests it got, such as `GET /items`.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.closing = threading.Event()
        kind = "content-type: application/json"
        zipped = f"{kind}\r\ncontent-encoding: gzip"
        page = json.dumps(PAGE).encode()
        self.answers = {
            "/items": ("200 OK", page, kind),
            "/zipped": ("200 OK", gzip.compress(page), zipped),
            "/list": ("200 OK", json.dumps(ITEMS).encode(), kind),
            "/text": ("200 OK", TEXT.encode(), "content-type: text/plain"),
            "/none": ("204 No Content", b"", "x-note: none"),
            "/fails": ("503 Service Unavailable", b"{}", kind),
            "/old": ("302 Found", b"", "location: /items"),
        }

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: clients hang up on it."""


@pytest.fixture(scope="session")
def running() -> Iterator[Backend]:
    server = Backend()
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}
    )
    thread.start()
    yield server
    server.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def backend(running: Backend) -> Backend:
    """The server, with an empty list of what it was asked."""
    running.asked.clear()
    return running


@pytest.fixture(scope="session")
def untrusted() -> Iterator[str]:
    """The address of a TLS server whose certificate nobody vouches for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    listener = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            connection, _ = listener.accept()
            with suppress(OSError), connection:
                context.wrap_socket(connection, server_side=True).close()

    thread = threading.Thread(target=serve)
    thread.start()
    port = listener.getsockname()[1]
    yield f"https://127.0.0.1:{port}/items"
    done.set()
    socket.create_connection(("127.0.0.1", port)).close()
    thread.join()
    listener.close()


@pytest.fixture
def unused() -> str:
    """An address where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/items"


Fetch = Callable[..., Got]
"""`fetch(url, method="GET", timeout=5.0)` with one of the libraries."""


def _httpx(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    with httpx.Client(timeout=timeout, follow_redirects=True, verify=TRUST) as client:
        got = client.request(method, url)
    return Got(got.status_code, got.headers, got.content)


def _httpx2(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    with httpx2.Client(timeout=timeout, follow_redirects=True, verify=TRUST) as client:
        got = client.request(method, url)
    return Got(got.status_code, got.headers, got.content)


def _httpx_async(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    async def fetch() -> Got:
        async with httpx.AsyncClient(
            timeout=timeout, follow_redirects=True, verify=TRUST
        ) as client:
            got = await client.request(method, url)
        return Got(got.status_code, got.headers, got.content)

    return asyncio.run(fetch())


def _httpx2_async(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    async def fetch() -> Got:
        async with httpx2.AsyncClient(
            timeout=timeout, follow_redirects=True, verify=TRUST
        ) as client:
            got = await client.request(method, url)
        return Got(got.status_code, got.headers, got.content)

    return asyncio.run(fetch())


def _aiohttp(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    limit = aiohttp.ClientTimeout(total=timeout)

    async def fetch() -> Got:
        session = aiohttp.ClientSession(timeout=limit)
        async with session, session.request(method, url) as got:
            return Got(got.status, got.headers, await got.read())

    return asyncio.run(fetch())


def _requests(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    with requests.Session() as session:
        got = session.request(method, url, timeout=timeout)
    return Got(got.status_code, got.headers, got.content)


def _urllib(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    request = urllib.request.Request(url, method=method)  # noqa: S310 - of these tests
    opener = urllib.request.build_opener()
    try:
        with opener.open(request, timeout=timeout) as got:
            return _undone(got)
    except urllib.error.HTTPError as error:
        with error:
            return _undone(error)


def _http_client(url: str, method: str = "GET", timeout: float | None = 5.0) -> Got:
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    kinds = {
        "http": http.client.HTTPConnection,
        "https": http.client.HTTPSConnection,
    }
    connection = kinds[scheme](host, timeout=timeout)
    try:
        connection.request(method, f"/{path}")
        return _undone(connection.getresponse())
    finally:
        connection.close()


def _undone(response: Any) -> Got:
    """These libraries leave it to their users to undo a content coding."""
    headers, body = dict(response.headers.items()), response.read()
    headers = {name.lower(): value for name, value in headers.items()}
    zipped = headers.get("content-encoding") == "gzip"
    return Got(response.status, headers, gzip.decompress(body) if zipped else body)


CLIENTS: dict[str, Fetch] = {
    "httpx": _httpx,
    "httpx-async": _httpx_async,
    "httpx2": _httpx2,
    "httpx2-async": _httpx2_async,
    "aiohttp": _aiohttp,
    "requests": _requests,
    "urllib": _urllib,
    "http.client": _http_client,
}


@pytest.fixture
def clients() -> dict[str, Fetch]:
    """The clients by name."""
    return CLIENTS


@pytest.fixture(params=list(CLIENTS))
def fetch(request: pytest.FixtureRequest) -> Fetch:
    """A client of each library in turn."""
    return CLIENTS[request.param]


@dataclass(frozen=True)
class Run:
    """What came of a call under a fault."""

    got: Any
    error: BaseException | None
    record: Recording

    @property
    def crossing(self) -> Crossing:
        return self.record.boundary[-1]


def story(error: BaseException | None) -> list[tuple[type, str]]:
    """Return what an exception and the one behind it are, and what they say.

    Where in OpenSSL's binding something was noticed, and addresses, differ.
    """
    told: list[tuple[type, str]] = []
    while error is not None and len(told) < 2:
        told.append((type(error), _VARYING.sub("", str(error))))
        error = error.__cause__ or error.__context__
    return told


_VARYING = re.compile(
    r" \(_ssl\.c:\d+\)"
    r"| for url: https://api-\w+\.internal/[\w/]+\?access_token=\w+"
    r"|127\.0\.0\.1|nowhere\.invalid|(?<=port=)\d+|(?<=[^ ]:|, )\d+"
    r"|/(items|late|breaks)|(?<=HTTP)S(?=Conn)|ssl:(True|False)"
    r"|\d+ of \d+ (?=bytes)"
)
"""The parts of messages in which two failures of one kind may differ."""


class Lab:
    """Makes calls while the seams are in place."""

    def under(
        self,
        name: str,
        call: Callable[[], Any],
        *,
        persistent: bool = False,
        operation: str | None = None,
    ) -> Run:
        """Make a call, and then once more with a fault at its first request.

        Or at its first operation of another name.
        """
        with armed() as arming:
            with recording(Recording(virtual=True)) as base:
                call()
            calls = [each.call for each in base.boundary]
            where = next(each for each in calls if operation in {None, each.operation})
            fits = {fault.name: fault for fault in arming.faults(where)}
            injection = Injection(fault=fits[name], where=where, persistent=persistent)
            record = Recording(plan=(injection,), virtual=True)
            with recording(record):
                return _run(call, record)

    def fitting(self, call: Callable[[], Any]) -> set[str]:
        """Return the names of the faults that can be put at a call's first request."""
        with armed() as arming, recording(Recording(virtual=True)) as record:
            _run(call, record)
            names = [fault.name for fault in arming.faults(record.boundary[0].call)]
        assert len(names) == len(set(names))
        assert set(names) <= set(CATALOGUE)
        return set(names)

    def same(self, name: str, call: Callable[[], Any], real: Callable[[], Any]) -> None:
        """Check that an injected error is what a real one is."""
        injected = self.under(name, call).error
        with pytest.raises(Exception) as broken:  # noqa: PT011 - whatever it is
            real()
        assert story(injected) == story(broken.value)

    def observed(
        self, call: Callable[[], Any], cassette: Cassette | None = None
    ) -> Run:
        """Make a call without a fault."""
        record = Recording(virtual=True, cassette=cassette)
        with armed(), recording(record):
            return _run(call, record)


def _run(call: Callable[[], Any], record: Recording) -> Run:
    try:
        return Run(call(), None, record)
    except Exception as error:  # noqa: BLE001 - what a library raises is looked at
        return Run(None, error, record)


@pytest.fixture
def unknown_host(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address that no name server knows."""
    real = socket.getaddrinfo

    def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host in {"nowhere.invalid", b"nowhere.invalid"}:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return "http://nowhere.invalid/items"


@pytest.fixture
def lab() -> Lab:
    return Lab()
