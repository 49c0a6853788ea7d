from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from pytest_toolresult.walk import fields_of, survey


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("x", "data"),
        ([["x"]], "data[0][0]"),
        ({"rows": [{"token": "x"}]}, "data.rows[0].token"),
        ({"two words": "x"}, 'data["two words"]'),
        ({"x-y": {"ключ": "x"}}, "data.x-y.ключ"),
        ({"a\nb": "x"}, 'data["a\\nb"]'),
        (({"x"},), "data[0][0]"),
    ],
)
def test_places_read_like_code(value: object, place: str) -> None:
    found = survey([("data", value)])
    assert [found.place(note) for note in found.texts] == [place]


def test_texts_are_told_apart_by_root() -> None:
    found = survey([("data", ["a", ["b"]]), ("error", None), ("meta", {"k": "c"})])
    assert [text for _, _, text in found.texts_below("data")] == ["a", "b"]
    assert [text for _, _, text in found.texts_below("error", "meta")] == ["c"]
    assert set(found.everything.split()) == {"a", "b", "c", "k"}


def test_a_shared_part_is_looked_at_once_and_is_no_cycle() -> None:
    shared = ["x"]
    found = survey([("data", [shared, shared])])
    assert len(found.texts) == 1
    assert found.cycles == []


def test_only_a_container_within_itself_is_a_cycle() -> None:
    whole: list[Any] = []
    whole.append([whole])
    found = survey([("data", whole)])
    assert [found.place(note) for note in found.cycles] == ["data[0][0]"]


def test_fields_are_those_with_a_text_for_a_name() -> None:
    assert fields_of(MappingProxyType({"a": 1, 2: 3})) == {"a": 1}
    assert fields_of(["a"]) == {}
