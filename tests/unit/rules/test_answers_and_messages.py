"""TR2, TR3 and TR5: what an answer claims, what an error tells, how large it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call, Case
from pytest_toolresult.findings import Severity
from pytest_toolresult.settings import Settings

if TYPE_CHECKING:
    from tests.unit.rules.conftest import Bench

ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE
ROWS = [{"order_id": f"o-{n}", "customer": "Ann Miller"} for n in range(9)]


def failed(bench: Bench, message: str, **arguments: Any) -> list[tuple[str, Severity]]:
    error = {"code": "FAILED", "message": message, "retryable": False}
    call = Call(arguments=arguments, origin="fuzz")
    found = bench.answer("error", None, error=error, call=call, select=("TR30",))
    return [(each.rule, each.severity) for each in found]


@pytest.mark.parametrize(
    ("message", "severity"),
    [
        ("syntax error in: SELECT id FROM orders WHERE", ERROR),
        ("near: select title, owner from staff order by", ERROR),
        ("could not run INSERT INTO orders (id) VALUES (1)", ERROR),
        ("delete from orders where id = 3 was refused", ERROR),
        ("cannot use <shop.db.Session object at 0x7f3a2c1b>", ERROR),
        ("cannot open /var/lib/shop/orders.db", WARNING),
        (r"cannot open C:\shop\orders.db", WARNING),
        ("db-3.internal.example:5432 refused the connection", WARNING),
        ("pool(host='10.0.0.7', port=5432) is closed", WARNING),
        ("localhost:6379 does not answer", WARNING),
    ],
)
def test_what_shows_the_inside(bench: Bench, message: str, severity: Severity) -> None:
    assert failed(bench, message) == [("TR306", severity)]


@pytest.mark.parametrize(
    "message",
    [
        "Select one from these: paid, open.",
        "Please select a value from the list of states.",
        "The item was deleted from the basket; add it again.",
        "Insert into the form what is missing.",
        "Use /orders/o-1 instead; see https://shop.example/docs/errors.",
        "The report of 12:30 is not ready; ask again at 13:00.",
        "Give the ratio as 16:9, or the file and line as shop.py:12.",
        "and/or is not allowed in the query.",
    ],
)
def test_what_only_looks_like_the_inside(bench: Bench, message: str) -> None:
    assert failed(bench, message) == []


def test_what_was_sent_may_come_back(bench: Bench) -> None:
    path, query = "/tmp/shop/a.txt", "select a, b from c"  # noqa: S108 - only a text
    assert failed(bench, f"There is no file {path}.", path=path) == []
    assert failed(bench, f"No such column in: {query}", query=query) == []
    told = "pool(host='127.0.0.1', port=80) refused the connection"
    assert failed(bench, told, url="http://127.0.0.1:80/") == []
    assert failed(bench, told, host="127.0.0.1", port=80) == []
    assert failed(bench, told, host="127.0.0.1") == [("TR306", WARNING)]


@pytest.mark.parametrize(
    "message",
    [
        "An error occurred",
        "Something went wrong. Please try again later.",
        "Query failed.",
        "Error executing tool lookup",
        "internal server error",
        "Unable to process the request",
        "查询失败",
        "系统繁忙,请稍后再试",
        "发生未知错误。",
    ],
)
def test_a_message_that_fits_every_failure(bench: Bench, message: str) -> None:
    assert failed(bench, message) == [("TR309", WARNING)]


@pytest.mark.parametrize(
    "message",
    [
        "The query failed because the period is too long; ask for one month.",
        "No order has that id.",
        "Error executing tool lookup: there is no order o-1",
        "Request timed out after 5 s.",
        "查询失败: 时间范围过长,请缩短到一个月",
    ],
)
def test_a_message_that_says_something(bench: Bench, message: str) -> None:
    assert failed(bench, message) == []


def test_a_code_made_of_an_argument(bench: Bench) -> None:
    def judged(code: str, **options: Any) -> set[str]:
        error = {"code": code, "message": "There is no such thing.", "retryable": False}
        call = Call(arguments={"customer_id": "c-17", "page": 404}, origin="fuzz")
        found = bench.answer("error", None, error=error, call=call, **options)
        return {each.rule for each in found}

    assert judged("NOT_FOUND_c-17") == {"TR307"}
    assert judged("HTTP_404") == {"TR307"}
    assert judged("HTTP_404", codes=["HTTP_404"]) == set()
    assert judged("NOT_FOUND") == set()
    assert judged("ERROR_17") == set()
    assert judged("MISSING", codes=["NOT_FOUND"]) == {"TR308"}


@pytest.mark.parametrize(
    ("kind", "data", "found"),
    [
        ("action", {"sent": True}, {"TR213"}),
        ("action", "done", {"TR213"}),
        ("action", {"message_id": "m-1"}, set()),
        ("action", {"order": {"orderId": "o-1"}}, set()),
        ("action", "created ticket SHOP-17", set()),
        ("action", 17, set()),
        ("query", {"sent": True}, set()),
        ("summary", {"mean": "3.5", "readings": ROWS}, {"TR508"}),
        ("summary", {"mean": "3.5", "groups": ROWS[:5]}, set()),
        ("query", ROWS, set()),
        (
            "memory",
            [{"text": "a", "score": 0.2}, {"text": "b", "score": 0.9}],
            {"TR510"},
        ),
        (
            "memory",
            [{"text": "a", "distance": 2}, {"text": "b", "distance": 1}],
            {"TR510"},
        ),
        ("memory", [{"text": "a", "distance": 1}, {"text": "b", "distance": 2}], set()),
        (None, [{"text": "a", "score": 0.2}, {"text": "b", "score": 0.9}], set()),
    ],
)
def test_each_kind_brings_checks(
    bench: Bench, kind: Any, data: object, found: set[str]
) -> None:
    assert bench.rules(data, dialect="native", kind=kind) == found


def test_more_hits_than_were_asked_for(bench: Bench) -> None:
    hits = [{"text": "a", "score": 0.9}, {"text": "b", "score": 0.8}]
    (found,) = bench.answer("success", hits, meta={"top_k": 1})
    assert (found.rule, found.place) == ("TR510", "data")
    assert bench.answer("success", hits, meta={"top_k": 5}) == []


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"matches": [], "match_count": 0, "query": "x"}, {"TR215"}),
        ({"rows": [], "warnings": []}, {"TR215"}),
        ("undefined", {"TR215"}),
        ("Result: None", {"TR215"}),
        ({"rows": [], "total_orders": 3}, set()),
        ({"rows": [], "is_open": True}, set()),
        ({"booking_count": 0}, set()),
        ("none of the orders is late", set()),
        (
            [{"page": "a", "error": "timed out"}, {"page": "b", "error": None}],
            {"TR216"},
        ),
        ([{"page": "a", "error": None}, {"page": "b", "error": ""}], set()),
    ],
)
def test_a_success_that_holds_nothing(
    bench: Bench, data: object, found: set[str]
) -> None:
    findings = bench.answer("success", data, ignore={"TR406": "rows of a test"})
    assert {each.rule for each in findings} == found


def test_a_next_page_under_success_in_the_strict_profile(bench: Bench) -> None:
    strict = Settings(profile="strict", ignore={"TR701": "x"})

    def judged(**meta: Any) -> list[str]:
        found = bench.answer("success", ROWS, meta=meta, settings=strict)
        return [each.place for each in found]

    assert judged(next_cursor="p2") == ["meta.next_cursor"]
    assert judged(hasMore=True) == ["meta.hasMore"]
    assert judged(next_cursor=None, has_more=False, cursor="p1") == []
    assert bench.answer("success", ROWS, meta={"next_cursor": "p2"}) == []


def test_nothing_found_is_no_error(bench: Bench) -> None:
    error = {"code": "NO_ROWS", "message": "There are no rows.", "retryable": False}
    call = Call(arguments={}, origin="declared", case=Case({}, status="empty"))
    found = bench.answer("error", None, error=error, call=call)
    assert [each.rule for each in found] == ["TR210", "TR214"]


def tokens(text: str) -> int:
    return len(text) // 10


LARGE = [{"order_id": f"o-{n}", "customer": "Ann Miller"} for n in range(600)]


@pytest.mark.parametrize(
    ("rows", "budget", "counter", "found"),
    [
        (LARGE, None, None, [("TR501", ERROR)]),
        (LARGE[:200], None, None, [("TR501", ADVICE)]),
        (LARGE[:40], None, None, []),
        (LARGE[:40], 400, None, [("TR501", ERROR)]),
        (LARGE[:40], 650, None, [("TR502", ADVICE)]),
        (LARGE[:40], 2_000, None, []),
        (LARGE[:40], 150, tokens, [("TR501", ERROR)]),
        (LARGE[:40], 650, tokens, []),
    ],
)
def test_a_budget_has_three_verdicts(
    bench: Bench, rows: object, budget: Any, counter: Any, found: object
) -> None:
    for options in ({"budget": budget}, {}):
        settings = Settings(
            budget=None if options else budget,
            token_counter=counter,
            ignore={"TR4": "x"},
        )
        findings = bench.answer("success", rows, settings=settings, **options)
        assert [(each.rule, each.severity) for each in findings] == found


def test_a_severity_can_be_another_one(bench: Bench) -> None:
    settings = Settings(severities={"TR4": "advice", "TR403": "error"})
    data = {"order_state": 3, "price": 9.5}
    found = bench.value(data, dialect="native", settings=settings)
    assert [(each.rule, each.severity) for each in found] == [
        ("TR403", ERROR),
        ("TR404", ADVICE),
    ]
