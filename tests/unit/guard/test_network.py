from __future__ import annotations

import asyncio
import ftplib
import http.client
import smtplib
import socket
import tempfile
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_toolresult.guard import guarded
from pytest_toolresult.guard.hosts import is_local
from pytest_toolresult.outcomes import Blocked

Stop = Callable[[Callable[[], Any]], Blocked]

FAR = "10.255.255.1"


@pytest.fixture
def server() -> Iterator[int]:
    """The port of an echo server on the loopback interface."""
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=_echo, args=(listener,))
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def _echo(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            connection.sendall(connection.recv(100))


def connect() -> None:
    with socket.socket() as sock:
        sock.settimeout(0.2)
        sock.connect((FAR, 80))


def connect_ex() -> None:
    with socket.socket() as sock:
        sock.settimeout(0.2)
        sock.connect_ex((FAR, 80))


def send_to() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.sendto(b"x", (FAR, 53))


def send_message() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sock:
        sock.sendmsg([b"x"], [], 0, (FAR, 53))


async def open_async() -> None:
    await asyncio.open_connection(FAR, 80)


REACHES: dict[str, tuple[Callable[[], Any], str]] = {
    "connect": (connect, f"connects to {FAR}:80"),
    "connect_ex": (connect_ex, f"connects to {FAR}:80"),
    "sendto": (send_to, f"sends to {FAR}:53"),
    "sendmsg": (send_message, f"sends to {FAR}:53"),
    "asyncio": (lambda: asyncio.run(open_async()), f"connects to {FAR}:80"),
    "lookup": (
        lambda: socket.getaddrinfo("db.example.com", 1),
        "looks up the host db.example.com",
    ),
    "gethostbyname": (
        lambda: socket.gethostbyname("db.example.com"),
        "looks up the host db.example.com",
    ),
    "reverse": (lambda: socket.gethostbyaddr(FAR), f"looks up the host {FAR}"),
    "getnameinfo": (
        lambda: socket.getnameinfo((FAR, 80), 0),
        f"looks up the host {FAR}",
    ),
    "http": (
        lambda: http.client.HTTPConnection("example.com").request("GET", "/"),
        "connects to example.com:80",
    ),
    "urllib": (
        lambda: urllib.request.urlopen("https://example.com/a"),
        "connects to example.com:443",
    ),
    "ftp": (lambda: ftplib.FTP("example.com"), "connects to example.com:21"),
    "smtp": (
        lambda: smtplib.SMTP("mail.example.com"),
        "sends mail through mail.example.com",
    ),
    "local smtp": (lambda: smtplib.SMTP("127.0.0.1"), "sends mail through 127.0.0.1"),
    "local mail port": (
        lambda: socket.create_connection(("127.0.0.1", 25)),
        "connects to a mail server: 127.0.0.1:25",
    ),
    "container engine": (
        lambda: socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock"),
        "connects to the local socket ",
    ),
    "abstract socket": (
        lambda: socket.socket(socket.AF_UNIX).connect("\0bus"),
        "connects to the local socket @bus",
    ),
}


@pytest.mark.parametrize("name", REACHES)
def test_nothing_reaches_another_host(name: str, stop: Stop) -> None:
    act, words = REACHES[name]
    blocked = stop(act)
    assert blocked.power == "network"
    assert blocked.action.startswith(words)


def test_loopback_passes_and_is_noted(server: int) -> None:
    with guarded(frozenset()) as report:
        with socket.create_connection(("localhost", server)) as sock:
            sock.sendall(b"hello")
            assert sock.recv(10) == b"hello"
    assert report.blocked is None
    assert any(f"127.0.0.1:{server}" in note for note in report.notes)


def test_a_connection_made_before_is_not_used_for_http(stop: Stop, server: int) -> None:
    client = http.client.HTTPConnection("127.0.0.1", server)
    client.connect()
    client.host = "example.com"  # as if the open connection led there
    assert stop(lambda: client.request("GET", "/")).action == (
        f"sends to example.com:{server}"
    )
    client.close()


def test_a_local_socket_in_scratch_passes() -> None:
    with guarded(frozenset()) as report:
        place = str(Path(tempfile.gettempdir(), "door"))
        with (
            socket.socket(socket.AF_UNIX) as server,
            socket.socket(socket.AF_UNIX) as client,
        ):
            server.bind(place)
            server.listen()
            client.connect(place)
        Path(place).unlink()
    assert report.blocked is None


def test_socket_pairs_pass() -> None:
    with guarded(frozenset()) as report:
        left, right = socket.socketpair()
        left.sendmsg([b"x"])
        assert right.recv(1) == b"x"
        left.close()
        right.close()
    assert report.blocked is None


def test_the_network_may_be_allowed() -> None:
    with guarded(frozenset({"network"})) as report:
        with socket.socket(type=socket.SOCK_DGRAM) as sock:
            sock.connect(("192.0.2.1", 9))  # a datagram socket: nothing is sent
    assert report.blocked is None


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", True),
        ("", True),
        ("LOCALHOST.", True),
        ("api.localhost", True),
        ("10.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("localhost.example.com", False),
        ("127.0.0.1.nip.io", False),
        ("<broadcast>", False),
    ],
)
def test_only_this_machine_is_local(host: str, *, local: bool) -> None:
    assert is_local(host) is local
