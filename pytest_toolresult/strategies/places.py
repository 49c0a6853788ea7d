"""Places in arguments: where they are, what stands there, what else could."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pytest_toolresult.strategies.validity import (
    element_schema,
    fits,
    property_schema,
)

if TYPE_CHECKING:
    from pytest_toolresult.strategies.shapes import Schema, Shape, Shapes

Place: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead from the arguments to a value."""

_MOST_PLACES: Final = 60
_MOST_ELEMENTS: Final = 3
_GONE: Final = object()


def places(arguments: Mapping[str, Any]) -> list[Place]:
    """List the places of all values, outer ones before what is in them."""
    found: list[Place] = [(key,) for key in arguments]
    for place in found:  # grows while it is walked
        if len(found) >= _MOST_PLACES:
            break
        found.extend((*place, key) for key in _keys(at(arguments, place)))
    return found[:_MOST_PLACES]


def _keys(value: object) -> list[str] | list[int]:
    if isinstance(value, Mapping):
        return list(value)
    if isinstance(value, list):
        return list(range(min(len(value), _MOST_ELEMENTS)))
    return []


def at(arguments: Any, place: Place) -> Any:
    """Give the value at a place."""
    for key in place:
        arguments = arguments[key]
    return arguments


def put(arguments: Any, place: Place, value: Any) -> Any:
    """Return the arguments with another value at a place; nothing is changed."""
    if not place:
        return value
    key, rest = place[0], place[1:]
    inner = put(arguments[key], rest, value) if rest else value
    return _replaced(arguments, key, inner)


def drop(arguments: Any, place: Place) -> Any:
    """Return the arguments without the key or element at a place."""
    if len(place) > 1:
        return put(arguments, place[:-1], drop(at(arguments, place[:-1]), place[-1:]))
    return _replaced(arguments, place[0], _GONE)


def _replaced(holder: Any, key: Any, value: Any) -> Any:
    if isinstance(holder, list):
        new = [value] if value is not _GONE else []
        return [*holder[:key], *new, *holder[key + 1 :]]
    if value is _GONE:
        return {k: v for k, v in holder.items() if k != key}
    return {**holder, key: value}


def name_of(place: Place) -> str:
    """Give the name that says what stands at a place: the last key on the way."""
    return next((key for key in reversed(place) if isinstance(key, str)), "")


def schema_at(shapes: Shapes, arguments: Any, place: Place) -> Schema:
    """Give the schema of a place, chosen among alternatives by what stands there.

    Where no schema speaks of the place anything may stand there: `True`.
    """
    schema: Schema = shapes.root
    for depth, key in enumerate(place):
        holder = at(arguments, place[:depth])
        shape = _shape_for(shapes, schema, holder)
        if shape is None:
            return True
        if isinstance(key, int):
            schema = element_schema(shape, key)
        else:
            schema = property_schema(shape, key)
    return schema


def _shape_for(shapes: Shapes, schema: Schema, value: object) -> Shape | None:
    kind = "array" if isinstance(value, list) else "object"
    suited = [each for each in shapes.alternatives(schema) if each["type"] == kind]
    exact = (each for each in suited if fits(shapes, each, value))
    return next(exact, suited[0] if suited else None)


def is_required(shapes: Shapes, arguments: Any, place: Place) -> bool:
    """Tell whether the key at a place must be there."""
    holder = at(arguments, place[:-1])
    schema = schema_at(shapes, arguments, place[:-1])
    shape = _shape_for(shapes, schema, holder)
    return shape is not None and place[-1] in shape.get("required", ())
