"""Arguments for every kind of annotation: what is built and drawn, pydantic accepts."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import uuid
from itertools import islice
from typing import Annotated, Any, Literal, NotRequired, Optional, Union, Unpack

import annotated_types
import pydantic
import pytest
from hypothesis import Phase, given, settings
from typing_extensions import TypedDict

from pytest_toolresult.signatures import Refused, Signature, describe
from pytest_toolresult.strategies.bases import rich, simplest
from pytest_toolresult.strategies.from_schema import from_schema
from pytest_toolresult.strategies.ingredients import Ingredients
from pytest_toolresult.strategies.sweep import sweep


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 9


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


@dataclasses.dataclass
class Point:
    x: float
    label: str = "here"
    tags: list[str] = dataclasses.field(default_factory=list)


class Options(TypedDict):
    mode: Literal["fast", "slow"]
    retries: NotRequired[Annotated[int, pydantic.Field(ge=0, le=5)]]


class Address(pydantic.BaseModel):
    street: Annotated[str, pydantic.StringConstraints(min_length=2, max_length=30)]
    postcode: str = pydantic.Field(pattern=r"^\d{4} ?[A-Z]{2}$")


class Person(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    name: str
    address: Address | None = None
    friends: list[Person] = []
    key: int = pydantic.Field(alias="personKey", gt=0)


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int = pydantic.Field(ge=1, le=9)


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    good: bool = True


Pet = Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]

KINDS: dict[str, Any] = {
    "text": str,
    "integer": int,
    "number": float,
    "truth": bool,
    "null": None,
    "anything": Any,
    "object": object,
    "bare list": list,
    "bare dict": dict,
    "model": Person,
    "model in a list": list[Address],
    "models told apart": Pet,
    "list of those": list[Pet],
    "field bounds": Annotated[int, pydantic.Field(ge=10, lt=20, multiple_of=5)],
    "annotated types": Annotated[float, annotated_types.Gt(0), annotated_types.Le(1)],
    "lengths": Annotated[list[int], annotated_types.Len(2, 4)],
    "pattern": Annotated[str, pydantic.Field(pattern=r"^[a-z]+-\d{2,3}$")],
    "constrained": pydantic.conint(strict=True, ge=3, le=4),
    "typed dict": Options,
    "dataclass": Point,
    "enum": Colour,
    "integer enum": Level,
    "mixed enum": Mixed,
    "literal": Literal["a", 1, True],
    "optional": Optional[int],  # noqa: UP045 - as it is still written
    "union": Union[int, list[str]],  # noqa: UP007 - as it is still written
    "union with null": int | str | None,
    "date": dt.date,
    "moment": dt.datetime,
    "time": dt.time,
    "duration": dt.timedelta,
    "path": pathlib.Path,
    "uuid": uuid.UUID,
    "decimal": decimal.Decimal,
    "address": pydantic.HttpUrl,
    "ip address": ipaddress.IPv4Address,
    "bytes": bytes,
    "json": pydantic.Json[list[int]],
    "secret": pydantic.SecretStr,
    "tuple": tuple[int, str],
    "tuple of any length": tuple[int, ...],
    "set": set[int],
    "frozen set": frozenset[str],
    "dict": dict[str, list[int]],
    "dict with keys of a kind": dict[Colour, int],
    "nested": list[dict[str, tuple[int, str | None]]],
}

BEYOND_SCHEMAS = {"address", "path", "text", "secret", "bytes"}
"""Kinds of which pydantic wants more than it says: schemes, whole characters."""


def taking(annotation: Any, **defaults: Any) -> Signature:
    """Describe a function with one parameter of a kind, and one that is optional."""

    def tool(value: Any, other: int = 1) -> None: ...

    tool.__annotations__ = {"value": annotation, "other": int}
    tool.__defaults__ = (*defaults.values(), 1)
    return describe(tool)


def drawn(signature: Signature, count: int = 25) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = []
    schema = signature.schema or {}
    strategy = from_schema(schema, pool=Ingredients(schema).pool)

    @settings(
        max_examples=count, database=None, derandomize=True, phases=[Phase.generate]
    )
    @given(strategy)
    def take(value: dict[str, Any]) -> None:
        values.append(value)

    take()
    return values


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_built_and_drawn_is_accepted(kind: str) -> None:
    signature = taking(KINDS[kind])
    assert signature.unusable is None
    assert signature.schema
    for arguments in (simplest(signature.schema), rich(signature.schema)):
        assert signature.convert(arguments).keys() == arguments.keys()
    values = drawn(signature)
    refused = [each for each in values if not is_accepted(signature, each)]
    assert len(refused) <= (len(values) // 3 if kind in BEYOND_SCHEMAS else 0), refused


def is_accepted(signature: Signature, arguments: dict[str, Any]) -> bool:
    try:
        signature.convert(arguments)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_the_sweep_finds_much_to_try(kind: str) -> None:
    signature = taking(KINDS[kind])
    found = islice(sweep(signature.schema or {}), 150)
    accepted = sum(is_accepted(signature, arguments) for arguments in found)
    assert accepted >= (5 if kind in {"json", "null"} else 12)


@pytest.mark.parametrize("kind", ["model", "date", "path", "enum", "list of those"])
def test_a_default_makes_an_argument_one_that_may_be_left_out(kind: str) -> None:
    signature = taking(KINDS[kind], value=None)
    assert simplest(signature.schema or {}) == {}
    assert any("value" not in each for each in drawn(signature, 60))
    assert any("value" in each for each in drawn(signature, 60))


def test_any_number_of_arguments_is_drawn() -> None:
    def tool(first: int, *rest: str, **more: bool) -> None: ...

    signature = describe(tool)
    values = drawn(signature, 80)
    assert any(each.get("rest") for each in values)
    assert any(each.keys() - {"first", "rest"} for each in values)
    for each in values:
        args, kwargs = signature.bind(signature.convert(each))
        tool(*args, **kwargs)


def test_a_typed_dict_of_keywords_is_drawn_by_its_keys() -> None:
    def tool(**options: Unpack[Options]) -> None: ...

    values = drawn(describe(tool), 60)
    assert {each["mode"] for each in values} == {"fast", "slow"}
    assert any("retries" in each for each in values)


def test_recursive_models_are_drawn_in_more_than_one_depth() -> None:
    def depth(person: Any) -> int:
        return 1 + max(map(depth, person.get("friends", ())), default=0)

    values = drawn(taking(Person), 100)
    assert {1, 2} <= {depth(each["value"]) for each in values}
