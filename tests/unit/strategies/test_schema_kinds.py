"""Each construct of JSON Schema that tools' schemas use, built, drawn and swept."""

from __future__ import annotations

from itertools import islice
from typing import Any

import jsonschema
import pytest
from hypothesis import Phase, given, settings

from pytest_toolresult.strategies.bases import rich, simplest
from pytest_toolresult.strategies.from_schema import from_schema
from pytest_toolresult.strategies.ingredients import Ingredients
from pytest_toolresult.strategies.patterns import compiled
from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.sweep import sweep
from pytest_toolresult.strategies.validity import fits

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
DEFS: dict[str, Any] = {
    "Tree": {
        "type": "object",
        "properties": {
            "value": WHOLE,
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
        "required": ["value"],
        "additionalProperties": False,
    },
    "Chain": {
        "properties": {
            "next": {"anyOf": [{"$ref": "#/$defs/Chain"}, {"type": "null"}]}
        },
        "required": ["next"],
    },
    "Cat": {
        "type": "object",
        "properties": {"kind": {"const": "cat"}, "lives": WHOLE},
        "required": ["kind", "lives"],
    },
    "Dog": {
        "type": "object",
        "properties": {"kind": {"const": "dog"}, "name": TEXT},
        "required": ["kind", "name"],
    },
    "Small": {"type": "integer", "maximum": 10},
    "Even": {"type": "integer", "multipleOf": 2},
    "a/b~c": {"type": "boolean"},
    "Closed": {
        "$ref": "#/$defs/Cat",
        "properties": {"colour": TEXT},
        "unevaluatedProperties": False,
    },
}

KINDS: dict[str, Any] = {
    "definitions": {"$ref": "#/$defs/Cat"},
    "escaped reference": {"$ref": "#/$defs/a~1b~0c"},
    "recursive reference": {"$ref": "#/$defs/Tree"},
    "recursion through null": {"$ref": "#/$defs/Chain"},
    "any of null": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]},
    "list of types": {"type": ["integer", "string", "null"], "minLength": 1},
    "discriminator": {
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
        "discriminator": {"propertyName": "kind"},
    },
    "exactly one of two": {
        "oneOf": [{"$ref": "#/$defs/Small"}, {"$ref": "#/$defs/Even"}]
    },
    "exactly one, plain": {
        "oneOf": [{"type": "number"}, {"minimum": 5, "type": "integer"}]
    },
    "prefix items, closed": {
        "prefixItems": [TEXT, WHOLE],
        "items": False,
        "minItems": 2,
    },
    "prefix items, open": {"type": "array", "prefixItems": [WHOLE], "items": TEXT},
    "contains": {"type": "array", "contains": {"const": 7}},
    "contains at least": {
        "type": "array",
        "items": WHOLE,
        "contains": {"minimum": 50},
        "minContains": 2,
        "maxContains": 3,
    },
    "unique": {"type": "array", "items": {"enum": [1, 2, 3, 4]}, "uniqueItems": True},
    "dependent required": {
        "type": "object",
        "properties": {"card": TEXT, "street": TEXT, "town": TEXT},
        "dependentRequired": {"card": ["street"], "street": ["town"]},
        "additionalProperties": False,
    },
    "dependent schemas": {
        "properties": {"a": WHOLE, "b": WHOLE},
        "dependentSchemas": {"a": {"required": ["b"]}},
    },
    "unevaluated": {"$ref": "#/$defs/Closed"},
    "unevaluated in all of": {
        "allOf": [{"$ref": "#/$defs/Dog"}, {"properties": {"age": WHOLE}}],
        "unevaluatedProperties": False,
    },
    "pattern keys": {
        "type": "object",
        "patternProperties": {"^x-[a-z]+$": WHOLE},
        "additionalProperties": False,
        "minProperties": 1,
    },
    "names of keys": {
        "type": "object",
        "propertyNames": {"enum": ["one", "two"]},
        "additionalProperties": WHOLE,
        "minProperties": 1,
    },
    "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Small"}},
    "if, then and else": {
        "type": "object",
        "properties": {"unit": {"enum": ["kg", "lb"]}, "n": WHOLE},
        "required": ["unit", "n"],
        "if": {"properties": {"unit": {"const": "kg"}}},
        "then": {"properties": {"n": {"minimum": 0}}},
        "else": {"properties": {"n": {"maximum": -1}}},
    },
    "not": {"type": "string", "not": {"maxLength": 2}},
    "constant": {"const": ["a", {"b": None}]},
    "mixed enum": {"enum": ["a", 1, None, [1], {"b": 2}]},
    "exclusive bounds": {
        "type": "number",
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 1,
    },
    "steps": {"type": "integer", "multipleOf": 12, "minimum": 30, "maximum": 100},
    "lengths": {"type": "string", "minLength": 3, "maxLength": 4},
    "look ahead": {"type": "string", "pattern": r"^(?=.*\d)(?=.*[a-z])[a-z0-9]{4,8}$"},
    "json in text": {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"type": "array", "items": WHOLE},
    },
}


def of_one(part: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"x": part},
        "required": ["x"],
        "additionalProperties": False,
        "$defs": DEFS,
    }


