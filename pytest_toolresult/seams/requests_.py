"""Sees and breaks the requests of requests.

The boundary is the adapter. Under a fault a connection pool of urllib3 takes its place,
one that fails or answers as the fault says: the repetitions that the tool has asked
for take place, and every message is urllib3's own.
"""

from __future__ import annotations

import http.client
import io
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pytest_toolresult.seams import http_answers
from pytest_toolresult.seams.exchanges import (
    GIVEN_UP,
    Exchange,
    Known,
    in_a_request,
    quoting,
)
from pytest_toolresult.seams.leaves import working_classes
from pytest_toolresult.seams.recording import cross

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.http_answers import Answer
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage


class RequestsSeam:
    """Stands in front of every adapter that makes requests itself."""

    name = "requests"
    library = "requests"

    def __init__(self) -> None:
        self._known = Known()

    def install(self, patches: Patches) -> None:
        """Wrap the adapters."""
        from requests import adapters

        self._known.forget()
        for kind in working_classes(adapters.BaseAdapter, "send"):
            patches.replace(kind, "send", self._wrapped(vars(kind)["send"]))

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a request, worst first."""
        return self._known.faults(call)

    def _wrapped(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def send(adapter: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
            passage = self._cross(request)
            if passage is None:
                return original(adapter, request, *args, **kwargs)
            sending = _Sending(
                adapter=adapter,
                request=request,
                known=self._known,
                cross=self._cross,
                send=lambda: original(adapter, request, *args, **kwargs),
                options=_options(*args, **kwargs),
            )
            return sending.response(passage)

        return send

    def _cross(self, request: Any) -> Passage | None:
        passage = cross(
            self.name,
            request.method,
            detail=http_answers.detail(request.url),
            needs=http_answers.needed(request.method),
        )
        if passage is not None:
            named = request.headers
            passage.idempotent = http_answers.is_repeatable(request.method, named)
        return passage


def _options(
    stream: bool = False,  # noqa: FBT001, FBT002 - as above
    timeout: Any = None,
    verify: Any = True,  # noqa: FBT002 - as above
    cert: Any = None,
    proxies: Any = None,
) -> dict[str, Any]:
    return {
        "stream": stream,
        "timeout": timeout,
        "verify": verify,
        "cert": cert,
        "proxies": proxies,
    }


def _read_timeout(timeout: Any) -> float | None:
    read = timeout[1] if isinstance(timeout, tuple) else timeout
    read = getattr(read, "read_timeout", read)
    return float(read) if isinstance(read, (int, float)) else None


class _Real(BaseException):
    """Carries what the real adapter raised past the code that would wrap it again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sending:
    """One call of an adapter.

    Attributes:
        adapter: The adapter.
        request: What it is to send.
        known: What is known of answers.
        cross: Reports a further attempt.
        send: Sends the request for real.
        options: What else the adapter was given.
    """

    adapter: Any
    request: Any
    known: Known
    cross: Callable[[Any], Passage | None]
    send: Callable[[], Any]
    options: dict[str, Any]

    def response(self, passage: Passage) -> Any:
        """Return what the tool gets to see."""
        exchange = self._exchange(passage)
        if exchange.is_plain:
            return self._plain(exchange)
        try:
            raw = self._sent(_pool(self.request.url, self._attempts(exchange)))
        except _Real as real:
            raise real.args[0] from None
        return _response(self.adapter, self.request, raw)

    def _sent(self, pool: Any) -> Any:
        from requests.adapters import DEFAULT_RETRIES
        from urllib3.exceptions import HTTPError
        from urllib3.util import Retry

        retries = getattr(self.adapter, "max_retries", None)
        try:
            return pool.urlopen(
                self.request.method,
                self.request.path_url,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
                decode_content=False,
                retries=retries or Retry(DEFAULT_RETRIES, read=False),
            )
        except (HTTPError, OSError) as error:
            raise _as_ever(error, self.request) from error

    def _plain(self, exchange: Exchange) -> Any:
        with exchange.asking():
            response = self.send()
            failed = http_answers.Answer(status=response.status_code)
            exchange.passage.failure = failed.failure
            if not self.options["stream"] and not response.is_redirect:
                exchange.saw(_received(response, self.request.method))
        return response

    def _attempts(self, first: Exchange) -> Callable[[Any, Any, str], Any]:
        """Return what makes each attempt of a pool, the first one and repetitions."""
        waiting = [first]

        def attempt(pool: Any, connection: Any, url: str) -> Any:
            exchange = waiting.pop() if waiting else self._next()
            if exchange is None:
                return _raw(self._ask(), self.request.method)
            made = Exchange(
                passage=exchange.passage,
                known=self.known,
                limit=exchange.limit,
                error=lambda name: _error(name, pool, connection, url, exchange.limit),
            )
            return _raw(made.answer(self._ask), self.request.method)

        return attempt

    def _next(self) -> Exchange | None:
        passage = self.cross(self.request)
        return None if passage is None else self._exchange(passage)

    def _exchange(self, passage: Passage) -> Exchange:
        return Exchange(
            passage=passage,
            known=self.known,
            limit=_read_timeout(self.options["timeout"]),
            error=quoting,
        )

    def _ask(self) -> Answer:
        try:
            return _received(self.send(), self.request.method)
        except Exception as error:
            raise _Real(error) from error


