"""Names under which a result says that there is more, and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.rules.exhibit import plain_int, plain_text
from pytest_toolresult.rules.vocabulary import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_FLAGS: Final = frozenset(
    ("has more", "has next", "has next page", "more", "more available")
)
_CURSORS: Final = frozenset(
    (
        *("next cursor", "next page token", "next token", "next page", "next offset"),
        *("next link", "next url", "next", "next start", "next index", "next line"),
        *("continuation token", "continuation", "cursor", "page token"),
    )
)
_PLACES: Final = frozenset(
    (
        *("result id", "location", "path", "file path", "url", "uri", "offset"),
        *("resource uri", "download url", "artifact id", "handle"),
    )
)


def goes_on(fields: Mapping[str, Any]) -> str | None:
    """Return the field that says there is a next page, or `None`."""
    for name, value in fields.items():
        spoken = " ".join(words_of(name))
        if spoken in _FLAGS and value is True:
            return name
        if spoken.startswith("next") and spoken in _CURSORS and _is_given(value):
            return name
    return None


def way_on(fields: Mapping[str, Any]) -> str | None:
    """Return the field that leads to the rest, or `None`."""
    for name, value in fields.items():
        spoken = " ".join(words_of(name))
        if spoken in _CURSORS | _PLACES and _is_given(value):
            return name
    return None


def _is_given(value: object) -> bool:
    return bool(plain_text(value)) or plain_int(value) is not None
