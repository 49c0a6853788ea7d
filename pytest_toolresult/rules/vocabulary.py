"""Tables of words by language, and how names of fields are taken apart into words."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def table(**languages: str) -> frozenset[str]:
    """Make one table of the words of several languages.

    Args:
        **languages: The words of each language by its tag (`en`, `zh`), in lower case,
            separated by blanks. To read one more language, add it here.
    """
    return frozenset(word for words in languages.values() for word in words.split())


def words_of(name: str) -> tuple[str, ...]:
    """Split a name into its words: `orderStatus`, `order_status`, `order-status`."""
    return tuple(word.casefold() for word in _WORD.findall(name))


def ends_in(words: tuple[str, ...], words_table: frozenset[str]) -> bool:
    """Tell whether the last word is in a table.

    Languages that do not separate words write it at the end of a longer one.
    """
    last = words[-1] if words else ""
    if last.isascii():
        return last in words_table
    return any(last.endswith(word) for word in words_table if not word.isascii())


def has_one(words: tuple[str, ...], words_table: frozenset[str]) -> bool:
    """Tell whether any of the words is in a table."""
    return any(word in words_table for word in words) or ends_in(words, words_table)
