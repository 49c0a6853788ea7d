"""Searches a text for all canaries in all their forms at once.

The index holds short pieces (grams) of what is searched for. Of a text every fourth
position is looked up, one look at a set each; only where a gram is known is anything
compared. So the cost hardly depends on the number of canaries, and is linear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.canaries.forms import LEAST, encoded, squeezed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.redaction.canaries.canary import Canary

_GRAM: Final = 5
_STEP: Final = 4
_DIGITS_GRAM: Final = 7
_DIGIT_GROUP: Final = re.compile(
    r"\d(?:[ .:()/%\n\0\u00a0\u2010-\u2015\u3000\uff08\uff09\uff0d\uff0e-]{0,2}"
    r"\d){7,200}"
)
_LEAST_DIGITS: Final = 10
"""How many digits of a longer number are searched for: fewer may be chance."""

_MARGIN: Final = 3
"""How many characters more than a mask may show make a partial leak."""

AS_IT_IS: Final = "as it is"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A canary that was seen.

    Attributes:
        canary: The canary.
        form: In what form, such as `base64`.
        start: Where it begins in the text.
        end: Where it ends.
    """

    canary: Canary
    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Needle:
    canary: Canary
    form: str
    text: str
    least: int


class Index:
    """What is searched for."""

    def __init__(self) -> None:
        self._grams: dict[str, list[tuple[_Needle, int]]] = {}
        self._digits: dict[str, list[tuple[_Needle, int]]] = {}

    def add(self, canary: Canary) -> None:
        """Search for a canary from now on."""
        plain = squeezed(canary.secret)
        least = _LEAST_DIGITS if plain.isdigit() else LEAST
        least = max(least, canary.head + _MARGIN, canary.tail + _MARGIN)
        least = min(least, len(plain))
        needle = _Needle(canary, AS_IT_IS, plain, least)
        if plain.isdigit():
            self._enter(self._digits, needle, _DIGITS_GRAM, len(plain))
        else:
            self._enter(self._grams, needle, _GRAM, len(plain))
        for form, text in {*encoded(canary.secret), *encoded(plain)}:
            one = _Needle(canary, form, text, len(text))
            if text.isdigit():
                self._enter(self._digits, one, _DIGITS_GRAM, _DIGITS_GRAM)
            else:
                self._enter(self._grams, one, _GRAM, _GRAM + _STEP - 1)

    @staticmethod
    def _enter(
        grams: dict[str, list[tuple[_Needle, int]]],
        needle: _Needle,
        size: int,
        within: int,
    ) -> None:
        """Enter the grams of a needle's beginning, as far as is looked up."""
        for at in range(min(within, len(needle.text)) - size + 1):
            entered = grams.setdefault(needle.text[at : at + size], [])
            entered.append((needle, at))

    def find(self, text: str) -> list[Sighting]:
        """Find every canary in a text, the first sighting of each.

        Args:
            text: Any text. What stood in several fields may be joined.
        """
        if not self._grams and not self._digits:
            return []
        found = dict[int, Sighting]()
        for sighting in (*self._in_words(text), *self._in_numbers(text)):
            found.setdefault(id(sighting.canary), sighting)
        return list(found.values())

    def _in_words(self, text: str) -> Iterator[Sighting]:
        flat = squeezed(text)
        windows = [flat[at : at + _GRAM] for at in range(0, len(flat), _STEP)]
        if self._grams.keys().isdisjoint(windows):
            return
        places: list[int] = []
        for number, window in enumerate(windows):
            for needle, at in self._grams.get(window, ()):
                span = _extended(flat, number * _STEP, needle, at)
                if span:
                    places = places or _places(text)
                    start, end = places[span[0]], places[span[1] - 1] + 1
                    yield Sighting(needle.canary, needle.form, start, end)

    def _in_numbers(self, text: str) -> Iterator[Sighting]:
        if not self._digits:
            return
        for group in _DIGIT_GROUP.finditer(text):
            digits = "".join([str(int(each)) for each in group[0] if each.isdigit()])
            for at in range(len(digits) - _DIGITS_GRAM + 1):
                for needle, inside in self._digits.get(
                    digits[at : at + _DIGITS_GRAM], ()
                ):
                    if _extended(digits, at, needle, inside):
                        yield Sighting(needle.canary, needle.form, *group.span())


def _extended(
    text: str, at: int, needle: _Needle, inside: int
) -> tuple[int, int] | None:
    """Compare around a common gram; return the common part if it is long enough."""
    start, begin = at, inside
    while start and begin and text[start - 1] == needle.text[begin - 1]:
        start, begin = start - 1, begin - 1
    end, stop = at, inside
    while (
        end < len(text) and stop < len(needle.text) and text[end] == needle.text[stop]
    ):
        end, stop = end + 1, stop + 1
    return (start, end) if end - start >= needle.least else None


def _places(text: str) -> list[int]:
    """Return for each squeezed character where it stands in the text."""
    return [at for at, each in enumerate(text) for _ in squeezed(each)]
