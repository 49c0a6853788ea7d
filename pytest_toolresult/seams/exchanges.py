"""What becomes of one HTTP request: which error, whose answer, and when.

The seams of HTTP libraries differ in how a request is made and how a response is
built. What lies between is the same for all of them and stands here.
"""

from __future__ import annotations

import errno
import http.client
import os
import socket
import ssl
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.redaction.canaries import noted, url
from pytest_toolresult.seams import clock, http_answers, loop_clock, shapes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.http_answers import Answer
    from pytest_toolresult.seams.recording import Passage

SLOW_S: Final = 120.0
"""How late the answer of a slow server comes."""

OS_GIVES_UP_S: Final = 127.0
"""When the system gives up on a connection that nobody limits: with Linux's default
of six repetitions, https://docs.kernel.org/networking/ip-sysctl.html"""

GIVEN_UP: Final = "given_up"
"""The trouble of a connection on which the system gave up."""

_BEFORE: Final = ("timeout", "refused", "dns", "tls")
_MOST: Final = 10_000


class Known:
    """What the answers to each call were like, which says what can go wrong there."""

    def __init__(self) -> None:
        self._unfit: dict[BoundaryCall, frozenset[str]] = {}
        self._suspending: set[BoundaryCall] = set()

    def forget(self) -> None:
        """Begin anew."""
        self._unfit.clear()
        self._suspending.clear()

    def awaits(self, call: BoundaryCall) -> None:
        """Remember that a call awaits, and so can be cancelled."""
        if len(self._suspending) < _MOST:
            self._suspending.add(call)

    def saw(self, call: BoundaryCall, answer: Answer) -> None:
        """Remember which faults would make no difference to an answer."""
        if call not in self._unfit and len(self._unfit) < _MOST:
            self._unfit[call] = frozenset(
                name
                for name in http_answers.changing_names()
                if http_answers.changed(CATALOGUE[name], answer) is None
            )

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a call, worst first."""
        unfit = set(self._unfit.get(call, ()))
        if call not in self._suspending:
            unfit.add("cancelled")
        names = (
            *_BEFORE,
            "reset",
            *http_answers.unasked_names(),
            *http_answers.changing_names(),
            "slow",
            "cancelled",
        )
        return [CATALOGUE[name] for name in names if name not in unfit]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exchange:
    """One request of a tool, and what becomes of it.

    Attributes:
        passage: The boundary call.
        known: What is known of its answers.
        limit: How many seconds the tool's code waits, `None` for ever.
        error: Makes the library's own exception for a trouble: a fault's name, or
            `GIVEN_UP`.
    """

    passage: Passage
    known: Known
    limit: float | None
    error: Callable[[str], BaseException]

    @property
    def is_plain(self) -> bool:
        """Whether the backend itself is to answer, and nothing is changed."""
        return self.passage.fault is None and self.passage.recorded is None

    @property
    def fails_to_connect(self) -> bool:
        """Whether there is not even a connection over which to send the request."""
        name = self.passage.fault.name if self.passage.fault else ""
        return name in _BEFORE and not (name == "timeout" and self.limit)

    def answer(self, ask: Callable[[], Answer]) -> Answer:
        """Return what the tool gets to see.

        Args:
            ask: Asks the backend, and reads all of its answer.

        Raises:
            BaseException: What `error` makes, or what asking raised.
        """
        self._begin()
        clock.elapse(self._wait_s)
        early = self._early()
        if early is not None:
            return early
        real = self.passage.recorded
        if real is None:
            with self.asking():
                real = ask()
            self.passage.keep(real)
        return self._late(real)

    async def answer_async(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return what the tool gets to see; see `answer`."""
        self.known.awaits(self.passage.call)
        await self.passage.reached()
        self._begin()
        if self._wait_s:
            await loop_clock.passed(self._wait_s)
        early = self._early()
        if early is not None:
            return early
        real = self.passage.recorded
        if real is None:
            with self.waiting():
                real = await ask()
            self.passage.keep(real)
        return self._late(real)

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Surround what the library does by itself; say what goes wrong in it."""
        try:
            with self.passage.below():
                yield
        except Exception as error:
            self.passage.failure = trouble(error)
            raise

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Surround what the library awaits by itself; see `asking`."""
        self.known.awaits(self.passage.call)
        with self.asking(), loop_clock.underway():
            yield

    def saw(self, answer: Answer) -> None:
        """Take in what the backend answered by itself."""
        self.passage.keep(answer)
        self._note(answer)

    @property
    def _wait_s(self) -> float:
        name = self.passage.fault.name if self.passage.fault else ""
        if name == "timeout":
            return self.limit or OS_GIVES_UP_S
        if name == "slow":
            return min(self.limit or SLOW_S, SLOW_S)
        return 0.0

    def _begin(self) -> None:
        """Say that a fault which consists in waiting has begun.

        The tool may not wait for its end, or not let it come so far.
        """
        if self._wait_s:
            self.passage.fired = True

    def _early(self) -> Answer | None:
        """Bring about what does not depend on the backend's answer."""
        fault = self.passage.fault
        if fault is None:
            return None
        name = fault.name
        if name == "slow":
            if self.limit is None or self.limit > SLOW_S:
                return None  # nothing fails: the answer is late
            name = "timeout"
        elif name == "timeout" and self.limit is None:
            name = GIVEN_UP
        if name in {*_BEFORE, GIVEN_UP}:
            self.passage.fire()
            raise self.error(name)
        answer = http_answers.unasked(fault)
        if answer is not None:
            self.passage.fire()
        return answer

    def _late(self, real: Answer) -> Answer:
        """Bring about what changes the backend's answer."""
        fault = self.passage.fault
        other = http_answers.changed(fault, real) if fault is not None else None
        if fault is None or other is None:
            self._note(real)
            return real
        self.known.saw(self.passage.call, real)
        self.passage.fire()
        self.passage.rows = shapes.count(other.data)
        if other.breaks_off and not other.body:
            raise self.error("reset")
        return other

    def _note(self, answer: Answer) -> None:
        self.known.saw(self.passage.call, answer)
        self.passage.failure = self.passage.failure or answer.failure
        self.passage.rows = shapes.count(answer.data)
        self.passage.goes_on = answer.goes_on


