from __future__ import annotations

import csv
import json

import pytest

from pytest_toolresult.results import ToolResult

NOTE = 'said "no", then left'
ROWS = [
    {"order_id": "o-1", "note": NOTE, "paid": True, "total": "9.50"},
    {"order_id": "o-2", "note": None, "paid": False, "total": ""},
]


def test_json_keeps_characters_readable() -> None:
    text = ToolResult.ok([{"名称": "café"}], count=1).to_prompt()
    assert "名称" in text
    assert json.loads(text)["meta"] == {"count": 1}


def test_alike_rows_as_csv() -> None:
    text = ToolResult.partial(ROWS, total=9, next_cursor="p2").to_prompt("csv")
    head, _, body = text.partition("\n\n")
    assert head.splitlines()[0] == "status: partial"
    assert json.loads(head.splitlines()[1].removeprefix("meta: "))["total"] == 9
    assert body.splitlines()[-1] == 'o-2,,false,""'
    rows = list(csv.DictReader(body.splitlines()))
    assert rows[0]["note"] == NOTE


def test_a_conclusion_as_text() -> None:
    text = ToolResult.ok({"mean": 3.5, "unit": "°C"}).to_prompt("text")
    assert text == "status: success\n\nmean: 3.5\nunit: °C"
    assert ToolResult.ok("all is well").to_prompt("text").endswith("\n\nall is well")


def test_an_error_is_json_always() -> None:
    failed = ToolResult.fail("NO_ID", "order_id is missing", retryable=False)
    assert json.loads(failed.to_prompt("csv"))["error"]["code"] == "NO_ID"


@pytest.mark.parametrize(
    "data", [[], "text", {"a": 1}, [1], [{"a": 1}, {"b": 1}], [{"a": 1}, {}]]
)
def test_rows_that_are_not_alike_are_no_csv(data: object) -> None:
    with pytest.raises(ValueError, match="CSV"):
        ToolResult.ok(data).to_prompt("csv")


def test_several_lines_are_no_text() -> None:
    with pytest.raises(ValueError, match="several lines"):
        ToolResult.ok({"log": "one\ntwo"}).to_prompt("text")


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        ToolResult.ok(float("nan")).to_prompt("text")
    with pytest.raises(TypeError):
        ToolResult.ok([{"a": object()}]).to_prompt("csv")
