from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.rules.misfits import misfits

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "rate": {"type": ["number", "string"]},
        "where": {"$ref": "#/$defs/Where"},
        "anything": True,
    },
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"name": "x", "limit": None, "rate": 1, "where": 3, "anything": []}, []),
        ({}, ["refused the call because `name` is missing"]),
        (
            {"name": "x", "why": 1},
            ["dropped or refused `why`, which is no parameter"],
        ),
        (
            {"name": 5},
            ["converted `name` or refused it, since it is an integer and not text"],
        ),
        (
            {"name": "x", "limit": "5"},
            [
                (
                    "converted `limit` or refused it, since it is text and not an"
                    " integer or null"
                )
            ],
        ),
        (
            {"name": True, "rate": [1]},
            [
                (
                    "converted `name` or refused it, since it is a truth value and not"
                    " text"
                ),
                (
                    "converted `rate` or refused it, since it is a list and not a"
                    " number or text"
                ),
            ],
        ),
    ],
)
def test_what_a_validating_layer_would_have_done(
    arguments: dict[str, Any], told: list[str]
) -> None:
    assert misfits(SCHEMA, arguments) == told


def test_without_a_schema_nothing_is_told_and_open_objects_take_any_name() -> None:
    assert misfits(None, {"a": 1}) == []
    assert misfits({"properties": {}}, {"a": 1}) == []
