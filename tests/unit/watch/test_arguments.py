from __future__ import annotations

import enum
import json
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest

from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.watch.arguments import as_sent, changes


class Colour(enum.StrEnum):
    RED = "red"


class Size(enum.IntEnum):
    BIG = 3


ARGUMENTS: dict[str, Any] = {
    "text": "a\ud800\u20ac",
    "number": 10**30,
    "float": 1.5,
    "flag": True,
    "nothing": None,
    "list": [1, [2, {"a": []}]],
    "tuple": (1, 2),
    "object": {1: "one", None: "none", "b": {}, 2.5: False},
    "enumerations": [Colour.RED, Size.BIG],
}


def test_what_arrives_is_what_json_would_carry() -> None:
    sent = as_sent(ARGUMENTS)
    assert sent == json.loads(json.dumps(ARGUMENTS))
    assert [type(one) for one in sent["enumerations"]] == [str, int]


def test_a_copy_shares_no_container() -> None:
    sent = as_sent(ARGUMENTS)
    sent["list"][1][1]["a"].append(1)
    assert ARGUMENTS["list"] == [1, [2, {"a": []}]]


def test_any_mapping_will_do() -> None:
    nested = MappingProxyType({"a": MappingProxyType({"b": 1})})
    assert as_sent(nested) == {"a": {"b": 1}}


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"price": Decimal(1)}, "price"),
        ({"order": {"tags": ["x", {"y"}]}}, r"order\.tags\[1\]"),
        ({"raw": b"x"}, "raw"),
    ],
)
def test_what_is_not_json_is_placed(arguments: dict[str, Any], place: str) -> None:
    with pytest.raises(ToolResultError, match=f"argument '{place}' is a "):
        as_sent(arguments)


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, ["a"]),
        ({"a": 1}, {"a": 1.0}, ["a"]),
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, ["a", "b", "c"]),
        ({"a": [1, 2]}, {"a": [1]}, ["a"]),
        ({"a": [3, 1]}, {"a": [1, 3]}, ["a[0]", "a[1]"]),
        ({"a": [{"b": {"c": 1}}]}, {"a": [{"b": {"c": 2}}]}, ["a[0].b.c"]),
        ({"a": {}}, {"a": []}, ["a"]),
        ({"a": None}, {}, ["a"]),
    ],
)
def test_changes_are_placed(before: object, after: object, places: list[str]) -> None:
    assert list(changes(before, after)) == places


def test_a_number_that_equals_nothing_has_not_changed() -> None:
    given = {"a": [float("nan")]}
    assert list(changes(as_sent(given), as_sent(given))) == []


def test_a_cycle_made_by_the_call_ends() -> None:
    before, after = as_sent({"a": [1]}), as_sent({"a": [1]})
    after["a"].append(after)
    assert list(changes(before, after)) == ["a"]
