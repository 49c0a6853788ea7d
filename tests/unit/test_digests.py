from __future__ import annotations

import datetime as dt
from collections import OrderedDict
from decimal import Decimal
from enum import IntEnum
from typing import Any

import pytest

from pytest_toolresult.digests import digest, shortened, written


class Level(IntEnum):
    LOW = 1


class Text(str):
    __slots__ = ()


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        (None, False),
        ([1], (1,)),
        ({1: 2}, {"1": 2}),
        ("a", b"a"),
        ({1}, frozenset({1})),
        ("\ud800", "?"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ],
)
def test_values_of_other_types_or_in_another_order_differ(one: Any, other: Any) -> None:
    assert digest(one) != digest(other)
    assert None not in (digest(one), digest(other))


def test_equal_values_are_alike_however_they_are_held() -> None:
    text = "x" * 50
    held_once = {"a": text, "b": text}
    held_twice = {"a": "x" * 50, "b": "".join(["x"] * 50)}
    assert digest(held_once) == digest(held_twice)
    assert written(held_once) == written(held_twice)
    assert digest(held_once, 1) != digest(held_once, 2)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        Level.LOW,
        Text("a"),
        OrderedDict(a=1),
        Decimal(1),
        dt.date(2026, 1, 31),
        cyclic(),
        nested(5000),
    ],
    ids=lambda value: type(value).__name__,
)
def test_of_what_only_its_own_code_could_tell_nothing_is_said(value: Any) -> None:
    assert digest({"deep": [value]}) is None


def test_texts_that_were_cut_still_differ() -> None:
    one, other = shortened("a" * 50 + "b", 20), shortened("a" * 50 + "c", 20)
    assert len(one) == len(other) == 20
    assert one[:11] == other[:11] == "a" * 11
    assert one != other
    assert shortened("a" * 20, 20) == "a" * 20
