"""Results such as good tools give, from many fields: nothing more than advice on any.

They were written down before the rules were run on them, to look healthy and yet to
hold much of what rules look for: words of failure, odd numbers, nested rows, scripts.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from pytest_toolresult import Contract, check
from pytest_toolresult.findings import Severity

ISSUE: Final = {
    "number": 4127,
    "title": "Error: cannot open file when path contains spaces",
    "state": "open",
    "author": "mkl",
    "labels": ["bug", "windows"],
    "created_at": "2026-03-14T09:26:53Z",
    "comment_count": 12,
    "body": 'Traceback (most recent call last):\n  File "a.py", line 3\nOSError: no',
}
POD: Final = {
    "pod_name": "web-6d4cf56db6-x7p2l",
    "namespace": "shop",
    "phase": "Running",
    "restart_count": 0,
    "containers": [
        {"container_name": "web", "image": "registry.example/web:1.10", "ready": True},
        {"container_name": "proxy", "image": "registry.example/envoy:1.29.0"},
    ],
    "node": {"node_name": "node-3", "zone": "eu-north-1a"},
}
WEATHER: Final = {
    "city": "Tromsø",
    "observed_at": "2026-01-05T12:00:00+01:00",
    "temperature_c": -3.2,
    "wind_speed_ms": 7.5,
    "conditions": "light snow",
    "forecast": [
        {"day": "2026-01-06", "high_c": -1.0, "low_c": -6.4, "precipitation_mm": 0.0},
        {"day": "2026-01-07", "high_c": 0.5, "low_c": -4.1, "precipitation_mm": 2.3},
    ],
}
INVOICE: Final = {
    "invoice_id": "INV-2026-0042",
    "status": "rejected",
    "reason": "the purchase order is missing",
    "currency": "EUR",
    "subtotal": "180.00",
    "tax": "36.00",
    "total_amount": "216.00",
    "lines": [
        {"description": "Chair", "quantity": 4, "unit_price": "45.00"},
        {"description": "Delivery, free", "quantity": 1, "unit_price": "0.00"},
    ],
}
ORDER_ZH: Final = {
    "订单编号": "DD-20260105-17",
    "订单状态": "已付款",
    "下单时间": "2026-01-05T08:30:00+08:00",
    "总价": "199.00",
    "商品": [{"名称": "茶杯", "数量": 2}, {"名称": "错误日志分析手册", "数量": 1}],
}
COMMITS: Final = (
    "commit 9fceb02\nAuthor: M. K.\nDate:   2026-03-14 09:26:53 +0100\n\n"
    "    fix: raise ValueError instead of returning None on failure\n"
)
LOG: Final = (
    "09:26:53 INFO started on port 8080\n"
    "09:27:01 ERROR failed to connect: connection refused, retrying\n"
    "09:27:02 INFO connected"
)
MARKDOWN: Final = (
    "| plan | seats | price |\n| --- | ---: | --- |\n"
    "| Free | 1 | 0 EUR |\n| Team | 10 | 90 EUR |\n"
)
CODE: Final = 'def main():\n    raise SystemExit("Error: no config")\n'
SQL: Final = "CREATE TABLE orders (\n  id INTEGER PRIMARY KEY,\n  total TEXT\n);"
CSV: Final = 'order_id,customer,note\no-1,Ann,"late, again"\no-2,Bob,\no-3,Cem,""\n'
YAML: Final = 'name: shop\nreplicas: 3\nversion: "1.10"\nenabled: true\n'
MAIL: Final = "Dear Ms. Li,\nthe parcel, which you asked for, left today.\nKind regards"
DIFF: Final = "@@ -1,2 +1,2 @@\n-    return 1\n+    raise ValueError('Error: bad')\n"
PROSE_ZH: Final = "本章介绍错误处理:当请求失败时,应当返回错误码,而不是空列表。"

DATA: Final[dict[str, Any]] = {
    "issues": [ISSUE, {**ISSUE, "number": 4128, "state": "closed", "body": None}],
    "pods": [POD, {**POD, "pod_name": "web-2", "restart_count": 17}],
    "weather": WEATHER,
    "invoice": INVOICE,
    "order, Chinese": ORDER_ZH,
    "git log": COMMITS,
    "a log with errors": LOG,
    "a Markdown table": MARKDOWN,
    "source code": CODE,
    "a schema": SQL,
    "a CSV export": CSV,
    "a letter": MAIL,
    "a diff": DIFF,
    "a chapter, Chinese": PROSE_ZH,
    "a count": 0,
    "a truth": False,
    "a ratio": 0.30000000000000004,
    "an empty file": "",
    "matrix": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "coordinates": {"x": 12.5, "y": -3.25, "z": 0},
    "a path": ["/usr/share/dict/words", "/etc/hosts"],
    "statistics": {"mean": 3.5, "median": 3, "stddev": 1.118033988749895, "count": 4},
    "content blocks": [
        {"type": "text", "text": "Hello"},
        {"type": "image", "url": "https://shop.example/a.png", "width": 640},
    ],
    "a tree": {
        "name": "root",
        "children": [{"name": "a", "children": [{"name": "b", "children": []}]}],
    },
    "results of tests": {
        "passed": 41,
        "failed": 0,
        "failures": [],
        "tests": [{"name": "test_error_is_raised", "outcome": "passed", "error": None}],
    },
    "identifiers": [
        {"id": "7b0c5a9e-6a1e-4f7e-9f61-0a4c8f0d2b11", "sha": "9fceb02d0ae598e95dc9"},
        {"id": "0d2b11aa-6a1e-4f7e-9f61-7b0c5a9e4c8f", "sha": "a94a8fe5ccb19ba61c4c"},
    ],
    "files": [
        {"file_name": "a.csv", "size_bytes": 1_536, "size_kb": 1.5, "is_hidden": False},
        {"file_name": "b.csv", "size_bytes": 20_480, "size_kb": 20, "is_hidden": False},
    ],
    "a payment": {"payment_id": "p-1", "amount": "9.50", "amount_cents": 950},
    "a user": {
        "user_id": 48151623,
        "role": "admin",
        "is_active": True,
        "plan_type": "pro",
    },
    "a meeting": {"title": "Standup", "starts": "2026-01-05T09:00:00Z", "minutes": 15},
    "http": {"http_status": 404, "url": "https://shop.example/x", "found": False},
    "hits": [
        {"document_id": "d-2", "score": 0.91, "snippet": "how to handle an Error"},
        {"document_id": "d-7", "score": 0.85, "snippet": '{"error": "quoted"}'},
    ],
    "flags": {"feature_flags": ["dark-mode", "beta"], "rollout_percent": 20},
    "a translation": {"language": "ar", "text": "مرحبا بالعالم"},
    "a family": {"text": "👩\u200d🔬 Zoe\u0308 10\u00a0000"},
    "settings": {"log_level": "error", "retries": 3, "timeout_s": 2.5},
    "columns": {
        "columns": ["id", "name"],
        "rows": [[1, "Ann"], [2, "Bob"]],
        "row_count": 2,
    },
}


def worse_than_advice(result: object, **declared: Any) -> list[str]:
    found = check(result, Contract(None, **declared))
    return [
        f"{each.rule} {each.place}: {each.message}"
        for each in found
        if each.severity > Severity.ADVICE
    ]


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_healthy_data_is_left_in_peace(data: object) -> None:
    meta = {"format_version": "1.0", "source": "test"}
    if isinstance(data, list):
        meta |= {"count": len(data)}  # type: ignore[dict-item] # counts are numbers
    whole = {"status": "success", "data": data, "error": None, "meta": meta}
    assert worse_than_advice(whole) == []
    assert worse_than_advice(data, dialect="native") == []


ERRORS: Final = {
    "not found": ("NOT_FOUND", "There is no order o-17; list_orders gives the ids."),
    "not valid": ("BAD_LIMIT", "limit must be from 1 to 100, not 1000."),
    "down": ("UPSTREAM_DOWN", "The weather service does not answer; try again later."),
    "quota": ("QUOTA", "The quota of 100 calls a day is used up until 00:00 UTC."),
    "not allowed": ("FORBIDDEN", "Only the owner may delete a list. Ask her to do so."),
    "Chinese": ("NOT_FOUND", "没有找到订单 o-17,请先调用 list_orders 获取编号。"),
    "choice": ("BAD_SORT", "Select a column from the following: title, created_at."),
    "files": ("NO_FILE", "There is no file notes.txt in the folder; see list_files."),
}


@pytest.mark.parametrize(("code", "message"), ERRORS.values(), ids=ERRORS)
def test_helpful_errors_are_left_in_peace(code: str, message: str) -> None:
    retryable = code in ("UPSTREAM_DOWN", "QUOTA")
    error = {"code": code, "message": message, "retryable": retryable}
    whole = {"status": "error", "data": None, "error": error, "meta": {}}
    assert worse_than_advice(whole) == []


def test_declared_yaml_that_quotes_is_left_in_peace() -> None:
    meta = {"format": "yaml"}
    whole = {"status": "success", "data": YAML, "error": None, "meta": meta}
    assert worse_than_advice(whole) == []