def cause(name: str) -> Exception:
    """Return what the system or Python itself raises for a trouble.

    Args:
        name: A fault's name, or `GIVEN_UP`.
    """
    return noted(_cause(name, ""), f"socket {name}")


def quoting(name: str) -> Exception:
    """Return the same with what was asked for in its text; see `in_a_request`."""
    return _cause(name, in_a_request(name))


def in_a_request(name: str) -> str:
    """Return how an error goes on that quotes what was asked for, with its token.

    The clients of HTTP do so, each in some of their errors: requests where there is
    no connection, httpx and aiohttp where the status is bad. A tool that hands their
    text on has no way to know which.

    Args:
        name: The trouble.
    """
    return f" for url: {url(f'http {name}')}"


def _cause(name: str, about: str) -> Exception:
    if name == "dns":
        words = f"Name or service not known{about}"
        return socket.gaierror(socket.EAI_NONAME, words)
    if name == "tls":
        return _untrusted(about)
    if name == "timeout":
        return TimeoutError(f"timed out{about}")
    number = _NUMBERS[name]
    return OSError(number, f"{os.strerror(number)}{about}")


def _untrusted(about: str) -> ssl.SSLCertVerificationError:
    why = f"unable to get local issuer certificate{about}"
    text = f"[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: {why}"
    error = ssl.SSLCertVerificationError(
        int(ssl.SSL_ERROR_SSL), f"{text} (_ssl.c:1000)"
    )
    error.library, error.reason = "SSL", "CERTIFICATE_VERIFY_FAILED"
    error.verify_code, error.verify_message = 20, why
    return error


_NUMBERS: Final = {
    "refused": errno.ECONNREFUSED,
    "reset": errno.ECONNRESET,
    GIVEN_UP: errno.ETIMEDOUT,
}


def trouble(error: BaseException) -> str:
    """Return the catalogue's name for what an exception of a library says."""
    chain = list(_chain(error))
    for name, kinds in _KINDS.items():
        if any(isinstance(each, kinds) for each in chain):
            return name
    words = " ".join(type(each).__name__ for each in chain)
    return next((name for word, name in _WORDS.items() if word in words), "")


_KINDS: Final[dict[str, tuple[type[BaseException], ...]]] = {
    "dns": (socket.gaierror,),
    "tls": (ssl.SSLError,),
    "refused": (ConnectionRefusedError,),
    "reset": (ConnectionError, http.client.IncompleteRead),
    "timeout": (TimeoutError,),
}

_WORDS: Final = {
    "Timeout": "timeout",
    "SSL": "tls",
    "Connect": "refused",
    "Protocol": "reset",
    "Payload": "reset",
    "Disconnected": "reset",
    "ReadError": "reset",
    "WriteError": "reset",
}


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(10):
        if error is None:
            return
        yield error
        reason = getattr(error, "reason", None)
        inner = reason if isinstance(reason, BaseException) else None
        error = error.__cause__ or error.__context__ or inner
