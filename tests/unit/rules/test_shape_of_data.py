"""TR4 and what else looks at the data alone: what is wrong, and what only looks so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.findings import Severity

if TYPE_CHECKING:
    from tests.unit.rules.conftest import Bench

ROW = {"order_id": "o-1", "total": "9.50"}


def rules(bench: Bench, data: object, **options: Any) -> set[str]:
    return bench.rules(data, dialect="native", **options)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"a1": {"b1": {"c1": {"d1": 1}}}}, "TR401"),
        ([{"order": {"customer": {"address": {"city": "Oslo"}}}}], "TR401"),
        ({"data": [ROW]}, "TR405"),
        ({"payload": ROW}, "TR405"),
        ([{"qty": 1}, {"qty": "1"}], "TR406"),
        ([{"name": "a", "age": 1}, {"title": "b", "pages": 2}], "TR406"),
        ([[1, "ann"], [2, "bob"]], "TR418"),
        ({"orders": [("o-1", 2), ("o-2", 3)]}, "TR418"),
        ({"order_state": 3}, "TR403"),
        ({"orderStatus": "P"}, "TR403"),
        ({"订单状态": 1}, "TR403"),
        ({"price": 9.5}, "TR404"),
        ({"unit_price_eur": 9.5}, "TR404"),
        ({"totalAmount": 9.5}, "TR404"),
        ({"订单金额": 9.5}, "TR404"),
        ({"zt": "paid"}, "TR402"),
        ({"col3": "paid"}, "TR402"),
        ({"t": "2026-01-02"}, "TR402"),
        ({"note_id": 2**53 + 1}, "TR409"),
        ({"free_mb": 2_048, "free_gb": 20}, "TR419"),
        ({"price": "9.50", "price_cents": 95}, "TR419"),
        ({"seen": "2026-01-02T10:00:00.123"}, "TR408"),
        ({"filter": '{"tier": "gold"}'}, "TR410"),
        ({"title": "\x1b[1mbold\x1b[0m"}, "TR411"),
        ({"title": "one\x00two"}, "TR411"),
    ],
)
def test_what_is_hard_to_read(bench: Bench, data: object, rule: str) -> None:
    assert rules(bench, data) == {rule}


@pytest.mark.parametrize(
    "data",
    [
        {"one": {"two": {"three": 1}}},
        [{"one": {"two": {"three": 1}}}],
        {"node": {"child": {"child": {"child": {"child": None}}}}},
        {"results": [ROW], "count_of_all": 1},
        {"orders": [ROW]},
        {"data": "text"},
        [ROW, {**ROW, "total": None}],
        [{"x": 1}, {"x": 1.5}],
        [{"type": "text", "text": "a"}, {"type": "image", "width": 5}],
        [[1, 2], [3, 4]],
        [["a", "b"], ["c", "d"]],
        [["id", "name"], [1, "ann"]],
        {"headers": ["id", "name"], "rows": [[1, "a"], [2, "b"]]},
        {"http_status": 404, "is_type": True, "status_count": 0},
        {"order_status": "ok", "flag": "on"},
        {"balance": 12, "tax_rate": 0.2, "price_text": "9.5"},
        {"total": 9.5, "sum": 0.5},
        {"x": 1, "y": 2, "id": "a", "qty": 3, "url": "b", "os": "c"},
        {"note_id": 2**53},
        {"size_bytes": 2_048, "size_kb": 2},
        {"size_bytes": 2_000, "size_kb": 2},
        {"size_mb": 1.43, "size_bytes": 1_500_000},
        {"sent_bytes": 5, "received_kb": 9},
        {"amount": "3.15", "amount_milliunits": 3150},
        {"amount": "3.15", "fee": "1.00"},
        {"seen": "2026-01-02T10:00:00Z", "day": "2026-01-02", "hour": "10:00"},
        {"seen": "2026-01-02T10:00:00+01:00", "note": "due 2026-01-02 10:00"},
        {"body": '{"tier": "gold"}', "tags": "[]", "name": "{x}"},
        {"title": "tab\tline\r\nnext\x85 caf\u00e9 \u200d\u00a0"},
    ],
)
def test_what_only_looks_hard_to_read(bench: Bench, data: object) -> None:
    assert rules(bench, data) == set()


def test_noise_of_binary_fractions_is_an_error(bench: Bench) -> None:
    for name in ("total", "price"):
        (found,) = bench.value([{name: 59.980000000000004}], dialect="native")
        assert (found.rule, found.severity) == ("TR404", Severity.ERROR)


def test_what_was_sent_is_no_fault_of_the_tool(bench: Bench) -> None:
    sent = {"when": "2026-01-02 10:00", "filter": '{"a": 1}', "text": "a\x07b"}
    call = Call(arguments=sent, origin="fuzz")
    assert rules(bench, {"asked": sent}, call=call) == set()
    call = Call(arguments={"text": '{"a": 1}', "b": 2}, origin="fuzz")
    assert rules(bench, {"a": 1, "b": 2}, call=call) == set()
    assert rules(bench, {"a": 1, "c": 2}, call=call) == {"TR402"}
    call = Call(arguments={"number": 2**60}, origin="fuzz")
    assert rules(bench, {"next_number": 2**60 + 1}, call=call) == set()


def test_a_summary_behind_many_details(bench: Bench) -> None:
    details = [{"order_id": f"o-{n}", "customer": "Ann Miller" * 9} for n in range(30)]
    assert rules(bench, {"orders": details, "summary": "30 orders"}) == {"TR407"}
    assert rules(bench, {"摘要": "30", "orders": details}) == set()
    assert rules(bench, {"orders": details, "结论": "30"}) == {"TR407"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("order_id,total\no-1,9.50\no-2,12,00\n", {"TR413"}),
        ("order_id\ttotal\no-1\t9.50\to-2\n", {"TR413"}),
        ("order_id,total\no-1,9.50\n", set()),
        ('order_id,note\no-1,"one, two"\n', set()),
        ("Hello, Ann\nhow are you, today, then?", set()),
        ("first, we open the box\nthen, we look, and close", set()),
        ("name;city\nAnn;Oslo\n", set()),
        ("| id | name |\n|---|---|\n| 1 | Ann | 5 |\n", {"TR414"}),
        ("| id | name |\n|---|---|\n| 1 | A\\|B |\n", set()),
        ("| low | normal | high |", set()),
        ('{"rows": [{"id": 1, "name": "Ann"}, {"id": 2, "na', {"TR211"}),
        ('[{"id": 1, "done": true}, {"id": 2, "done": fal', {"TR211"}),
        ('{"rows": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,', {"TR211"}),
        ('{"id": 1, "note": "a \\u4e', {"TR211"}),
        ("[1] Smith, J. A long title of a paper, 2020, and more", set()),
        ("{placeholder} is replaced by the name of the customer", set()),
        ("[INFO] started, 2026-01-02, nothing else to be told here", set()),
        ("id,name,city\n1,Ann,Oslo\n2,Bob,Rome\n3,Ce", {"TR211"}),
        ("id,name,city\n1,Ann,Oslo\n2,Bob,Rome\n3,Cem,Bonn", set()),
    ],
)
def test_texts_in_other_notations(bench: Bench, text: str, found: set[str]) -> None:
    assert rules(bench, text) == found


def test_a_file_may_end_anywhere(bench: Bench) -> None:
    text = '{"rows": [{"id": 1, "name": "Ann"}, {"id": 2, "na'
    assert rules(bench, text, kind="file") == set()


def test_binary_content_is_no_text(bench: Bench) -> None:
    spoilt = "\ufffdPNG\ufffd\ufffd\ufffd data"
    assert rules(bench, spoilt, kind="file") == {"TR411"}
    assert rules(bench, "one \ufffd in " + "a long text " * 20, kind="file") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("answer: no", {"TR415"}),
        ("a: 1\nlist:\n  - on\n", {"TR415"}),
        ("version: 1.10", {"TR415"}),
        ("zip: 01234", {"TR415"}),
        ("time: 12:30", {"TR415"}),
        ("version: '1.10'\nport: 8080\nok: true\nname: nobody\n", set()),
    ],
)
def test_yaml_is_read_where_it_is_declared(
    bench: Bench, text: str, found: set[str]
) -> None:
    for name, value in (("format", "yaml"), ("content_type", "application/yaml")):
        findings = bench.answer("success", text, meta={name: value})
        assert {each.rule for each in findings} == found
    assert bench.answer("success", text) == []
