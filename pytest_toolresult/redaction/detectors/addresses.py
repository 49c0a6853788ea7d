"""Finds credentials in addresses: `scheme://user:password@host`, and what they hide in.

Source: RFC 3986, section 3.2.1, which calls the form deprecated for this very reason.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.placeholders import (
    has_placeholder_word,
    is_masked,
    is_reference,
)
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each pattern begins with the one sign that it cannot do without, so that the engine of
# regular expressions skips to it; what stands before is looked for from there.
_USERINFO: Final = re.compile(
    r"://(?P<user>[^\s/:@\"'<>\0`]{0,120}):(?P<password>[^\s\"'<>\0`]{1,256}?)"
    r"@(?=[\w\[.(\u4e00-\u9fff-]{1,255})(?![^\s/\"'<>\0`?#]{0,255}@)",
)
_TOKEN_USER: Final = re.compile(
    r"://(?P<password>[A-Za-z0-9_-]{20,255})@(?=[\w.-]{3,255})", re.ASCII
)
_SCHEME: Final = re.compile(
    r"(?<![\w+.-])[A-Za-z][\w+.-]{0,30}(?::[A-Za-z][\w+.-]{0,20}){0,2}\Z", re.ASCII
)
_ORACLE: Final = re.compile(
    r"/(?P<password>[^\s/@\"'<>\0]{4,60})@(?=(?://)?[\w.-]{2,100}(?::\d{2,5}[/:]))"
)
_ORACLE_USER: Final = re.compile(r"(?<![\w/.-])[A-Za-z][\w$#]{1,30}\Z", re.ASCII)
_MYSQL: Final = re.compile(
    r":(?P<password>[^\s/@\"'<>\0]{3,120})@(?:tcp|unix|udp)\([^\s)]{1,255}\)"
)
_MYSQL_USER: Final = re.compile(r"(?<![\w/.-])[\w.-]{1,60}\Z", re.ASCII)
_LONGEST_BEFORE: Final = 80
_STAND_INS: Final = frozenset(
    str.split(
        "password passwd pass pwd pw secret changeme example p xxx mypassword"
        " pass123 yourpassword token my-password my_password your-password"
        " your_password mypass secretpassword hunter apikey api_key key psw"
        " passw0rd tiger"
    )
)


def addresses(text: str) -> Iterator[Span]:
    """Find credentials in addresses.

    Args:
        text: Any text.

    Yields:
        The span of each whole address up to the host, and of nothing else.
    """
    if "@" not in text:
        return
    if "://" in text:
        yield from _found(_USERINFO, _SCHEME, text)
        yield from _found(_TOKEN_USER, _SCHEME, text)
    if "@tcp(" in text or "@unix(" in text or "@udp(" in text:
        yield from _found(_MYSQL, _MYSQL_USER, text)
    if "/" in text:
        yield from _found(_ORACLE, _ORACLE_USER, text)


def _found(
    pattern: re.Pattern[str], before: re.Pattern[str], text: str
) -> Iterator[Span]:
    for match in pattern.finditer(text):
        start = match.start()
        head = before.search(text[max(0, start - _LONGEST_BEFORE) : start])
        if head is None:
            continue
        user = match.groupdict().get("user", head[0])
        if _is_secret(user or "", match["password"]):
            start -= len(head[0])
            yield Span(start, match.end(), "connection-string", "connection")


def _is_secret(user: str, password: str) -> bool:
    lowered = password.lower()
    if lowered in _STAND_INS or (user and lowered == user.lower()):
        return False
    return not (
        is_masked(password) or is_reference(password) or has_placeholder_word(password)
    ) and not re.fullmatch(r"\[?[A-Z_]{3,}\]?|\d{1,5}|\{.*\}|<.*", password)
