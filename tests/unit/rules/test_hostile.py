"""Whatever a tool returns, the judge neither raises nor runs its code."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.calls import Call
from pytest_toolresult.envelope import STATUSES, Envelope
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.settings import Settings
from tests.timing import seconds
from tests.unit.rules.conftest import TOOL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.rules.conftest import Bench, Trials


def refuse(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("the judge ran code of the result")


class Hostile:
    __repr__ = __str__ = __eq__ = __hash__ = __bool__ = __len__ = refuse
    __getattr__ = __iter__ = __getitem__ = __format__ = refuse


class HostileDict(dict[str, Any]):
    __repr__ = __eq__ = __iter__ = __len__ = __getitem__ = __contains__ = refuse
    items = keys = values = get = refuse


class HostileList(list[Any]):
    __repr__ = __eq__ = __iter__ = __len__ = __getitem__ = __bool__ = refuse


class HostileText(str):
    __slots__ = ()
    __repr__ = __str__ = __eq__ = __len__ = __getitem__ = refuse
    __hash__ = str.__hash__
    strip = startswith = encode = refuse


class HostileNumber(int):
    __repr__ = __eq__ = __lt__ = __gt__ = __int__ = __bool__ = refuse
    __hash__ = int.__hash__


class HostileMeta(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        refuse()

    @property
    def __module__(cls) -> str:  # type: ignore[override]
        refuse()


class OfHostileClass(metaclass=HostileMeta):
    pass


class HostileError(Exception):
    __str__ = __repr__ = refuse


def iter_nothing() -> Iterator[int]:
    yield from ()


def cyclic() -> dict[str, Any]:
    whole: dict[str, Any] = {"name": "x"}
    whole["rows"] = [whole, [whole]]
    return whole


def deep(depth: int = 5_000) -> list[Any]:
    whole: list[Any] = []
    for _ in range(depth):
        whole = [whole]
    return whole


def doubling() -> list[Any]:
    whole: list[Any] = ["x"]
    for _ in range(200):
        whole = [whole, whole]
    return whole


SCHEMA = {"type": "array", "items": {"required": ["id"]}}
LOCKED: dict[str, Any] = {
    TOOL.identity: {
        "": {
            "statuses": ["success"],
            "codes": ["NO_ID"],
            "data": {"success": {"data": "array", "data[]": "object"}},
        }
    }
}


@dataclass
class Row:
    token: object


ODD: dict[str, Any] = {
    "object": Hostile(),
    "dict": HostileDict(a=1, b="Error: x"),
    "list": HostileList([1, Hostile()]),
    "text": HostileText("Error: down"),
    "number": HostileNumber(404),
    "class": OfHostileClass(),
    "key": {HostileText("a"): 1, (1, 2): 2, None: 3},
    "cycle": cyclic(),
    "deep": deep(),
    "doubling": doubling(),
    "surrogate": {"\udcff": "\ud800"},
    "long number": 10**5_000,
    "bytes": b"\xff" * 1_000,
    "dataclass": Row(Hostile()),
    "set": {1, 2.5, "x"},
    "generator": iter_nothing(),
    "nan": [float("nan"), float("-inf")],
    "decimal": Decimal("NaN"),
    "date": datetime.now(UTC),
}


def envelopes(value: object) -> Iterator[Envelope]:
    yield Envelope(status=value, data=1, meta={})
    yield Envelope(status="success", data=1, error=value, meta=value)
    yield Envelope(status="success", data=value, extra={"more": value})
    for status in STATUSES:
        error = {"code": value, "message": value, "retryable": value}
        yield Envelope(status=status, data=value, error=error, meta={})
        meta = {"total": value, "count": value, "failed": value, "offset": value}
        yield Envelope(status=status, data=[value], error=value, meta=meta)


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_nothing_a_tool_returns_breaks_the_judge(bench: Bench, value: object) -> None:
    call = Call(arguments={"value": value}, origin="fuzz")
    outcome = Outcome(ending="returned", reply=Reply(value=value))
    for envelope in envelopes(value):
        for dialect in ("envelope", "native"):
            found = bench.judge(outcome, dialect=dialect, envelope=envelope, call=call)
            for finding in found:
                texts = [finding.place, finding.message, finding.returned]
                assert all(text.isprintable() for text in texts)
                json.dumps([*texts, finding.arguments], allow_nan=False)


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
@pytest.mark.parametrize("fault", ["http_404", "inflated"])
def test_nothing_a_tool_returns_breaks_a_comparison(
    trials: Trials, value: Any, fault: str
) -> None:
    told: dict[str, Any] = {"retryable": value, "stale": value}
    wholes: tuple[dict[str, Any], ...] = (
        {"status": "success", "data": value, "error": None, "meta": told},
        {"status": "error", "data": None, "error": told, "meta": {"total": value}},
        {"status": "success", "data": [value, value], "error": None, "meta": {}},
    )
    crossed = trials.broken(fault, rows=2)
    usual = trials.interaction(wholes[0], trials.fine(rows=2))
    faulted = [trials.interaction(each, crossed) for each in wholes]
    for subject in faulted:
        assert isinstance(trials.compare(usual, subject), list)
    assert isinstance(trials.series(*faulted, usual), list)


def test_an_exception_that_cannot_be_read_is_told_by_its_class(bench: Bench) -> None:
    outcome = Outcome(ending="raised", reply=Reply(exception=HostileError()))
    (finding,) = bench.judge(outcome)
    assert finding.message == "HostileError: (its text cannot be read)"


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
    | st.sampled_from(["Error: x", "{'a': None}", "<a.B object at 0x7f00>", "success"])
    | st.sampled_from(["a,b\n1,2,3\n4", "| a |\n|--|\n| 1 | 2", '[{"a": 1}, {"b": "c'])
    | st.sampled_from(["2026-01-02 10:00", "\x1b[0m", "select a from b", "An error"])
)
KEYS = st.text() | st.sampled_from(
    [
        *("error", "ok", "count", "total", "code", "columns", "rows", "type"),
        *("order_status", "total_amount", "score", "created_at", "format_version"),
        *("size_kb", "size_bytes", "st", "summary", "next_cursor", "top_k", "id"),
    ]
)
KINDS = st.sampled_from([None, "action", "summary", "file", "code", "memory"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS | st.integers(), inner)
)


@given(value=VALUES, status=st.sampled_from(STATUSES), kind=KINDS)
def test_any_value_can_be_judged(
    bench: Bench, value: object, status: str, kind: str | None
) -> None:
    strict = Settings(profile="strict", budget=10, locked=LOCKED)
    whole = {"status": status, "data": value, "error": value, "meta": value}
    bench.value(whole, kind=kind, settings=strict, codes=["NO_ID"], declares=SCHEMA)
    found = bench.value(value, dialect="native", kind=kind)
    assert all(finding.message.isprintable() for finding in found)


BIG: dict[str, object] = {
    "text": "x" * 10_000_000,
    "newlines": "\n" * 200_000,
    "prefixes": "sk-ghp_" * 150_000,
    "brackets": "[" * 1_000_000,
    "lines": "\n at x" * 200_000,
    "rows": [{"id": number, "name": f"row {number}"} for number in range(20_000)],
    "nans": [float("nan")] * 50_000,
    "nested": [{"a": [[1, "x"]] * 20, "created_at": "2026-01-02 10:00"}] * 5_000,
    "table": "order_id,total\n" + "o-1,9.50\n" * 300_000,
    "cut json": "[" + '{"a": "b"}, ' * 200_000,
    "numbers": [2**60] * 50_000,
    "leaks": ["<a.B object at 0x7f001122>"] * 10_000,
}


@pytest.mark.parametrize("value", BIG.values(), ids=BIG)
def test_cost_is_linear_in_size(bench: Bench, value: Any) -> None:
    def judge(part: object) -> None:
        bench.value(part, dialect="native")
        bench.answer("error", None, error={"code": "X", "message": part})

    few, many = value[: len(value) // 8], value
    # A quadratic cost would be 64 times as high.
    assert seconds(lambda: judge(many), tries=1) < 24 * seconds(lambda: judge(few))


@pytest.mark.parametrize("kind", ["newlines", "rows", "leaks"])
def test_a_comparison_costs_as_little(trials: Trials, kind: str) -> None:
    value: Any = BIG[kind]

    def compare(part: Any) -> None:
        usual = trials.interaction(trials.answer("success", part), trials.fine())
        subject = trials.interaction(
            trials.answer("success", part[:-1]), trials.broken("timeout")
        )
        trials.compare(usual, subject)

    few, many = value[: len(value) // 8], value
    assert seconds(lambda: compare(many), tries=1) < 24 * seconds(lambda: compare(few))
