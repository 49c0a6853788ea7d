"""Schemas that are wrong or cannot be met, types nobody can send: told, not raised."""

from __future__ import annotations

import functools
import socket
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore.fuzz import FUZZ
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of
from pytest_toolresult.tools import Tool

MOST_S = 20
"""Far more than any needs, and far less than one that has no end."""

WHOLE = {"type": "integer"}
LOOP = {"$ref": "#/$defs/loop"}
DEFS: dict[str, Any] = {
    "loop": LOOP,
    "ping": {"$ref": "#/$defs/pong"},
    "pong": {"$ref": "#/$defs/ping"},
    "endless": {
        "type": "object",
        "properties": {"inner": {"$ref": "#/$defs/endless"}},
        "required": ["inner"],
    },
    "endless list": {"type": "array", "items": {"$ref": "#/$defs/endless list"}},
}

PARTS: dict[str, tuple[Any, str]] = {
    "contradictory bounds": ({"type": "integer", "minimum": 5, "maximum": 3}, "'x'"),
    "contradictory exclusive bounds": (
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        "'x'",
    ),
    "contradictory lengths": (
        {"type": "string", "minLength": 5, "maxLength": 2},
        "'x'",
    ),
    "contradictory counts": (
        {"type": "array", "items": False, "minItems": 1},
        "'x'",
    ),
    "no multiple in range": (
        {"type": "integer", "multipleOf": 50, "minimum": 1, "maximum": 9},
        "'x'",
    ),
    "false": (False, "'x'"),
    "not anything": ({"not": {}}, "'x'"),
    "an empty enum": ({"enum": []}, "'x'"),
    "two constants": ({"allOf": [{"const": 1}, {"const": 2}]}, "'x'"),
    "two types": ({"allOf": [{"type": "string"}, WHOLE]}, "'x'"),
    "a false branch": ({"anyOf": [False, {"allOf": [False]}]}, "'x'"),
    "two that are one": ({"oneOf": [WHOLE, WHOLE]}, "'x'"),
    "a required property that is false": (
        {"type": "object", "properties": {"a": False}, "required": ["a"]},
        "'x'",
    ),
    "a reference to nowhere": (
        {"$ref": "#/$defs/gone"},
        "'#/$defs/gone' leads nowhere",
    ),
    "a reference to no schema": ({"$ref": "#/required"}, "leads nowhere"),
    "a reference that is no text": ({"$ref": 7}, "leads nowhere"),
    "an unknown anchor": ({"$ref": "#gone"}, "'#gone' leads nowhere"),
    "a remote reference": (
        {"$ref": "https://example.com/schema.json#/$defs/a"},
        "lies elsewhere and is not fetched",
    ),
    "a reference to a file": ({"$ref": "other.json"}, "lies elsewhere"),
    "a reference to itself": (LOOP, "'x'"),
    "two references in a ring": ({"$ref": "#/$defs/ping"}, "'x'"),
    "an object in itself": ({"$ref": "#/$defs/endless"}, "'x'"),
    "a pattern that is none": (
        {"type": "string", "pattern": "([a-z"},
        "cannot be read",
    ),
    "a pattern of another kind": (
        {"type": "string", "pattern": r"^\p{Klingon}+$"},
        "cannot be read",
    ),
    "a pattern that is no text": ({"type": "string", "pattern": 5}, "cannot be read"),
    "a pattern of keys that is none": (
        {"type": "object", "patternProperties": {"(": WHOLE}},
        "cannot be read",
    ),
    "an unknown type": ({"type": "strng"}, "there is no type 'strng'"),
    "a type that is a number": ({"type": 3}, "there is no type 3"),
    "a list for a schema": ([WHOLE], "is no schema"),
    "text for a schema": ("integer", "is no schema"),
    "null for a schema": (None, "is no schema"),
    "text for a bound": ({"type": "integer", "minimum": "five"}, "cannot be read"),
    "a list for properties": (
        {"type": "object", "properties": ["a"]},
        "cannot be read",
    ),
    "a number for required": ({"type": "object", "required": 3}, "cannot be read"),
    "text for an enum": ({"enum": 5}, "cannot be read"),
}
WITHOUT_LOSS = {
    "an exponential pattern": {"type": "string", "pattern": r"^(a+)+$"},
    "an exponential pattern of two": {"type": "string", "pattern": r"^(x+x+)+y$"},
    "an exponential choice": {"type": "string", "pattern": r"^(a|a)*b$"},
    "a slow search": {"type": "string", "pattern": r"\d+\.\d+\.\d+-"},
    "a slow address": {
        "type": "string",
        "pattern": r"^([a-z0-9])(([\-.]|[_]+)?([a-z0-9]+))*(@){1}[a-z]+[.]{1}[a-z]+$",
    },
    "a list in itself": {"$ref": "#/$defs/endless list"},
    "a huge length": {"type": "string", "minLength": 100_000},
    "a great number": {"type": "integer", "minimum": 10**400},
}


