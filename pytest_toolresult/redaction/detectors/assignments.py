"""Finds values that a separator ties to a telling name, in whatever notation.

`KEY=value`, YAML, JSON within text, headers, queries, descriptors of connections,
assignments in code. Each separator is looked at once: what stands before it is a name
or is not, and only behind a telling name a value is looked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.kinds import labelled
from pytest_toolresult.redaction.detectors.labels import Label, label_of, may_end_label
from pytest_toolresult.redaction.detectors.values import is_clear
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEPARATOR: Final = re.compile(r"[=:\t\uff1a\uff1d](?:(?<==)[=>]*|(?<=:)=)?|->")
_NO_NAME: Final = re.compile(r"[^\w.$ -]")
_CLOSERS: Final = " \\\"'`*])\uff09"
_VALUE: Final = re.compile(
    r"[ \t]{0,24}(?:\*\*[ ]?)?(?P<value>"
    r"(?P<quote>\\{0,3}[\"'`])(?P<quoted>[^\0\r\n]{0,4096}?)(?P=quote)"
    r"|(?:(?:Bearer|Basic|Token|Digest|ApiKey|SSWS|bearer|basic|token)[ ]+)?"
    r"[^\s\"'`<>\0]{1,512})"
)
_END_OF_LINE: Final = re.compile(r"[\r\n\0\"']|\\[nr\"]")
_NUMBER: Final = re.compile(
    r"[+(]?[A-Za-z]{0,3}[\d(][\dA-Za-z]*"
    r"(?:(?!\([\dA]\))[ ./()\u2010-\u2015-]{1,2}\d[\dA-Z]*)*(?:\([\dA]\))?"
)
_DESCRIPTOR: Final = re.compile(
    r"(?i)\b(?:server|host(?:name|addr)?|data source|database|dbname|initial catalog"
    r"|user id"
    r"|uid|user|username|port|accountname|endpoint|sharedaccesskeyname|driver|address"
    r"|defaultendpointsprotocol)\s{0,3}=\s{0,3}[^\s;=]"
)
_CUT: Final = re.compile(
    r"&(?=[\w.-]+=)|;(?=\s|$|[\w .-]+=)|,(?=\s|$|[\"'\w -]+[\"']?[=:])|\\[nrt\"]|"
    r"(?<=\w)[)\]}](?=\W|$)"
    r"|[\uff0c\u3002\uff1b\u3001\uff09\u300d\u3011\u201d]"
)
_MASKS: Final = tuple("*\u2022\u25cf\uff0a\u2588")
_UPPER: Final = re.compile(r"[A-Z][A-Z0-9_]+")
_GLANCE: Final = 20
_LONGEST_NAME: Final = 64
_LONGEST_VALUE: Final = 4096
_NUMBERS: Final = ("phone", "identity", "card", "account", "passport", "tax")


def assignments(text: str) -> Iterator[Span]:
    """Find values behind a telling name and a separator.

    Args:
        text: Any text.

    Yields:
        The spans of the values.
    """
    done = 0
    for separator in _SEPARATOR.finditer(text):
        start = separator.start()
        if start < done:
            continue
        name = _name_before(text, start)
        label = label_of(name) if name else None
        if label is None or (separator[0] == "\t" and " " in name):
            continue
        span = _value_behind(text, separator, label, name)
        if span is not None:
            yield span
            done = span.end


def _name_before(text: str, end: int) -> str:
    """Return what may be a telling name before a position: at most its last four words.

    Most names are not telling, which their last word shows.
    """
    if end > _GLANCE and not _may_end_label(text[end - _GLANCE : end]):
        return ""
    before = text[max(0, end - _LONGEST_NAME) : end].rstrip(_CLOSERS)
    last = before.replace('"', " ").rsplit(None, 1)
    if not last or not may_end_label(last[-1]) or "arn:" in last[-1]:
        return ""
    words = _NO_NAME.split(before)[-1].split()
    return " ".join(words[-4:])


@lru_cache(maxsize=8192)
def _may_end_label(before: str) -> bool:
    """Judge the characters before a separator: the same names come again and again.

    Where they hold no beginning of a word, the word may be longer.
    """
    words = before.rstrip(_CLOSERS).replace('"', " ").rsplit(None, 1)
    return len(words) < 2 or may_end_label(words[-1])


def _value_behind(
    text: str, separator: re.Match[str], label: Label, name: str
) -> Span | None:
    match = _VALUE.match(text, separator.end())
    if match is None or (match["quote"] is None and separator[0] == "=="):
        return None
    quoted = match["quote"] is not None
    start, end = match.span("quoted" if quoted else "value")
    if not quoted:
        end = end_of_value(label, text, start, end)
    loose = not quoted and not _is_setting(name, separator[0])
    if end <= start or not is_clear(label, text[start:end], loose=loose):
        return None
    return _described(labelled(label, start, end), text)


def end_of_value(label: Label, text: str, start: int, end: int) -> int:
    """Return where an unquoted value ends, which depends on what it should be.

    Args:
        label: What its name says.
        text: The text it stands in.
        start: Where it begins.
        end: Where the run of characters ends that it begins.
    """
    if label == "cookie":
        found = _END_OF_LINE.search(text, start, start + _LONGEST_VALUE)
        return found.start() if found else min(len(text), start + _LONGEST_VALUE)
    if label in _NUMBERS:
        match = _NUMBER.match(text, start, start + _LONGEST_NAME)
        if match is None or text[match.end() : match.end() + 1] in _MASKS:
            return start
        return match.end()
    cut = _CUT.split(text[start:end], maxsplit=1)[0]
    return start + len(cut.rstrip(".,:;)]}") if len(cut) > 3 else cut)


def _is_setting(name: str, separator: str) -> bool:
    """Tell an assignment, as in a shell or a query, from a word and a colon."""
    bare = re.split(r"[ .-]", name)[-1]
    return separator in ("=", ":") and bool(_UPPER.fullmatch(bare))


def _described(span: Span, text: str) -> Span:
    """Take a password among `Server=...;` for what it is: a connection string."""
    if span.kind not in ("password", "secret"):
        return span
    first = max(0, span.start - 240)
    around = re.split(r"[\r\n\0]", text[first : span.start])[-1]
    around += re.split(r"[\r\n\0]", text[span.start : span.end + 120])[0]
    if "=" in around and len(_DESCRIPTOR.findall(around)) >= 2:
        return Span(span.start, span.end, "connection-string", "connection")
    return span
