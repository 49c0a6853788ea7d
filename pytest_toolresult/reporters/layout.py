"""Text for terminals: what may be printed, how wide it is, how it wraps."""

from __future__ import annotations

import json
import textwrap
import unicodedata
from typing import TYPE_CHECKING, Final

from pytest_toolresult.ledger.json_data import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH: Final = 80
"""Columns of a terminal where nobody says otherwise."""

_NARROWEST: Final = 24
"""Columns that a wrapped text has at least, however far it is indented."""


def printable(text: str) -> str:
    """Return a text that can do a terminal no harm.

    Escape sequences, marks that turn the direction of writing, and lone surrogates
    become their escapes; line breaks stay.
    """
    if text.isprintable():
        return text
    return "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    escaped = json.dumps(character)[1:-1]
    return escaped if escaped != character else f"\\u{ord(character):04x}"


def as_json(value: object) -> str:
    """Return a value as a person would write it in JSON, on one line."""
    return printable(json.dumps(plain(value), ensure_ascii=False))


def cells(text: str) -> int:
    """Return how many columns a text takes: wide characters two, combining ones none.

    Source: Unicode Standard Annex 11, East Asian Width.
    """
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def _cells_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int) -> str:
    """Fill a text with blanks on its right, up to a number of columns."""
    return text + " " * (width - cells(text))


def paragraph(
    text: str, *, first: str = "", rest: str | None = None, width: int = WIDTH
) -> list[str]:
    """Wrap a text; its own line breaks stay.

    Args:
        text: What to wrap.
        first: What stands before the first line, such as a label.
        rest: What stands before the others: blanks as wide as `first` by default.
        width: How many columns there are.
    """
    hanging = " " * cells(first) if rest is None else rest
    lines: list[str] = []
    for line in printable(text).split("\n"):
        before = hanging if lines else first
        lines += _wrapped(line, before, hanging, width) or [before.rstrip()]
    return lines


def _wrapped(line: str, first: str, rest: str, width: int) -> list[str]:
    room = max(width - cells(rest), _NARROWEST)
    wide = cells(line)
    if wide > len(line):  # textwrap counts characters, of which fewer fit
        room = room * len(line) // wide
    return textwrap.wrap(
        line,
        room + len(rest),
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
    )


def listed(names: Sequence[str], most: int) -> str:
    """Name some things, and say how many more there are.

    Args:
        names: All of them.
        most: How many to name.
    """
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def plural(count: int, word: str) -> str:
    """Say how many, as in `1 error` and `2 errors`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def unique(texts: Iterable[str]) -> list[str]:
    """Return texts without repetition, in their order."""
    return list(dict.fromkeys(texts))
