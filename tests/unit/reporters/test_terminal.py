from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.findings import Severity
from pytest_toolresult.ledger import Ledger
from pytest_toolresult.reporters.coverage_table import how_read, table
from pytest_toolresult.reporters.grouping import shared_findings
from pytest_toolresult.reporters.json_report import render
from pytest_toolresult.reporters.layout import cells
from pytest_toolresult.reporters.terminal import sections
from tests.timing import seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.ledger import Evidence
    from pytest_toolresult.reporters.view import View

    FindingMaker = Callable[..., Finding]
    EvidenceMaker = Callable[..., Evidence]


def lines_of(ledger: Ledger, view: View, **options: Any) -> list[str]:
    return [line for part in sections(ledger, view, **options) for line in part.lines]


def test_the_coverage_section(shop: Ledger, view: View) -> None:
    (section,) = sections(shop, view)
    assert section.title == "tool result coverage"
    assert "\n".join(section.lines) == dedent(
        """\
        dialect: envelope (38 of 41 results are envelopes); arguments: validated
        Tool         success  empty  partial  error  codes  faults  calls  Cover
        find_orders        3      1        2      9    4/4   38/38    412   100%
        get_rate           1      0        -      0    0/2     0/9     40    33%   missing: empty, error
        send_notice        1      -        -      4    2/3   12/12    231    83%   missing: RATE_LIMITED
        TOTAL                                                         683    74%
        18 more calls were refused by validation and never reached a tool.

        Not covered:
          get_rate: faults that never fired: timeout at shop/db.py:1, timeout at
              shop/db.py:2, timeout at shop/db.py:3 and 6 more
          get_rate: return statements never reached: shop/tools.py:41
          get_rate: relations: no success to start from"""  # noqa: E501
    )


def test_columns_that_nobody_has_are_left_out(make_evidence: EvidenceMaker) -> None:
    native: Any = {"expected": frozenset({"success", "error"}), "dialect": "native"}
    rows = Ledger([make_evidence(about=native, statuses={"success": 2})]).tools()
    assert table(rows) == [
        "Tool         success  empty  partial  error  calls  Cover",
        "find_orders        2      -        -      0      0    50%   missing: error",
        "TOTAL                                            0    50%",
    ]


def test_a_status_seen_against_all_expectation_is_shown(
    make_evidence: EvidenceMaker,
) -> None:
    about: Any = {"expected": frozenset({"success"})}
    rows = Ledger([make_evidence(about=about, statuses={"partial": 2})]).tools()
    assert table(rows)[1].split()[:4] == ["find_orders", "0", "-", "2"]


def test_wide_letters_stay_in_their_columns(make_evidence: EvidenceMaker) -> None:
    rows = Ledger([make_evidence("查询订单"), make_evidence("find")]).tools()
    ends = {
        cells(line[: line.index("%")])
        for line in table(rows)
        if line.split()[0] in {"查询订单", "find", "TOTAL"}
    }
    assert len(ends) == 1


def test_long_names_stand_above_their_numbers(make_evidence: EvidenceMaker) -> None:
    long = "list_repository_pull_request_review_comments_of_one_user"
    lines = table(Ledger([make_evidence(long, statuses={"success": 7})]).tools())
    assert lines[1] == long
    assert lines[2].split()[0] == "7"
    assert all(len(line) <= 80 for line in lines if "missing" not in line)


def test_much_that_is_missing_stands_below(make_evidence: EvidenceMaker) -> None:
    codes = frozenset(f"UPSTREAM_FAILED_{number}" for number in range(12))
    about: Any = {"codes": codes}
    rows = Ledger([make_evidence(about=about, statuses={"error": 1})]).tools()
    lines = table(rows)
    assert lines[2].startswith(
        "    missing: success, empty, partial, UPSTREAM_FAILED_0"
    )
    assert all(len(line) <= 80 for line in lines)


def test_targets_stand_above_their_tools(make_evidence: EvidenceMaker) -> None:
    one = make_evidence("a", about={"target": "one:TOOLS"})
    two = make_evidence("b", about={"target": "", "validate_arguments": False})
    rows = Ledger([one, two]).tools()
    assert [line.split("  ")[0] for line in table(rows)] == [
        "Tool",
        "marked tests:",
        "b",
        "one:TOOLS:",
        "a",
        "TOTAL",
    ]
    dialect = "dialect: envelope (38 of 41 results are envelopes)"
    assert how_read(rows, width=200) == [
        f"marked tests: {dialect}; arguments: passed on as they come",
        f"one:TOOLS: {dialect}; arguments: validated",
    ]


