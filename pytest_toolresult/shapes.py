"""The shape of data: which fields stand where, of which types, and which may lack.

A shape is a mapping from places, such as `data[].order_id`, to types in words, such as
`string or null`. It is written as it is into the lock file, a line for each place, so
that a change of a field is a change of one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from pytest_toolresult.walk import fields_of, is_a, sequence_of, step_of

Shape: TypeAlias = Mapping[str, str]
"""Types by place; `optional` in front where the field may lack."""

_OPTIONAL: Final = "optional "
_OR: Final = " or "
_ROOT: Final = "data"
_NAME: Final = re.compile(r"[^\W\d][\w-]{0,60}")
_MOST_NAMES: Final = 60
"""Objects with more fields than that are tables by key, not records."""

_MOST_MEMBERS: Final = 1_000
_DEEPEST: Final = 8
_TYPES: Final[tuple[tuple[type[Any], str], ...]] = (
    (bool, "boolean"),
    (int, "number"),
    (float, "number"),
    (str, "string"),
)


def shape_of(data: object) -> Shape:
    """Return the shape of some data.

    Numbers with and without decimals are one type, as in JSON. Objects with names that
    are no identifiers, or with very many, are tables: their members share one place,
    `data.*`. What stands more than eight levels deep is not looked at.
    """
    return _shape(_ROOT, [data], 0)


def joined(one: Shape, other: Shape) -> Shape:
    """Return what two shapes allow together, the same in any order.

    A field that only one of them has is optional, if the other has what it stands in.
    """
    together: dict[str, str] = {}
    for place in one.keys() | other.keys():
        here, there = one.get(place), other.get(place)
        kinds = types_in(here or "") | types_in(there or "")
        absent = (here is None and _has_parent(one, place)) or (
            there is None and _has_parent(other, place)
        )
        optional = absent or any(is_optional(each) for each in (here, there) if each)
        together[place] = _written(kinds, optional=optional)
    return together


def types_in(written: str) -> frozenset[str]:
    """Return the types of one line of a shape."""
    plain = written.removeprefix(_OPTIONAL)
    return frozenset(plain.split(_OR)) if plain else frozenset()


def is_optional(written: str) -> bool:
    """Tell whether the field of a line may lack."""
    return written.startswith(_OPTIONAL)


def parent_of(place: str) -> str | None:
    """Return the place that a place stands in, `None` for the whole.

    A quoted name may hold dots and brackets, and counts as one step.
    """
    steps = _STEP.findall(place)
    return place[: -len(steps[-1])] if len(steps) > 1 else None


_STEP: Final = re.compile(r"^[^.\[]+|\.\*|\.[^.\[]+|\[\]|\[\"(?:[^\"\\]|\\.)*\"\]")


def _has_parent(shape: Shape, place: str) -> bool:
    parent = parent_of(place)
    if parent is None or parent not in shape:
        return False
    kind = "array" if place.endswith("[]") else "object"
    return kind == "object" and kind in types_in(shape[parent])


def _shape(place: str, values: Sequence[Any], level: int) -> dict[str, str]:
    """Describe what stands at one place, of which there may be several values."""
    found = {place: _written({_type(each) for each in values})}
    if level == _DEEPEST:
        return found
    lists = [each for each in map(sequence_of, values) if each is not None]
    members = [member for each in lists for member in each[:_MOST_MEMBERS]]
    if members:
        found |= _shape(f"{place}[]", members[:_MOST_MEMBERS], level + 1)
    objects = [fields_of(each) for each in values if is_a(each, dict)]
    if objects:
        found |= _fields(place, objects, level)
    return found


def _fields(
    place: str, objects: Sequence[Mapping[str, Any]], level: int
) -> dict[str, str]:
    if any(map(_is_table, objects)):
        values = [value for each in objects for value in each.values()]
        return _shape(f"{place}.*", values[:_MOST_MEMBERS], level + 1)
    found: dict[str, str] = {}
    for name in dict.fromkeys(name for each in objects for name in each):
        values = [each[name] for each in objects if name in each]
        inner = _shape(f"{place}{step_of(name)}", values, level + 1)
        if len(values) < len(objects):
            first = next(iter(inner))
            inner[first] = _written(types_in(inner[first]), optional=True)
        found |= inner
    return found


def _is_table(fields: Mapping[str, Any]) -> bool:
    return len(fields) > _MOST_NAMES or not all(map(_NAME.fullmatch, fields))


def _type(value: object) -> str:
    if value is None:
        return "null"
    word = next((word for kind, word in _TYPES if is_a(value, kind)), "")
    if word:
        return word
    if sequence_of(value) is not None:
        return "array"
    return "object" if is_a(value, dict) else "other"


def _written(kinds: frozenset[str] | set[str], *, optional: bool = False) -> str:
    """Write types in words, null last, as people would."""
    ordered = sorted(kinds, key=lambda kind: (kind == "null", kind))
    return f"{_OPTIONAL if optional else ''}{_OR.join(ordered)}"
