from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.ledger import (
    Evidence,
    Ledger,
    Subject,
    ToolCoverage,
    percent,
    rounded,
    worst_first,
)

ALL: Any = frozenset({"success", "empty", "partial", "error"})


def subject(name: str = "find", **changes: Any) -> Subject:
    return Subject(
        **{"name": name, "identity": f"shop:{name}", "expected": ALL} | changes
    )


def seen(item: str = "t", **changes: Any) -> Evidence:
    values: dict[str, Any] = {"subject": subject(), "origin": "declared"}
    return Evidence(**values | changes, item=item)


def row(*evidence: Evidence) -> ToolCoverage:
    (only,) = Ledger(evidence).tools()
    return only


def finding(rule: str, severity: Severity = Severity.ERROR, **changes: Any) -> Finding:
    values: dict[str, Any] = {"tool": "find", "place": "", "message": "m"}
    words: dict[str, Any] = {"name": "x", "remedy": "r"}
    return Finding(**values | words | changes, rule=rule, severity=severity)


def test_counts_of_all_items_of_a_tool_stand_in_one_row() -> None:
    fuzz: Any = {"origin": "fuzz", "subject": subject(target="shop:TOOLS")}
    one = row(
        seen("a", calls=1, statuses={"success": 1}),
        seen("b", calls=7, refused=2, statuses={"success": 3, "empty": 2}, **fuzz),
    )
    assert (one.target, one.calls, one.total.refused) == ("shop:TOOLS", 8, 2)
    assert one.statuses["success"].seen == 4
    assert one.statuses["success"].by == ("declared", "fuzz")
    assert one.statuses["empty"].by == ("fuzz",)


def test_each_expected_status_is_a_point_and_error_is_its_codes() -> None:
    codes = frozenset({"TIMEOUT", "BUSY", "LIMIT"})
    never: Any = {"partial": "one row", "empty": "always there"}
    send = row(
        seen(
            subject=subject(codes=codes, never=never),
            statuses={"success": 1, "error": 4},
            codes={"TIMEOUT": 3, "BUSY": 1, "SURPRISE": 2},
        )
    )
    assert (send.points, send.possible) == (Fraction(5, 3), 2)
    assert (send.codes_seen, send.codes_expected) == (2, 3)
    assert rounded(send.percent, 0) == 83
    assert send.missing == ("LIMIT",)
    assert not send.codes["SURPRISE"].expected


def test_an_error_without_known_codes_is_a_whole_point() -> None:
    assert row(seen(statuses={"error": 1})).percent == 25
    assert row(seen(statuses={})).percent == 0


def test_codes_of_an_error_never_seen_are_not_listed_beside_it() -> None:
    one = row(seen(subject=subject(codes=frozenset({"A", "B"}))))
    assert one.missing == ("success", "empty", "partial", "error")


def test_the_total_is_points_over_points() -> None:
    full = {"success": 1, "empty": 1, "partial": 1, "error": 1}
    never: Any = {"empty": "x", "partial": "x", "error": "x"}
    one = seen(statuses=full)
    two = seen(subject=subject("send", never=never))
    assert Ledger([one, two]).percent() == 80
    assert percent([]) == 100
    assert Ledger().percent() == 0


def test_a_path_that_cannot_be_is_told_from_one_declared_impossible() -> None:
    expected: Any = frozenset({"success", "error", "partial"})
    never: Any = {"partial": "reads one row"}
    paths = row(seen(subject=subject(expected=expected, never=never))).statuses
    assert (paths["partial"].expected, paths["partial"].never) == (
        False,
        "reads one row",
    )
    assert (paths["empty"].expected, paths["empty"].never) == (False, None)


def test_most_calls_decide_on_the_dialect_of_a_row() -> None:
    native: Any = subject(expected=frozenset({"success", "error"}))
    envelope = subject(dialect="envelope")
    one = row(
        seen("a", subject=native, calls=1, results=1),
        seen("b", subject=envelope, calls=40, results=40, envelopes=38),
        seen("c", subject=envelope, calls=3, results=2, envelopes=2),
    )
    assert one.subject.dialect == "envelope"
    assert one.subject.expected == ALL


def test_reasons_that_differ_become_a_count() -> None:
    first = subject(dialect_reason="0 of 3 results are envelopes")
    second = subject(dialect_reason="0 of 2 results are envelopes")
    one = row(seen("a", subject=first, results=3), seen("b", subject=second, results=2))
    assert one.subject.dialect_reason == "0 of 5 results are envelopes"


def test_faults_and_returns_are_accounted_for() -> None:
    returns = frozenset({"db.py:9", "db.py:10", "db.py:2"})
    one = row(
        seen(
            subject=subject(returns=returns),
            planned=frozenset({"b", "a"}),
            fired=frozenset({"b"}),
            returns=frozenset({"db.py:2"}),
        )
    )
    assert one.unfired == ("a",)
    assert one.returns_missing == ("db.py:9", "db.py:10")


def test_the_same_fault_in_two_items_is_one_finding_with_a_count() -> None:
    long = finding("TR801", arguments={"q": "xxxx"}, count=2)
    short = finding("TR801", arguments={"q": ""}, count=3, origin="fuzz")
    other = finding("TR801", place="data.x")
    one = row(
        seen("a", findings=(long, other)), seen("b", origin="fuzz", findings=(short,))
    )
    assert [(each.place, each.count) for each in one.findings] == [
        ("", 5),
        ("data.x", 1),
    ]
    assert one.findings[0].arguments == {"q": ""}


def test_leaks_come_before_crashes_and_errors_before_warnings() -> None:
    findings = [
        finding("TR402", Severity.ADVICE),
        finding("TR101"),
        finding("TR606", Severity.WARNING),
        finding("TR801"),
        finding("TR602"),
    ]
    assert [each.rule for each in worst_first(findings)] == [
        "TR602",
        "TR801",
        "TR101",
        "TR606",
        "TR402",
    ]


@pytest.mark.parametrize(
    ("share", "digits", "expected"),
    [(99.96, 1, 99.9), (99.99, 0, 99), (0.01, 0, 1), (100, 0, 100), (74.07, 1, 74.1)],
)
def test_rounding_never_promises_a_full_hundred(
    share: float, digits: int, expected: float
) -> None:
    assert rounded(share, digits) == expected


def test_tools_of_one_name_are_told_apart() -> None:
    def rows(*tools: tuple[str, str]) -> list[str]:
        seen = [
            Evidence(
                item=f"{identity}-{target}",
                subject=Subject(name="find", identity=identity, target=target),
                origin="fuzz",
            )
            for identity, target in tools
        ]
        return [row.label for row in Ledger(seen).tools()]

    assert rows(("shop:find", "one")) == ["find"]
    assert rows(("shop:find", ""), ("depot:find", "")) == [
        "find (depot)",
        "find (shop)",
    ]
    assert rows(("shop:find", "one"), ("shop:A.find", "two")) == [
        "find (one)",
        "find (two)",
    ]
    assert rows(("shop:A.find", ""), ("shop:B.find", "")) == [
        "find (shop:A.find)",
        "find (shop:B.find)",
    ]
