from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_toolresult.rules.likeness import (
    differ_in_texts_only,
    entries_of,
    is_part,
    same,
)


class Opaque:
    __eq__ = __hash__ = None  # type: ignore[assignment]


def cyclic() -> list[Any]:
    whole: list[Any] = [1]
    whole.append(whole)
    return whole


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ([1, "a", None], (1, "a", None), True),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1.0}, True),
        ({"a": None}, {}, False),
        ([1], [1, None], False),
        ("1", 1, False),
        (None, {"a": 1}, False),
        (0, None, False),
        ({}, {}, True),
        (cyclic(), cyclic(), True),
        (Opaque(), Opaque(), True),
        (10**400, math.inf, True),
        ({1: "a"}, {1: "b"}, False),
    ],
)
def test_what_says_the_same(one: object, other: object, *, alike: bool) -> None:
    assert same(one, other) is alike
    assert same(other, one) is alike


def test_texts_that_differ_in_marks_alone() -> None:
    one, other = {"text": "in ./notes.txt: ink"}, {"text": "in notes.txt:  ink"}
    assert same(one, other, loosely=True)
    assert not same(one, other)
    assert not same(one, {"text": "in notes.txt: pens"}, loosely=True)
    assert not same({"count": 1}, {"count": 2}, loosely=True)


ROWS = [{"id": 1}, {"id": 2}, {"id": 3}]


@pytest.mark.parametrize(
    ("part", "whole", "found"),
    [
        (ROWS[:2], ROWS, True),
        ([ROWS[0], ROWS[2]], ROWS, True),
        ([], ROWS, False),
        ([{"id": 4}], ROWS, False),
        (ROWS, ROWS, False),
        ("first line\nsecond", "first line\nsecond\nthird", True),
        ("first\nthird", "first\nsecond\nthird", True),
        ("other", "first\nsecond", False),
        (" ", "first", False),
        ({"rows": ROWS[:1], "count": 1}, {"rows": ROWS, "count": 3}, True),
        ({"rows": [], "name": "x"}, {"rows": ROWS, "name": "x"}, True),
        ({"price": None, "name": "x"}, {"price": 2, "name": "x"}, True),
        ({"name": "x"}, {"price": 2, "name": "x"}, True),
        ({"price": 0, "name": "x"}, {"price": 2, "name": "x"}, False),
        ({"name": "y"}, {"price": 2, "name": "x"}, False),
        ({}, {"price": 2}, False),
        (3, 5, False),
    ],
)
def test_what_is_a_part_of_the_whole(
    part: object, whole: object, *, found: bool
) -> None:
    assert is_part(part, whole) is found


def test_how_many_entries_there_are() -> None:
    assert entries_of(ROWS) == 3
    assert entries_of({"rows": ROWS, "tags": ["a"]}) == 3
    assert entries_of({"total": 3}) is None
    assert entries_of("text") is None


def test_texts_that_differ_alone() -> None:
    assert differ_in_texts_only({"text": "a", "id": 1}, {"text": "b", "id": 1})
    assert not differ_in_texts_only({"text": "a", "id": 1}, {"text": "b", "id": 2})