def test_tools_that_agree_are_one_line_with_their_results_counted(
    make_evidence: EvidenceMaker,
) -> None:
    def native(name: str, results: int) -> Evidence:
        reason = f"0 of {results} results are envelopes"
        about = {"dialect": "native", "dialect_reason": reason}
        return make_evidence(name, about=about, results=results)

    ledger = Ledger([native("a", 30), native("b", 11)])
    assert how_read(ledger.tools()) == [
        "dialect: native (0 of 41 results are envelopes); arguments: validated"
    ]
    ledger.record(make_evidence("c"))
    assert how_read(ledger.tools(), width=200) == [
        "dialect: native (0 of 41 results are envelopes); arguments: validated [a, b]",
        "dialect: envelope (38 of 41 results are envelopes); arguments: validated [c]",
    ]


def test_the_line_that_pins_a_mapping_is_given_once(
    make_evidence: EvidenceMaker,
) -> None:
    about = {"dialect": "map", "dialect_hint": "map: status=ok data=result error=err"}
    rows = Ledger(make_evidence(name, about=about) for name in "ab").tools()
    assert how_read(rows)[-1] == (
        "to keep it so: toolresult_dialect = map: status=ok data=result error=err"
    )


def test_a_reason_that_many_tools_share_is_given_once(
    make_evidence: EvidenceMaker, view: View
) -> None:
    why = {"faults": "no observed dependency"}
    few = [make_evidence(name, not_covered=why) for name in ("a", "b")]
    many = [make_evidence(f"tool_{number:03}", not_covered=why) for number in range(50)]
    assert "  a, b: faults: no observed dependency" in lines_of(Ledger(few), view)
    lines = lines_of(Ledger(many), view)
    assert len([line for line in lines if "no observed" in line]) == 1
    assert (
        "  50 tools: faults: no observed dependency (tool_000, tool_001"
        in "\n".join(lines)
    )


def test_warnings_and_advice_are_one_line_unless_asked_for(
    make_evidence: EvidenceMaker, make_finding: FindingMaker, view: View
) -> None:
    ledger = Ledger(
        [
            make_evidence(
                findings=(
                    make_finding("TR606", severity=Severity.WARNING),
                    make_finding("TR402", severity=Severity.ADVICE, place="data.a"),
                    make_finding("TR402", severity=Severity.ADVICE, place="data.b"),
                )
            )
        ]
    )
    hidden = "1 warning, 2 advice; --toolresult-show=all"
    assert lines_of(ledger, view)[-1] == hidden
    assert len(sections(ledger, view)) == 1

    warnings = lines_of(ledger, replace(view, show="warnings"))
    assert "2 advice; --toolresult-show=all" in warnings
    assert "TR606 contact-data  search_notes  (warning)" in warnings
    assert not any(line.startswith("TR402") for line in warnings)

    everything = lines_of(ledger, replace(view, show="all"))
    assert "TR402 some-rule  search_notes  (advice)  (2 places)" in everything
    assert not any("--toolresult-show" in line for line in everything)


def test_what_most_tools_of_a_target_share_is_shown_once(
    make_evidence: EvidenceMaker, make_finding: FindingMaker, view: View
) -> None:
    def broken(name: str) -> Evidence:
        return make_evidence(name, findings=(make_finding("TR602", tool=name),))

    ledger = Ledger([*map(broken, "abcd"), make_evidence("e")])
    lines = lines_of(ledger, view)
    assert [line for line in lines if line.startswith("TR602")] == [
        "TR602 credential  a"
    ]
    assert " ".join(map(str.strip, lines[-2:])) == (
        "on 4 of 5 tools of shop.tools:TOOLS, so most likely one cause;"
        " also on: b, c, d"
    )
    ledger.record(make_evidence("f"))
    assert shared_findings(ledger.tools(), view) == []  # 4 of 6 is too few


@pytest.mark.parametrize(("names", "shared"), [("ab", 0), ("abc", 1)])
def test_two_tools_alone_share_nothing(
    make_evidence: EvidenceMaker,
    make_finding: FindingMaker,
    view: View,
    names: str,
    shared: int,
) -> None:
    ledger = Ledger(
        make_evidence(name, findings=(make_finding("TR602", tool=name),))
        for name in names
    )
    assert len(shared_findings(ledger.tools(), view)) == shared


