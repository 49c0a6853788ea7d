from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.explore.shrinking import shrink

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "default": 10},
        "price": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "where": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
            "required": ["city"],
        },
    },
    "required": ["query"],
}
FULL: dict[str, Any] = {
    "query": "hello world",
    "limit": 10,
    "price": 12.75,
    "tags": ["news", "general", "x"],
    "where": {"city": "Paris", "zip": "75001"},
}


def shrunk(
    given: dict[str, Any], holds: Callable[[Any], bool], most: int = 100
) -> tuple[Any, int]:
    asked: list[str] = []

    def counted(candidate: Any) -> bool:
        key = json.dumps(candidate, sort_keys=True)
        assert key not in asked
        asked.append(key)
        return holds(candidate)

    return shrink(SCHEMA, given, counted, max_calls=most), len(asked)


@pytest.mark.parametrize(
    ("change", "holds", "expected"),
    [
        ({}, lambda _: True, {"query": ""}),
        ({"query": ""}, lambda a: a["query"] == "", {"query": ""}),
        ({"limit": -250}, lambda a: a.get("limit", 1) < 0, {"query": "", "limit": -1}),
        (
            {"limit": 10**9},
            lambda a: a.get("limit", 0) > 1000,
            {"query": "", "limit": 1001},
        ),
        ({}, lambda a: len(a.get("tags", ())) >= 2, {"query": "", "tags": ["", ""]}),
        ({}, lambda a: "zip" in a.get("where", ()),
         {"query": "", "where": {"city": "", "zip": ""}}),
        ({"query": "ab\x00cd"}, lambda a: "\x00" in a["query"], {"query": "\x00"}),
        ({"query": "x" * 5000}, lambda a: len(a["query"]) > 100, {"query": "a" * 101}),
        ({"query": "\u6771\u4eac"}, lambda a: not a["query"].isascii(),
         {"query": "\u6771"}),
        ({}, lambda a: len(a["query"].split()) == 2, {"query": "o w"}),
        ({"price": 1e308}, lambda a: a.get("price", 0) > 99.5,
         {"query": "", "price": 100}),
        ({"limit": "10"}, lambda a: isinstance(a.get("limit"), str),
         {"query": "", "limit": ""}),
        ({"note": "because"}, lambda a: "note" in a, {"query": "", "note": ""}),
    ],
)  # fmt: skip
def test_the_result_is_what_a_person_would_have_written(
    change: dict[str, Any], holds: Any, expected: dict[str, Any]
) -> None:
    result, asked = shrunk({**FULL, **change}, holds)
    assert result == expected
    assert asked <= 60


def test_missing_arguments_stay_missing() -> None:
    given = {key: FULL[key] for key in FULL if key != "query"}
    assert shrunk(given, lambda a: "query" not in a)[0] == {}


def test_the_given_arguments_are_the_worst_result() -> None:
    result, asked = shrunk(FULL, lambda _: False)
    assert result == FULL
    assert asked <= 85  # each of nine values is asked about and needed


def test_the_budget_is_kept() -> None:
    assert (
        shrunk({**FULL, "limit": 10**9}, lambda a: a.get("limit", 0) > 10, most=5)[1]
        == 5
    )
    assert shrunk(FULL, lambda _: True, most=0) == (FULL, 0)


def test_nested_lists_are_cut_from_outside() -> None:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    result, asked = shrunk({**FULL, "tags": deep}, lambda a: a.get("tags") != "x")
    assert result == {"query": ""}
    result, asked = shrunk({"query": "", "tags": deep}, lambda a: bool(a.get("tags")))
    assert result == {"query": "", "tags": [""]}
    assert asked <= 60


def test_arguments_of_a_tool_without_a_schema_shrink_too() -> None:
    given = {"a": "hello", "b": 7}
    result = shrink(None, given, lambda a: "a" in a, max_calls=50)
    assert result == {"a": ""}


def test_a_long_list_is_cut_by_pieces() -> None:
    given = {"query": "x", "tags": ["news"] * 300}
    simplest, asked = shrunk(given, lambda found: len(found.get("tags", [])) > 2)
    assert len(simplest["tags"]) == 3
    assert asked < 50
