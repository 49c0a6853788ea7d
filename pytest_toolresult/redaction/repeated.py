"""Secrets that a name gave away in one place, and that stand in another without one.

A password is known by its field; where the same value is quoted in a sentence, nothing
but the value itself tells that it is one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.fields import field_span
from pytest_toolresult.redaction.masks import fingerprint
from pytest_toolresult.walk import is_a, survey

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEAST: Final = 6
"""How long a value has to be at least, lest every `admin` is replaced."""

_MOST: Final = 10_000


def named_secrets(*values: object) -> dict[str, str]:
    """Return the secrets that stand under telling names, with their fingerprints.

    Args:
        *values: Any objects, such as arguments and a result.
    """
    walked = survey((f"value {n}", value) for n, value in enumerate(values))
    found: dict[str, str] = {}
    for _, items in walked.objects[:_MOST]:
        for key, value in items:
            if not (is_a(key, str) and is_a(value, str)):
                continue
            text = str.__str__(value)
            span = field_span(str.__str__(key), text) if len(text) >= _LEAST else None
            if span is not None and span.family in ("field", "credential"):
                found[text] = fingerprint(text, span)
    return found


def without(text: str, secrets: Mapping[str, str]) -> str:
    """Replace secrets by their fingerprints, as they are and as JSON writes them."""
    for secret in sorted(secrets, key=len, reverse=True):
        for written in (secret, json.dumps(secret, ensure_ascii=False)[1:-1]):
            text = text.replace(written, secrets[secret])
    return text
