"""What differs between equal calls is left out where others are compared."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.steadiness import Steadiness, leaves_of


def differences(one: Any, other: Any, *equal: Any) -> list[str]:
    return Steadiness.of(equal).differences(one, other)


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, ["a"]),
        ({"a": [1, 2]}, {"a": [1, 3]}, ["a[1]"]),
        ({"a": [1]}, {"a": [1, 2]}, ["a", "a[1]"]),
        ({"a": 1}, {"b": 1}, ["a", "b"]),
        ('{"a": 1}', {"a": 1}, []),
        ("one\ntwo", "one\nthree", ["[1]"]),
        ({"duration_ms": 1}, {"duration_ms": 9}, []),
    ],
)
def test_differences_are_found_by_place(one: Any, other: Any, places: Any) -> None:
    assert differences(one, other) == places


def test_what_varies_is_left_out_at_every_index() -> None:
    first = {"rows": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}
    second = {"rows": [{"id": 1, "name": "a"}, {"id": 9, "name": "b"}]}
    other = {"rows": [{"id": 7, "name": "a"}, {"id": 8, "name": "c"}]}
    assert differences(first, other, first, second) == ["rows[1].name"]


def test_a_list_whose_length_varies_is_left_out_as_a_whole() -> None:
    first, second = {"rows": [1], "name": "a"}, {"rows": [1, 2], "name": "a"}
    other = {"rows": [5, 6, 7], "name": "a"}
    assert differences(first, other, first, second) == []


def test_results_of_which_most_varies_tell_nothing() -> None:
    equal = [{"data": {"a": number, "b": number, "c": 0}} for number in (1, 2)]
    assert not Steadiness.of(equal).is_telling
    assert Steadiness.of(equal[:1]).is_telling
    assert Steadiness.of([]).is_telling


def test_what_is_nested_without_end_is_looked_at_no_further() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert leaves_of(endless)
