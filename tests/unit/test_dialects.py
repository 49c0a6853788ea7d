from __future__ import annotations

import dataclasses
import datetime as dt
import json
from enum import Enum
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pydantic
import pytest

from pytest_toolresult.dialects import Dialect, decide, dialect_named
from pytest_toolresult.envelope import Envelope
from pytest_toolresult.errors import DialectError
from pytest_toolresult.outcomes import Outcome, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

FOUR: dict[str, Any] = {
    "status": "success",
    "data": [1],
    "error": None,
    "meta": {"count": 1},
}


class Status(Enum):
    SUCCESS = "success"


@dataclasses.dataclass
class DataclassResult:
    status: Any = Status.SUCCESS
    data: Any = dataclasses.field(default_factory=lambda: [1])
    error: Any = None
    meta: Any = dataclasses.field(default_factory=lambda: {"count": 1})


class ModelResult(pydantic.BaseModel):
    status: Status = Status.SUCCESS
    data: list[int] = [1]
    error: None = None
    meta: dict[str, int] = {"count": 1}


class TupleResult(NamedTuple):
    status: str = "success"
    data: Any = [1]  # noqa: RUF012 - a tool's own code
    error: Any = None
    meta: Any = {"count": 1}  # noqa: RUF012 - a tool's own code


class Hostile:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class HostileDict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("items")

    def __iter__(self) -> Any:
        raise RuntimeError("iter")


class HostileList(list[Any]):
    def __iter__(self) -> Any:
        raise RuntimeError("iter")


def returned(value: Any, **reply: Any) -> Outcome:
    return Outcome(ending="returned", reply=Reply(value=value, **reply))


def raised(error: Exception, *, deliberate: bool) -> Outcome:
    reply = Reply(exception=error)
    return Outcome(ending="raised", reply=reply, deliberate=deliberate)


def read(name: str, outcome: Outcome) -> Envelope | None:
    return dialect_named(name).read(outcome)