def test_crashes_have_a_cause_each(
    make_evidence: EvidenceMaker, make_finding: FindingMaker, view: View
) -> None:
    ledger = Ledger(
        make_evidence(name, findings=(make_finding("TR801", tool=name),))
        for name in "abc"
    )
    assert shared_findings(ledger.tools(), view) == []


def test_observed_errors_name_the_test_that_made_the_call(
    make_evidence: EvidenceMaker, make_finding: FindingMaker, view: View
) -> None:
    seen = make_evidence(
        item="tests/test_agent.py::test_answer",
        origin="observed",
        findings=(make_finding(origin="observed"),),
    )
    lines = lines_of(Ledger([seen]), view)
    assert "TR801 exception-escapes  search_notes" in lines
    assert lines[-1] == "  called by   tests/test_agent.py::test_answer"


def test_the_demanded_coverage_is_compared_before_rounding(
    shop: Ledger, view: View
) -> None:
    assert lines_of(shop, view, fail_under=74)[-1] == (
        "tool result coverage is 74.1%, as --toolresult-fail-under=74 demands"
    )
    assert lines_of(shop, view, fail_under=74.1)[-1] == (
        "FAILED: tool result coverage is 74.1%, below --toolresult-fail-under=74.1"
    )


def test_known_findings_are_counted(shop: Ledger, view: View) -> None:
    assert "2 findings known from the baseline, not shown" in lines_of(
        shop, view, known=2
    )


def test_what_the_user_knows_is_neither_shown_nor_counted(
    make_evidence: EvidenceMaker, make_finding: FindingMaker, view: View
) -> None:
    warning = make_finding("TR606", severity=Severity.WARNING)
    ledger = Ledger(
        make_evidence(name, findings=(make_finding("TR602", tool=name), warning))
        for name in "abc"
    )
    told = "\n".join(lines_of(ledger, replace(view, is_known=lambda _: True)))
    assert "TR602" not in told
    assert "warning" not in told
    assert "TR602" in "\n".join(lines_of(ledger, view))


def test_nothing_tested_is_nothing_said(view: View) -> None:
    assert sections(Ledger(), view) == []


def test_the_cost_of_telling_grows_with_the_number_of_tools(
    make_evidence: EvidenceMaker, make_finding: FindingMaker, view: View
) -> None:
    def many(tools: int) -> Ledger:
        return Ledger(
            make_evidence(
                f"tool_{number:03}",
                item=f"shop::tool_{number:03}::{origin}",
                origin=origin,
                calls=200,
                statuses={"success": 3, "error": 1},
                planned=frozenset({f"fault {each}" for each in range(5)}),
                findings=(make_finding(tool=f"tool_{number:03}"),) * (number % 5 > 0),
            )
            for number in range(tools)
            for origin in ("declared", "fuzz", "faults")
        )

    def report(ledger: Ledger) -> None:
        lines, written = lines_of(ledger, view), render(ledger)
        assert len(lines) > len(ledger.tools())
        assert written.count(b'"calls": 600') >= len(ledger.tools())

    few, all_of_them = many(100), many(500)
    assert seconds(lambda: report(all_of_them)) < 15 * seconds(lambda: report(few))


def test_arguments_found_are_shown_where_they_are_asked_for(
    make_evidence: EvidenceMaker, view: View
) -> None:
    seen = make_evidence(found={"empty": {"customer_id": "nobody\n"}, "success": {}})
    ledger = Ledger([seen])
    assert not any("nobody" in line for line in lines_of(ledger, view))
    assert lines_of(ledger, replace(view, found=True))[-3:] == [
        "Arguments found for each path:",
        "  find_orders: success with {}",
        '  find_orders: empty with {"customer_id": "nobody\\n"}',
    ]


def test_tools_of_one_name_are_told_apart_in_the_table(
    make_evidence: EvidenceMaker,
) -> None:
    one = make_evidence(item="a")
    two = make_evidence(item="b", about={"identity": "depot.tools:find_orders"})
    names = [line.split("  ")[0] for line in table(Ledger([one, two]).tools())]
    assert names == [
        "Tool",
        "find_orders (depot.tools)",
        "find_orders (shop.tools)",
        "TOTAL",
    ]
