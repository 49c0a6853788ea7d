"""Whole arguments built by hand: the simplest that are valid, and rich ones."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.strategies import values, vocabulary
from pytest_toolresult.strategies.patterns import matching
from pytest_toolresult.strategies.shapes import ANY, Schema, Shape, Shapes, bounds
from pytest_toolresult.strategies.validity import (
    element_schema,
    fits,
    holds_json,
    is_exclusive,
)

_DEEPEST: Final = 10
_LEAN_FROM: Final = 3
"""From this depth on only what is required is built, so that recursion ends."""
_MOST_BUILT: Final = 2000
_VARIETY: Final = 8
"""How many values of a leaf differ, for arrays that want each element once."""
_LONGEST_DEFAULT: Final = 64

Filling = Literal["simplest", "lean", "rich"]
"""How much is built: least values, good values for what is required, all."""


class UnsatisfiableError(ToolResultError):
    """No value can be built for a schema; the message says where."""


def simplest(schema: Schema) -> dict[str, Any]:
    """Build the arguments a person would call the least: `""`, 0, `[]`.

    Args:
        schema: A JSON Schema (draft 2020-12) of an object.

    Returns:
        Only what is required, each the least value that its schema allows.

    Raises:
        UnsatisfiableError: If nothing can be built.
    """
    return _arguments(schema, _Builder(Shapes(schema), "simplest"))


def rich(
    schema: Schema,
    *,
    constants: Sequence[Any] = (),
    turn: int = 0,
    optional: bool = True,
) -> dict[str, Any]:
    """Build arguments a tool can do something with.

    Args:
        schema: A JSON Schema (draft 2020-12) of an object.
        constants: Values to prefer to those that the parameter's name suggests.
        turn: Which of the good values to take: 0 the best, and so on.
        optional: Whether optional parameters are given as well.

    Raises:
        UnsatisfiableError: If nothing can be built.
    """
    filling: Filling = "rich" if optional else "lean"
    builder = _Builder(Shapes(schema), filling, constants=constants, turn=turn)
    return _arguments(schema, builder)


def value_for(
    shapes: Shapes, shape: Shape, name: str, *, filling: Filling = "rich", turn: int = 0
) -> Any:
    """Build one value of a shape.

    Raises:
        UnsatisfiableError: If nothing can be built.
    """
    return _Builder(shapes, filling, turn=turn).of_shape(shape, name, 0)


def can_be_built(shapes: Shapes, schema: Schema, name: str) -> bool:
    """Tell whether any value can be built for a schema that belongs to `shapes`."""
    try:
        _Builder(shapes, "simplest").build(schema, name, 0)
    except UnsatisfiableError:
        return False
    return True


def _arguments(schema: Schema, builder: _Builder) -> dict[str, Any]:
    built = builder.build({"type": "object"} if schema is True else schema, "", 0)
    if not isinstance(built, dict):
        raise UnsatisfiableError("the schema of the arguments is not that of an object")
    return built


class _Builder:
    """Builds values of one filling, the same ones each time."""

    def __init__(
        self,
        shapes: Shapes,
        filling: Filling,
        *,
        constants: Sequence[Any] = (),
        turn: int = 0,
    ) -> None:
        self._shapes = shapes
        self._filling = filling
        self._constants = constants
        self._turn = turn
        self._left = _MOST_BUILT

    def build(self, schema: Schema, name: str, depth: int) -> Any:
        """Build a value of a schema: of the first alternative that works."""
        for shape in self._in_order(self._shapes.alternatives(schema), depth):
            try:
                return self._allowed(schema, shape, name, depth)
            except UnsatisfiableError:
                continue
        raise UnsatisfiableError(f"no value can be built for {name or 'the arguments'}")

    def _allowed(self, schema: Schema, shape: Shape, name: str, depth: int) -> Any:
        """Build a value that is valid under no other branch of a `oneOf`."""
        turn = self._turn
        for more in range(_VARIETY):
            self._turn = turn + more
            try:
                value = self.of_shape(shape, name, depth)
            finally:
                self._turn = turn
            if is_exclusive(self._shapes, schema, value):
                return value
        raise UnsatisfiableError(f"{name!r} fits several of what must be one")

    def of_shape(self, shape: Shape, name: str, depth: int) -> Any:
        """Build a value of one shape."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            raise UnsatisfiableError(f"{name!r} nests without an end")
        given = list(self._given(shape))
        if given:
            return given[self._turn % len(given)]
        if shape["type"] == "object":
            return self._object(shape, depth)
        if shape["type"] == "array":
            return self._array(shape, name, depth)
        return self._leaf(shape, name)

    def _in_order(self, found: list[Shape], depth: int) -> list[Shape]:
        if self._filling == "simplest" or depth >= _LEAN_FROM:
            return sorted(found, key=lambda shape: _SIMPLICITY.get(shape["type"], 3))
        useful = [shape for shape in found if shape["type"] != "null"]
        if useful:
            turn = self._turn % len(useful)
            useful = useful[turn:] + useful[:turn]
        return useful + [shape for shape in found if shape["type"] == "null"]

    def _given(self, shape: Shape) -> Iterator[Any]:
        """Values the schema itself names."""
        if "enum" in shape:
            yield from shape["enum"]
            return
        if self._filling == "simplest":
            return
        examples = shape.get("examples", [])
        named = [*(examples if isinstance(examples, list) else [])]
        if "example" in shape:
            named.append(shape["example"])
        yield from (each for each in named if self._fits(shape, each))

    def _fits(self, shape: Shape, value: object) -> bool:
        return fits(self._shapes, shape, value)

    def _object(self, shape: Shape, depth: int) -> dict[str, Any]:
        built = {}
        for name in self._names(shape, depth):
            schema = shape.get("properties", {}).get(name, True)
            try:
                built[name] = self.build(schema, name, depth + 1)
            except UnsatisfiableError:
                if name in shape.get("required", ()):
                    raise
        self._fill_up(shape, built, depth)
        return built

    def _names(self, shape: Shape, depth: int) -> Iterable[str]:
        required = list(shape.get("required", ()))
        if self._filling == "rich" and depth < _LEAN_FROM:
            named = dict.fromkeys([*shape.get("properties", {}), *required])
        else:
            named = dict.fromkeys(required)
        for name in list(named):
            needed = shape.get("dependentRequired", {}).get(name, ())
            named.update(dict.fromkeys(needed))
        return list(named)

    def _fill_up(self, shape: Shape, built: dict[str, Any], depth: int) -> None:
        """Add free keys where the schema wants more, or is a map of free keys."""
        wanted = shape.get("minProperties", 0)
        schema = shape.get("additionalProperties", True)
        names = self._free_names(shape)
        if patterned := shape.get("patternProperties"):
            pattern, schema = next(iter(patterned.items()))
            names = matching(pattern)
        is_map = isinstance(schema, Mapping) and not shape.get("properties")
        if self._filling == "rich" and is_map and depth < _LEAN_FROM:
            wanted = max(wanted, 1)
        for name in names:
            if len(built) >= wanted or schema is False:
                return
            built.setdefault(name, self.build(schema, name, depth + 1))

    def _free_names(self, shape: Shape) -> Iterable[str]:
        """Give names for keys that the schema does not name."""
        naming = shape.get("propertyNames", True)
        for each in self._shapes.alternatives(naming):
            listed = each.get("enum") or (
                *matching(each.get("pattern", "^")),
                *"abcdefgh",
            )
            return [name for name in listed if fits(self._shapes, naming, name)]
        return ()

    def _array(self, shape: Shape, name: str, depth: int) -> list[Any]:
        built: list[Any] = []
        if "contains" in shape:
            least_hits = range(shape.get("minContains", 1))
            inner = shape["contains"]
            built = [self.build(inner, name, depth + 1) for _ in least_hits]
        wanted = max(self._length(shape, depth), shape.get("minItems", 0))
        tries = iter(range(4 * wanted + 4))
        while len(built) < wanted and next(tries, None) is not None:
            element = self._element(shape, name, len(built), depth)
            if not (shape.get("uniqueItems") and element in built):
                built.append(element)
            else:
                self._turn += 1
        return built

    def _element(self, shape: Shape, name: str, index: int, depth: int) -> Any:
        """Build an element; in rich arrays each a different one."""
        turn = self._turn
        self._turn += index if self._filling == "rich" else 0
        try:
            return self.build(element_schema(shape, index), name, depth + 1)
        finally:
            self._turn = turn

    def _length(self, shape: Shape, depth: int) -> int:
        fixed = len(shape.get("prefixItems") or ())
        if self._filling != "rich" or depth >= _LEAN_FROM:
            return fixed
        return min(max(fixed, 2), int(shape.get("maxItems", 2)))

    def _leaf(self, shape: Shape, name: str) -> Any:
        if holds_json(shape):
            content = self.build(shape.get("contentSchema", True), name, _LEAN_FROM)
            return json.dumps(content)
        candidates = list(self._candidates(shape, name))
        found = [each for each in candidates if self._fits(shape, each)]
        if found:
            return found[self._turn % min(len(found), _VARIETY)]
        if candidates and "pattern" in shape:
            # No text is known for the pattern: let the runtime say what it thinks.
            return candidates[0]
        raise UnsatisfiableError(f"no value is known for {name!r}: {dict(shape)}")

    def _candidates(self, shape: Shape, name: str) -> Iterator[Any]:
        if self._filling == "simplest":
            yield from least(shape)
            return
        described = str(shape.get("description", ""))
        yield from suited(shape, name, described, constants=self._constants)
        yield from least(shape)