def drawn(schema: Any, count: int = 30) -> list[Any]:
    values: list[Any] = []

    @settings(
        max_examples=count, database=None, derandomize=True, phases=[Phase.generate]
    )
    @given(from_schema(schema, pool=Ingredients(schema).pool))
    def take(value: Any) -> None:
        values.append(value)

    take()
    return values


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_built_and_drawn_is_valid(kind: str) -> None:
    schema = of_one(KINDS[kind])
    valid = jsonschema.Draft202012Validator(schema).is_valid
    assert valid(simplest(schema))
    assert valid(rich(schema))
    assert valid(rich(schema, optional=False))
    values = drawn(schema)
    assert [each for each in values if not valid(each)] == []
    assert len({repr(each) for each in values}) >= (1 if kind == "constant" else 2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_sweep_tries_what_is_valid_and_what_is_not(kind: str) -> None:
    schema = of_one(KINDS[kind])
    valid = jsonschema.Draft202012Validator(schema).is_valid
    found = [valid(each) for each in islice(sweep(schema), 100)]
    assert True in found
    assert False in found


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^\p{Lu}\p{Ll}+$", "Éa", "éa"),
        (r"^\p{L}+$", "über", "a1"),
        (r"^\p{N}{2}$", "42", "4a"),
        (r"^[\p{L}\p{N}_-]+$", "müller-1", "a b"),
        (r"^\P{L}+$", "12", "a"),
        (r"^\p{Han}+$", "\u6771\u4eac", "Tokyo"),
        (r"^\p{Script=Greek}+$", "\u03b1\u03b2", "ab"),
        (r"^[^\p{Cc}]{1,9}$", "a b", "\n\n"),
        (r"^(?<year>\d{4})\/\d\d$", "2024/05", "24/5"),
        (r"^\u00e9+$", "\u00e9", "e"),
    ],
)
def test_patterns_of_javascript_are_understood(
    pattern: str, good: str, bad: str
) -> None:
    schema = of_one({"type": "string", "pattern": pattern})
    values = [each["x"] for each in [rich(schema), *drawn(schema)]]
    regex = compiled(pattern)
    assert regex
    assert regex.search(good)
    assert not regex.search(bad)
    assert all(regex.search(each) for each in values)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "dict", "properties": {"a": {"type": "float"}}}, {"a": 1.5}, []),
        ({"type": "float", "minimum": 0, "exclusiveMinimum": True}, 0.5, 0),
        ({"type": "any"}, "abc", None),
        ({"type": "tuple", "items": [{"type": "int"}, TEXT]}, [1, "a"], ["a", 1]),
        ({"type": "String"}, "a", 1),
        ({"type": "list", "items": {"type": "double"}}, [1.5], ["a"]),
        ({"type": "integer", "maximum": 5, "exclusiveMaximum": False}, 5, 6),
        ({"type": "string", "required": True}, "a", 1),
        ({"type": "string", "format": "date", "default": "None"}, "2024-02-29", "a"),
        ({"$ref": "#/definitions/Old"}, 3, "a"),
        ({"id": "#old", "type": "long", "title": "Old"}, 4, "a"),
    ],
)
def test_what_older_drafts_and_runtimes_write_is_understood(
    schema: Any, good: Any, bad: Any
) -> None:
    whole = of_one(schema) | {"definitions": {"Old": WHOLE}}
    shapes = Shapes(whole)
    assert fits(shapes, whole, {"x": good})
    assert fits(shapes, whole, {"x": bad}) is (schema == {"type": "any"})
    for each in (simplest(whole), rich(whole), *drawn(whole)):
        assert fits(shapes, whole, each)


@pytest.mark.parametrize(
    ("description", "hidden"),
    [
        ("The currency. [Enum]: USD, RMB, kroner", ["USD", "RMB", "kroner"]),
        ("Unit. Options are: furlong, parsec.", ["furlong", "parsec"]),
        ("Either `brief` or `full`", ["brief", "full"]),
        ("One of 'north', 'south'", ["north", "south"]),
        ("Sorting (allowed values: by-age | by-size)", ["by-age", "by-size"]),
        ("A place, e.g. Ulaanbaatar", ["Ulaanbaatar"]),
    ],
)
def test_values_hidden_in_a_description_are_tried_early(
    description: str, hidden: list[str]
) -> None:
    schema = of_one({"type": "string", "description": description})
    tried = [each.get("x") for each in islice(sweep(schema), 40)]
    assert set(hidden) <= {each for each in tried if isinstance(each, str)}


FORMATS = (
    *("date", "date-time", "time", "duration", "email", "idn-email", "uuid", "uri"),
    *("uri-reference", "iri", "hostname", "ipv4", "ipv6", "regex", "json-pointer"),
)


@pytest.mark.parametrize("name", FORMATS)
def test_texts_of_a_format_are_valid(name: str) -> None:
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    schema = of_one({"type": "string", "format": name})
    validator = jsonschema.Draft202012Validator(schema, format_checker=checker)
    values = [simplest(schema), rich(schema), *drawn(schema)]
    assert [each for each in values if not validator.is_valid(each)] == []
    assert len({each["x"] for each in values}) > 3