def carrying(part: Any, **more: Any) -> Tool:
    schema = {
        "type": "object",
        "properties": {"x": part},
        "required": ["x"],
        "$defs": DEFS,
        **more,
    }
    return Tool(
        name="carrying",
        identity="tests:carrying",
        framework="callable",
        schema=schema,
        invoke=lambda _: Reply(value={"fine": 1}),
        validates=False,
    )


def explored(tool: Tool) -> Any:
    runner = Runner()
    begun = time.monotonic()
    try:
        return Engine(Settings(max_calls=130), runner).explore(
            Assignment(item="t", tool=tool, contract=Contract(tool)), FUZZ
        )
    finally:
        runner.close()
        assert time.monotonic() - begun < MOST_S


@pytest.mark.parametrize("kind", PARTS)
def test_what_cannot_be_met_is_not_covered_and_says_why(kind: str) -> None:
    part, why = PARTS[kind]
    done = explored(carrying(part))
    assert why in done.evidence.not_covered["fuzz"]
    assert done.evidence.findings == ()
    assert done.judged or done.why_nothing


@pytest.mark.parametrize("kind", PARTS)
def test_where_it_may_be_left_out_the_rest_is_explored(kind: str) -> None:
    part, why = PARTS[kind]
    properties = {"x": part, "name": {"type": "string"}}
    done = explored(carrying(part, properties=properties, required=["name"]))
    assert why in done.evidence.not_covered["fuzz"]
    assert done.judged >= 100


@pytest.mark.parametrize("kind", WITHOUT_LOSS)
def test_what_is_only_costly_is_explored_in_time(kind: str) -> None:
    done = explored(carrying(WITHOUT_LOSS[kind]))
    assert not done.evidence.not_covered
    assert done.judged >= 20


def test_a_pattern_that_nothing_matches_leaves_it_to_the_tool() -> None:
    done = explored(carrying({"type": "string", "pattern": "a^b$c"}))
    assert "Hypothesis draws no arguments" in done.evidence.not_covered["fuzz"]
    assert done.judged >= 20


@pytest.mark.parametrize(
    "schema", [{"type": "array"}, {"type": "string"}, {"enum": [1]}]
)
def test_arguments_that_are_no_object_are_told(schema: Any) -> None:
    tool = Tool(
        name="t",
        identity="tests:t",
        framework="callable",
        schema=schema,
        invoke=lambda _: Reply(value=1),
    )
    assert "not that of an object" in explored(tool).evidence.not_covered["fuzz"]


class Opaque:
    __slots__ = ()


def takes_callable(notify: Callable[[str], None]) -> None: ...
def takes_object(thing: Opaque) -> None: ...
def takes_socket(connection: socket.socket) -> None: ...
def takes_lock(lock: threading.Lock) -> None: ...
def takes_iterator_of_objects(things: Iterator[Opaque]) -> None: ...
def takes_what_is_not_there(thing: Absent) -> None: ...  # type: ignore[name-defined]  # noqa: F821
def takes_module(kind: types.ModuleType) -> None: ...
def takes_frame(code: functools.partial[int]) -> None: ...


class Method:
    def find(self, name: str) -> str:
        return name


FUNCTIONS: dict[Callable[..., Any], str] = {
    takes_callable: "'notify' takes",
    takes_object: "'thing' takes",
    takes_socket: "'connection' takes",
    takes_lock: "'lock'",
    takes_iterator_of_objects: "'things' takes",
    takes_what_is_not_there: "'thing'",
    takes_module: "'kind' takes",
    takes_frame: "'code' takes",
    Method.find: "a method without its object",
    min: "its signature cannot be read",
    iter: "its signature cannot be read",
}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
def test_what_no_model_can_send_is_not_covered(function: Callable[..., Any]) -> None:
    (tool,) = tools_of(function, validate=None)
    done = explored(tool)
    assert FUNCTIONS[function] in done.evidence.not_covered["fuzz"]
    assert done.judged == 0
    assert done.why_nothing
