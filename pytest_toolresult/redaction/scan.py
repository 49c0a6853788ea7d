"""One pass over texts with every detector."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors import contacts, numbers
from pytest_toolresult.redaction.detectors.addresses import addresses
from pytest_toolresult.redaction.detectors.assignments import assignments
from pytest_toolresult.redaction.detectors.commands import commands, settings
from pytest_toolresult.redaction.detectors.hashes import hashes
from pytest_toolresult.redaction.detectors.labels import may_hold_labels
from pytest_toolresult.redaction.detectors.mentions import mentions
from pytest_toolresult.redaction.detectors.silhouettes import has_groups, silhouette
from pytest_toolresult.redaction.detectors.tables import tables
from pytest_toolresult.redaction.detectors.tokens import long_runs, tokens
from pytest_toolresult.redaction.spans import Span, resolved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_CLEAN: Final[set[str]] = set()
"""Short texts in which nothing was found. The results of a run repeat themselves: the
names of fields, the states of an order. None of them is looked at twice."""

_MOST_CLEAN: Final = 20_000
_LONGEST_CLEAN: Final = 200
_LEAST: Final = 5
_SHORT: Final = 16
_HARMLESS: Final = re.compile("[A-Za-z_.-]*(?:[0-9][A-Za-z_.-]*){0,3}")
"""A short word with few digits: no token, no number, and nothing beside a name."""

_BREAKS: Final = (" ", ":", "=", "<", "\t", "->", "|", ",", ";")
"""Between a name and its value stands one of these, at least where ASCII is written."""


def secrets_in(text: str) -> list[Span]:
    """Find everything in a text that should not be seen.

    Args:
        text: Any text, whatever its length.

    Returns:
        The spans in order; none overlap.
    """
    return [] if _is_clean(text) else resolved(_all(text))


def secrets_in_each(texts: Iterable[str]) -> list[tuple[str, Span]]:
    """Find what should not be seen in several texts, in one pass over all of them.

    Args:
        texts: Any texts, such as the leaves of a result.

    Returns:
        Each text in which something was found, and the span of it there.
    """
    unseen = [text for text in texts if text not in _CLEAN]
    if not unseen:
        return []
    suspects = [text for text in dict.fromkeys(unseen) if not _is_clean(text)]
    found = _apart(suspects, resolved(_all("\0".join(suspects)))) if suspects else []
    _remember(unseen, {text for text, _ in found})
    return found


def _apart(texts: list[str], spans: list[Span]) -> list[tuple[str, Span]]:
    """Say of spans in joined texts in which they stand, and where."""
    if not spans:
        return []
    starts = joined_texts(texts)[1]
    found = []
    for span in spans:
        at = bisect_right(starts, span.start) - 1
        text, start = texts[at], starts[at]
        end = min(span.end - start, len(text))
        kind, family, personal = span.kind, span.family, span.personal
        found.append((text, Span(span.start - start, end, kind, family, personal)))
    return found


def joined_texts(texts: Sequence[str]) -> tuple[str, list[int]]:
    """Join texts so that no secret runs from one into the next; say where each is."""
    return "\0".join(texts), [0, *accumulate(len(text) + 1 for text in texts)]


def forget_texts() -> None:
    """Forget which texts were looked at before, as a measurement of the speed asks."""
    _CLEAN.clear()


def _is_clean(text: str) -> bool:
    if text in _CLEAN or len(text) < _LEAST:
        return True
    return len(text) < _SHORT and _HARMLESS.fullmatch(text) is not None


def _remember(texts: list[str], guilty: set[str]) -> None:
    if len(_CLEAN) > _MOST_CLEAN:
        _CLEAN.clear()
    _CLEAN.update(
        [each for each in texts if len(each) <= _LONGEST_CLEAN and each not in guilty]
    )


def _all(text: str) -> list[Span]:
    """Ask every detector that has a chance, which a few quick looks tell."""
    seen = silhouette(text)
    digits = seen.count(b"0")
    spans: list[Span] = []
    if b"@" in seen:
        spans += addresses(text)
        spans += contacts.emails(text)
    if digits >= numbers.FEWEST_DIGITS:
        spans += numbers.numbers(text, seen)
    if digits >= contacts.FEWEST_DIGITS and has_groups(seen):
        spans += contacts.phones(text, seen)
    runs = long_runs(text)
    if runs:
        spans += tokens(text, runs)
        spans += hashes(text, seen)
    if _may_hold_pairs(text) and may_hold_labels(text, seen):
        spans += _beside_names(text)
    spans += commands(text)
    return spans


def _may_hold_pairs(text: str) -> bool:
    return not text.isascii() or any(map(text.__contains__, _BREAKS))


def _beside_names(text: str) -> Iterator[Span]:
    yield from assignments(text)
    yield from mentions(text)
    yield from tables(text)
    yield from settings(text)
