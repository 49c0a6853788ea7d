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

_VISIBLE: Final[dict[Label, int]] = {
    "password": 1,
    "pin": 1,
    "hash": 4,
    "token": 12,
    "header": 20,
    "cookie": 20,
    "session": 8,
    "identity": 10,
    "passport": 5,
    "tax": 10,
    "card": 10,
    "account": 8,
    "phone": 7,
}
"""How many letters and digits a mask may leave of each kind."""

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
    if not _HIDDEN.search(value):
        return False
    visible = sum(map(str.isalnum, value))
    return visible > _VISIBLE.get(label, len(value))
