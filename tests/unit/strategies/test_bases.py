from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.strategies.bases import UnsatisfiableError, rich, simplest
from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.validity import fits


def arguments(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


NODE = {
    "$defs": {
        "node": arguments(
            "value",
            value={"type": "string"},
            children={"type": "array", "items": {"$ref": "#/$defs/node"}},
            parent={"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
        )
    },
    **arguments("top", top={"$ref": "#/$defs/node"}),
}

SCHEMAS: dict[str, dict[str, Any]] = {
    "texts": arguments("q", q={"type": "string"}, city={"type": "string"}),
    "bounds": arguments(
        "a",
        "b",
        a={"type": "integer", "exclusiveMinimum": 4, "multipleOf": 3},
        b={"type": "number", "maximum": -0.5},
    ),
    "formats": arguments(
        "d",
        d={"type": "string", "format": "date"},
        e={"type": "string", "format": "email"},
        u={"type": "string", "format": "uuid"},
        t={"type": "string", "format": "time"},
    ),
    "pattern": arguments("id", id={"type": "string", "pattern": "^ORD-[0-9]{5}$"}),
    "recursive": NODE,
    "unique": arguments(
        "l",
        l={
            "type": "array",
            "items": {"type": "integer"},
            "uniqueItems": True,
            "minItems": 4,
        },
    ),
    "tuple": arguments(
        "p", p={"type": "array", "prefixItems": [{"type": "number"}] * 2, "minItems": 2}
    ),
    "contains": arguments(
        "l", l={"type": "array", "contains": {"const": 7}, "minContains": 2}
    ),
    "map": arguments("m", m={"additionalProperties": {"type": "integer"}}),
    "keys": arguments(
        "m", m={"type": "object", "propertyNames": {"enum": ["x"]}, "minProperties": 1}
    ),
    "choice": arguments(
        "pet",
        pet={
            "oneOf": [
                arguments("kind", kind={"const": "cat"}),
                arguments("kind", "n", kind={"const": "dog"}, n={"type": "integer"}),
            ]
        },
    ),
    "condition": {
        **arguments("country", country={"enum": ["US", "FR"]}, zip={"type": "string"}),
        "if": {"properties": {"country": {"const": "US"}}},
        "then": {"required": ["zip"]},
    },
    "dependent": {
        **arguments(a={"type": "string"}, b={"type": "string"}),
        "dependentRequired": {"a": ["b"]},
    },
    "nothing": arguments(),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_bases_are_valid(name: str) -> None:
    schema = SCHEMAS[name]
    shapes = Shapes(schema)
    bases = [simplest(schema), rich(schema, optional=False)]
    bases += [rich(schema, turn=turn) for turn in range(4)]
    assert [base for base in bases if not fits(shapes, schema, base)] == []


def test_the_simplest_is_what_a_person_would_call_so() -> None:
    schema = arguments(
        "q", "n", "on", "l", "o", "e",
        q={"type": "string"},
        n={"type": "integer"},
        on={"type": "boolean"},
        l={"type": "array"},
        o={"type": "object"},
        e={"enum": ["asc", "desc"]},
        optional={"type": "string"},
    )  # fmt: skip
    assert simplest(schema) == {
        "q": "",
        "n": 0,
        "on": False,
        "l": [],
        "o": {},
        "e": "asc",
    }


def test_rich_arguments_take_names_defaults_examples_and_constants() -> None:
    schema = arguments(
        "city",
        city={"type": "string"},
        unit={"type": "string", "default": "metric"},
        sku={"type": "string", "examples": ["SKU-9"]},
        tags={"type": "array", "items": {"type": "string"}},
    )
    first = rich(schema)
    assert (first["city"], first["unit"], first["sku"]) == ("Paris", "metric", "SKU-9")
    assert len(set(first["tags"])) == 2
    assert rich(schema, constants=["Oslo", 5])["city"] == "Oslo"
    assert rich(schema, optional=False) == {"city": "Paris"}


def test_recursion_ends() -> None:
    built = rich(NODE)
    assert built["top"]["children"][0]["value"]
    assert len(str(built)) < 2000


@pytest.mark.parametrize(
    "schema",
    [
        arguments("x", x=False),
        arguments("x", x={"type": "integer", "minimum": 5, "maximum": 4}),
        arguments("x", x={"type": "string", "enum": []}),
        {
            "$defs": {"a": arguments("a", a={"$ref": "#/$defs/a"})},
            "$ref": "#/$defs/a",
        },
        {"type": "string"},
    ],
)
def test_what_cannot_be_satisfied_is_said(schema: Any) -> None:
    with pytest.raises(UnsatisfiableError):
        simplest(schema)
