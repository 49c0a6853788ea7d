"""Whether a value is valid under a schema, as far as building values needs it.

The runtime of the tool has the last word; this only tells what to try first. So
what is seldom met (`dependentSchemas`, `unevaluatedItems`) is not looked at.
"""

from __future__ import annotations

import datetime as dt
import decimal
import ipaddress
import json
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from pytest_toolresult.strategies.patterns import compiled, matches
from pytest_toolresult.strategies.shapes import Schema, Shape, Shapes, bounds

_TOLERANCE: Final = 1e-9


def fits(shapes: Shapes, schema: Schema, value: object) -> bool:
    """Tell whether a value is valid under a schema that belongs to `shapes`."""
    found = shapes.alternatives(schema)
    return any(_fits_shape(shapes, each, value) for each in found) and is_exclusive(
        shapes, schema, value
    )


def is_exclusive(shapes: Shapes, schema: Schema, value: object) -> bool:
    """Tell whether exactly one of the schemas in `oneOf` holds, where there is one."""
    branches = shapes.exclusive(schema)
    return not branches or sum(fits(shapes, each, value) for each in branches) == 1


def _fits_shape(shapes: Shapes, shape: Shape, value: object) -> bool:
    if "enum" in shape:
        return any(_same(value, each) for each in shape["enum"])
    if "not" in shape and fits(shapes, shape["not"], value):
        return False
    check = _TYPES.get(shape["type"])
    return check is None or bool(check(shapes, shape, value))


def _same(one: object, other: object) -> bool:
    """Compare as JSON does: `true` is not 1, but 1.0 is."""
    return one == other and isinstance(one, bool) is isinstance(other, bool)


def _fits_number(shape: Shape, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if shape["type"] == "integer" and value != value // 1:
        return False
    low, high = bounds(shape)
    if (low is not None and value < low) or (high is not None and value > high):
        return False
    step = shape.get("multipleOf")
    if not step:
        return True
    remainder = value % step
    return bool(min(remainder, step - remainder) <= _TOLERANCE * abs(step))


def _fits_text(shapes: Shapes, shape: Shape, value: str) -> bool:
    if not shape.get("minLength", 0) <= len(value) <= shape.get("maxLength", 10**9):
        return False
    if "pattern" in shape and not matches(shape["pattern"], value):
        return False
    check = _FORMATS.get(shape.get("format", ""))
    if check is not None and not _passes(check, value):
        return False
    return not holds_json(shape) or _fits_content(shapes, shape, value)


def holds_json(shape: Shape) -> bool:
    """Tell whether a text is itself JSON (JSON Schema Validation, section 8)."""
    return shape.get("contentMediaType") == "application/json"


def _fits_content(shapes: Shapes, shape: Shape, value: str) -> bool:
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        return False
    return fits(shapes, shape.get("contentSchema", True), content)


def _fits_array(shapes: Shapes, shape: Shape, value: list[Any]) -> bool:
    if not shape.get("minItems", 0) <= len(value) <= shape.get("maxItems", 10**9):
        return False
    if shape.get("uniqueItems") and any(
        _same(one, other) for n, one in enumerate(value) for other in value[:n]
    ):
        return False
    if "contains" in shape:
        hits = sum(fits(shapes, shape["contains"], each) for each in value)
        if not shape.get("minContains", 1) <= hits <= shape.get("maxContains", 10**9):
            return False
    return all(
        fits(shapes, element_schema(shape, index), each)
        for index, each in enumerate(value)
    )


def element_schema(shape: Shape, index: int) -> Schema:
    """Give the schema of the element of an array at an index."""
    first = shape.get("prefixItems") or ()
    if index < len(first):
        return first[index]  # type: ignore[no-any-return]
    items = shape.get("items", True)
    if isinstance(items, list):  # the old form of `prefixItems`
        further: Schema = shape.get("additionalItems", True)
        return items[index] if index < len(items) else further
    return items  # type: ignore[no-any-return]


def _is_between(size: int, shape: Shape, least: str, most: str) -> bool:
    return bool(shape.get(least, 0) <= size <= shape.get(most, 10**9))


def _fits_object(shapes: Shapes, shape: Shape, value: Mapping[str, Any]) -> bool:
    if any(name not in value for name in shape.get("required", ())):
        return False
    if not _is_between(len(value), shape, "minProperties", "maxProperties"):
        return False
    for name, needed in shape.get("dependentRequired", {}).items():
        if name in value and any(each not in value for each in needed):
            return False
    naming = shape.get("propertyNames", True)
    return all(
        fits(shapes, naming, name) and fits(shapes, property_schema(shape, name), each)
        for name, each in value.items()
    )


def property_schema(shape: Shape, name: str) -> Schema:
    """Give the schema of the property of an object with a name."""
    properties = shape.get("properties", {})
    if name in properties:
        return properties[name]  # type: ignore[no-any-return]
    for pattern, schema in shape.get("patternProperties", {}).items():
        if compiled(pattern) is not None and matches(pattern, name):
            return schema  # type: ignore[no-any-return]
    further = shape.get("additionalProperties", True)
    if further is True and shape.get("unevaluatedProperties") is False:
        return False
    return further  # type: ignore[no-any-return]


def _passes(check: Callable[[str], object], value: str) -> bool:
    try:
        return bool(check(value))
    except (ValueError, OverflowError, ArithmeticError):
        return False


def _matches(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.ASCII).fullmatch


_CLOCK: Final = r"\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?"
_DAY: Final = r"\d{4}-\d\d-\d\d"
"""Python reads more forms of ISO 8601 than RFC 3339, which the formats name."""


def _date(value: str) -> object:
    return _matches(_DAY)(value) and dt.date.fromisoformat(value)


def _date_time(value: str) -> object:
    return _matches(f"{_DAY}T{_CLOCK}")(value) and dt.datetime.fromisoformat(value)


def _time(value: str) -> object:
    return _matches(_CLOCK)(value) and dt.time.fromisoformat(value)


def _decimal(value: str) -> object:
    return decimal.Decimal(value).is_finite()


_TYPES: Final[Mapping[str, Callable[[Shapes, Shape, Any], bool]]] = {
    "null": lambda _, __, value: value is None,
    "boolean": lambda _, __, value: isinstance(value, bool),
    "integer": lambda _, shape, value: _fits_number(shape, value),
    "number": lambda _, shape, value: _fits_number(shape, value),
    "string": lambda shapes, shape, value: (
        isinstance(value, str) and _fits_text(shapes, shape, value)
    ),
    "array": lambda shapes, shape, value: (
        isinstance(value, list) and _fits_array(shapes, shape, value)
    ),
    "object": lambda shapes, shape, value: (
        isinstance(value, Mapping) and _fits_object(shapes, shape, value)
    ),
}

_FORMATS: Final[Mapping[str, Callable[[str], object]]] = {
    "date": _date,
    "date-time": _date_time,
    "time": _time,
    "decimal": _decimal,
    "duration": _matches(r"P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T[\d.HMS]+)?"),
    "regex": compiled,
    "json-pointer": _matches(r"(/([^~/]|~[01])*)*"),
    "idn-email": re.compile(r"[^@\s]+@[^@\s]+").fullmatch,
    "email": _matches(r"[\w.+'-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"),
    "uuid": uuid.UUID,
    "uri": _matches(r"[a-z][a-z0-9+.-]*:\S+"),
    "hostname": _matches(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"),
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
}
"""Checks of formats (JSON Schema Validation, section 7.3); others are let pass."""
