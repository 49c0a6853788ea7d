from __future__ import annotations

import datetime as dt
import functools
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

import pytest
from pydantic import AfterValidator, BaseModel, Field
from typing_extensions import TypedDict, Unpack

from pytest_toolresult.signatures import Refused, describe

if TYPE_CHECKING:
    from collections.abc import Callable


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Node(BaseModel):
    value: int
    children: list[Node] = []


@dataclass
class Point:
    x: int
    y: int = 0


class Filter(TypedDict):
    text: str
    limit: NotRequired[int]


def known(value: str) -> str:
    return {"a": "b"}[value]


def call(function: Callable[..., Any], **arguments: Any) -> Any:
    """Send arguments the whole way: validated, converted, spread, called."""
    signature = describe(function)
    args, kwargs = signature.bind(signature.convert(arguments))
    return function(*args, **kwargs)


@pytest.mark.parametrize(
    ("annotation", "sent", "meant"),
    [
        (int, "5", 5),
        (float, 2, 2.0),
        (bool, "true", True),
        (dt.date, "2026-02-28", dt.date(2026, 2, 28)),
        (Path, "a/b", Path("a/b")),
        (Decimal, "1.50", Decimal("1.50")),
        (Colour, "blue", Colour.BLUE),
        (Literal["a", "b"], "b", "b"),
        (int | None, None, None),
        (int | str, "5", "5"),
        (list[int], ["1", 2], [1, 2]),
        (set[str], ["a", "a"], {"a"}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (dict[str, int], {"a": "1"}, {"a": 1}),
        (
            Node,
            {"value": 1, "children": [{"value": "2"}]},
            Node(value=1, children=[Node(value=2)]),
        ),
        (Point, {"x": "3"}, Point(3)),
        (Filter, {"text": "a", "limit": "4"}, {"text": "a", "limit": 4}),
    ],
)
def test_json_becomes_what_the_function_asks_for(
    annotation: Any, sent: Any, meant: Any
) -> None:
    def tool(value: Any) -> Any:
        return value

    tool.__annotations__["value"] = annotation
    assert call(tool, value=sent) == meant


def test_what_was_not_sent_is_left_to_the_functions_own_default() -> None:
    shared: list[str] = []

    def tool(name: str, seen: list[str] = shared) -> list[str]:
        seen.append(name)
        return seen

    call(tool, name="a")
    assert call(tool, name="b") is shared
    assert shared == ["a", "b"]


def test_a_field_as_default_gives_its_default() -> None:
    def tool(limit: int = Field(default=3, ge=1)) -> int:
        return limit

    assert call(tool) == 3
    with pytest.raises(Refused, match="limit: Input should be greater"):
        call(tool, limit=0)


def test_names_that_a_model_class_could_not_have_are_arguments_all_the_same() -> None:
    def tool(json: int, copy: int, _private: int, model_config: int) -> list[int]:
        return [json, copy, _private, model_config]

    arguments = {"json": 1, "copy": 2, "_private": 3, "model_config": 4}
    assert call(tool, **arguments) == [1, 2, 3, 4]


def test_an_alias_is_what_the_model_sends() -> None:
    def tool(origin: Annotated[str, Field(alias="from")]) -> str:
        return origin

    schema = describe(tool).schema
    assert schema is not None
    assert list(schema["properties"]) == ["from"]
    assert call(tool, **{"from": "Paris"}) == "Paris"
    args, kwargs = describe(tool).bind({"from": "Paris"})
    assert (args, kwargs) == ([], {"origin": "Paris"})


def test_names_the_function_does_not_have_are_dropped() -> None:
    assert describe(Point).convert({"x": 1, "z": 2}) == {"x": 1}


def test_other_names_reach_a_function_that_takes_them_and_are_converted() -> None:
    def tool(name: str, **more: int) -> dict[str, int]:
        return {name: 0, **more}

    assert call(tool, name="a", b="2") == {"a": 0, "b": 2}
    with pytest.raises(Refused, match="b: Input should be a valid integer"):
        call(tool, name="a", b="x")


def test_positional_only_and_any_number_of_arguments_arrive() -> None:
    def tool(first: int, /, second: int = 2, *rest: int, last: int = 9) -> list[int]:
        return [first, second, *rest, last]

    assert call(tool, first="1") == [1, 2, 9]
    assert call(tool, first=1, rest=["3", 4]) == [1, 2, 3, 4, 9]
    assert call(tool, first=1, second=5, last=6) == [1, 5, 6]


def test_a_typed_dict_of_keywords_is_spelled_out() -> None:
    def tool(**options: Unpack[Filter]) -> dict[str, Any]:
        return dict(options)

    schema = describe(tool).schema
    assert schema is not None
    assert set(schema["properties"]) == {"text", "limit"}
    assert schema["required"] == ["text"]
    assert call(tool, text="a") == {"text": "a"}


def test_methods_partials_and_objects_take_what_is_left_to_send() -> None:
    class Shop:
        def find(self, name: str, limit: int = 3) -> tuple[str, int]:
            return name, limit

        def __call__(self, name: str) -> str:
            return name

    for function in (Shop().find, functools.partial(Shop().find, limit=4)):
        schema = describe(function).schema
        assert schema is not None
        assert "self" not in schema["properties"]
    assert call(functools.partial(Shop().find, limit=4), name="a", limit=9) == ("a", 4)
    assert call(functools.partial(Shop().find, "a"), limit="9") == ("a", 9)
    assert call(Shop(), name="a") == "a"


def test_a_refusal_is_a_line_without_the_values() -> None:
    def tool(a: int, b: int, c: int, d: int) -> None: ...

    with pytest.raises(Refused) as caught:
        call(tool, a="hunter2", b="hunter2", c="hunter2", d="hunter2")
    text = str(caught.value)
    assert text.startswith("a: Input should be a valid integer")
    assert text.endswith("; and 1 more")
    assert "\n" not in text
    assert "hunter2" not in text


def test_a_crash_in_a_users_validator_is_no_refusal() -> None:
    def tool(key: Annotated[str, AfterValidator(known)]) -> str:
        return key

    assert call(tool, key="a") == "b"
    with pytest.raises(KeyError):
        call(tool, key="x")
