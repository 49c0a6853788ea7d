"""Finds results of one version in which one field stands in place of another."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.rules.exhibit import plain_int, plain_text
from pytest_toolresult.shapes import is_optional, parent_of, shape_of, types_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_toolresult.rules.exhibit import Exhibit
    from pytest_toolresult.shapes import Shape

_MOST_SHAPES: Final = 12
"""How many different shapes of one tool are held against each other."""


def replaced_fields(exhibits: Sequence[Exhibit]) -> Iterator[tuple[int, str, str]]:
    """Give calls that show a field under another name than an earlier call does.

    Two successes of one version count that differ in one field of one object, where
    that has the same type and all other fields are the same. Calls that differ in
    what chooses between forms (an enumeration, a truth value) are let pass: whoever
    asks for another form gets one.

    Yields:
        The index of the later call, the field that is missing there, and the other.
    """
    seen: dict[tuple[str, frozenset[str]], tuple[int, Shape]] = {}
    for index, found in enumerate(exhibits):
        if found.path == "success" and len(seen) < _MOST_SHAPES:
            shape = shape_of(found.data)
            version = str(_version(found.meta_fields))
            seen.setdefault((version, frozenset(shape)), (index, shape))
    for (key, (one, first)), (other_key, (other, second)) in combinations(
        seen.items(), 2
    ):
        swap = _swap(first, second) if key[0] == other_key[0] else None
        if swap and not _asks_otherwise(exhibits[one], exhibits[other]):
            yield other, *swap


def _version(meta: Mapping[str, Any]) -> object:
    version = meta.get("format_version")
    return plain_text(version) or plain_int(version)


def _swap(first: Shape, second: Shape) -> tuple[str, str] | None:
    """Return the one field that two shapes call differently, if that is all."""
    gone, new = first.keys() - second.keys(), second.keys() - first.keys()
    if len(gone) != 1 or len(new) != 1:
        return None
    (before,), (after,) = gone, new
    same_place = parent_of(before) == parent_of(after) and parent_of(before)
    siblings = [
        place
        for place in first.keys() & second.keys()
        if parent_of(place) == parent_of(before)
    ]
    alike = types_in(first[before]) == types_in(second[after])
    certain = not is_optional(first[before]) and not is_optional(second[after])
    return (before, after) if same_place and siblings and alike and certain else None


def _asks_otherwise(one: Exhibit, other: Exhibit) -> bool:
    """Tell whether two calls differ in an argument that chooses a form."""
    sent, again = one.call.arguments, other.call.arguments
    properties = (one.tool.schema or {}).get("properties", {})
    return any(
        name not in sent or name not in again or not _is_free(properties.get(name))
        for name in {**sent, **again}
        if plain_text(sent.get(name)) != plain_text(again.get(name))
        or plain_text(sent.get(name)) is None
    )


def _is_free(schema: object) -> bool:
    """Tell whether an argument is any text, and no choice."""
    return (
        isinstance(schema, dict) and schema.get("type") == "string"
    ) and not schema.keys() & {"enum", "const", "pattern", "format"}
