"""Hypothesis strategies from JSON Schemas.

Values are put together in one pass over the schema, as `bases` does by hand, with
every choice drawn from Hypothesis. So what an object needs because of what it
already has, and how deep it already is, is known when a part of it is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st

from pytest_toolresult.strategies.leaves import anything, leaves
from pytest_toolresult.strategies.patterns import compiled, matches
from pytest_toolresult.strategies.shapes import ANY, Schema, Shape, Shapes
from pytest_toolresult.strategies.validity import (
    element_schema,
    fits,
    holds_json,
    is_exclusive,
    property_schema,
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Pool: TypeAlias = Callable[[Shape, str], Sequence[Any]]
"""Gives values worth trying for a leaf of a shape under a name."""

_LEAN_FROM: Final = 5
"""From this depth on only what is required is drawn, so that recursion ends."""
_DEEPEST: Final = 16
_FAR: Final = 99
_TRIES: Final = 4
_MORE_ELEMENTS: Final = 4
_MOST_EXTRA_KEYS: Final = 2
_BITS: Final = 16
_LONGEST_NAME: Final = 8
_TEXT: Final[Schema] = {"type": "string"}


def from_schema(schema: Schema, *, pool: Pool = lambda *_: ()) -> SearchStrategy[Any]:
    """Return a strategy for the values that are valid under a schema.

    Args:
        schema: A JSON Schema (draft 2020-12), with what is left of draft 4 and
            how some runtimes spell types.
        pool: Gives valid values to draw about every other time.

    Returns:
        A strategy of JSON values. Where nothing can be valid it draws nothing, and
        Hypothesis says so (`Unsatisfiable`).
    """
    return _values(_Drawer(schema, pool))


@st.composite
def _values(draw: DrawFn, drawer: _Drawer) -> Any:
    return drawer.root(draw)


@cache
def _up_to(least: int, most: int) -> SearchStrategy[int]:
    return st.integers(least, most)


@cache
def _anything() -> SearchStrategy[Any]:
    return anything()


@cache
def _names() -> SearchStrategy[str]:
    return st.text(max_size=_LONGEST_NAME)


class _Drawer:
    """Draws values of one schema; what it worked out about a part it keeps."""

    def __init__(self, schema: Schema, pool: Pool) -> None:
        self._schema = schema
        self._shapes = Shapes(schema)
        self._pool = pool
        self._found: dict[int, tuple[object, list[Shape]]] = {}
        self._leaves: dict[tuple[int, str], SearchStrategy[Any]] = {}
        self._patterns: dict[str, SearchStrategy[str]] = {}
        self._joined: dict[tuple[int, int], Schema] = {}

    def root(self, draw: DrawFn) -> Any:
        """Draw a value of the whole schema."""
        return self._value(draw, self._schema, "", 0)

    def _value(self, draw: DrawFn, schema: Schema, name: str, depth: int) -> Any:
        found = self._alternatives(schema)
        if not found or depth > _DEEPEST:
            reject()
        if depth >= _LEAN_FROM and len(found) > 1:
            found = self._flattest(found)
        for _ in range(_TRIES):
            at = draw(_up_to(0, len(found) - 1)) if len(found) > 1 else 0
            value = self._of_shape(draw, found[at], name, depth)
            if self._is_allowed(schema, found[at], value):
                return value
        return reject()

    def _alternatives(self, schema: Schema) -> list[Shape]:
        """Give the shapes of a schema; they stay the same objects."""
        known = self._found.get(id(schema))
        if known is None:
            laid_out = self._shapes.alternatives(schema)
            shapes = [s for each in laid_out for s in self._split(each)]
            known = self._found[id(schema)] = (schema, shapes)  # keeps the id its own
        return known[1]

    def _split(self, shape: Shape) -> list[Shape]:
        """Lay out what depends on a key: with all it asks for, or without the key."""
        dependent = shape.get("dependentSchemas")
        if not dependent:
            return [shape]
        rest = {key: shape[key] for key in shape if key != "dependentSchemas"}
        laid_out: list[Schema] = [rest]
        for name, asked in dependent.items():
            given = {"required": [name]}
            barred = {"properties": {name: False}}
            laid_out = [
                {"allOf": [each, *more]}
                for each in laid_out
                for more in ((given, asked), (barred,))
            ]
        return [s for each in laid_out for s in self._shapes.alternatives(each)]

    def _is_allowed(self, schema: Schema, shape: Shape, value: Any) -> bool:
        """Look at what no part of a value can tell alone."""
        if "not" in shape and fits(self._shapes, shape["not"], value):
            return False
        return is_exclusive(self._shapes, schema, value)

    def _of_shape(self, draw: DrawFn, shape: Shape, name: str, depth: int) -> Any:
        kind = shape["type"]
        if kind == "object" and "enum" not in shape:
            return self._object(draw, shape, depth)
        if kind == "array" and "enum" not in shape:
            return self._array(draw, shape, name, depth)
        key = (id(shape), name)
        if key not in self._leaves:
            self._leaves[key] = self._leaf(shape, name)
        return draw(self._leaves[key])

    def _leaf(self, shape: Shape, name: str) -> SearchStrategy[Any]:
        if holds_json(shape) and "enum" not in shape:
            return self._json_texts(shape)
        plain = _anything() if shape["type"] == ANY else leaves(shape)
        preferred = () if "enum" in shape else self._pool(shape, name)
        return st.one_of(st.sampled_from(preferred), plain) if preferred else plain

    def _json_texts(self, shape: Shape) -> SearchStrategy[str]:
        content = shape.get("contentSchema", True)

        @st.composite
        def texts(draw: DrawFn) -> str:
            return json.dumps(self._value(draw, content, "", 1))

        return texts()

    def _object(self, draw: DrawFn, shape: Shape, depth: int) -> dict[str, Any]:
        names = self._chosen(draw, shape, depth)
        built = {
            name: self._value(draw, self._property(shape, name), name, depth + 1)
            for name in names
        }
        self._add_free_keys(draw, shape, built, depth)
        return built

    def _chosen(self, draw: DrawFn, shape: Shape, depth: int) -> Iterable[str]:
        """Draw which of the named properties there are."""
        required = list(shape.get("required", ()))
        chosen = dict.fromkeys(required)
        optional = [
            name
            for name, schema in shape.get("properties", {}).items()
            if name not in chosen and self._alternatives(schema)
        ]
        most = shape.get("maxProperties", len(chosen) + len(optional))
        for name in self._some_of(draw, optional, depth):
            needed = self._needed(shape, name)
            if len({**chosen, **needed}) <= most:
                chosen.update(needed)
        for name in required:
            chosen.update(self._needed(shape, name))
        return chosen

    def _some_of(self, draw: DrawFn, names: list[str], depth: int) -> Iterable[str]:
        if depth >= _LEAN_FROM:
            return
        for start in range(0, len(names), _BITS):
            part = names[start : start + _BITS]
            mask = draw(_up_to(0, 2 ** len(part) - 1))
            yield from (name for bit, name in enumerate(part) if mask >> bit & 1)

    def _needed(self, shape: Shape, name: str) -> dict[str, None]:
        """Give a name with all that must be there where it is."""
        found = {name: None}
        for each in (names := [name]):  # grows while it is walked
            more = [n for n in _dependents(shape).get(each, ()) if n not in found]
            found.update(dict.fromkeys(more))
            names += more
        return found

    def _add_free_keys(
        self, draw: DrawFn, shape: Shape, built: dict[str, Any], depth: int
    ) -> None:
        """Add keys that the schema allows, or asks for, without naming them."""
        least = shape.get("minProperties", 0) - len(built)
        most = shape.get("maxProperties", _FAR) - len(built)
        if least <= 0 and (depth >= _LEAN_FROM or not self._is_open(shape)):
            return
        extra = 0 if depth >= _LEAN_FROM else _MOST_EXTRA_KEYS
        wanted = draw(_up_to(max(least, 0), max(0, min(max(least, 0) + extra, most))))
        size = len(built)
        for _ in range(_TRIES * wanted):
            if len(built) >= size + wanted:
                return
            self._add_free_key(draw, shape, built, depth)
        if len(built) < shape.get("minProperties", 0):
            reject()

    def _add_free_key(
        self, draw: DrawFn, shape: Shape, built: dict[str, Any], depth: int
    ) -> None:
        name = self._free_name(draw, shape, len(built))
        schema = self._property(shape, name)
        is_new = name not in built and name not in shape.get("properties", {})
        if is_new and schema is not False and not _dependents(shape).get(name):
            built[name] = self._value(draw, schema, name, depth + 1)

    @staticmethod
    def _is_open(shape: Shape) -> bool:
        """Tell whether a schema speaks of keys it does not name, or of none at all."""
        if shape.get("patternProperties"):
            return True
        further = shape.get("additionalProperties")
        if further is None:
            further = shape.get("unevaluatedProperties")
        if further is None:
            return not shape.get("properties")
        return further is not False

    def _free_name(self, draw: DrawFn, shape: Shape, number: int) -> str:
        patterns = list(shape.get("patternProperties", ()))
        if patterns:
            at = draw(_up_to(0, len(patterns) - 1)) if len(patterns) > 1 else 0
            return draw(self._matching(patterns[at]))
        naming = shape.get("propertyNames", True)
        if naming is True:
            return f"{draw(_names())}{number or ''}"
        text = self._value(draw, self._both(_TEXT, naming), "", 0)
        return text if isinstance(text, str) else reject()

    def _matching(self, pattern: str) -> SearchStrategy[str]:
        if pattern not in self._patterns:
            self._patterns[pattern] = leaves({"type": "string", "pattern": pattern})
        return self._patterns[pattern]

    def _property(self, shape: Shape, name: str) -> Schema:
        """Give the schema of a property: what its name says, or its pattern."""
        if name in shape.get("properties", {}):
            return property_schema(shape, name)
        found: Schema = property_schema(shape, name)
        for pattern, schema in shape.get("patternProperties", {}).items():
            readable = compiled(pattern) is not None
            if readable and matches(pattern, name) and schema != found:
                found = self._both(found, schema)
        return found

    def _both(self, one: Schema, other: Schema) -> Schema:
        """Give one schema for two, the same object each time."""
        if one is True or other is True:
            return other if one is True else one
        if one is False or other is False:
            return False
        joined: Schema = {"allOf": [one, other]}  # holds both, so their ids stay theirs
        return self._joined.setdefault((id(one), id(other)), joined)

    def _array(self, draw: DrawFn, shape: Shape, name: str, depth: int) -> list[Any]:
        least, most = self._lengths(shape, depth)
        if least > most:
            reject()
        built = self._hits(draw, shape, name, depth)
        length = max(draw(_up_to(least, most)), len(built))
        seen = {_key(each) for each in built}
        for _ in range(_TRIES * length):
            if len(built) >= length:
                break
            element = self._element(draw, shape, name, depth, len(built))
            if not shape.get("uniqueItems") or _key(element) not in seen:
                built.append(element)
                seen.add(_key(element))
        return built if len(built) >= least else reject()

    @staticmethod
    def _lengths(shape: Shape, depth: int) -> tuple[int, int]:
        """Give the least and the greatest length to draw."""
        fixed = len(_first(shape))
        most = int(shape.get("maxItems", _FAR * _FAR))
        least = min(max(int(shape.get("minItems", 0)), fixed), most)
        closed = _is_closed(shape)
        more = 0 if closed or depth >= _LEAN_FROM else max(1, _MORE_ELEMENTS - depth)
        return least, fixed if closed else min(least + more, most)

    def _hits(self, draw: DrawFn, shape: Shape, name: str, depth: int) -> list[Any]:
        """Draw the elements that an array has to contain, after its fixed ones."""
        if "contains" not in shape:
            return []
        least = shape.get("minContains", 1)
        most = min(shape.get("maxContains", least + 1), least + 1)
        inner = self._both(shape["contains"], element_schema(shape, _FAR))
        built: list[Any] = [
            self._value(draw, each, name, depth + 1) for each in _first(shape)
        ]
        wanted = draw(_up_to(least, max(least, most)))
        return built + [
            self._value(draw, inner, name, depth + 1) for _ in range(wanted)
        ]

    def _element(
        self, draw: DrawFn, shape: Shape, name: str, depth: int, index: int
    ) -> Any:
        schema = element_schema(shape, index)
        if "maxContains" in shape:
            hits = shape["contains"]
            schema = self._both(schema, self._barring(hits))
        return self._value(draw, schema, name, depth + 1)

    def _barring(self, schema: Schema) -> Schema:
        barred: Schema = {"not": schema}
        return self._joined.setdefault((id(schema), 0), barred)

    def _flattest(self, found: list[Shape]) -> list[Shape]:
        """Keep the shapes that come to an end with the least nesting."""
        heights = [self._height(each, _LEAN_FROM + 1) for each in found]
        least = min(heights)
        pairs = zip(found, heights, strict=True)
        return [each for each, height in pairs if height == least]

    def _height(self, shape: Shape, limit: int) -> int:
        """Tell how deep the smallest value of a shape nests, up to a limit."""
        inner: list[Schema] = []
        if shape["type"] == "object":
            names = shape.get("required", ())
            inner = [property_schema(shape, name) for name in names]
        elif shape["type"] == "array":
            inner = [*_first(shape)]
            if shape.get("minItems", 0) > len(inner):
                inner.append(element_schema(shape, len(inner)))
        if not inner or limit == 0:
            return 0
        return 1 + max(self._lowest(each, limit - 1) for each in inner)

    def _lowest(self, schema: Schema, limit: int) -> int:
        found = self._alternatives(schema)
        return min((self._height(each, limit) for each in found), default=_FAR)


def _dependents(shape: Shape) -> Mapping[str, Any]:
    found: Mapping[str, Any] = shape.get("dependentRequired", {})
    return found


def _first(shape: Shape) -> Sequence[Schema]:
    """Give the schemas of the elements that have one each."""
    items = shape.get("items")
    return items if isinstance(items, list) else shape.get("prefixItems") or ()


def _is_closed(shape: Shape) -> bool:
    """Tell whether an array holds nothing beyond its fixed elements."""
    if element_schema(shape, len(_first(shape))) is False:
        return True
    return "items" not in shape and shape.get("unevaluatedItems") is False


def _key(value: Any) -> str:
    """Give a text that equal JSON values share: 1 and 1.0 are equal, `true` is not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)
