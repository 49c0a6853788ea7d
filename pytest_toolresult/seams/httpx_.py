"""Sees and breaks the requests of httpx, and of httpx2, which has the same shape.

The boundary is the transport: clients, authentication and redirects stand above it
and work as they are. Transports that only pass requests on to another one, such as
those that retry, are part of the tool; the one beneath is the boundary.
"""

from __future__ import annotations

import os
import sys
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
from pytest_toolresult.seams.leaves import working_classes
from pytest_toolresult.seams.recording import cross, current

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.http_answers import Answer
    from pytest_toolresult.seams.patches import Patches

_LARGEST: Final = 5_000_000
_ENDLESS: Final = "text/event-stream"


class HttpxSeam:
    """Stands in front of every transport that makes requests itself.

    Args:
        library: `httpx` or `httpx2`.
    """

    def __init__(self, library: str) -> None:
        self.name = library
        self.library = library
        self._known = Known()
        self._contexts: dict[object, Any] = {}

    def install(self, patches: Patches) -> None:
        """Wrap the transports, and make TLS contexts only once."""
        module = sys.modules[self.library]
        if module.__name__ != self.library:  # it stands in for the other one
            return
        self._known.forget()
        for base, method, wrap in (
            (module.BaseTransport, "handle_request", self._wrapped),
            (module.AsyncBaseTransport, "handle_async_request", self._wrapped_async),
        ):
            for kind in working_classes(base, method):
                patches.replace(kind, method, wrap(vars(kind)[method], module))
        maker = sys.modules.get(f"{self.library}._transports.default")
        if maker is not None:
            once = self._made_once(maker.create_ssl_context)
            patches.replace(maker, "create_ssl_context", once)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a request, worst first."""
        return self._known.faults(call)

    def _wrapped(self, original: Any, module: Any) -> Callable[..., Any]:
        @wraps(original)
        def handle_request(transport: Any, request: Any) -> Any:
            exchange = self._exchange(transport, request, module, suspends=False)
            if exchange is None:
                return original(transport, request)
            if exchange.is_plain:
                with exchange.asking():
                    response = original(transport, request)
                return _tapped(response, exchange, module, request.method)

            def ask() -> Answer:
                response = original(transport, request)
                try:
                    response.read()
                finally:
                    response.close()
                return _received(response, request.method)

            return _response(exchange.answer(ask), exchange, module)

        return handle_request

    def _wrapped_async(self, original: Any, module: Any) -> Callable[..., Any]:
        @wraps(original)
        async def handle_async_request(transport: Any, request: Any) -> Any:
            exchange = self._exchange(transport, request, module, suspends=True)
            if exchange is None:
                return await original(transport, request)
            if exchange.is_plain:
                with exchange.waiting():
                    response = await original(transport, request)
                return _tapped(response, exchange, module, request.method)

            async def ask() -> Answer:
                response = await original(transport, request)
                try:
                    await response.aread()
                finally:
                    await response.aclose()
                return _received(response, request.method)

            answer = await exchange.answer_async(ask)
            return _response(answer, exchange, module)

        return handle_async_request

    def _exchange(
        self, transport: Any, request: Any, module: Any, *, suspends: bool
    ) -> Exchange | None:
        if current() is None or any(_transports_in(transport, module)):
            return None
        passage = cross(
            self.name,
            request.method,
            detail=http_answers.detail(str(request.url)),
            needs=http_answers.needed(request.method),
            suspends=suspends,
        )
        if passage is None:
            return None
        passage.idempotent = http_answers.is_repeatable(request.method, request.headers)
        return Exchange(
            passage=passage,
            known=self._known,
            limit=request.extensions.get("timeout", {}).get("read"),
            error=lambda name: _error(name, module, request, suspends=suspends),
        )

    def _made_once(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a maker of TLS contexts that gives the same one for the same wishes.

        Reading the certificates takes longer than most requests, and tools often make
        a client for each.
        """

        @wraps(original)
        def create_ssl_context(*args: Any, **kwargs: Any) -> Any:
            given = (os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
            wishes = (args, tuple(sorted(kwargs.items())), given)
            try:
                known = self._contexts.get(wishes)
            except TypeError:
                return original(*args, **kwargs)
            if current() is None or known is None:
                known = self._contexts[wishes] = original(*args, **kwargs)
            return known

        return create_ssl_context


def _received(response: Any, method: str) -> Answer:
    return http_answers.received(
        response.status_code,
        response.headers.multi_items(),
        response.content,
        method=method,
    )


def _response(answer: Answer, exchange: Exchange, module: Any) -> Any:
    error = exchange.error("reset") if answer.breaks_off else None
    return module.Response(
        answer.status,
        headers=list(answer.headers),
        stream=_kind(_Body, module)(answer.body, error),
        extensions={"http_version": b"HTTP/1.1"},
    )


def _tapped(response: Any, exchange: Exchange, module: Any, method: str) -> Any:
    """Take note of the body as the tool reads it, if it ever does."""

    def whole(raw: bytes) -> None:
        copy = module.Response(
            response.status_code, headers=response.headers, content=raw
        )
        exchange.saw(_received(copy, method))

    if response.is_closed:
        exchange.saw(_received(response, method))
        return response
    http_status = http_answers.Answer(status=response.status_code)
    exchange.passage.failure = http_status.failure
    if not response.headers.get("content-type", "").startswith(_ENDLESS):
        response.stream = _kind(_Tap, module)(response.stream, exchange, whole)
    return response


def _kind(own: Any, module: Any) -> Any:
    """Return a class of ours as a stream of the library, as its clients insist on."""
    return type(own.__name__, (own, module.SyncByteStream, module.AsyncByteStream), {})


def _transports_in(transport: Any, module: Any) -> Iterator[Any]:
    kinds = (module.BaseTransport, module.AsyncBaseTransport)
    for held in getattr(transport, "__dict__", {}).values():
        several = held.values() if isinstance(held, dict) else held
        among = several if isinstance(held, (dict, list, tuple)) else (held,)
        yield from (each for each in among if isinstance(each, kinds))


class _Body:
    """A body in one piece, and what happens to the connection after it."""

    def __init__(self, body: bytes, error: BaseException | None) -> None:
        self._body = body
        self._error = error

    def __iter__(self) -> Iterator[bytes]:
        yield self._body
        if self._error is not None:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part

    def close(self) -> None:
        """Do nothing: there is no connection."""

    async def aclose(self) -> None:
        """Do nothing: there is no connection."""


class _Tap:
    """A backend's body on its way to the tool."""

    def __init__(
        self, stream: Any, exchange: Exchange, whole: Callable[[bytes], None]
    ) -> None:
        self._stream = stream
        self._exchange = exchange
        self._whole = whole
        self._parts: list[bytes] = []
        self._size = 0

    def __iter__(self) -> Iterator[bytes]:
        stream = iter(self._stream)
        while True:
            with self._exchange.asking():
                part = next(stream, None)
            if part is None:
                break
            self._keep(part)
            yield part
        self._end()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream = aiter(self._stream)
        while True:
            with self._exchange.waiting():
                part = await anext(stream, None)
            if part is None:
                break
            self._keep(part)
            yield part
        self._end()

    def close(self) -> None:
        with self._exchange.passage.below():
            self._stream.close()

    async def aclose(self) -> None:
        with self._exchange.passage.below():
            await self._stream.aclose()

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= _LARGEST:
            self._parts.append(part)

    def _end(self) -> None:
        if self._size <= _LARGEST:
            self._whole(b"".join(self._parts))


def _error(name: str, module: Any, request: Any, *, suspends: bool) -> BaseException:
    """Return what the library raises, with what it comes from.

    The asynchronous half hears of the system's errors through anyio, which words
    some of them differently.
    """
    reason = quoting(name)
    words = _async_words(name, reason) if suspends else str(reason)
    error: BaseException = getattr(module, _KINDS[name])(words, request=request)
    core = sys.modules.get(module.__name__.replace("httpx", "httpcore"))
    beneath: BaseException = getattr(core, _KINDS[name])(words) if core else reason
    beneath.__context__ = None if beneath is reason else reason
    error.__cause__ = beneath
    return error if words else noted(error, f"httpx {name}")


def _async_words(name: str, reason: Exception) -> str:
    words = _ASYNC_WORDS.get(name, str(reason))
    return words + in_a_request(name) if words and name in _ASYNC_WORDS else words


_KINDS: Final = {
    "timeout": "ReadTimeout",
    "refused": "ConnectError",
    "dns": "ConnectError",
    "tls": "ConnectError",
    "reset": "ReadError",
    GIVEN_UP: "ConnectError",
}
_ASYNC_WORDS: Final = {
    "timeout": "",
    "refused": "All connection attempts failed",
    "reset": "",
    GIVEN_UP: "All connection attempts failed",
}

HTTPX: Final = HttpxSeam("httpx")
HTTPX2: Final = HttpxSeam("httpx2")
