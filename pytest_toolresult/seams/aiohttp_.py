"""Sees and breaks the requests of aiohttp.

The boundary is the connector: each attempt of a session, whether it follows a
redirect or a middleware repeats it, asks for a connection. Under a fault it gets one
over which nothing comes, or what the fault says, and the rest is aiohttp's own.
"""

from __future__ import annotations

import errno
import http.client
import weakref
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.redaction.canaries import noted
from pytest_toolresult.seams import http_answers
from pytest_toolresult.seams.exchanges import (
    GIVEN_UP,
    Exchange,
    Known,
    in_a_request,
    quoting,
)
from pytest_toolresult.seams.recording import cross

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.http_answers import Answer
    from pytest_toolresult.seams.patches import Patches


class AiohttpSeam:
    """Stands between a session and its connector."""

    name = "aiohttp"
    library = "aiohttp"

    def __init__(self) -> None:
        self._known = Known()
        self._open: weakref.WeakKeyDictionary[Any, Exchange] = (
            weakref.WeakKeyDictionary()
        )

    def install(self, patches: Patches) -> None:
        """Wrap how connections are got, and how responses begin."""
        import aiohttp

        self._known.forget()
        connector: Any = aiohttp.BaseConnector
        response: Any = aiohttp.ClientResponse
        patches.replace(connector, "connect", self._connecting(connector.connect))
        patches.replace(response, "start", self._starting(response.start))

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a request, worst first."""
        return self._known.faults(call)

    def _connecting(
        self, original: Callable[..., Awaitable[Any]]
    ) -> Callable[..., Awaitable[Any]]:
        @wraps(original)
        async def connect(connector: Any, req: Any, **how: Any) -> Any:
            limits = how["timeout"]
            exchange = self._exchange(req, limits)
            if exchange is None:
                return await original(connector, req, **how)
            if exchange.is_plain:
                with exchange.waiting():
                    connection = await original(connector, req, **how)
                self._open[connection] = exchange
                return connection
            try:
                answer = await exchange.answer_async(
                    lambda: _ask(connector, req, limits)
                )
            except _Unanswered as unanswered:
                return _connection(req, error=unanswered.args[0])
            return _connection(req, answer=answer)

        return connect

    def _starting(
        self, original: Callable[..., Awaitable[Any]]
    ) -> Callable[..., Awaitable[Any]]:
        @wraps(original)
        async def start(response: Any, connection: Any) -> Any:
            exchange = self._open.pop(connection, None)
            if exchange is None:
                return await original(response, connection)
            with exchange.waiting():
                await original(response, connection)
            failed = http_answers.Answer(status=response.status)
            exchange.passage.failure = failed.failure
            response.read = _reading(response, exchange)
            return response

        return start

    def _exchange(self, req: Any, limits: Any) -> Exchange | None:
        if "upgrade" in req.headers:  # what follows is no HTTP
            return None
        passage = cross(
            self.name,
            req.method,
            detail=http_answers.detail(str(req.url)),
            needs=http_answers.needed(req.method),
            suspends=True,
        )
        if passage is None:
            return None
        passage.idempotent = http_answers.is_repeatable(req.method, req.headers)
        shortest = min(filter(None, (limits.sock_read, limits.total)), default=None)
        return Exchange(
            passage=passage,
            known=self._known,
            limit=shortest,
            error=lambda name: _error(name, req, limits),
        )


class _Unanswered(BaseException):
    """Carries what is raised while an answer is waited for, not a connection."""


def _reading(response: Any, exchange: Exchange) -> Callable[[], Awaitable[bytes]]:
    """Return a way to read a response that takes note of the body."""
    original = response.read
    method = response.method

    async def read() -> bytes:
        with exchange.waiting():
            body: bytes = await original()
        exchange.saw(_received(response, body, method))
        return body

    return read


def _received(response: Any, body: bytes, method: str) -> Answer:
    return http_answers.received(
        response.status, response.headers.items(), body, method=method
    )


async def _ask(connector: Any, req: Any, limits: Any) -> Answer:
    """Make a request a second time, for real, over the same connector."""
    import aiohttp

    headers = {
        name: value
        for name, value in req.headers.items()
        if name.lower() not in {"content-length", "transfer-encoding"}
    }
    session = aiohttp.ClientSession(
        connector=connector, connector_owner=False, cookie_jar=aiohttp.DummyCookieJar()
    )
    async with (
        session,
        session.request(
            req.method,
            req.url,
            headers=headers,
            data=await _body(req.body),
            allow_redirects=False,
            proxy=req.proxy,
            ssl=req.ssl,
            timeout=limits,
        ) as response,
    ):
        return _received(response, await response.read(), req.method)


async def _body(body: Any) -> bytes | None:
    if hasattr(body, "as_bytes"):
        body = await body.as_bytes()
    body = getattr(body, "_value", body)  # that of older releases
    return bytes(body) if isinstance(body, (bytes, bytearray)) and body else None


def _connection(
    req: Any, *, answer: Answer | None = None, error: BaseException | None = None
) -> Any:
    """Return a connection over which an answer comes, or an error."""
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection

    protocol: Any = ResponseHandler(req.loop)
    protocol.connection_made(_Transport())
    expect = protocol.set_response_params

    def set_response_params(**kwargs: Any) -> None:
        expect(**kwargs)
        if answer is None:
            protocol.set_exception(error)
            return
        protocol.data_received(_written(answer))
        if answer.breaks_off:
            req.loop.call_soon(protocol.connection_lost, quoting("reset"))

    protocol.set_response_params = set_response_params
    return Connection(_Connector(), req.connection_key, protocol, req.loop)  # type: ignore[arg-type]


class _Connector:
    """Takes back connections of ours."""

    force_close = False

    def _release(self, _key: Any, protocol: Any, **_: Any) -> None:
        protocol.close()


class _Transport:
    """Takes requests, and leads them nowhere."""

    def __init__(self) -> None:
        self._closed = False

    def write(self, data: Any) -> None:
        """Do nothing."""

    def writelines(self, parts: Any) -> None:
        """Do nothing."""

    def pause_reading(self) -> None:
        """Do nothing: all has come already."""

    def resume_reading(self) -> None:
        """Do nothing: all has come already."""

    def get_extra_info(self, _name: str, default: Any = None) -> Any:
        """Return nothing: there is no socket."""
        return default

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self._closed = True

    abort = close


def _written(answer: Answer) -> bytes:
    reason = http.client.responses.get(answer.status, "")
    lines = [f"HTTP/1.1 {answer.status} {reason}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace") + answer.body


def _error(name: str, req: Any, limits: Any) -> BaseException:
    """Return what aiohttp raises for a trouble, or `_Unanswered` around it."""
    import aiohttp

    reason: Any = quoting(name)
    key = req.connection_key
    if name == "timeout":
        read, total = limits.sock_read, limits.total
        if read and not (total and total < read):
            words = f"Timeout on reading data from socket{in_a_request(name)}"
            return _Unanswered(aiohttp.SocketTimeoutError(words))
        return _Unanswered(noted(TimeoutError(), "aiohttp timeout"))
    if name == "reset":
        return _Unanswered(aiohttp.ClientOSError(*reason.args))
    if name == "tls":
        error: Any = aiohttp.ClientConnectorCertificateError(key, reason)
    elif name == "dns":
        error = aiohttp.ClientConnectorDNSError(key, reason)
    else:
        number = errno.ETIMEDOUT if name == GIVEN_UP else errno.ECONNREFUSED
        where = f"({req.url.host!r}, {req.url.port})"
        words = f"Connect call failed {where}{in_a_request(name)}"
        reason = OSError(number, words)
        error = aiohttp.ClientConnectorError(key, reason)
    error.__cause__ = reason
    return error  # type: ignore[no-any-return]


AIOHTTP: Final = AiohttpSeam()
