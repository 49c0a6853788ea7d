"""Schemas resolved: references followed, alternatives laid out, dialects evened."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

Schema: TypeAlias = Mapping[str, Any] | bool
Shape: TypeAlias = Mapping[str, Any]
"""A schema without `$ref`, `allOf`, `anyOf`, `oneOf`, with one text in `type`."""

ANY: Final = "any"

SPELLINGS: Final[Mapping[str, str]] = {
    "dict": "object",
    "list": "array",
    "tuple": "array",
    "str": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "none": "null",
}
"""How schemas of some runtimes spell the types of JSON Schema."""

_TELLING: Final[Mapping[str, tuple[str, ...]]] = {
    "object": ("properties", "required", "patternProperties", "dependentRequired"),
    "array": ("items", "prefixItems", "contains", "minItems"),
    "string": ("pattern", "minLength", "maxLength", "format"),
    "number": ("minimum", "maximum", "multipleOf", "exclusiveMinimum"),
}
"""Keywords that tell the type where a schema leaves it out."""

_LARGEST: Final = (
    *("minimum", "exclusiveMinimum", "minLength", "minItems"),
    *("minProperties", "minContains"),
)
_SMALLEST: Final = (
    *("maximum", "exclusiveMaximum", "maxLength", "maxItems"),
    *("maxProperties", "maxContains"),
)
_MOST_NESTED: Final = 12


class Shapes:
    """The shapes that the values of a schema may take.

    Attributes:
        root: The whole schema, in which references are looked up.
    """

    def __init__(self, root: Schema) -> None:
        self.root = root
        self._exclusive: dict[int, tuple[Schema, list[Schema]]] = {}

    def alternatives(self, schema: Schema, depth: int = 0) -> list[Shape]:
        """List the shapes a value may have; none where nothing can be valid."""
        if schema is True or depth > _MOST_NESTED:
            return [{"type": ANY}] if schema is True else []
        if schema is False:
            return []
        flat = self._flattened(schema, depth)
        if flat is None:
            return []
        for keyword in ("anyOf", "oneOf"):
            if keyword in flat:
                rest = {key: flat[key] for key in flat if key != keyword}
                rest.pop("discriminator", None)
                merged = (self._merged(rest, each) for each in flat[keyword])
                return [s for m in merged for s in self.alternatives(m, depth + 1)]
        if "if" in flat:
            cases = _cases(flat)
            return [s for c in cases for s in self.alternatives(c, depth + 1)]
        return list(_by_type(flat))

    def exclusive(self, schema: Schema) -> list[Schema]:
        """List the schemas of which exactly one has to hold, also behind a `$ref`.

        None where a discriminator says which one is meant.
        """
        if isinstance(schema, bool) or not {"$ref", "allOf", "oneOf"} & schema.keys():
            return []
        known = self._exclusive.get(id(schema))
        if known is None:
            flat = self._flattened(schema, 0) or {}
            found = [] if "discriminator" in flat else list(flat.get("oneOf", ()))
            known = self._exclusive[id(schema)] = (
                schema,
                found,
            )  # keeps the id its own
        return known[1]

    def _flattened(
        self, schema: Mapping[str, Any], depth: int
    ) -> dict[str, Any] | None:
        """Follow references and put the parts of `allOf` together."""
        flat = dict(schema)
        for _ in range(_MOST_NESTED - depth + 1):
            if "$ref" in flat:
                found = self.target(flat.pop("$ref"))
                target = True if found is None else found  # then it may be anything
                flat.pop("$defs", None)
                flat = self._merged(target, flat)
            elif parts := flat.pop("allOf", None):
                for part in parts:
                    flat = self._merged(flat, part)
            else:
                return flat
            if flat.get("type") == []:
                return None
        return None

    def target(self, reference: str) -> Schema | None:
        """Look a reference up, `None` where it leads nowhere in this schema."""
        if reference == "#":
            return self.root
        if not reference.startswith("#/"):
            return self._anchored(reference.removeprefix("#"))
        target: Any = self.root
        for part in reference[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(key) if isinstance(target, list) else key]
            except (KeyError, IndexError, ValueError, TypeError):
                return None
        return target if isinstance(target, Mapping | bool) else None

    def _anchored(self, anchor: str) -> Schema | None:
        found = self.root.get("$defs", {}) if isinstance(self.root, Mapping) else {}
        for each in found.values():
            if isinstance(each, Mapping) and each.get("$anchor") == anchor:
                return each
        return None

    def _merged(self, one: Schema, other: Schema) -> dict[str, Any]:
        """Require what both schemas require; texts of the second one win."""
        if isinstance(one, bool) or isinstance(other, bool):
            if one is False or other is False:
                return {"type": []}
            return dict(one if isinstance(one, Mapping) else other)  # type: ignore[arg-type]
        merged = dict(one)
        for key, value in other.items():
            merged[key] = value
            if key in one and one[key] != value:
                self._join(merged, key, one[key], value)
        return merged

    def _join(self, merged: dict[str, Any], key: str, one: Any, other: Any) -> None:
        if key == "properties":
            shared = {k: self._both(one[k], other[k]) for k in one if k in other}
            merged[key] = {**one, **other, **shared}
        elif key == "required":
            merged[key] = list(dict.fromkeys([*one, *other]))
        elif key == "type":
            merged[key] = _common_types(one, other)
        elif key == "enum":
            merged[key] = [each for each in one if each in other]
        elif key in _LARGEST and not isinstance(one, bool):
            merged[key] = max(one, other)
        elif key in _SMALLEST and not isinstance(one, bool):
            merged[key] = min(one, other)
        else:
            self._join_rare(merged, key, one, other)

    @staticmethod
    def _join_rare(merged: dict[str, Any], key: str, one: Any, other: Any) -> None:
        if key in {"dependentRequired", "dependentSchemas"}:
            merged[key] = {**one, **other}
        elif key == "not":
            merged[key] = {"anyOf": [one, other]}
        elif key == "const":
            merged["type"] = []
        elif key in {"anyOf", "oneOf"}:
            merged[key] = one
            merged["allOf"] = [*merged.get("allOf", ()), {key: other}]

    @staticmethod
    def _both(one: Schema, other: Schema) -> Schema:
        return one if one == other else {"allOf": [one, other]}


def bounds(shape: Shape) -> tuple[float | None, float | None]:
    """Give the least and the greatest number a shape allows, `None` for no bound.

    Exclusive bounds are moved inwards: by one for integers, to the next
    floating point number otherwise. The old form, where `exclusiveMinimum` is a
    truth value beside `minimum`, is understood.
    """
    whole = shape.get("type") == "integer"
    low = _bound(shape, "minimum", "exclusiveMinimum", math.inf, whole=whole)
    high = _bound(shape, "maximum", "exclusiveMaximum", -math.inf, whole=whole)
    return low, high


def _bound(
    shape: Shape, inclusive: str, exclusive: str, inwards: float, *, whole: bool
) -> float | None:
    limit, beyond = shape.get(inclusive), shape.get(exclusive)
    if beyond is True:
        limit, beyond = None, limit
    found = [] if limit is None else [_rounded(limit, inwards, whole=whole)]
    if beyond is not None and not isinstance(beyond, bool):
        found.append(_inside(beyond, inwards, whole=whole))
    if not found:
        return None
    return max(found) if inwards > 0 else min(found)


def _rounded(limit: float, inwards: float, *, whole: bool) -> float:
    if not whole:
        return limit
    return math.ceil(limit) if inwards > 0 else math.floor(limit)


def _inside(limit: float, inwards: float, *, whole: bool) -> float:
    if not whole:
        return math.nextafter(limit, inwards)
    return math.floor(limit) + 1 if inwards > 0 else math.ceil(limit) - 1


def _cases(flat: dict[str, Any]) -> list[Schema]:
    """Lay a condition out as two schemas: it holds, or it does not."""
    condition, then = flat.pop("if"), flat.pop("then", True)
    otherwise = flat.pop("else", True)
    barred = {"not": condition}
    return [
        {"allOf": [flat, condition, then]},
        {"allOf": [flat, barred, otherwise]},
    ]


def _by_type(flat: dict[str, Any]) -> Iterator[Shape]:
    """Lay out the types a schema names, or the one its keywords tell."""
    if "const" in flat:
        flat["enum"] = [flat["const"]]
    if "enum" in flat:
        # The values say all there is to say; the type is the first one's.
        if flat["enum"]:
            yield {**flat, "type": _type_of(flat["enum"][0])}
        return
    named = flat.get("type")
    if named is None:
        named = next(
            (t for t, keys in _TELLING.items() if any(key in flat for key in keys)), ANY
        )
    for each in [named] if isinstance(named, str) else named:
        spelled = str(each).lower()
        yield {**flat, "type": SPELLINGS.get(spelled, spelled)}


def _type_of(value: object) -> str:
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "boolean"),
        (int, "integer"),
        (float, "number"),
        (str, "string"),
        (list, "array"),
        (dict, "object"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def _common_types(one: Any, other: Any) -> list[str]:
    first = [one] if isinstance(one, str) else list(one)
    second = [other] if isinstance(other, str) else list(other)
    common = [each for each in first if each in second]
    if not common and {"integer", "number"} <= {*first, *second}:
        return ["integer"]
    return common
