from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from typing import Any

import pytest

from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.sweep import deal, identity, sweep

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "order": {"enum": ["asc", "desc"], "default": "asc"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "since": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    },
    "required": ["query"],
}


def test_every_candidate_is_a_json_object_and_comes_once() -> None:
    found = list(sweep(SCHEMA, constants=["gold", 250]))
    keys = [json.dumps(each, sort_keys=True, allow_nan=False) for each in found]
    assert len(set(keys)) == len(keys) > 500
    assert all(isinstance(each, dict) for each in found)


def test_the_first_calls_hold_the_best_of_each_kind() -> None:
    found = list(islice(sweep(SCHEMA, constants=["gold", 250]), 150))
    firsts = {name: [each.get(name) for each in found] for name in SCHEMA["properties"]}
    assert {"gold", "", "\x00"} <= {q for q in firsts["query"] if isinstance(q, str)}
    assert {1, 50, "10", 0} <= {n for n in firsts["limit"] if not isinstance(n, list)}
    assert "desc" in firsts["order"]
    assert [] in firsts["tags"]
    assert '["news", "general"]' in firsts["tags"]
    assert {None, "2024-02-29"} <= {
        s for s in firsts["since"] if not isinstance(s, list)
    }
    assert any("since" not in each for each in found)
    assert any("arguments" in each for each in found)


def test_given_bases_come_first_and_are_varied() -> None:
    base = {"query": "declared", "limit": 3}
    found = list(islice(sweep(SCHEMA, bases=[base]), 60))
    assert found[0] == base
    assert {"query": "declared", "limit": 50} in found


def test_a_pattern_in_the_code_brings_texts_that_match() -> None:
    found = sweep(
        {"type": "object", "properties": {"x": {"type": "string"}}},
        constants=[r"^ORD-\d{3}$"],
    )
    assert {"x": "ORD-111"} in list(islice(found, 60))


def test_constants_bring_their_neighbours_and_lengths() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "s": {"type": "string"}},
    }
    found = list(islice(sweep(schema, constants=["key-", 77]), 150))
    assert {76, 77, 78} <= {each["n"] for each in found if type(each.get("n")) is int}
    texts = {each["s"] for each in found if type(each.get("s")) is str}
    assert {"key-1", "a" * 77, "a" * 78} <= texts


def test_streams_take_turns() -> None:
    lanes = [(1, iter("abc")), (2, iter("xyz"))]
    assert "".join(deal(lanes)) == "abxcyz"


def test_identity_tells_json_values_apart() -> None:
    assert identity({"a": 1, "b": 2}) == identity({"b": 2, "a": 1})
    assert len({identity(each) for each in (1, 1.0, True, "1", None)}) == 5


def test_what_cannot_be_built_is_said_unless_bases_are_given() -> None:
    schema = {"type": "object", "properties": {"x": False}, "required": ["x"]}
    with pytest.raises(UnsatisfiableError):
        next(sweep(schema))
    assert next(sweep(schema, bases=[{"x": 1}])) == {"x": 1}


def test_the_sweep_is_the_same_under_every_hash_seed_and_needs_no_hypothesis() -> None:
    code = (
        "import sys, json, hashlib;"
        "from pytest_toolresult.explore.fuzz import FUZZ;"
        "from pytest_toolresult.strategies.sweep import sweep;"
        f"found = [json.dumps(a) for a in sweep({SCHEMA!r}, constants=['a', 2])];"
        "assert not {'hypothesis', 'faker', 'pydantic'} & set(sys.modules);"
        "print(hashlib.sha256(''.join(found).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_boundaries_come_in_pairs() -> None:
    schema = {
        "type": "object",
        "properties": {
            "low": {"type": "number", "default": 5},
            "high": {"type": "number", "default": 9, "maximum": 50_000},
            "unit": {"enum": ["pieces", "boxes"], "default": "pieces"},
        },
    }
    found = list(islice(sweep(schema, constants=[7000]), 500))
    pairs = [(each.get("high"), each.get("unit")) for each in found]
    assert (50_000, "boxes") in pairs
    assert (7001, "boxes") in pairs
    assert any(each.get("low") == 7001 and each.get("high") == 50_000 for each in found)


def test_the_sweep_goes_on_around_what_led_furthest() -> None:
    schema = {
        "type": "object",
        "properties": {
            "day": {"type": "string", "format": "date"},
            "n": {"type": "integer"},
        },
        "required": ["day", "n"],
    }
    bases = list(islice(sweep(schema), 3))
    sunk = [each for each in bases if each["day"] == bases[0]["day"]]
    swept = list(islice(sweep(schema, rank=lambda each: each in sunk), 60))
    near = [each for each in swept if each.get("day") == bases[0]["day"]]
    unranked = [e for e in islice(sweep(schema), 60) if e.get("day") == bases[0]["day"]]
    assert len(near) < len(unranked) / 2
