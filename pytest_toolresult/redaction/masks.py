"""Replaces every secret in a text by a fingerprint that gives nothing away."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_toolresult.redaction.prefixes import Span, credentials

if TYPE_CHECKING:
    from collections.abc import Iterable


def mask(text: str) -> str:
    """Replace every secret that is recognised by its fingerprint.

    Args:
        text: Any text: a message, a `repr`, a rendered JSON value.

    Returns:
        The text with fingerprints such as `[openai-key, 48 chars, #3fa9c1]`. Masking
        it once more changes nothing.
    """
    pieces: list[str] = []
    position = 0
    for span in merged(credentials(text)):
        pieces += [text[position : span.start], fingerprint(text, span)]
        position = span.end
    return "".join([*pieces, text[position:]]) if pieces else text


def fingerprint(text: str, span: Span) -> str:
    """Name the kind and length of a secret, and six digits that tell two apart."""
    secret = text[span.start : span.end]
    digest = sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[{span.kind}, {len(secret)} chars, #{digest[:6]}]"


def merged(spans: Iterable[Span]) -> list[Span]:
    """Order spans and join those that overlap; the first one names the kind."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        last = joined[-1] if joined else None
        if last is None or span.start >= last.end:
            joined.append(span)
        elif span.end > last.end:
            joined[-1] = Span(last.start, span.end, last.kind)
    return joined