_SIMPLICITY: Final[Mapping[str, int]] = {
    "null": 0,
    "boolean": 1,
    "integer": 1,
    "number": 1,
    "string": 1,
    "array": 2,
    "object": 3,
}


def suited(
    shape: Shape, name: str, description: str, *, constants: Sequence[Any] = ()
) -> Iterator[Any]:
    """Give values for a leaf, best first, whether or not each of them is valid."""
    kind = shape["type"]
    default = shape.get("default")
    if kind == "string":
        yield from (each for each in constants if isinstance(each, str))
        if isinstance(default, str) and 0 < len(default) <= _LONGEST_DEFAULT:
            yield default
        yield from values.FORMATS.get(shape.get("format", ""), ())
        yield from matching(shape["pattern"]) if "pattern" in shape else ()
        yield from vocabulary.texts(name, description)
        yield from ("abc", "hello world", "test")
    elif kind in {"integer", "number"}:
        yield from (each for each in constants if not isinstance(each, str))
        if default is not None:
            yield default
        yield from vocabulary.numbers(name, description)
        yield from (1, 3, 7)
    elif kind == "boolean":
        yield from (True, False) if default is not False else (False, True)
    elif kind == ANY:
        yield from [default] if default is not None else []
        yield from (*vocabulary.texts(name, description)[:2], "abc", 1)


def least(shape: Shape) -> Iterator[Any]:
    """Give values for a leaf, the least first; the first valid one is the simplest."""
    kind = shape["type"]
    if kind == "null":
        yield None
    elif kind == "boolean":
        yield from (False, True)
    elif kind in {"integer", "number"}:
        yield from _least_numbers(shape)
    elif kind == ANY:
        yield ""
    else:
        shortest = shape.get("minLength", 0)
        yield from ("a" * shortest, "1" * shortest)
        yield from ("a" * (shortest + more) for more in range(1, _VARIETY))
        yield from values.FORMATS.get(shape.get("format", ""), ())
        yield from matching(shape["pattern"]) if "pattern" in shape else ()


def _least_numbers(shape: Shape) -> Iterator[float]:
    low, high = bounds(shape)
    step = shape.get("multipleOf") or 0
    yield from range(_VARIETY)
    for limit, rounded in ((low, math.ceil), (high, math.floor)):
        if limit is not None:
            yield from (rounded(limit), limit)
            away = (
                range(1, _VARIETY) if rounded is math.ceil else range(-1, -_VARIETY, -1)
            )
            yield from (rounded(limit) + more for more in away)
            yield from (rounded(limit / step) * step,) if step else ()
