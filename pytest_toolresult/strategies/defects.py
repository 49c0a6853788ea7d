"""What is wrong with a schema, in words, where arguments can be made all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from pytest_toolresult.strategies.bases import can_be_built
from pytest_toolresult.strategies.patterns import compiled
from pytest_toolresult.strategies.shapes import ANY, SPELLINGS, Shapes
from pytest_toolresult.strategies.validity import fits

MALFORMED: Final = (
    AttributeError,
    LookupError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading a schema raises that breaks the rules of JSON Schema."""

_MOST_READ: Final = 2000
_MOST_TOLD: Final = 3
_LONGEST: Final = 60
_TYPES: Final = frozenset(
    {ANY, "array", "boolean", "integer", "null", "number", "object", "string"}
)
_HOLD_ONE: Final = (
    *("items", "additionalProperties", "propertyNames", "contains", "not", "if"),
    *("then", "else", "unevaluatedProperties", "unevaluatedItems", "contentSchema"),
)
_HOLD_SEVERAL: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_HOLD_NAMED: Final = (
    *("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"),
)


def defects(schema: Mapping[str, Any]) -> list[str]:
    """Say what in a schema of arguments means nothing, or can never be met.

    Args:
        schema: The schema, as the tool carries it.

    Returns:
        At most a few sentences, each with the place; none for a sound schema.
    """
    found = dict.fromkeys(_found(schema))
    return list(islice(found, _MOST_TOLD))


def _found(schema: Mapping[str, Any]) -> Iterator[str]:
    queue: list[tuple[str, Any]] = [("", schema)]
    seen: set[int] = set()
    for place, each in queue:  # grows while it is walked
        if id(each) in seen or len(queue) > _MOST_READ:
            continue
        seen.add(id(each))
        if isinstance(each, Mapping):
            yield from _in_one(schema, place, each)
            queue += _inner(place, each)
        elif not isinstance(each, bool):
            yield _told(place, f"{_shown(each)} is no schema")
    yield from _never_met(schema)


def _in_one(root: Mapping[str, Any], place: str, schema: Mapping[str, Any]) -> Any:
    reference = schema.get("$ref")
    if reference is not None:
        yield from _reference(root, place, reference)
    patterns = [schema["pattern"]] if "pattern" in schema else []
    listed = schema.get("patternProperties", {})
    for each in [*patterns, *(listed if isinstance(listed, Mapping) else ())]:
        if not isinstance(each, str) or compiled(each) is None:
            yield _told(place, f"the pattern {_shown(each)} cannot be read")
    named = schema.get("type", [])
    for each in named if isinstance(named, list) else [named]:
        spelled = str(each).lower()
        if SPELLINGS.get(spelled, spelled) not in _TYPES:
            yield _told(place, f"there is no type {_shown(each)}")


def _reference(root: Mapping[str, Any], place: str, reference: Any) -> Iterator[str]:
    if isinstance(reference, str) and not reference.startswith("#"):
        yield _told(place, f"{_shown(reference)} lies elsewhere and is not fetched")
    elif not isinstance(reference, str) or Shapes(root).target(reference) is None:
        yield _told(place, f"the reference {_shown(reference)} leads nowhere")


def _inner(place: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in _HOLD_ONE:
        inner = schema.get(key)
        if isinstance(inner, Mapping | bool):
            yield _below(place, key), inner
    for key in _HOLD_SEVERAL:
        several = schema.get(key)
        if isinstance(several, list):
            yield from ((_below(place, key), each) for each in several)
    for key in _HOLD_NAMED:
        named = schema.get(key)
        if isinstance(named, Mapping):
            yield from (
                (_below(place, str(name)), each) for name, each in named.items()
            )


def _never_met(schema: Mapping[str, Any]) -> Iterator[str]:
    """Name the arguments that no value can be given to, also where they may lack."""
    named = schema.get("properties", {})
    for name, each in named.items() if isinstance(named, Mapping) else ():
        if _is_malformed(Shapes(schema), str(name), each):
            yield f"argument {_shown(name)}: its schema cannot be read"
        elif not can_be_built(Shapes(schema), each, str(name)):
            yield f"argument {_shown(name)}: no value is valid"


def readable(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema without the optional arguments that no sense can be made of."""
    named = schema.get("properties", {})
    required = schema.get("required", ())
    if not isinstance(named, Mapping) or not isinstance(required, list | tuple):
        return schema
    malformed = [
        name
        for name, each in named.items()
        if name not in required and _is_malformed(Shapes(schema), name, each)
    ]
    if not malformed:
        return schema
    kept = {name: named[name] for name in named if name not in malformed}
    return {**schema, "properties": kept}


def _is_malformed(shapes: Shapes, name: str, schema: Any) -> bool:
    try:
        can_be_built(shapes, schema, name)
        for value in ("", 0, {"a": 0}, [0]):
            fits(shapes, schema, value)
    except MALFORMED:
        return True
    return False


def _told(place: str, what: str) -> str:
    return f"{place}: {what}" if place else what


def _below(place: str, key: str) -> str:
    return f"{place}.{key[:_LONGEST]}" if place else key[:_LONGEST]


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
