"""The forms in which a secret may come back, each as the text that is searched for.

Everything is compared after it was squeezed: folded in case and width, and without
anything but letters, digits and asterisks. So upper case, other separators, line
breaks, escapes of JSON within JSON, full-width characters and a secret that was cut
into fields all look the same. The other forms are encodings, squeezed likewise.
"""

from __future__ import annotations

import html
import json
from base64 import b32encode, b64encode
from typing import TYPE_CHECKING, Final
from unicodedata import normalize
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST: Final = 8
"""How many squeezed characters are searched for at least: fewer may be chance."""

_KEPT: Final = "*\u2022\u25cf\u2588"
_DROPPED: Final = bytes(
    each for each in range(128) if not chr(each).isalnum() and chr(each) != "*"
)
_FOLDED: Final = bytes(range(256)).lower()
_LONG: Final = 64


def squeezed(text: str) -> str:
    """Fold case and width, and drop all but letters, digits and mask characters."""
    if text.isascii():
        return text.encode("ascii").translate(_FOLDED, _DROPPED).decode("ascii")
    folded = normalize("NFKC", text).casefold()
    return "".join([each for each in folded if each.isalnum() or each in _KEPT])


def encoded(secret: str) -> Iterator[tuple[str, str]]:
    """Yield the encodings of a secret, by name, ready to be searched for.

    Args:
        secret: The secret part. Of a long one, such as a private key, three pieces
            stand for the whole.
    """
    for piece in _pieces(secret):
        for name, form in _all(piece):
            found = squeezed(form)
            if len(found) >= LEAST:
                yield name, found


def _pieces(secret: str) -> list[str]:
    if len(secret) <= _LONG:
        return [secret]
    middle = len(secret) // 2
    half = _LONG // 2
    return [secret[:_LONG], secret[middle - half : middle + half], secret[-_LONG:]]


def _all(secret: str) -> Iterator[tuple[str, str]]:
    raw = secret.encode("utf-8", "surrogatepass")
    yield "reversed", squeezed(secret)[::-1]
    yield "hexadecimal", raw.hex()
    for form in _base64(raw):
        yield "base64", form
    for form in _base64(secret.encode("utf-16-le", "surrogatepass")):
        yield "base64 of UTF-16", form
    for form in _base32(raw):
        yield "base32", form
    once = quote(secret, safe="", errors="replace")
    for form in (once, quote(once, safe=""), quote_plus(secret, errors="replace")):
        yield "URL encoding", form
    yield "HTML", html.escape(secret)
    yield "HTML", "".join(e if e.isalnum() else f"&#{ord(e)};" for e in secret)
    yield "HTML", "".join(e if e.isalnum() else f"&#x{ord(e):x};" for e in secret)
    yield "JSON", json.dumps(secret)[1:-1]
    yield "repr", repr(secret)[1:-1]


def _base64(raw: bytes) -> Iterator[str]:
    """Yield what is sure to stand in the base64 of a text that holds these bytes."""
    for before, unsure in ((0, 0), (1, 2), (2, 3)):
        form = b64encode(b"\0" * before + raw).decode().rstrip("=")
        end = len(form) - bool((before + len(raw)) % 3)
        yield form[unsure:end]


def _base32(raw: bytes) -> Iterator[str]:
    for before in range(5):
        form = b32encode(b"\0" * before + raw).decode()
        yield form[-(-8 * before // 5) : 8 * (before + len(raw)) // 5]
