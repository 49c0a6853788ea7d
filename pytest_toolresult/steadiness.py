"""Tells what a call changed from what differs from one call to the next anyway.

Results hold times, new ids, rows in no order. What differs between two equal calls
says nothing about two that are not, and is left out wherever results are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pytest_toolresult.plain import plain
from pytest_toolresult.walk import class_name, is_a, step_of

if TYPE_CHECKING:
    from pytest_toolresult.interactions import Interaction

Place: TypeAlias = "tuple[object, ...]"
"""The steps to a value: keys, and indices."""

Leaves: TypeAlias = "Mapping[Place, object]"

Same: TypeAlias = Callable[[object, object], bool]

_MOST: Final = 20_000
"""How many values of a result are looked at; what lies beyond is taken as equal."""

_DEEPEST: Final = 40
_TIMING: Final = re.compile(
    r"(?i)duration|elapsed|latency|took|_ms$|millis|uptime|response_time|cached|age_s"
)
_LENGTH: Final = "#"
"""The step to the length of a list."""
_ANY: Final = "[]"
"""Stands for every index."""


def content_of(interaction: Interaction) -> object:
    """Return what a call answered: its status, its data and the code of its error.

    What stands in `meta` is left out: it tells of this very call.
    """
    envelope, exception = interaction.envelope, interaction.outcome.exception
    if envelope is None and exception is not None:
        return {"raised": class_name(exception)}
    if envelope is None:
        return {"ending": interaction.outcome.ending}
    status = interaction.status
    code = envelope.code if status == "error" else None
    return {"status": status, "data": envelope.data, "code": code}


def leaves_of(value: object) -> Leaves:
    """Take a result apart into its values, by where they stand.

    Texts of several lines count as lists of lines, so that one line which varies
    does not hide the others; JSON in a text counts as what it says.

    Args:
        value: A result, or a part of one.
    """
    found: dict[Place, object] = {}
    for place, leaf in _walk(plain(value), (), 0):
        if len(found) >= _MOST:
            break
        found[place] = leaf
    return found


def equal(one: object, other: object) -> bool:
    """Tell whether two values are the same; 1 and 1.0 are, 1 and `True` are not."""
    if is_a(one, bool) or is_a(other, bool):
        return type(one) is type(other) and one == other
    if _is_number(one) and _is_number(other):
        return bool(one == other)
    if is_a(one, str) and is_a(other, str):
        return str.__str__(one) == str.__str__(other)
    return type(one) is type(other)


def _is_number(value: object) -> bool:
    return is_a(value, int) or is_a(value, float)


@dataclass(frozen=True, slots=True)
class Steadiness:
    """Which values of a result are the same each time.

    Attributes:
        varying: The places whose values are not, with every index taken alike.
        places: All places that were seen, likewise.
    """

    varying: frozenset[Place]
    places: frozenset[Place]

    @classmethod
    def of(cls, results: Iterable[object]) -> Steadiness:
        """Learn from the results of equal calls what varies between them."""
        taken = [leaves_of(each) for each in results]
        varying = {
            alike(place)
            for one, other in pairwise(taken)
            for place in _differing(one, other, equal)
        }
        places = {alike(place) for each in taken for place in each}
        return cls(frozenset(varying), frozenset(places))

    @property
    def is_telling(self) -> bool:
        """Whether enough of the data stays the same for two results to be compared."""
        values = {each for each in self.places if _LENGTH not in each}
        data = {each for each in values if each[:1] == ("data",)} or values
        return not data or len(data - self.varying) * 2 >= len(data)

    def differences(self, one: object, other: object, same: Same = equal) -> list[str]:
        """Return where two results differ beside what varies anyway.

        Args:
            one: A result.
            other: Another one.
            same: Tells whether two values are the same.
        """
        found = _differing(leaves_of(one), leaves_of(other), same)
        return [written(each) for each in found if not self.varies(each)]

    def varies(self, place: Place) -> bool:
        """Tell whether a place, or a list around it, is not the same each time.

        How long something took is never the same, even where it seems so.
        """
        pattern = alike(place)
        if any(is_a(step, str) and _TIMING.search(step) for step in place):
            return True
        return pattern in self.varying or any(
            (*pattern[:end], _LENGTH) in self.varying for end in range(len(pattern))
        )


def alike(place: Place) -> Place:
    """Return a place with all indices taken as one."""
    return tuple(_ANY if type(step) is int else step for step in place)


def written(place: Place) -> str:
    """Write a place as findings do, such as `data[3].token`."""
    steps = place[:-1] if place[-1:] == (_LENGTH,) else place
    return "".join(map(step_of, steps)).lstrip(".")


def _differing(one: Leaves, other: Leaves, same: Same) -> list[Place]:
    absent = object()
    return [
        place
        for place in {**one, **other}
        if not (
            place in one
            and place in other
            and same(one.get(place, absent), other.get(place, absent))
        )
    ]


def _walk(value: Any, place: Place, depth: int) -> Iterator[tuple[Place, object]]:
    parts = _parts(value) if depth < _DEEPEST else None
    if parts is None:
        yield place, value
        return
    yield (*place, _LENGTH), len(parts) if is_a(parts, list) else -1
    for step, part in _steps(parts):
        yield from _walk(part, (*place, step), depth + 1)


def _steps(parts: Mapping[Any, Any] | Sequence[Any]) -> Iterable[tuple[object, Any]]:
    return parts.items() if isinstance(parts, Mapping) else enumerate(parts)


def _parts(value: Any) -> dict[Any, Any] | list[Any] | None:
    """Return what a value consists of; `None` where it is one thing."""
    if is_a(value, dict):
        return dict(dict.items(value))
    if is_a(value, list):
        return list(list.__iter__(value))
    if is_a(value, tuple):
        return list(tuple.__iter__(value))
    if is_a(value, str) and "\n" in value:
        return str.splitlines(value)
    return None
