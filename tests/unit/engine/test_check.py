"""`check()`: one result judged, wherever it comes from."""

from __future__ import annotations

import json
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_toolresult import Contract, Finding, Severity, ToolResult, check
from pytest_toolresult.errors import DialectError

RIGHT = {"status": "success", "data": [1], "error": None, "meta": {"total": 1}}
WRONG = RIGHT | {"data": []}


class Status(Enum):
    SUCCESS = "success"


@dataclass
class Answer:
    status: Any
    data: Any
    error: Any = None
    meta: dict[str, Any] = field(default_factory=dict)


class Model(BaseModel):
    status: str
    data: list[int]
    error: dict[str, Any] | None = None
    meta: dict[str, Any] = {}


Row = namedtuple("Row", ["status", "data", "error", "meta"])  # noqa: PYI024 - users have these


class Loud:
    """Raises at whatever is asked of it but for its class."""

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return Loud
        raise RuntimeError(name)

    def __iter__(self) -> Any:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise RuntimeError


def shapes(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "dict": fields,
        "text": json.dumps(fields),
        "dataclass": Answer(**fields),
        "enum": Answer(**fields | {"status": Status.SUCCESS}),
        "model": Model(**fields),
        "named tuple": Row(**fields),
        "attributes": SimpleNamespace(**fields),
        "of this project": ToolResult(**fields),
    }


@pytest.mark.parametrize("shape", shapes(RIGHT))
def test_a_right_result_in_every_shape(shape: str) -> None:
    assert check(shapes(RIGHT)[shape]) == []


@pytest.mark.parametrize("shape", shapes(WRONG))
def test_a_wrong_result_in_every_shape(shape: str) -> None:
    (found,) = check(shapes(WRONG)[shape])
    assert isinstance(found, Finding)
    assert (found.rule, found.name) == ("TR202", "success-without-data")
    assert found.severity is Severity.ERROR
    assert found.message
    assert found.remedy
    assert found.arguments == {}
    assert found.replay == ""


@pytest.mark.parametrize(
    "result", ["just text", 0, None, [], {"age": 1}, [{"size": 2}], False]
)
def test_what_is_no_envelope_is_not_wrong_for_that(result: object) -> None:
    assert check(result) == []


# Made within the test: pytest itself asks the values of parameters things.
HOSTILE: dict[str, Any] = {
    "an object": Loud,
    "a list of them": lambda: [Loud()],
    "in data": lambda: RIGHT | {"data": Loud()},
    "everywhere": lambda: {
        "status": Loud(),
        "data": 1,
        "error": Loud(),
        "meta": Loud(),
    },
    "a class as key": lambda: {Loud: 1},
    "a generator": lambda: (each for each in [1]),
    "a class": lambda: type,
    "not a number": lambda: float("nan"),
    "half a character": lambda: "\ud800",
    "bytes": lambda: b"\xff",
    "numbers as keys": lambda: {1: {2: 3}},
}


@pytest.mark.parametrize("make", HOSTILE)
def test_hostile_results_are_judged_and_never_raise(make: str) -> None:
    assert all(isinstance(each, Finding) for each in check(HOSTILE[make]()))


def test_a_cycle_is_found() -> None:
    rows: list[Any] = []
    rows.append(rows)
    assert "TR809" in {each.rule for each in check(RIGHT | {"data": rows})}


def test_a_contract_has_its_say() -> None:
    def read(path: str) -> str:
        return path

    text = "Error: no such file"
    assert [each.rule for each in check(text, Contract(read))] == ["TR201"]
    assert check(text, Contract(read, kind="file")) == []
    assert check(text, Contract(read, ignore={"TR201": "it is a log"})) == []
    (found, *_) = check(text, Contract(None, dialect="envelope"))
    assert found.tool == "tool"
    assert check(text, Contract(read))[0].tool == "read"


def test_a_dialect_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(DialectError, match="unknown dialect 'envelop'"):
        check(RIGHT, Contract(None, dialect="envelop"))


def test_the_worst_comes_first() -> None:
    both = WRONG | {"note": 1}
    assert [each.rule for each in check(both)] == ["TR202", "TR104"]


def test_secrets_stay_secret() -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2
    found = check(RIGHT | {"data": {"token": secret}})
    assert "TR602" in {each.rule for each in found}
    assert secret not in repr(found)
