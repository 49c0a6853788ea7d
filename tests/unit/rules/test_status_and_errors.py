from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.findings import Severity

if TYPE_CHECKING:
    from tests.unit.rules.conftest import Bench

FAILURES = [
    "ConnectionError: refused",
    "  **Error:** down",
    "KeyError('zz')",
    "Error executing query: no such table",
    "Error while reading the page",
    "Error when opening the file",
    "Failed to open the file",
    "Unable to reach the server",
    "cannot open display",
    "ls: cannot access 'x': No such file or directory",
    "cat: x: No such file or directory",
    "Status Code: 503",
    "404 Not Found",
    "HTTP/1.1 502 Bad Gateway",
    "Database error: locked",
    "错误\uff1a找不到文件",
    "查询失败: 超时",
    "无法连接数据库",
]
ANSWERS = [
    "Error handling in Python: a guide",
    "The deployment failed twice before it went through.",
    "Errors: 0, warnings: 2",
    "Error during the night shift fell by half.",
    "Error while handling guests: a guide for hosts",
    "Error when the moon is full",
    "404 apples were sold",
    "Status: delivered",
    "The command not found in the history was `make`.",
    "订单支付失败的处理办法",
    "Error: " + "x" * 600,
]


@pytest.mark.parametrize("text", FAILURES)
def test_a_text_that_is_a_failure(bench: Bench, text: str) -> None:
    assert bench.rules(text, dialect="native") == {"TR201"}


@pytest.mark.parametrize("text", ANSWERS)
def test_a_text_that_only_speaks_of_one(bench: Bench, text: str) -> None:
    assert bench.rules(text, dialect="native") == set()


def test_text_in_a_block_is_text_as_well(bench: Bench) -> None:
    block = {"type": "text", "text": "Error reading file a.txt: denied"}
    assert bench.rules([block], dialect="native") == {"TR201"}
    assert bench.rules([block, block], dialect="native") == set()
    assert bench.rules([{**block, "id": 3}], dialect="native") == set()


def test_a_file_may_hold_any_text(bench: Bench) -> None:
    assert bench.rules("Error: down", dialect="native", kind="file") == set()


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"errors": ["x"]}, "data.errors"),
        ({"error_message": "x", "rows": []}, "data.error_message"),
        ({"success": False}, "data.success"),
        ({"status_code": 404}, "data.status_code"),
        ({"error": None, "errors": [], "error_message": ""}, None),
        ({"errors": 3, "warnings": 1}, None),
        ({"status": "rejected", "reason": "limit"}, None),
        ({"rows": [{"error": "x", "ok": False}]}, None),
        ({"status_code": 301, "ok": 0}, None),
    ],
)
def test_an_object_that_says_it_failed(
    bench: Bench, data: Any, place: str | None
) -> None:
    found = bench.value(data, dialect="native", select=("TR201",))
    assert [each.place for each in found] == ([place] if place else [])


@pytest.mark.parametrize(
    ("status", "data", "meta", "rules"),
    [
        ("success", None, {}, {"TR202"}),
        ("success", {}, {}, {"TR202"}),
        ("success", False, {}, set()),
        ("empty", {"items": [], "total": 0}, {}, {"TR205"}),
        ("empty", {"message": "no orders"}, {}, {"TR205"}),
        ("empty", {"id": 5}, {}, {"TR203"}),
        ("empty", "", {}, {"TR205"}),
        ("partial", [1], {"failed": 1, "total": 2}, set()),
        ("partial", [1], {"truncated": True, "total": None}, {"TR207"}),
        (
            "partial",
            "a\nb",
            {"truncated": True, "total_lines": 9, "next_line": 3},
            set(),
        ),
        ("success", "a\nb\n", {"returned_lines": 2}, set()),
        ("success", "a\nb", {"returned_lines": 5}, {"TR209"}),
        ("success", [1, 2], {"total": 1}, {"TR209"}),
        ("success", [1, 2], {"total": 9, "count": True}, set()),
    ],
)
def test_status_and_data(
    bench: Bench, status: str, data: object, meta: object, rules: set[str]
) -> None:
    found = bench.answer(status, data, meta=meta)
    assert {each.rule for each in found} == rules


def test_a_partial_text_without_total_is_a_warning(bench: Bench) -> None:
    (found,) = bench.answer("partial", "some text", meta={"truncated": True})
    assert (found.rule, found.severity) == ("TR207", Severity.WARNING)


def test_a_mapped_error_needs_no_message(bench: Bench) -> None:
    line = "map: status=ok data=result error=err"
    value = {"ok": False, "result": None, "err": {"code": 3, "text": "no city"}}
    assert bench.rules(value, dialect=line) == set()
    blank = {"ok": False, "result": None, "err": " "}
    assert bench.rules(blank, dialect=line) == {"TR303"}


TRACES = [
    'Traceback (most recent call last):\n  File "x.py", line 1, in f',
    "java.io.IOException: x\n\tat com.shop.Store.read(Store.java:42)",
    "TypeError: x\n    at read (/srv/app/store.js:10:15)",
    "System.Exception: x\n   at Shop.Store.Read() in /src/Store.cs:line 42",
    "goroutine 1 [running]:\nmain.main()",
    "thread 'main' panicked at src/main.rs:2:5",
    "#0 /srv/app/store.php(12): read()",
    "store.rb:12:in `read': x (RuntimeError)",
]


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize("place", ["error.message", "meta.debug"])
def test_a_stack_trace_of_any_language(bench: Bench, trace: str, place: str) -> None:
    message = trace if place == "error.message" else "It failed."
    meta = {"debug": trace} if place == "meta.debug" else {}
    error = {"code": "X1", "message": message, "retryable": False}
    (found,) = bench.answer("error", None, error=error, meta=meta)
    assert (found.rule, found.place) == ("TR305", place)


def test_the_standard_error_of_a_code_tool_may_hold_a_trace(bench: Bench) -> None:
    error = {"code": "EXIT", "message": "It ended with 1.", "retryable": False}
    meta = {"stderr": TRACES[0]}
    assert bench.answer("error", None, error=error, meta=meta, kind="code") == []


LEAKS = [
    "owner: <shop.User object at 0x7f3a2c1b>",
    "<coroutine object fetch at 0x7f3a2c1b>",
    "(1, 'ann', None)",
    "[{'id': 1}]",
]


@pytest.mark.parametrize("text", LEAKS)
def test_a_repr_in_place_of_content(bench: Bench, text: str) -> None:
    assert bench.rules(text, dialect="native") == {"TR412"}


@pytest.mark.parametrize(
    "text", ["(1, 2)", "[1, 2", "{x}", "['", "it's (a, 'b')", "[TODO] it's due"]
)
def test_brackets_are_not_python(bench: Bench, text: str) -> None:
    assert bench.rules(text, dialect="native") == set()
