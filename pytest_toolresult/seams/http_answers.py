"""The answers of HTTP servers that fail or have other data than usual.

Whatever its library, a seam turns the backend's answer into an `Answer`, has it
changed here, and makes its library's own response of what comes back.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pytest_toolresult.guard.hosts import is_local
from pytest_toolresult.redaction.canaries import dsn
from pytest_toolresult.seams import shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_toolresult.faults import Fault
    from pytest_toolresult.settings import Power

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""The methods that change nothing: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1"""

_REPEATABLE: Final = _SAFE | {"PUT", "DELETE"}
"""The methods that come to the same when repeated:
https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2"""

_ONCE: Final = re.compile(r"(?i)(?:x-)?idempotency-(?:key|token)")
"""The header by which a server knows a repetition: `Idempotency-Key`, a draft of the
IETF's working group on HTTP that payment services follow."""

_NEXT: Final = re.compile(r";\s*rel=\"?next\"?", re.IGNORECASE)

_FRAMING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers that describe how a body travelled, and not what it is."""

_SECRET: Final = re.compile(
    r"((?:^|&)[^=&]*(?:key|token|secret|passw|pwd|auth|sign|sig|credential)[^=&]*=)[^&]*",
    re.IGNORECASE,
)
"""Parameters of a query that may be credentials."""

_HTML: Final = """<!DOCTYPE html>
<html><head><title>Service unavailable</title></head>
<body><h1>Service unavailable</h1><p>upstream {dsn} did not answer</p></body></html>
"""

_LARGEST: Final = 5_000_000
"""Bodies with more bytes are not read as JSON."""

_FAILED: Final = 400
_BEGIN_WITH_BODY: Final = 200
_REDIRECTS: Final = 300
_NO_CONTENT: Final = 204


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP answer, whatever library it is for.

    Attributes:
        status: The status code.
        headers: Names and values, in order.
        body: The body with its content coding undone.
        breaks_off: Whether the connection is reset where the body ends.
        coding: The content coding that its reader expects to undo, where a library
            leaves that to its user; empty for none.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    breaks_off: bool = False
    coding: str = ""

    @property
    def failure(self) -> str:
        """What the status says went wrong, as the catalogue names it."""
        return f"http_{self.status}" if self.status >= _FAILED else ""

    @property
    def data(self) -> Any:
        """The body's JSON object or list, `None` where it is something else."""
        if not self.body or len(self.body) > _LARGEST:
            return None
        try:
            data = json.loads(self.body)
        except (ValueError, RecursionError):
            return None
        return data if isinstance(data, (dict, list)) else None

    @property
    def goes_on(self) -> bool:
        """Whether it holds a page of a list, and says that another one follows.

        In the body, or as https://www.rfc-editor.org/rfc/rfc8288 has it in a header.
        """
        data = self.data
        if isinstance(data, list):
            links = (value for name, value in self.headers if name.lower() == "link")
            return any(_NEXT.search(each) for each in links)
        return shapes.goes_on(data)

    @property
    def is_content(self) -> bool:
        """Whether it is a plain success with a body."""
        ends = (_NO_CONTENT, _NO_CONTENT + 1)
        return (
            _BEGIN_WITH_BODY <= self.status < _REDIRECTS
            and self.status not in ends
            and bool(self.body)
        )

    def with_body(self, body: bytes, *, kind: str = "") -> Answer:
        """Return it with another body, and headers that agree.

        Args:
            body: The body.
            kind: Its media type, where that changes.
        """
        dropped = {"content-type"} if kind else set()
        kept = [(name, value) for name, value in self.headers if name not in dropped]
        given = [("content-type", kind)] if kind else []
        return replace(self, headers=plain_headers([*kept, *given], body), body=body)

    def with_data(self, data: Any) -> Answer:
        """Return it with other JSON."""
        return self.with_body(json.dumps(data, ensure_ascii=False).encode())


def plain_headers(
    headers: Iterable[tuple[str, str]], body: bytes
) -> tuple[tuple[str, str], ...]:
    """Return headers, names in small letters, for a body that travels as it is."""
    lowered = [(name.lower(), value) for name, value in headers]
    kept = [each for each in lowered if each[0] not in _FRAMING]
    return (*kept, ("content-length", str(len(body))))


def received(
    status: int, headers: Iterable[tuple[str, str]], body: bytes, *, method: str
) -> Answer:
    """Return a backend's answer.

    Args:
        status: The status code.
        headers: Names and values, in order.
        body: The body with its content coding undone.
        method: What it answers: a `HEAD` has the headers of a body that is not sent.
    """
    given = list(headers)
    if method.upper() == "HEAD":
        lowered = tuple((name.lower(), value) for name, value in given)
        return Answer(status=status, headers=lowered)
    return Answer(status=status, headers=plain_headers(given, body), body=body)


def needed(method: str) -> Power | None:
    """Return what a tool has to be allowed for a request of some method."""
    return None if method.upper() in _SAFE else "network"


