from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from pytest_toolresult.strategies.from_schema import from_schema
from pytest_toolresult.strategies.ingredients import Ingredients

TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"$ref": "#word"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                "parent": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
            "required": ["name", "children", "parent"],
            "additionalProperties": False,
        },
        "word": {"$anchor": "word", "type": "string", "minLength": 1, "maxLength": 9},
    },
}
EXPRESSION = {
    "$ref": "#/$defs/term",
    "$defs": {
        "term": {"oneOf": [{"$ref": "#/$defs/both"}, {"$ref": "#/$defs/leaf"}]},
        "both": {
            "type": "object",
            "properties": {
                "kind": {"const": "both"},
                "parts": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/term"},
                    "minItems": 2,
                },
            },
            "required": ["kind", "parts"],
        },
        "leaf": {
            "type": "object",
            "properties": {"kind": {"const": "leaf"}, "n": {"type": "integer"}},
            "required": ["kind", "n"],
        },
    },
}


def of_one(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": ["x"]}


PARTS: list[Any] = [
    {"type": "integer", "minimum": -3, "exclusiveMaximum": 4},
    {"type": "integer", "multipleOf": 7, "minimum": 1},
    {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    {"type": "number", "multipleOf": 0.25},
    {"type": ["string", "null"], "minLength": 2, "maxLength": 3},
    {"type": "string", "pattern": "^[a-z]{2,4}-[0-9]+$", "maxLength": 12},
    {"enum": ["a", 1, None, True]},
    {"const": {"deep": [1]}},
    {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 3},
    {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "boolean"}],
        "items": False,
    },
    {
        "type": "array",
        "items": {"type": "integer"},
        "contains": {"minimum": 100},
        "minContains": 1,
        "maxContains": 2,
    },
    {"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 2},
    {
        "type": "object",
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": False,
    },
    {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z]+$"},
        "additionalProperties": {"type": "boolean"},
        "maxProperties": 2,
    },
    {
        "properties": {"card": {"type": "string"}, "street": {"type": "string"}},
        "dependentRequired": {"card": ["street"]},
        "additionalProperties": False,
    },
    {
        "properties": {"card": {"type": "string"}},
        "dependentSchemas": {
            "card": {"properties": {"cvc": {"type": "integer"}}, "required": ["cvc"]}
        },
    },
    {
        "properties": {"kind": {"enum": ["a", "b"]}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"n": {"type": "integer"}}, "required": ["n"]},
        "else": {"properties": {"t": {"type": "string"}}, "required": ["t"]},
    },
    {
        "allOf": [
            {"properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]},
            {"properties": {"a": {"maximum": 9}, "b": {"type": "string"}}},
        ],
        "unevaluatedProperties": False,
    },
    {"type": "string", "not": {"enum": ["", "a"]}},
    {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]},
    TREE,
    EXPRESSION,
    True,
    *(
        {"type": "string", "format": each}
        for each in (
            *("email", "date", "date-time", "time", "duration", "uuid", "ipv4"),
            *("ipv6", "hostname", "uri", "regex", "json-pointer"),
        )
    ),
]


def drawn(strategy: Any, count: int = 40) -> list[Any]:
    values: list[Any] = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(strategy)
    def take(value: Any) -> None:
        values.append(value)

    take()
    return values


@pytest.mark.parametrize("part", PARTS, ids=lambda part: str(part)[:60])
def test_what_is_drawn_is_valid(part: Any) -> None:
    schema = of_one(part) if part not in (TREE, EXPRESSION) else part
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    validator = jsonschema.Draft202012Validator(schema, format_checker=checker)
    values = drawn(from_schema(schema))
    assert values
    assert [each for each in values if not validator.is_valid(each)] == []


def test_recursion_is_drawn_deep_and_ends() -> None:
    def depth(node: Any) -> int:
        return 1 + max(map(depth, node["children"]), default=0)

    assert {1, 2, 3} <= {depth(each) for each in drawn(from_schema(TREE), 100)}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "dict", "properties": {"a": {"type": "float"}}}, dict),
        ({"type": "tuple", "items": [{"type": "int"}], "additionalItems": False}, list),
        ({"type": "integer", "minimum": 5, "exclusiveMinimum": True}, int),
        ({"$ref": "#/definitions/a", "definitions": {"a": {"type": "str"}}}, str),
    ],
)
def test_older_and_other_spellings_are_understood(schema: Any, kind: type) -> None:
    values = drawn(from_schema(schema))
    assert {type(each) for each in values} == {kind}
    assert 5 not in values


@pytest.mark.parametrize(
    ("pattern", "ours"),
    [
        (r"^\p{L}{2,5}$", r"[^\W\d_]{2,5}"),
        (r"^(?<year>[0-9]{4})-\p{Nd}$", r"[0-9]{4}-\d"),
    ],
)
def test_patterns_in_javascripts_dialect_are_drawn(pattern: str, ours: str) -> None:
    values = drawn(from_schema({"type": "string", "pattern": pattern}))
    assert values
    assert all(re.fullmatch(ours, each) for each in values)


def test_nothing_is_drawn_where_nothing_is_valid() -> None:
    with pytest.raises(Unsatisfiable):
        drawn(from_schema(of_one({"type": "integer", "minimum": 3, "maximum": 2})))


def test_the_ingredients_are_drawn_about_every_other_time() -> None:
    schema = of_one({"type": "string"})
    pool = Ingredients(schema, constants=["internal:dump"], description="").pool
    values = [each["x"] for each in drawn(from_schema(schema, pool=pool), 300)]
    known = set(pool({"type": "string"}, "x"))
    assert 40 < sum(each in known for each in values) < 280
    assert "internal:dump" in values


def test_the_ingredients_of_a_leaf_are_valid_and_tell_the_best_first() -> None:
    schema = of_one({"type": "integer", "minimum": 1, "maximum": 50})
    shape = schema["properties"]["x"]
    found = Ingredients(schema, constants=[17, "17", 99]).pool(shape, "limit")
    assert set(found) >= {1, 50, 2, 49, 17, 16, 18, 10}
    assert all(1 <= each <= 50 for each in found)
