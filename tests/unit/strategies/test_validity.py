from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.validity import fits


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [0, 2.0], [True, 1.5, "1", None]),
        ({"type": "number", "multipleOf": 0.1}, [0.3, 1], [0.25]),
        ({"type": "integer", "minimum": 1, "maximum": 3}, [1, 3], [0, 4]),
        ({"type": "boolean"}, [True], [1, "true"]),
        ({"type": "null"}, [None], [0, ""]),
        ({"enum": [1, "a", None]}, [1.0, "a", None], [True, "b"]),
        ({"type": "string", "minLength": 1, "maxLength": 2}, ["a"], ["", "abc"]),
        ({"type": "string", "pattern": "^a"}, ["ab"], ["ba"]),
        ({"type": "string", "format": "date"}, ["2024-02-29"], ["2023-02-29", "x"]),
        ({"type": "string", "format": "email"}, ["a@b.co"], ["a", "a@b"]),
        ({"type": "string", "format": "ipv4"}, ["127.0.0.1"], ["256.1.1.1"]),
        ({"type": "string", "format": "date-time"},
         ["2024-02-29T12:00:00Z"], ["2024-02-29", "today"]),
        ({"type": "string", "format": "unheard-of"}, ["anything"], [1]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1},
         [[1]], [[], ["a"], {}]),
        ({"type": "array", "uniqueItems": True}, [[1, True], []], [[1, 1]]),
        ({"type": "array", "prefixItems": [{"type": "string"}], "items": False},
         [["a"], []], [[1], ["a", 1]]),
        ({"type": "array", "contains": {"const": 7}, "maxContains": 1},
         [[7, 1]], [[], [7, 7]]),
        ({"type": "object", "properties": {"a": {"type": "integer"}},
          "required": ["a"], "additionalProperties": False},
         [{"a": 1}], [{}, {"a": "1"}, {"a": 1, "b": 1}, []]),
        ({"type": "object", "propertyNames": {"pattern": "^x"}},
         [{"x1": 1}], [{"y": 1}]),
        ({"type": "object", "patternProperties": {"^n_": {"type": "integer"}}},
         [{"n_a": 1, "other": "b"}], [{"n_a": "b"}]),
        ({"dependentRequired": {"a": ["b"]}}, [{"b": 1}, {"a": 1, "b": 1}], [{"a": 1}]),
        ({"type": "string", "not": {"const": "x"}}, ["y"], ["x"]),
        ({"if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
          "then": {"required": ["b"]}, "type": "object"},
         [{"a": 2}, {"a": 1, "b": 0}], [{"a": 1}]),
    ],
)  # fmt: skip
def test_values_are_told_apart(schema: Any, good: list[Any], bad: list[Any]) -> None:
    shapes = Shapes(schema)
    assert [value for value in good if not fits(shapes, schema, value)] == []
    assert [value for value in bad if fits(shapes, schema, value)] == []
