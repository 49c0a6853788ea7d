"""One pass over a text with every detector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.redaction.detectors.addresses import addresses
from pytest_toolresult.redaction.detectors.assignments import assignments
from pytest_toolresult.redaction.detectors.contacts import contacts
from pytest_toolresult.redaction.detectors.hashes import hashes
from pytest_toolresult.redaction.detectors.mentions import mentions
from pytest_toolresult.redaction.detectors.numbers import numbers
from pytest_toolresult.redaction.detectors.tables import tables
from pytest_toolresult.redaction.detectors.tokens import tokens
from pytest_toolresult.redaction.spans import Span, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator


def secrets_in(text: str) -> list[Span]:
    """Find everything in a text that should not be seen.

    Args:
        text: Any text, whatever its length.

    Returns:
        The spans in order; none overlap.
    """
    return resolved(_all(text))


def _all(text: str) -> Iterator[Span]:
    yield from tokens(text)
    yield from hashes(text)
    yield from addresses(text)
    yield from assignments(text)
    yield from mentions(text)
    yield from tables(text)
    yield from numbers(text)
    yield from contacts(text)