def _received(response: Any, method: str) -> Answer:
    return http_answers.received(
        response.status_code, response.headers.items(), response.content, method=method
    )


def _response(adapter: Any, request: Any, raw: Any) -> Any:
    from requests.adapters import HTTPAdapter

    maker = adapter if isinstance(adapter, HTTPAdapter) else HTTPAdapter()
    response = maker.build_response(request, raw)
    response.connection = adapter
    return response


def _as_ever(error: Exception, request: Any) -> Exception:
    """Return what an adapter raises for an error of urllib3's.

    See `HTTPAdapter.send` in
    https://github.com/psf/requests/blob/main/src/requests/adapters.py
    """
    from requests import exceptions as ours
    from urllib3 import exceptions as theirs

    reason = error.reason if isinstance(error, theirs.MaxRetryError) else error
    if isinstance(reason, theirs.ReadTimeoutError) and reason is error:
        kind: type[ours.RequestException] = ours.ReadTimeout
    elif isinstance(reason, theirs.ResponseError):
        kind = ours.RetryError
    elif isinstance(reason, theirs.SSLError):
        kind = ours.SSLError
    else:
        kind = ours.ConnectionError
    return kind(error, request=request)


def _pool(url: str, attempt: Callable[[Any, Any, str], Any]) -> Any:
    """Return a pool of urllib3's whose attempts are made up."""
    from urllib3 import HTTPConnectionPool, HTTPSConnectionPool

    def make(connection: Any, _method: str, url: str, **more: Any) -> Any:
        response = attempt(pool, connection, url)
        response.retries = more.get("retries")
        return response

    parts = urlsplit(url)
    kind: Any = HTTPSConnectionPool if parts.scheme == "https" else HTTPConnectionPool
    pool = kind(parts.hostname or "", parts.port)
    pool._make_request = make  # noqa: SLF001 - what urllib3 repeats
    return pool


def _error(
    name: str, pool: Any, connection: Any, url: str, limit: float | None
) -> BaseException:
    """Return what an attempt of a pool raises."""
    from urllib3 import exceptions

    reason: Any = quoting(name)
    error: BaseException = reason
    if name == "timeout":
        words = f"Read timed out. (read timeout={limit}){in_a_request(name)}"
        error = exceptions.ReadTimeoutError(pool, url, words)
    elif name == "dns":
        error = exceptions.NameResolutionError(pool.host, connection, reason)
    elif name in {"refused", GIVEN_UP}:
        words = f"Failed to establish a new connection: {reason}"
        error = exceptions.NewConnectionError(connection, words)
    if error is not reason:
        error.__cause__ = reason
    return error


def _raw(answer: Answer, method: str) -> Any:
    from urllib3 import HTTPResponse

    return HTTPResponse(
        body=_Broken(answer.body) if answer.breaks_off else io.BytesIO(answer.body),
        headers=dict(answer.headers),
        status=answer.status,
        reason=http.client.responses.get(answer.status),
        version=11,
        preload_content=False,
        decode_content=False,
        request_method=method,
    )


class _Broken(io.BytesIO):
    """A body whose connection is reset."""

    def read(self, size: int | None = -1, /) -> bytes:
        part = super().read(size)
        if part and size is not None and size >= 0:
            return part
        raise quoting("reset")

    read1 = read


REQUESTS: Final = RequestsSeam()
