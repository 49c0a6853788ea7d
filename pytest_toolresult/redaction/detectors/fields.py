"""Judges what stands under a name, in an object or wherever names are known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.kinds import labelled
from pytest_toolresult.redaction.detectors.labels import label_of
from pytest_toolresult.redaction.detectors.placeholders import is_masked
from pytest_toolresult.redaction.detectors.values import is_clear
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from pytest_toolresult.redaction.detectors.labels import Label

_PREFIXED: Final = ("token", "hash", "header", "cookie", "address", "session")
"""What begins with something that is the same for many."""

_MOST_AROUND: Final = 12
"""How many letters and digits may stand around a mask, as of a card or a key."""

_MOST_OF_A_PASSWORD: Final = 0.5
_MOST_AT_ONE_END: Final = 0.65
"""The share that may stand before or behind a mask, as of a phone number."""

_HIDDEN: Final = re.compile(r"[*\u2022\u25cf\uff0a\u2217\u2588\u25a0]{2,}")


def field_span(name: str, value: str) -> Span | None:
    """Judge a value by its name.

    Args:
        name: The name of the field.
        value: The whole value.

    Returns:
        The span of the whole value if it is a secret in clear, or is masked so
        that too much is left; else `None`.
    """
    label = label_of(name)
    if label is None or not value:
        return None
    if is_clear(label, value):
        return labelled(label, 0, len(value))
    hidden = is_masked(value) or label != "password"
    if hidden and _shows_too_much(label, value):
        clear = labelled(label, 0, len(value))
        return Span(0, len(value), f"masked {clear.kind}", "mask", clear.personal)
    return None


def _shows_too_much(label: Label, value: str) -> bool:
    """Judge a mask by where it is: in the middle, or only at one end.

    An address that is masked up to its host, and a word that says that something was
    taken out, are masks as they should be.
    """
    hidden = _HIDDEN.search(value)
    if hidden is None or re.search(r"@|://|[A-Z]{6}", value):
        return False
    visible = sum(map(str.isalnum, value))
    is_between = hidden.start() and _HIDDEN.sub("", value[hidden.end() :]).strip()
    if is_between or label in _PREFIXED:
        return visible > _MOST_AROUND
    most = _MOST_OF_A_PASSWORD if label == "password" else _MOST_AT_ONE_END
    return visible > most * len(value)
