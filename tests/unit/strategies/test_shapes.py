from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_toolresult.strategies.shapes import Shapes, bounds

TREE: dict[str, Any] = {
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
            "required": ["value"],
        },
        "loop": {"$ref": "#/$defs/loop"},
        "named": {"$anchor": "short", "type": "boolean"},
    },
}


def types(schema: Any, root: Any = None) -> list[str]:
    shapes = Shapes(root if root is not None else schema)
    return [shape["type"] for shape in shapes.alternatives(schema)]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, ["any"]),
        (False, []),
        ({}, ["any"]),
        ({"type": ["string", "null"]}, ["string", "null"]),
        ({"type": "dict"}, ["object"]),
        ({"type": "float"}, ["number"]),
        ({"minLength": 2}, ["string"]),
        ({"properties": {}}, ["object"]),
        ({"enum": [1, 2]}, ["integer"]),
        ({"const": None}, ["null"]),
        ({"enum": []}, []),
        ({"anyOf": [{"type": "string"}, {"oneOf": [{"type": "null"}]}]},
         ["string", "null"]),
        ({"allOf": [{"type": ["integer", "string"]}, {"type": "string"}]}, ["string"]),
        ({"allOf": [{"type": "integer"}, {"type": "string"}]}, []),
        ({"allOf": [{"type": "integer"}, False]}, []),
    ],
)  # fmt: skip
def test_alternatives_are_laid_out(schema: Any, expected: list[str]) -> None:
    assert types(schema) == expected


def test_references_are_followed_and_endless_ones_give_up() -> None:
    assert types({"$ref": "#/$defs/node"}, TREE) == ["object"]
    assert types({"$ref": "#short"}, TREE) == ["boolean"]
    assert types({"$ref": "#/$defs/loop"}, TREE) == []
    assert types({"$ref": "#/nowhere/at/all"}, TREE) == ["any"]


def test_a_description_beside_a_reference_wins() -> None:
    shapes = Shapes(TREE)
    (shape,) = shapes.alternatives({"$ref": "#/$defs/node", "description": "the top"})
    assert shape["description"] == "the top"
    assert shape["required"] == ["value"]


def test_allof_takes_the_narrower_of_each_bound() -> None:
    schema = {
        "allOf": [
            {"type": "integer", "minimum": 1, "maximum": 9},
            {"minimum": 3, "maximum": 20},
        ]
    }
    (shape,) = Shapes(schema).alternatives(schema)
    assert bounds(shape) == (3, 9)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ({"type": "integer"}, (None, None)),
        ({"type": "integer", "minimum": 0.5, "maximum": 2.5}, (1, 2)),
        ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 3}, (1, 2)),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, (1, None)),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": False}, (0, None)),
        ({"type": "number", "exclusiveMinimum": 0}, (math.ulp(0.0), None)),
    ],
)
def test_bounds_are_moved_inwards(shape: Any, expected: Any) -> None:
    assert bounds(shape) == expected
