"""No tool that does right by its arguments has a finding, whatever its schema."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import functools
import inspect
import pathlib
import uuid
from collections.abc import Callable
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,  # as pydantic asks below 3.12
)

import pydantic
import pytest
from typing_extensions import TypedDict

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.signatures import Refused, describe
from pytest_toolresult.targets import tools_of
from pytest_toolresult.tools import Tool


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


class Filters(TypedDict):
    colour: Literal["red", "green"]
    size: NotRequired[int]


class Tree(pydantic.BaseModel):
    value: int
    children: list[Tree] = []


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, pydantic.Field(ge=1, le=9)]


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    tricks: Annotated[list[str], pydantic.Field(max_length=3)] = []


class Span(pydantic.BaseModel):
    first: int
    last: int

    @pydantic.model_validator(mode="after")
    def in_order(self) -> Span:
        if self.first > self.last:
            raise ValueError("first must not be above last")
        return self


def plain(query: str, limit: int = 10, exact: bool = False) -> int:  # noqa: FBT001, FBT002 - as models see it
    return len(query) + limit + exact


def bounded(
    page: Annotated[int, pydantic.Field(ge=1, le=500, multiple_of=5)],
    share: Annotated[float, pydantic.Field(gt=0, lt=1)] = 0.5,
    code: Annotated[str, pydantic.Field(pattern=r"^[A-Z]{3}-\d{2}$")] = "ABC-12",
) -> str:
    return f"{page // 5} {1 / share:.3f} {code[4:]}"


def optional(name: str | None = None, number: int | str = 1) -> str:
    return f"{name or 'nobody'} {number}"[:100]


def enums(colour: Colour, size: Size = Size.SMALL) -> str:
    return f"{colour.value} {size.value}"


def typed(filters: Filters, point: Point) -> float:
    return filters.get("size", 1) * 0 + min(abs(point.x), 1.0)


def recursive(tree: Tree) -> int:
    total, left = 0, [tree]
    while left:
        each = left.pop()
        total += 1
        left.extend(each.children)
    return total


def tagged(pet: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]) -> str:
    return pet.kind


def validated(span: Span) -> int:
    return span.last - span.first + 1


def dated(day: dt.date, moment: dt.datetime, length: dt.timedelta, at: dt.time) -> str:
    return f"{day.isoformat()} {moment.year} {length.days} {at.hour}"


def formats(
    id: uuid.UUID,  # noqa: A002 - a common name of a parameter
    price: decimal.Decimal,
    file: pathlib.PurePosixPath,
    link: pydantic.HttpUrl,
) -> str:
    return f"{id} {price.is_finite()} {len(file.parts)} {len(str(link))}"


def collections(
    tags: list[str],
    counts: dict[str, int],
    pair: tuple[int, str],
    unique: set[int],
    nested: list[dict[str, list[float]]],
) -> int:
    return len(tags) + len(counts) + len(pair) + len(unique) + len(nested)


def spread(first: str, *rest: int, **more: str) -> int:
    return len(first) + len(rest) + len(more)


def anything(value: Any, whatever: object = None) -> bool:
    return value is whatever


def nothing() -> str:
    return "pong"


async def later(city: str, days: int = 1) -> str:
    return f"{len(city)} {days}"


FUNCTIONS = [
    plain, bounded, optional, enums, typed, recursive, tagged, validated, dated,
    formats, collections, spread, anything, nothing, later,
]  # fmt: skip

TEXT = {"type": "string"}
SCHEMAS: dict[str, dict[str, Any]] = {
    "prefix items": {"a": {"prefixItems": [TEXT, {"type": "integer"}], "items": False}},
    "contains": {"a": {"contains": {"const": 7}, "minContains": 2, "maxItems": 4}},
    "unique items": {"a": {"type": "array", "uniqueItems": True, "minItems": 3}},
    "pattern keys": {"a": {"patternProperties": {"^x-": TEXT}, "minProperties": 1}},
    "key names": {"a": {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}}},
    "all of": {"a": {"allOf": [{"type": "integer"}, {"minimum": 3}, {"maximum": 3}]}},
    "one of": {"a": {"oneOf": [{"type": "integer"}, {"type": "null"}]}},
    "if then": {"a": {"if": {"const": 1}, "then": {"const": 1}, "else": TEXT}},
    "not": {"a": {"type": "string", "not": {"const": ""}}},
    "reference": {"a": {"$ref": "#/$defs/Node"}},
    "old bounds": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
    "odd types": {"a": {"type": "dict"}, "b": {"type": "float"}, "c": {"type": "any"}},
    "unicode pattern": {"a": {"type": "string", "pattern": r"^\p{Lu}{2,3}$"}},
    "lengths": {"a": {"type": "string", "minLength": 3, "maxLength": 3}},
    "listed": {"a": {"type": "string", "description": "Options are: small, large."}},
}
NODE = {"properties": {"next": {"$ref": "#/$defs/Node"}, "value": {"type": "integer"}}}


def carrying(properties: dict[str, Any]) -> Tool:
    """Make a tool that carries a schema and takes whatever comes."""

    def invoke(arguments: Any) -> Reply:
        return Reply(value={"received": len(arguments)})

    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "$defs": {"Node": NODE},
        "dependentRequired": {"b": ["a"]},
        "unevaluatedProperties": False,
    }
    return Tool(
        name="carrying",
        identity="tests:carrying",
        framework="callable",
        schema=schema,
        invoke=invoke,
        validates=False,
    )


def answered(data: object) -> dict[str, Any]:
    return {"status": "success", "data": data, "error": None, "meta": {}}


def refused(why: object) -> dict[str, Any]:
    error = {"code": "BAD_ARGUMENTS", "message": f"{why}", "retryable": False}
    return {"status": "error", "data": None, "error": error, "meta": {}}


def enveloped(function: Callable[..., Any], *, guarded: bool = False) -> Any:
    """Answer in envelopes; `guarded` tools stand whatever they are sent."""
    signature = describe(function)

    def given(args: tuple[Any, ...], sent: dict[str, Any]) -> Any:
        if not guarded:
            return args, sent
        if args or (names := sent.keys() - known(signature.schema)):
            raise Refused(f"there are no arguments {len(args) or len(names)}")
        return signature.bind(signature.convert(sent))

    @functools.wraps(function)
    def tool(*args: Any, **sent: Any) -> Any:
        try:
            args, sent = given(args, sent)
        except Refused as why:
            return refused(why)
        return answered(function(*args, **sent))

    @functools.wraps(function)
    async def atool(*args: Any, **sent: Any) -> Any:
        try:
            args, sent = given(args, sent)
        except Refused as why:
            return refused(why)
        return answered(await function(*args, **sent))

    return atool if inspect.iscoroutinefunction(function) else tool


def known(schema: Any) -> set[str]:
    return set(schema["properties"])


def as_it_comes(function: Callable[..., Any]) -> Any:
    return enveloped(function, guarded=True)


CARRYING = {name: carrying(properties) for name, properties in SCHEMAS.items()}
VALIDATED = {f.__name__: tools_of(f, validate=True)[0] for f in FUNCTIONS}
IN_ENVELOPES = {
    name: tools_of(enveloped(tool.function), validate=True)[0]
    for name, tool in VALIDATED.items()
    if tool.function
}
AS_THEY_COME = {
    name: tools_of(as_it_comes(tool.function), validate=False)[0]
    for name, tool in VALIDATED.items()
    if tool.function and name != "spread"  # it takes any name and any number
}
CARRYING_IN_ENVELOPES = {
    name: dataclasses.replace(
        tool, invoke=lambda sent: Reply(value=answered({"received": len(sent)}))
    )
    for name, tool in CARRYING.items()
}
TOOLS = [
    pytest.param(tool, dialect, id=f"{name}-{way}-{dialect}")
    for way, tools, dialects in (
        ("validated", VALIDATED, ["auto"]),
        ("validated in envelopes", IN_ENVELOPES, ["auto", "envelope"]),
        ("as they come", AS_THEY_COME, ["auto", "envelope"]),
        ("carrying", CARRYING, ["auto"]),
        ("carrying in envelopes", CARRYING_IN_ENVELOPES, ["auto", "envelope"]),
    )
    for name, tool in tools.items()
    for dialect in dialects
]


@pytest.mark.parametrize(("tool", "dialect"), TOOLS)
def test_a_clean_tool_has_no_finding(tool: Tool, dialect: str) -> None:
    runner = Runner()
    try:
        explored = Engine(Settings(max_calls=120, dialect=dialect), runner).explore(
            Assignment(item="t", tool=tool, contract=Contract(tool)),
            exploration_named("fuzz"),
        )
    finally:
        runner.close()
    assert explored.evidence.findings == ()
    assert explored.judged > 0
    assert not explored.evidence.not_covered


@pytest.mark.parametrize(("tool", "dialect"), TOOLS)
def test_a_clean_tool_keeps_to_every_relation(tool: Tool, dialect: str) -> None:
    runner = Runner()
    try:
        explored = Engine(Settings(dialect=dialect), runner).explore(
            Assignment(item="t", tool=tool, contract=Contract(tool)),
            exploration_named("relations"),
        )
    finally:
        runner.close()
    assert explored.evidence.findings == ()
    assert explored.judged > 0
    assert explored.evidence.calls <= 60


def test_there_are_tools_of_each_way() -> None:
    assert len(TOOLS) == len({each.id for each in TOOLS})
    assert len(TOOLS) == 3 * len(FUNCTIONS) + 2 * (len(FUNCTIONS) - 1) + 3 * len(
        SCHEMAS
    )
