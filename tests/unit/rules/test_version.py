"""What is held to the lock file, and to what is declared of the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict  # pydantic asks for it before 3.12

from pytest_toolresult.errors import ContractError
from pytest_toolresult.findings import Severity
from pytest_toolresult.lock import Seen, updated
from pytest_toolresult.rules.declared import check_declared
from pytest_toolresult.settings import Settings
from pytest_toolresult.shapes import shape_of
from tests.unit.rules.conftest import TOOL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.unit.rules.conftest import Bench, Trials

ROWS = [{"id": "a", "note": None}, {"id": "b", "note": "x"}]
LOCKED = updated(
    {},
    [
        Seen(
            identity=TOOL.identity,
            shapes={"1": {"success": shape_of(ROWS), "error": {"NO_ID": "code"}}},
        )
    ],
)


def held(
    bench: Bench, data: object, status: str = "success", version: object = "1"
) -> list[tuple[str, str, Severity]]:
    settings = Settings(locked=LOCKED, select=("TR7",))
    meta = {"format_version": version}
    found = bench.answer(status, data, meta=meta, settings=settings)
    return [(each.rule, each.place, each.severity) for each in found]


@pytest.mark.parametrize(
    ("data", "rule", "place", "severity"),
    [
        ([{"note": "x"}], "TR702", "data[].id", Severity.ERROR),
        ([{"id": "a", "note": "x"}, {"id": "b"}], "TR702", "data[].note", None),
        ([{"id": 1, "note": "x"}], "TR703", "data[].id", Severity.ERROR),
        ([{"id": None, "note": "x"}], "TR703", "data[].id", Severity.WARNING),
        ({"id": "a"}, "TR703", "data", Severity.ERROR),
    ],
)
def test_what_breaks_the_lock(
    bench: Bench, data: object, rule: str, place: str, severity: Severity | None
) -> None:
    assert held(bench, data) == [(rule, place, severity or Severity.ERROR)]


@pytest.mark.parametrize(
    "data", [ROWS, [], [{"id": "a", "note": None, "more": 1}], [ROWS[0]]]
)
def test_what_the_lock_allows(bench: Bench, data: object) -> None:
    assert held(bench, data) == []


def test_another_version_is_another_promise(bench: Bench) -> None:
    assert held(bench, {"total": 1}, version="2") == []
    assert held(bench, {"total": 1}, status="partial", version=2) == []


def test_a_status_that_is_new_breaks_the_lock(bench: Bench) -> None:
    assert held(bench, [], status="empty") == [("TR704", "status", Severity.ERROR)]


def answer_blank() -> dict[str, Any]:
    return {"status": "error", "error": {"code": "BLANK", "message": "it is blank"}}


def test_a_code_that_nothing_makes_any_more_breaks_the_lock(trials: Trials) -> None:
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.dialects import dialect_named
    from pytest_toolresult.rules.judge import judge

    value = trials.error("BLANK", format_version="1")
    call = trials.interaction(value, function=answer_blank)
    settings = Settings(locked=LOCKED, select=("TR704",))
    reader = dialect_named("envelope")
    (found,) = judge(call, Contract(None), dialect=reader, settings=settings)
    assert (found.rule, found.place) == ("TR704", "error.code")
    assert "NO_ID" in found.message


class Order(BaseModel):
    order_id: str
    total: str | None = None


@dataclass
class Plain:
    order_id: str


class Typed(TypedDict):
    order_id: str


SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}},
    "required": ["order_id"],
}


@pytest.mark.parametrize("declared", [Order, Plain, Typed, SCHEMA, dict[str, str]])
def test_data_is_held_to_what_is_declared(bench: Bench, declared: Any) -> None:
    options: dict[str, Any] = {"declares": declared, "select": ("TR705",)}
    assert bench.answer("success", {"order_id": "o-1"}, **options) == []
    (found,) = bench.answer("success", {"order_id": 5}, **options)
    assert (found.rule, found.place) == ("TR705", "data.order_id")
    assert bench.answer("empty", [], **options) == []


def test_a_schema_in_the_network_is_not_fetched(bench: Bench) -> None:
    schema = {"$ref": "http://127.0.0.1:9/order.json"}
    with pytest.raises(ContractError, match="order"):
        bench.answer("success", {"order_id": 5}, declares=schema, select=("TR705",))


@pytest.mark.parametrize("declared", [{"type": "nonsense"}, 5, object()])
def test_what_cannot_be_declared_is_refused(declared: object) -> None:
    with pytest.raises(ContractError, match="data"):
        check_declared(declared)


def test_a_tool_is_held_to_its_own_schema(trials: Trials) -> None:
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.dialects import dialect_named
    from pytest_toolresult.rules.judge import judge

    reader = dialect_named("native")
    call = trials.interaction({"order_id": 5}, dialect="native")
    told = replace(call, tool=replace(call.tool, output_schema=SCHEMA))
    found = judge(told, Contract(None), dialect=reader, settings=Settings())
    assert [(each.rule, each.place) for each in found] == [("TR705", "result.order_id")]


def test_one_result_without_a_version_beside_others(trials: Trials) -> None:
    with_version = trials.interaction(trials.answer("success", [1], format_version="1"))
    without = trials.interaction(trials.answer("success", [1]))
    assert [each.rule for each in trials.series(with_version, without)] == ["TR701"]
    assert trials.series(without, without) == []


def test_the_strict_profile_asks_for_a_version(bench: Bench) -> None:
    strict = Settings(profile="strict")
    assert [each.rule for each in bench.answer("success", [1], settings=strict)] == [
        "TR701"
    ]


def pages(trials: Trials, one: object, other: object, *names: str) -> list[str]:
    schema = {"properties": {"page": {"type": "string"}, "form": {"enum": ["a", "b"]}}}
    calls = []
    for data, name in zip((one, other), names, strict=True):
        arguments = {"page": name} if len(name) > 1 else {"form": name}
        call = trials.interaction(trials.answer("success", data), arguments=arguments)
        calls.append(replace(call, tool=replace(call.tool, schema=schema)))
    return [each.rule for each in trials.series(*calls)]


def test_a_field_that_another_stands_for(trials: Trials) -> None:
    one, other = [{"label": "x", "ref": "e1"}], [{"label": "y", "target": "e2"}]
    assert pages(trials, one, other, "home", "shop") == ["TR702"]
    assert pages(trials, one, other, "a", "b") == []  # another form was asked for
    assert pages(trials, one, [{"label": "y"}], "home", "shop") == []
    assert pages(trials, one, [{"label": "y", "target": 5}], "home", "shop") == []