def is_repeatable(method: str, headers: Iterable[str]) -> bool:
    """Tell whether making a request twice comes to the same as making it once.

    Args:
        method: Its method.
        headers: The names of its headers.
    """
    named = any(_ONCE.fullmatch(name) for name in headers)
    return named or method.upper() in _REPEATABLE


def detail(url: str) -> str:
    """Return what tells requests apart: path and query, and the host if elsewhere.

    Neither credentials nor the ports of test servers, which change, are part of it.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    query = _SECRET.sub(r"\1***", parts.query)
    where = f"{'' if is_local(host) else host}{parts.path or '/'}"
    return f"{where}?{query}" if query else where


_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_LATER: Final = MappingProxyType({"retry-after": "7"})
_CHALLENGE: Final = MappingProxyType({"www-authenticate": "Bearer"})

_UNASKED: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = MappingProxyType(
    {
        "http_401": ("unauthorized", "login failed for {dsn}", _CHALLENGE),
        "http_403": ("forbidden", "{dsn}: permission denied", _NOTHING),
        "http_404": ("not_found", "no such resource", _NOTHING),
        "http_409": ("conflict", "changed meanwhile in {dsn}", _NOTHING),
        "http_429": ("rate_limited", "too many requests to {dsn}", _LATER),
        "http_500": ("internal", "query failed on {dsn}", _NOTHING),
        "http_502": ("", _HTML, _NOTHING),
        "http_503": ("", _HTML, _LATER),
    }
)


def unasked_names() -> tuple[str, ...]:
    """Return the names of faults for which no backend is asked."""
    return tuple(_UNASKED)


def changing_names() -> tuple[str, ...]:
    """Return the names of faults that change what a backend answers."""
    return tuple(_CHANGES)


def unasked(fault: Fault) -> Answer | None:
    """Return the answer of a server that fails before it looks at the request."""
    if fault.name not in _UNASKED:
        return None
    code, text, headers = _UNASKED[fault.name]
    text = text.format(dsn=dsn("http answer"))
    error = json.dumps({"error": {"code": code, "message": text}})
    kind = "application/json" if code else "text/html; charset=utf-8"
    body = (error if code else text).encode()
    return Answer(
        status=int(fault.name.removeprefix("http_")),
        headers=plain_headers([("content-type", kind), *headers.items()], body),
        body=body,
    )


def changed(fault: Fault, answer: Answer) -> Answer | None:
    """Return what comes of the backend's answer under a fault.

    `None` says that the fault makes no difference to it: there is no list to empty,
    no JSON to break.
    """
    if fault.name == "reset":
        return _reset(answer)
    change = _CHANGES.get(fault.name)
    if change is None or not answer.is_content:
        return None
    other = change(answer)
    return None if other is None or other == answer else other


def _html(answer: Answer) -> Answer | None:
    if answer.data is None:
        return None
    page = _HTML.format(dsn=dsn("http answer")).encode()
    return answer.with_body(page, kind="text/html; charset=utf-8")


def _malformed(answer: Answer) -> Answer | None:
    if answer.data is None:
        return None
    return answer.with_body(answer.body[:-1] + b",, " + answer.body[-1:])


def _truncated(answer: Answer) -> Answer | None:
    if answer.data is None:
        return None
    return answer.with_body(_part(answer.body))


def _empty_body(answer: Answer) -> Answer:
    return answer.with_body(b"")


def _null_body(answer: Answer) -> Answer | None:
    return None if answer.data is None else answer.with_data(None)


def _wrong_shape(answer: Answer) -> Answer | None:
    data = answer.data
    return None if data is None else answer.with_data(shapes.reshaped(data))


def _emptied(answer: Answer) -> Answer | None:
    return _reshaped(answer, shapes.emptied)


def _inflated(answer: Answer) -> Answer | None:
    if answer.data is None:
        return answer.with_body(shapes.inflated(answer.body))
    return _reshaped(answer, shapes.inflated)


def _undecodable(answer: Answer) -> Answer:
    before, mark, after = answer.body.partition(b'"')
    wrong = b"\xff\xfe"
    return answer.with_body(before + mark + wrong + after if mark else wrong + before)


def _reset(answer: Answer) -> Answer:
    """Return the headers of the whole body, and a part of it."""
    whole = plain_headers(answer.headers, answer.body)
    part = _part(answer.body)
    return replace(answer, headers=whole, body=part, breaks_off=True)


def _reshaped(answer: Answer, change: Callable[[Any], Any]) -> Answer | None:
    data = answer.data
    other = None if data is None else change(data)
    return None if data is None or other == data else answer.with_data(other)


def _part(body: bytes) -> bytes:
    return body[: len(body) * 2 // 3]


_CHANGES: Final[Mapping[str, Callable[[Answer], Answer | None]]] = MappingProxyType(
    {
        "html": _html,
        "malformed": _malformed,
        "truncated": _truncated,
        "empty_body": _empty_body,
        "null_body": _null_body,
        "wrong_shape": _wrong_shape,
        "emptied": _emptied,
        "inflated": _inflated,
        "undecodable": _undecodable,
    }
)
