from __future__ import annotations

import asyncio
import smtplib
import socket
import ssl
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
import pytest_socket

from pytest_toolresult.seams.arming import armed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.unit.seams.web.conftest import Backend, Lab


@pytest.fixture
def echo() -> Iterator[tuple[str, int]]:
    """A server that sends back what it gets, line by line."""
    listener = socket.create_server(("127.0.0.1", 0))
    done = threading.Event()

    def serve() -> None:
        while not done.is_set():
            connection, _ = listener.accept()
            with suppress(OSError), connection, connection.makefile("rwb") as lines:
                for line in lines:
                    lines.write(line)
                    lines.flush()

    thread = threading.Thread(target=serve)
    thread.start()
    yield listener.getsockname()
    done.set()
    socket.create_connection(listener.getsockname()).close()
    thread.join()
    listener.close()


@pytest.fixture
def ask(echo: tuple[str, int]) -> Callable[[], bytes]:
    def call() -> bytes:
        with socket.create_connection(("localhost", echo[1]), timeout=5) as sock:
            sock.sendall(b"hello\n")
            return sock.recv(100)

    return call


def test_each_step_is_seen(ask: Callable[[], bytes], lab: Lab) -> None:
    run = lab.observed(ask)
    assert run.got == b"hello\n"
    steps = [each.call.operation for each in run.record.boundary]
    assert steps[0] == "resolve"
    assert steps[-3:] == ["connect", "send", "receive"]
    assert {each.call.seam for each in run.record.boundary} == {"socket"}
    assert {each.call.detail for each in run.record.boundary} == {""}


@pytest.mark.parametrize(
    ("operation", "name", "error"),
    [
        ("resolve", "dns", socket.gaierror(-2, "Name or service not known")),
        ("connect", "timeout", TimeoutError("timed out")),
        ("connect", "slow", TimeoutError("timed out")),
        ("connect", "refused", ConnectionRefusedError(111, "Connection refused")),
        ("send", "reset", BrokenPipeError(32, "Broken pipe")),
        ("receive", "timeout", TimeoutError("timed out")),
        ("receive", "reset", ConnectionResetError(104, "Connection reset by peer")),
    ],
)
def test_errors_are_those_of_the_system(
    ask: Callable[[], bytes], lab: Lab, operation: str, name: str, error: Exception
) -> None:
    run = lab.under(name, ask, operation=operation)
    assert type(run.error) is type(error)
    assert run.error.args == error.args
    assert run.record.fired


def test_a_connection_may_end_early(ask: Callable[[], bytes], lab: Lab) -> None:
    assert lab.under("truncated", ask, operation="receive").got == b""


def test_a_file_over_a_socket_is_seen(echo: tuple[str, int], lab: Lab) -> None:
    def call() -> bytes:
        with socket.create_connection(echo) as sock, sock.makefile("rwb") as lines:
            lines.write(b"hello\n")
            lines.flush()
            return lines.readline()

    assert lab.observed(call).got == b"hello\n"
    error = lab.under("reset", call, operation="receive").error
    assert isinstance(error, ConnectionResetError)
    assert lab.under("truncated", call, operation="receive").got == b""


def test_a_handshake_may_fail(untrusted: str, lab: Lab) -> None:
    port = int(untrusted.rpartition(":")[2].partition("/")[0])
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def call() -> str | None:
        with (
            socket.create_connection(("127.0.0.1", port)) as plain,
            context.wrap_socket(plain, server_hostname="127.0.0.1") as sock,
        ):
            return sock.version()

    run = lab.observed(call)
    assert "handshake" in [each.call.operation for each in run.record.boundary]
    error = lab.under("tls", call, operation="handshake").error
    assert isinstance(error, ssl.SSLCertVerificationError)


def test_libraries_without_a_seam_are_broken_here(
    echo: tuple[str, int], lab: Lab
) -> None:
    def call() -> str:
        try:
            smtplib.SMTP(*echo, timeout=0.1)
        except OSError as error:
            return type(error).__name__
        return "connected"

    assert lab.observed(call).got == "SMTPServerDisconnected"
    run = lab.under("refused", call, operation="connect")
    assert run.got == "ConnectionRefusedError"


def test_streams_of_asyncio_are_broken_where_they_connect(
    echo: tuple[str, int], lab: Lab
) -> None:
    async def fetch() -> bytes:
        reader, writer = await asyncio.open_connection(*echo)
        writer.write(b"hello\n")
        line = await reader.readline()
        writer.close()
        await writer.wait_closed()
        return line

    def call() -> bytes:
        return asyncio.run(fetch())

    run = lab.observed(call)
    assert run.got == b"hello\n"
    assert [each.call.operation for each in run.record.boundary] == ["connect"]
    assert not run.crossing.blocks
    assert isinstance(lab.under("refused", call).error, ConnectionRefusedError)


def test_blocking_a_loop_is_seen(ask: Callable[[], bytes], lab: Lab) -> None:
    async def blocks() -> bytes:
        return ask()

    run = lab.observed(lambda: asyncio.run(blocks()))
    assert all(each.blocks for each in run.record.boundary)


def test_it_runs_under_pytest_socket(
    ask: Callable[[], bytes], backend: Backend, lab: Lab, clients: dict[str, Any]
) -> None:
    url = backend.url("/items")
    fetch = clients["httpx"]
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1", "localhost"])
    try:
        assert lab.observed(ask).got == b"hello\n"
        assert lab.under("http_503", lambda: fetch(url)).got.status == 503
    finally:
        pytest_socket._remove_restrictions()  # noqa: SLF001 - there is no public way
    pytest_socket.disable_socket()
    try:
        error = lab.observed(socket.socket).error
        assert "A test tried to use socket.socket" in str(error)
    finally:
        pytest_socket._remove_restrictions()  # noqa: SLF001 - there is no public way
    assert lab.observed(ask).got == b"hello\n"


def test_everything_is_as_before_afterwards() -> None:
    kinds: list[Any] = [socket.socket, ssl.SSLSocket]
    before = [dict(vars(kind)) for kind in kinds], socket.getaddrinfo
    with armed():
        assert [dict(vars(kind)) for kind in kinds] != before[0]
    assert ([dict(vars(kind)) for kind in kinds], socket.getaddrinfo) == before
