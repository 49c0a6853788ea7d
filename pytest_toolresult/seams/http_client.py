"""Sees and breaks the requests of `http.client`, and so those of `urllib.request`.

Under a fault a connection is given a socket of ours: what the library makes of a
server that refuses, answers wrongly or goes away is its own.
"""

from __future__ import annotations

import gzip
import io
import socket
import weakref
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from http import client
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.seams import http_answers
from pytest_toolresult.seams.exchanges import Exchange, Known, quoting
from pytest_toolresult.seams.recording import cross

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.http_answers import Answer
    from pytest_toolresult.seams.patches import Patches

_READING: Final = ("read", "read1", "readinto", "readline", "peek")
_GZIP: Final = "gzip"


class HttpClientSeam:
    """Stands between a connection and its socket."""

    name = "http.client"
    library = "http.client"

    def __init__(self) -> None:
        self._known = Known()
        self._pending: weakref.WeakKeyDictionary[Any, _Pending] = (
            weakref.WeakKeyDictionary()
        )

    def install(self, patches: Patches) -> None:
        """Wrap the three steps of a request: its line, its bytes, its answer."""
        self._known.forget()
        kind = client.HTTPConnection
        patches.replace(kind, "putrequest", self._beginning(kind.putrequest))
        patches.replace(kind, "send", self._sending(kind.send))
        patches.replace(kind, "getresponse", self._answering(kind.getresponse))

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a request, worst first."""
        return self._known.faults(call)

    def _beginning(self, original: Callable[..., None]) -> Callable[..., None]:
        @wraps(original)
        def putrequest(
            connection: Any, method: str, url: str, *args: Any, **kwargs: Any
        ) -> None:
            self._pending.pop(connection, None)
            passage = cross(
                self.name,
                method,
                detail=http_answers.detail(_whole(connection, url)),
                needs=http_answers.needed(method),
            )
            original(connection, method, url, *args, **kwargs)
            if passage is None:
                return
            passage.idempotent = http_answers.is_repeatable(method, ())
            exchange = Exchange(
                passage=passage,
                known=self._known,
                limit=_limit(connection.timeout),
                error=quoting,
            )
            pending = _Pending(exchange=exchange, method=method, real=connection.sock)
            self._pending[connection] = pending
            if not exchange.is_plain:
                connection.sock = _Socket(connection, pending)

        return putrequest

    def _sending(self, original: Callable[..., None]) -> Callable[..., None]:
        @wraps(original)
        def send(connection: Any, data: Any) -> None:
            pending = self._pending.get(connection)
            if pending is None:
                return original(connection, data)
            _look_at_headers(pending, data)
            with pending.exchange.asking():
                return original(connection, data)

        return send

    def _answering(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def getresponse(connection: Any, *args: Any, **kwargs: Any) -> Any:
            pending = self._pending.pop(connection, None)
            if pending is None:
                return original(connection, *args, **kwargs)
            if not isinstance(connection.sock, _Socket):
                with pending.exchange.asking():
                    response = original(connection, *args, **kwargs)
                return _tapped(response, pending)
            try:
                return original(connection, *args, **kwargs)
            finally:
                connection.sock = pending.real

        return getresponse


@dataclass(slots=True, kw_only=True, eq=False)
class _Pending:
    """A request that has no answer yet.

    Attributes:
        exchange: What becomes of it.
        method: Its method.
        real: The real socket of its connection, where there is one already.
    """

    exchange: Exchange
    method: str
    real: Any


class _Socket:
    """What a connection takes for its socket."""

    def __init__(self, connection: Any, pending: _Pending) -> None:
        self._connection = weakref.ref(connection)
        self._pending = pending
        self._sent = b""

    def sendall(self, data: Any) -> None:
        """Take the request; without a connection it does not come to that."""
        if self._pending.exchange.fails_to_connect:
            self._pending.exchange.answer(self._ask)
        self._sent += bytes(data)

    def makefile(self, *_: Any, **__: Any) -> io.BufferedReader:
        """Return what the server sends."""
        return io.BufferedReader(
            _Wire(lambda: self._pending.exchange.answer(self._ask))
        )

    def settimeout(self, seconds: float | None) -> None:
        """Do nothing: nothing here takes time."""

    def close(self) -> None:
        """Close the real one behind it, if there is one."""
        if self._pending.real is not None:
            self._pending.real.close()
            self._pending.real = None

    def _ask(self) -> Answer:
        connection: Any = self._connection()
        connection.sock = self._pending.real
        try:
            if connection.sock is None:
                connection.connect()
            connection.sock.sendall(self._sent)
            response = client.HTTPResponse(connection.sock, method=self._pending.method)
            response.begin()
            with response:
                return _received(response, response.read(), self._pending.method)
        finally:
            if connection.sock is not None:
                connection.sock.close()
            connection.sock, self._pending.real = self, None


class _Wire(io.RawIOBase):
    """An answer on its way, got when the first of it is waited for."""

    def __init__(self, wait: Callable[[], Answer]) -> None:
        self._wait = wait
        self._content: io.BytesIO | None = None
        self._breaks_off = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if self._content is None:
            answer = self._wait()
            self._content = io.BytesIO(b"".join(_written(answer)))
            self._breaks_off = answer.breaks_off
        part = self._content.read(len(buffer))
        if not part and self._breaks_off:
            raise quoting("reset")
        buffer[: len(part)] = part
        return len(part)


def _look_at_headers(pending: _Pending, data: Any) -> None:
    """See whether the server will know a repetition by one of them."""
    if isinstance(data, bytes) and data.startswith(f"{pending.method} ".encode()):
        head = data.partition(b"\r\n\r\n")[0].decode("latin-1")
        names = [line.partition(":")[0] for line in head.splitlines()[1:]]
        if http_answers.is_repeatable(pending.method, names):
            pending.exchange.passage.idempotent = True


def _limit(timeout: Any) -> float | None:
    if isinstance(timeout, (int, float)):
        return float(timeout)
    return None if timeout is None else socket.getdefaulttimeout()


def _whole(connection: Any, url: str) -> str:
    if "://" in url:
        return url
    host = connection._tunnel_host or connection.host  # noqa: SLF001 - there is no other
    return f"//{f'[{host}]' if ':' in host else host}{url}"


def _received(response: Any, body: bytes, method: str) -> Answer:
    coding = response.headers.get("content-encoding", "")
    if coding == _GZIP:
        with suppress(OSError, EOFError):
            body = gzip.decompress(body)
    answer = http_answers.received(
        response.status, response.headers.items(), body, method=method
    )
    return replace(answer, coding=coding)


def _written(answer: Answer) -> Iterator[bytes]:
    """Return an answer as it travels."""
    body, headers = answer.body, list(answer.headers)
    if answer.coding:
        body = gzip.compress(body) if answer.coding == _GZIP else body
        headers = list(http_answers.plain_headers(headers, body))
        headers.append(("content-encoding", answer.coding))
    reason = client.responses.get(answer.status, "")
    yield f"HTTP/1.1 {answer.status} {reason}\r\n".encode()
    for name, value in headers:
        yield f"{name}: {value}\r\n".encode("latin-1", "replace")
    yield b"\r\n"
    yield body


def _tapped(response: Any, pending: _Pending) -> Any:
    """Take note of the body as the tool reads it, if it ever does."""
    tap = _Tap(response, pending)
    pending.exchange.passage.failure = http_answers.Answer(
        status=response.status
    ).failure
    for name in _READING:
        setattr(response, name, tap.around(getattr(response, name)))
    tap.look()
    return response


class _Tap:
    """Collects what is read from a response."""

    def __init__(self, response: Any, pending: _Pending) -> None:
        self._response = weakref.ref(response)
        self._pending = pending
        self._parts: list[bytes] = []
        self._reading = False
        self._seen = False

    def around(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a way to read that notes what was read; some use others."""

        def read(*args: Any) -> Any:
            if self._reading:
                return original(*args)
            self._reading = True
            try:
                with self._pending.exchange.asking():
                    result = original(*args)
            finally:
                self._reading = False
            if isinstance(result, bytes) and original.__name__ != "peek":
                self._parts.append(result)
            elif isinstance(result, int):
                self._parts.append(bytes(args[0][:result]))
            self.look()
            return result

        return read

    def look(self) -> None:
        """See whether all has been read."""
        response = self._response()
        if response is None or self._seen:
            return
        if not response.isclosed() and response.length != 0:
            return
        self._seen = True
        body = b"".join(self._parts)
        self._pending.exchange.saw(_received(response, body, self._pending.method))


HTTP_CLIENT: Final = HttpClientSeam()
