"""Values that a tool has handed out itself: ids, cursors, names that are listed.

What exists is often known to the tool alone. It tells some of it in its results and
in the texts of its errors, and an agent would try it in the next call.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.redaction.detectors.fields import field_span
from pytest_toolresult.redaction.masks import mask
from pytest_toolresult.strategies.places import at, name_of, places, put
from pytest_toolresult.strategies.vocabulary import words_of
from pytest_toolresult.walk import TOP, survey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from random import Random

    from pytest_toolresult.strategies.places import Place
    from pytest_toolresult.walk import Survey

Value: TypeAlias = str | int | float
"""What is harvested: a text or a number."""

_KINDS: Final = (str, int, float)

_LONGEST: Final = 120
_MOST: Final = 400
_MOST_A_CALL: Final = 60
_MOST_READ: Final = 4000
_PLAIN: Final = 40
"""Characters up to which a text of one word is taken as it is."""
_QUOTED: Final = re.compile(r"""["'`\u201c]([^"'`\n\u201d]{1,60})["'`\u201d]""")
_TOKEN: Final = re.compile(r"[A-Za-z0-9](?:[\w.:/@+=-]{0,62}[\w=])?")
_TELLING: Final = re.compile(r"\d|[A-Za-z0-9][_:/@-][A-Za-z0-9]|[a-z][A-Z]|^[A-Z]{2,}$")
"""What tells an identifier from a word of a sentence."""


class Harvest:
    """What was found so far; it only grows."""

    def __init__(self) -> None:
        self._texts: dict[Value, str] = {}
        self._numbers: dict[Value, str] = {}

    def __len__(self) -> int:
        return len(self._texts) + len(self._numbers)

    def take(self, arguments: Mapping[str, Any], *sources: object) -> None:
        """Read what came back from a call.

        Args:
            arguments: The arguments of the call: what only echoes them is left.
            *sources: What came back: values of any kind, texts.
        """
        if len(self) >= _MOST:
            return
        values = (at(arguments, place) for place in places(arguments))
        given = {each for each in values if _is_leaf(each)}
        told = [each for each in sources if each is not None]
        seen = survey((str(number), each) for number, each in enumerate(told))
        for value, above, step in islice(_found(seen, given), _MOST_A_CALL):
            if value not in self._texts and value not in self._numbers:
                self.learn(_name(seen, above, step), value)

    def learn(self, name: str, value: object) -> None:
        """Take one value, with the name that it goes by, unless it is a secret.

        A secret that a tool gave away is not to be seen again in the arguments of a
        finding.
        """
        if not _is_value(value) or value == "" or len(self) >= _MOST:
            return
        alike = self._of_kind(value)
        if value not in alike and not _is_secret(name, value):
            alike[value] = _last_word(name)

    def put_into(self, arguments: Mapping[str, Any], chance: Random) -> dict[str, Any]:
        """Return the arguments with something harvested in place of one of them."""
        leaves = [p for p in places(arguments) if self._suited(arguments, p)]
        if not leaves:
            return dict(arguments)
        place = chance.choice(leaves)
        value = chance.choice(self._suited(arguments, place))
        changed: dict[str, Any] = put(arguments, place, value)
        return changed

    def values(self) -> list[Value]:
        """List all of them, in the order they were found."""
        return [*self._texts, *self._numbers]

    def for_place(
        self, arguments: Mapping[str, Any], place: Place, *, named: bool
    ) -> list[Value]:
        """List what may stand at a place.

        Args:
            arguments: What stands there now tells the type.
            place: The place.
            named: Whether to give what goes by the place's name, or all the rest.
        """
        alike = self._of_kind(at(arguments, place))
        wanted = _last_word(name_of(place))
        return [each for each in alike if (alike[each] == wanted) is named]

    def _suited(self, arguments: Mapping[str, Any], place: Place) -> list[Value]:
        """List what may stand at a place: by its name if possible, else by type."""
        named = self.for_place(arguments, place, named=True)
        return named or self.for_place(arguments, place, named=False)

    def _of_kind(self, value: object) -> dict[Value, str]:
        """Give the values of a kind, with the last word of the name of each."""
        if isinstance(value, str):
            return self._texts
        return self._numbers if _is_value(value) else {}


def _is_value(value: object) -> TypeGuard[Value]:
    return isinstance(value, _KINDS) and not isinstance(value, bool)


def _is_leaf(value: object) -> bool:
    return isinstance(value, _KINDS)


def _is_secret(name: str, value: Value) -> bool:
    """Tell secrets; an address to write to is none, tools are asked for them."""
    text = str(value)
    return mask(text, contacts=False) != text or field_span(name, text) is not None


def _last_word(name: str) -> str:
    words = words_of(name)
    return words[-1].removesuffix("s") if words else ""


def _found(
    seen: Survey, given: Collection[object]
) -> Iterator[tuple[Value, int, object]]:
    """Give what stands in results, with its container's position and the step there.

    What only repeats an argument is left, as are the words in it.
    """
    texts = [each for each in seen.texts if each[2] not in given]
    for above, step, text in texts:
        if text in STATUSES or _is_error_code(seen, above, step):
            continue  # words of the envelope: what the call came to, nothing to ask for
        if 0 < len(text) <= _LONGEST and " " not in text:
            yield text, above, step
    for position, items in seen.objects:
        for key, value in items:
            if type(value) is int and value not in given:
                yield value, position, str(key)
    for _, _, text in texts:
        if " " in text or len(text) > _PLAIN:
            words = _told(text[:_MOST_READ])
            yield from ((each, TOP, "") for each in words if each not in given)


def _name(seen: Survey, above: int, step: object) -> str:
    """Give the nearest key above a text: that of a list is its elements' name."""
    while not isinstance(step, str) and above >= 0:
        above, step = seen.containers[above]
    return step if isinstance(step, str) else ""


def _is_error_code(seen: Survey, above: int, step: object) -> bool:
    return step == "code" and above >= 0 and seen.containers[above][1] == "error"


def _told(text: str) -> Iterator[str]:
    """Give the identifiers in a sentence: what is quoted, and what is no word."""
    yield from _QUOTED.findall(text)
    yield from (each for each in _TOKEN.findall(text) if _TELLING.search(each))
