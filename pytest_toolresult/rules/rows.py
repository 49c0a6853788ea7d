"""Finds the lists of objects in a result, and says how alike their rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.walk import class_name, is_a

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.walk import Survey

Items = list[tuple[Any, Any]]

_WORDS: Final = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    dict: "an object",
    list: "a list",
    tuple: "a list",
}
_MOST_NAMES: Final = 200


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one list.

    Attributes:
        place: Where the list stands: its own container's position, and the step.
        rows: The items of each row, two at least.
    """

    place: tuple[int, object]
    rows: Sequence[Items]

    @property
    def are_alike(self) -> bool:
        """Whether all have the same names in one order, with the same types."""
        first = [(key, type(value)) for key, value in self.rows[0]]
        return all(
            len(row) == len(first)
            and [(key, type(value)) for key, value in row] == first
            for row in self.rows
        )

    @property
    def tell_their_kind(self) -> bool:
        """Whether the rows are of several kinds and each says of which."""
        for name in ("type", "kind"):
            kinds = [value for row in self.rows for key, value in row if key == name]
            texts = {str.__str__(value) for value in kinds if is_a(value, str)}
            if len(kinds) == len(self.rows) and len(texts) > 1:
                return True
        return False

    @property
    def share_little(self) -> bool:
        """Whether under half of all their names stand in every row."""
        names = [_names(row) for row in self.rows]
        everywhere = frozenset.intersection(*names)
        return len(everywhere) * 2 < len(frozenset[str]().union(*names))

    def mixed_types(self) -> dict[str, str]:
        """Name the fields whose values have several types, null aside, in words."""
        kinds: dict[str, dict[str, None]] = {}
        for row in self.rows:
            for key, value in row:
                if value is not None and type(key) is str:
                    kinds.setdefault(key, {})[_word(value)] = None
        return {
            name: " and ".join(words)
            for name, words in list(kinds.items())[:_MOST_NAMES]
            if len(words) > 1
        }


def rows_of(survey: Survey) -> Iterator[Rows]:
    """Give the lists below `data` that hold two objects or more."""
    lists: dict[int, list[Items]] = {}
    for position, items in survey.objects_below("data"):
        above, step = survey.containers[position]
        if type(step) is int:
            lists.setdefault(above, []).append(items)
    for position, rows in lists.items():
        if len(rows) > 1:
            yield Rows(survey.containers[position], rows)


def _names(row: Items) -> frozenset[str]:
    return frozenset(str.__str__(key) for key, _ in row if is_a(key, str))


def _word(value: Any) -> str:
    words = (word for kind, word in _WORDS.items() if issubclass(type(value), kind))
    return next(words, f"of class {class_name(value)}")
