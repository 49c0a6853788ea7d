from __future__ import annotations

from typing import Any

from pytest_toolresult.strategies.places import (
    at,
    drop,
    is_required,
    name_of,
    places,
    put,
    schema_at,
)
from pytest_toolresult.strategies.shapes import Shapes

ARGUMENTS: dict[str, Any] = {"a": 1, "rows": [{"id": 1}, {"id": 2}], "o": {"x": "y"}}
SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "integer"},
        "rows": {
            "anyOf": [
                {"type": "null"},
                {
                    "type": "array",
                    "items": {"properties": {"id": {"const": 1}}, "required": ["id"]},
                },
            ]
        },
    },
    "required": ["a"],
}


def test_outer_places_come_before_what_is_in_them() -> None:
    found = places(ARGUMENTS)
    assert found[:3] == [("a",), ("rows",), ("o",)]
    assert ("rows", 1, "id") in found
    assert name_of(("rows", 1)) == "rows"


def test_putting_and_dropping_change_nothing_that_was_given() -> None:
    before = repr(ARGUMENTS)
    assert at(put(ARGUMENTS, ("rows", 1, "id"), 9), ("rows", 1, "id")) == 9
    assert drop(ARGUMENTS, ("rows", 0))["rows"] == [{"id": 2}]
    assert drop(ARGUMENTS, ("o", "x"))["o"] == {}
    assert "a" not in drop(ARGUMENTS, ("a",))
    assert repr(ARGUMENTS) == before


def test_the_schema_of_a_place_is_found_through_alternatives() -> None:
    shapes = Shapes(SCHEMA)
    assert schema_at(shapes, ARGUMENTS, ("rows", 0, "id")) == {"const": 1}
    assert schema_at(shapes, ARGUMENTS, ("o", "x")) is True
    assert is_required(shapes, ARGUMENTS, ("rows", 1, "id"))
    assert is_required(shapes, ARGUMENTS, ("a",))
    assert not is_required(shapes, ARGUMENTS, ("o",))
