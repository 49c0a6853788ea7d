from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.errors import ReportError, SettingsError
from pytest_toolresult.ledger import Ledger, Versions
from pytest_toolresult.reporters import Destination, reporter_named
from pytest_toolresult.reporters.json_report import load, render

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.ledger import Evidence

    FindingMaker = Callable[..., Finding]
    EvidenceMaker = Callable[..., Evidence]


def read(ledger: Ledger) -> Any:
    return json.loads(render(ledger))


def test_the_whole_is_summed_up(shop: Ledger) -> None:
    shop.versions = frozenset({Versions(plugin="1.2.0", python="3.12.1")})
    shop.exit_code = 1
    document = read(shop)
    assert sorted(document) == [
        "evidence",
        "exit",
        "format",
        "not_covered",
        "summary",
        "tools",
        "versions",
    ]
    assert (document["format"], document["exit"]) == (1, 1)
    assert document["versions"] == [{"plugin": "1.2.0", "python": "3.12.1"}]
    assert document["summary"] == {
        "tools": 3,
        "calls": 683,
        "coverage": 74.1,
        "errors": 0,
        "warnings": 0,
        "advice": 0,
    }
    assert document["not_covered"] == [
        {"tool": "get_rate", "what": "relations", "why": "no success to start from"}
    ]
    assert list(document["evidence"]) == [
        "shop::find_orders::fuzz",
        "shop::get_rate::fuzz",
        "shop::send_notice::fuzz",
    ]


def test_a_tool_has_every_count(shop: Ledger) -> None:
    find, rate, send = read(shop)["tools"]
    assert find["statuses"]["success"] == {"expected": True, "seen": 3, "by": ["fuzz"]}
    assert find["coverage"] == 100.0
    assert find["faults"] == {"planned": 38, "fired": 38, "unfired": []}
    assert send["codes"]["RATE_LIMITED"] == {"expected": True, "seen": 0}
    assert send["statuses"]["partial"] == {
        "expected": False,
        "never": "one notice",
        "seen": 0,
        "by": [],
    }
    assert rate["statuses"]["partial"] == {"expected": False, "seen": 0, "by": []}
    assert rate["returns"] == {
        "reached": 0,
        "total": 1,
        "missing": ["shop/tools.py:41"],
    }
    assert sorted(rate) == [
        "calls",
        "checklist",
        "codes",
        "coverage",
        "dialect",
        "duration_s",
        "faults",
        "findings",
        "framework",
        "kind",
        "name",
        "returns",
        "statuses",
        "target",
        "tokens",
        "validate_arguments",
    ]


def test_a_finding_stands_as_it_is_described(
    make_evidence: EvidenceMaker, make_finding: FindingMaker
) -> None:
    fault = {"name": "timeout", "seam": "sqlite3", "site": "db.py:3"}
    finding = make_finding(
        arguments={"query": ""}, count=3, replay="pytest", fault=fault
    )
    document = read(Ledger([make_evidence(findings=(finding,))]))
    assert document["summary"]["errors"] == 1
    assert document["tools"][0]["findings"] == [
        {
            "rule": "TR801",
            "name": "exception-escapes",
            "severity": "error",
            "place": "",
            "message": finding.message,
            "remedy": finding.remedy,
            "arguments": {"query": ""},
            "origin": "fuzz",
            "fault": fault,
            "count": 3,
            "replay": "pytest",
        }
    ]


def test_the_bytes_do_not_depend_on_the_order(
    make_evidence: EvidenceMaker, make_finding: FindingMaker
) -> None:
    evidence = [
        make_evidence(
            name,
            planned=frozenset({"x", "y", "z"}),
            statuses={"success": 1, "empty": 2},
            findings=(make_finding(place="a"), make_finding(place="ü")),
        )
        for name in ("a", "b", "c")
    ]
    report = render(Ledger(evidence))
    assert report == render(Ledger(reversed(evidence)))
    assert report.endswith(b"}\n")
    assert "ü" in report.decode("utf-8")


def test_keys_are_sorted_all_the_way_down(shop: Ledger) -> None:
    text = render(shop).decode()
    ordered = json.dumps(json.loads(text), sort_keys=True)
    assert json.dumps(json.loads(text)) == ordered


def test_a_report_reads_back_to_the_same_bytes(shop: Ledger) -> None:
    again = load(render(shop))
    assert again == shop
    assert render(again) == render(shop)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "cannot read out.json: it is empty"),
        (b'{"format": 1, "evid', "it is damaged at line 1, column 15"),
        (b"\xff\xfe\x00", "it is no UTF-8 text"),
        (b"[" * 100_000, "it is no JSON that can be read"),
        (b"[]", "the whole file should be an object, not []"),
        (b"{}", "it says no format number ('format' is None)"),
        (b'{"format": true}', "it says no format number"),
        (b'{"format": 2}', "it has format 2, and this release reads up to format 1"),
        (b'{"format": 1, "evidence": {"t": {}}}', "evidence['t'].subject.name should"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(data: bytes, words: str) -> None:
    with pytest.raises(ReportError) as caught:
        load(data, "out.json")
    assert words in str(caught.value)


def test_a_destination_renders_its_type(shop: Ledger) -> None:
    destination = Destination.parse("json:C:/out/report.json")
    assert destination == Destination(type="json", path=PurePath("C:/out/report.json"))
    assert destination.render(shop) == {destination.path: render(shop)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jsn:a.json", "unknown report type 'jsn'; did you mean 'json'? Valid: json"),
        ("report.json", "Write TYPE:PATH, such as json:report.json"),
        ("json", "report 'json' says no path; write json:PATH"),
        ("json: ", "says no path"),
    ],
)
def test_a_wrong_destination_names_the_right_ones(text: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Destination.parse(text)
    assert words in str(caught.value)


def test_an_unknown_reporter_is_named() -> None:
    with pytest.raises(SettingsError, match="did you mean 'json'"):
        reporter_named("jason")
