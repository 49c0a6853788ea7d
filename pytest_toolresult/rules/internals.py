"""Recognises what a message shows of a system's inside: SQL, objects, paths, hosts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LONGEST: Final = 20_000
"""Longer messages are cut before they are looked through."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A piece of a message that shows something of the inside.

    Attributes:
        kind: What it is, in words.
        text: The piece.
        parts: What has to stand in the arguments if it came from there.
        is_grave: Whether it is wrong wherever it stands.
    """

    kind: str
    text: str
    parts: tuple[str, ...]
    is_grave: bool = False


_NAME: Final = r"[\w\"`\[.][\w\"`\].]*"
_PROSE: Final = r"(?:the|an?|th[ei]\w+|your|our|its|all|any|available|below|list)\b"
"""What follows `from` and `into` in a sentence, and never in a statement."""

_SQL: Final = re.compile(
    rf"\b(?:SELECT\s[^;\n]{{1,300}}?\sFROM\s{_NAME}"
    rf"|(?i:select)\s+(?:distinct\s+)?[\w.\"`*()]+(?:\s*,\s*[\w.\"`*()]+){{0,40}}"
    rf"\s+(?i:from)\s+(?!{_PROSE}){_NAME}"
    rf"|(?i:insert\s+into)\s+(?!{_PROSE}){_NAME}\s*(?:\(|(?i:values|select)\b)"
    rf"|(?i:update)\s+{_NAME}\s+(?i:set)\s+{_NAME}\s*="
    rf"|(?i:delete\s+from)\s+(?!{_PROSE}){_NAME}\s*(?:(?i:where)\b|;|$)"
    rf"|(?i:create\s+table)\s+{_NAME}\s*\()"
)
_OBJECT: Final = re.compile(
    r"<[\w.]{1,120} object at 0x[0-9a-fA-F]{4,16}>"
    r"|<(?:coroutine object|function|bound method|generator object) [^<>\n]{1,200}>"
)
_PATH: Final = re.compile(
    r"(?<![\w:/.<])(?:/(?:home|usr|var|tmp|etc|opt|root|Users|proc|srv|app|mnt|data"
    r"|private|workspace)/[\w./-]*[\w-]"
    r"|[A-Za-z]:\\[\w\\ .-]*[\w-])"
)
_HOST: Final = re.compile(
    r"\b(?P<host>(?:[A-Za-z][\w-]{0,62}\.){1,6}[A-Za-z][\w-]{0,62}"
    r"|\d{1,3}(?:\.\d{1,3}){3}|localhost):(?P<port>\d{2,5})\b(?!:)"
    r"|host='(?P<named>[^'\n]{1,200})', port=(?P<number>\d{1,5})"
)
_FILE: Final = re.compile(r"\.(?:py|js|ts|go|rs|java|rb|php|cs|c|cpp|sql|json|ya?ml)$")


def internals(message: str) -> list[Detail]:
    """Return what a message shows of the inside, the gravest first."""
    text = message[:_LONGEST]
    found = [
        Detail("SQL", match[0], (match[0],), is_grave=True)
        for match in _SQL.finditer(text)
    ]
    found += [
        Detail("an object of the program", match[0], (match[0],), is_grave=True)
        for match in _OBJECT.finditer(text)
    ]
    found += [
        Detail("a path of the host", match[0], (match[0],))
        for match in _PATH.finditer(text)
    ]
    return found + [detail for match in _HOST.finditer(text) for detail in _host(match)]


def _host(match: re.Match[str]) -> list[Detail]:
    host = match["host"] or match["named"]
    port = match["port"] or match["number"]
    if _FILE.search(host):
        return []  # a line in a file, as compilers write it
    return [Detail("a host and its port", match[0], (host, port))]
