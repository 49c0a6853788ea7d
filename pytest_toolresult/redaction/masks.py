"""Replaces every secret in a text by a fingerprint that gives nothing away."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.redaction.detectors.fields import field_span
from pytest_toolresult.redaction.scan import secrets_in
from pytest_toolresult.redaction.spans import Span, resolved

if TYPE_CHECKING:
    from collections.abc import Iterable

_WINDOW: Final = 20_000
_MARGIN: Final = 400
_FEW_VALUES: Final = ("identity", "bank", "contact")
"""Families of which all possible values can be tried: less of their hash is shown."""


def mask(text: str, *, contacts: bool = True) -> str:
    """Replace every secret that is recognised by its fingerprint.

    Args:
        text: Any text: a message, a `repr`, a rendered JSON value.
        contacts: Whether e-mail addresses and phone numbers are secrets here.

    Returns:
        The text with fingerprints such as `[openai-key, 48 chars, #3fa9c1]`. Masking
        it once more changes nothing.
    """
    spans = found_in(text)
    if not contacts:
        spans = [span for span in spans if span.family != "contact"]
    return replaced(text, spans)


def mask_value(name: str, value: str, *, contacts: bool = True) -> str:
    """Mask a value that stands under a name, which may tell what it is."""
    span = field_span(name, value)
    spans = resolved([*found_in(value), span]) if span else found_in(value)
    if not contacts:
        spans = [each for each in spans if each.family != "contact"]
    return replaced(value, spans)


def mask_shown(text: str, *, contacts: bool = True) -> str:
    """Mask a text of which no more than its ends will be shown.

    What is between the ends is left out, so that a huge text costs no more than a
    long one; half a secret at the cut is left out with it.
    """
    if len(text) <= 2 * _WINDOW:
        return mask(text, contacts=contacts)
    head = mask(text[:_WINDOW], contacts=contacts)
    tail = mask(text[-_WINDOW:], contacts=contacts)
    return f"{head[:-_MARGIN]}\u2026{tail[_MARGIN:]}"


def found_in(text: str) -> list[Span]:
    """Find everything in a text that should not be shown, canaries too."""
    planted = [
        Span(each.start, each.end, each.canary.kind, "canary", each.canary.personal)
        for each in REGISTRY.find(text)
    ]
    return resolved((*planted, *secrets_in(text))) if planted else secrets_in(text)


def replaced(text: str, spans: Iterable[Span]) -> str:
    """Put fingerprints in the place of spans that are in order and do not overlap."""
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += [text[position : span.start], fingerprint(text, span)]
        position = span.end
    return "".join([*pieces, text[position:]]) if pieces else text


def fingerprint(text: str, span: Span) -> str:
    """Name the kind and length of a secret, and digits that tell two apart."""
    secret = text[span.start : span.end]
    digest = sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    shown = 2 if span.family in _FEW_VALUES or span.kind == "pin" else 6
    return f"[{span.kind}, {len(secret)} chars, #{digest[:shown]}]"
