from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.shapes import (
    is_optional,
    joined,
    parent_of,
    shape_of,
    types_in,
)


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (None, {"data": "null"}),
        ([], {"data": "array"}),
        (3, {"data": "number"}),
        (
            [{"id": "a", "note": None}, {"id": "b", "note": "x"}],
            {
                "data": "array",
                "data[]": "object",
                "data[].id": "string",
                "data[].note": "string or null",
            },
        ),
        (
            [{"id": "a"}, {"id": "b", "note": True}],
            {
                "data": "array",
                "data[]": "object",
                "data[].id": "string",
                "data[].note": "optional boolean",
            },
        ),
        ({"o-1 x": 2, "o 2": 3.5}, {"data": "object", "data.*": "number"}),
        (["a", 1], {"data": "array", "data[]": "number or string"}),
    ],
)
def test_a_shape_says_what_stands_where(data: object, shape: dict[str, str]) -> None:
    assert shape_of(data) == shape


def test_several_results_teach_which_fields_may_lack() -> None:
    both = joined(shape_of({"id": "a", "note": "x"}), shape_of({"id": "b"}))
    assert both["data.id"] == "string"
    assert both["data.note"] == "optional string"
    assert joined(both, shape_of({"id": "c", "note": None}))["data.note"] == (
        "optional string or null"
    )


def test_an_empty_list_says_nothing_of_its_members() -> None:
    both = joined(shape_of([]), shape_of([{"id": "a"}]))
    assert both == shape_of([{"id": "a"}])


def test_a_line_can_be_read_back() -> None:
    assert types_in("optional string or null") == {"string", "null"}
    assert is_optional("optional string")
    assert not is_optional("string")


@pytest.mark.parametrize(
    ("place", "parent"),
    [
        ("data", None),
        ("data.id", "data"),
        ("data[]", "data"),
        ("data[].id", "data[]"),
        ("data[].tags[]", "data[].tags"),
        ("data.*.id", "data.*"),
    ],
)
def test_what_a_place_stands_in(place: str, parent: str | None) -> None:
    assert parent_of(place) == parent


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "note", "tags", "o 1"]), inner)
    ),
    max_leaves=8,
)


@given(VALUES, VALUES, VALUES)
def test_joining_is_a_union(one: Any, two: Any, three: Any) -> None:
    shapes = [shape_of(each) for each in (one, two, three)]
    first, second, third = shapes
    assert joined(first, second) == joined(second, first)
    assert joined(first, first) == first
    assert joined(joined(first, second), second) == joined(first, second)
    assert joined(joined(first, second), third).keys() == {*first, *second, *third}