@pytest.mark.parametrize(
    "value",
    [
        FOUR,
        json.dumps(FOUR),
        DataclassResult(),
        ModelResult(),
        TupleResult(),
        SimpleNamespace(**FOUR),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_envelope_comes_in_many_shapes(value: Any) -> None:
    assert read("envelope", returned(value)) == Envelope(**FOUR)
    assert decide([returned(value)], None).dialect.name == "envelope"


def test_an_envelope_is_read_as_it_came_right_or_wrong() -> None:
    result = {"status": "done", "data": 1, "took": 3}
    envelope = read("envelope", returned(result))
    assert envelope is not None
    assert envelope.status == "done"
    assert envelope.missing == {"error", "meta"}
    assert envelope.extra == {"took": 3}


@pytest.mark.parametrize(
    "value",
    [
        "text",
        3,
        None,
        [],
        {"a": 1},
        Hostile(),
        object(),
        HostileDict(a=1),
        HostileList([1]),
    ],
    ids=lambda value: str(type(value)),
)
def test_what_is_no_envelope_reads_as_none(value: Any) -> None:
    assert read("envelope", returned(value)) is None
    assert decide([returned(value)], None).dialect.name == "native"


@pytest.mark.parametrize(
    ("value", "status", "data"),
    [
        ("Sunny", "success", "Sunny"),
        (None, "empty", None),
        ([], "empty", []),
        ("", "empty", ""),
        ("[]", "empty", []),
        (0, "success", 0),
        (False, "success", False),
        ('{"city": "Paris"}', "success", {"city": "Paris"}),
        ("{not json}", "success", "{not json}"),
    ],
)
def test_native_results_are_read_by_what_they_are(
    value: Any, status: str, data: Any
) -> None:
    envelope = read("native", returned(value))
    assert envelope is not None
    assert (envelope.status, envelope.data) == (status, data)


def test_native_forgives_only_what_was_raised_on_purpose() -> None:
    deliberate = read("native", raised(ValueError("no such city"), deliberate=True))
    assert deliberate is not None
    assert deliberate.error == {"message": "no such city"}
    assert read("native", raised(KeyError("x"), deliberate=False)) is None


def test_a_flagged_result_is_an_error_with_its_text() -> None:
    outcome = returned({"x": 1}, flagged=True, wire="rate limited")
    envelope = read("mcp", outcome)
    assert envelope is not None
    assert (envelope.status, envelope.error) == ("error", {"message": "rate limited"})


@pytest.mark.parametrize(
    ("value", "status", "data"),
    [
        ({"ok": True, "result": [1], "err": None}, "success", [1]),
        ({"ok": True, "result": [], "err": None}, "empty", []),
        ({"ok": False, "result": None, "err": "nobody"}, "error", None),
    ],
)
def test_a_mapping_reads_other_field_names(value: Any, status: str, data: Any) -> None:
    envelope = read("map: status=ok data=result error=err", returned(value))
    assert envelope is not None
    assert (envelope.status, envelope.data) == (status, data)


def test_results_that_share_their_fields_suggest_the_mapping() -> None:
    good = returned({"ok": True, "result": 1})
    bad = returned({"ok": False, "err": "nobody", "result": None})
    decision = decide([good, bad], None)
    assert decision.hint == "map: status=ok data=result error=err"
    assert decision.dialect.name == decision.hint
    parsed_again = dialect_named(decision.hint).read(bad)
    assert parsed_again is not None
    assert parsed_again.error == {"message": "nobody"}


@pytest.mark.parametrize(
    "values",
    [
        [{"ok": True}, {"ok": False}],
        [{"status": "paid", "data": 1}],
        [{"status": "ok", "data": 1}, "text", "text"],
        [{"city": "Paris", "temp": 3}],
    ],
)
def test_no_mapping_is_made_up(values: list[Any]) -> None:
    assert decide([returned(value) for value in values], None).hint == ""


def test_the_reason_counts_the_results() -> None:
    outcomes = [returned("a"), returned("b"), raised(KeyError(), deliberate=False)]
    assert decide(outcomes, "mcp").dialect.name == "mcp"
    assert decide(outcomes, None).reason == "0 of 2 results are envelopes"


def own_dialect(raw: Any) -> Any:
    if raw == "boom":
        raise ValueError(raw)
    return Envelope(status="success", data=raw, meta={})


def test_a_function_of_the_user_reads_results() -> None:
    dialect: Dialect = dialect_named(own_dialect)
    assert dialect.read(returned(5)) == Envelope(status="success", data=5, meta={})
    with pytest.raises(DialectError, match=r"own_dialect.*raised ValueError: boom"):
        dialect.read(returned("boom"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nativ", "did you mean 'native'"),
        ("map: state=ok", "unknown field in the dialect 'state'"),
        ("map:", "is no mapping"),
        ("no_such.module", "no function that can be imported"),
        ("os.sep", "not a function"),
    ],
)
def test_an_unknown_dialect_is_named(name: str, words: str) -> None:
    with pytest.raises(DialectError, match=words):
        dialect_named(name)


def test_models_inside_a_native_result_become_data() -> None:
    envelope = read("native", returned([DataclassResult(status="ok")]))
    assert envelope is not None
    assert envelope.data == [
        {"status": "ok", "data": [1], "error": None, "meta": {"count": 1}}
    ]


def test_what_is_no_json_stays_what_it_is() -> None:
    moment = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    envelope = read("native", returned({"at": moment}))
    assert envelope is not None
    assert envelope.data == {"at": moment}


class OddText(str):
    __slots__ = ()

    def __len__(self) -> int:
        raise RuntimeError


class OddList(list[object]):
    def __iter__(self) -> Any:
        raise RuntimeError


class OddMapping(dict[str, object]):
    def __len__(self) -> int:
        raise RuntimeError


class OddClass:
    @property
    def __class__(self) -> Any:
        raise RuntimeError("working outside of a request")

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (lambda: OddText("found"), "success"),
        (lambda: OddText(""), "empty"),
        (lambda: OddList([1]), "success"),
        (lambda: OddList([]), "empty"),
        (lambda: OddMapping(found=1), "success"),
        (OddClass, "success"),
        (lambda: [OddClass()], "success"),
    ],
)
def test_a_results_own_code_cannot_break_the_reading(
    make: Callable[[], object], status: str
) -> None:
    outcome = Outcome(ending="returned", reply=Reply(value=make()))
    assert dialect_named("envelope").read(outcome) is None
    native = dialect_named("native").read(outcome)
    assert native is not None
    assert native.status == status
