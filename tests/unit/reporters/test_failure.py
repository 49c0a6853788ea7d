from __future__ import annotations

import time
from textwrap import dedent
from typing import TYPE_CHECKING

from pytest_toolresult.findings import Severity
from pytest_toolresult.reporters.failure import counted, failure_text, headline
from pytest_toolresult.reporters.grouping import Shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.reporters.view import View

    FindingMaker = Callable[..., Finding]


def test_one_finding_reads_from_what_happened_to_how_to_see_it_again(
    make_finding: FindingMaker, view: View
) -> None:
    crash = make_finding(
        arguments={"query": "", "limit": None, "tags": ["日本"]},
        count=3,
        returned="IndexError: list index out of range",
        place="data",
        fault={"name": "timeout", "seam": "sqlite3", "site": "shop/db.py:12"},
        replay="pytest --toolresult shop.tools:TOOLS --toolresult-replay=6f",
    )
    assert failure_text([crash], view) == dedent(
        """\
        TR801 exception-escapes  search_notes
          IndexError left the tool: list index out of range.

          arguments   {"query": "", "limit": null, "tags": ["日本"]}
          fault       timeout put into sqlite3, shop/db.py:12
          came back   IndexError: list index out of range
          where       data
          seen in     3 calls, by fuzz

          fix         Catch it and return an error with code, message and retryable.
          rule        An exception leaves the tool.
          why         The model is shown a bare class name, or nothing: it cannot tell
                      what happened, whether to try again, or what to do instead.
          replay      pytest --toolresult shop.tools:TOOLS --toolresult-replay=6f"""
    )


def test_what_had_failed_and_what_came_back_otherwise_are_told(
    make_finding: FindingMaker, view: View
) -> None:
    finding = make_finding(
        fault={"name": "http_429", "seam": "httpx", "site": "shop.py:31"},
        circumstances="while GET /weather answered 429 (httpx, shop.py:31)",
        returned='{"status": "empty"}',
        otherwise='{"status": "success"}',
    )
    text = failure_text([finding], view)
    assert (
        """\
  while       GET /weather answered 429 (httpx, shop.py:31)
  came back   {"status": "empty"}
  otherwise   {"status": "success"}
"""
        in text
    )


def test_faults_that_bring_about_one_answer_are_shown_together(
    make_finding: FindingMaker, view: View
) -> None:
    def under(name: str, returned: str) -> Finding:
        fault = {"name": name, "seam": "httpx", "site": "shop.py:31"}
        return make_finding(
            fault=fault, circumstances=f"while {name}", returned=returned, count=2
        )

    text = failure_text([under("dns", "x"), under("refused", "x")], view)
    assert text.count("came back") == 1
    assert "seen in     4 calls, by fuzz; also under refused" in text
    apart = failure_text([under("dns", "x"), under("refused", "y")], view)
    assert apart.count("came back") == 2


def test_several_findings_are_one_failure_the_worst_first(
    make_finding: FindingMaker, view: View
) -> None:
    text = failure_text(
        [
            make_finding("TR606", severity=Severity.WARNING),
            make_finding("TR801"),
            make_finding("TR602"),
        ],
        view,
    )
    heads = [line for line in text.splitlines() if line.startswith(("TR", "search"))]
    assert heads == [
        "search_notes: 2 errors, 1 warning: TR602, TR801, TR606",
        "TR602 credential  search_notes",
        "TR801 exception-escapes  search_notes",
        "TR606 contact-data  search_notes  (warning)",
    ]


def test_a_rule_is_explained_once_and_shows_ten_places(
    make_finding: FindingMaker, view: View
) -> None:
    leaks = [
        make_finding("TR602", place=f"rows[{n:02}].key", message=f"a key in row {n}")
        for n in range(23)
    ]
    text = failure_text(leaks, view)
    assert text.count("A credential stands in the result.") == 1
    assert text.count("arguments   ") == 10
    assert "  10 a key in row 9" in text
    assert "and 13 more places: rows[10].key, rows[11].key" in text
    assert text.splitlines()[0] == "TR602 credential  search_notes  (23 places)"


def test_what_came_back_otherwise_is_shown_once(
    make_finding: FindingMaker, view: View
) -> None:
    whole, half = '{"status": "success", "data": [1, 2]}', '{"status": "success"}'
    findings = [
        make_finding(place=f"data[{number}]", otherwise=otherwise)
        for number, otherwise in enumerate((whole, whole, half))
    ]
    text = failure_text(findings, view)
    assert text.count(whole) == 1
    assert text.count(f"otherwise   {half}\n") == 1
    assert text.count("otherwise   as in 1\n") == 1


def test_remedies_that_differ_stand_at_their_places(
    make_finding: FindingMaker, view: View
) -> None:
    text = failure_text(
        [
            make_finding(place="a", remedy="do A"),
            make_finding(place="b", remedy="do B"),
        ],
        view,
    )
    assert text.index("do A") < text.index("2 IndexError") < text.index("do B")


def test_lines_keep_to_the_width_but_for_the_command(
    make_finding: FindingMaker, view: View
) -> None:
    finding = make_finding(
        message="words and words " * 20 + "错误信息" * 40,
        arguments={"text": "x" * 300, "list": list(range(50))},
        returned="first line\nsecond line\n" + "y" * 200,
        replay="pytest " + "z" * 200,
    )
    lines = failure_text([finding], view).splitlines()
    wide = [line for line in lines if len(line) > 80]
    assert [line.split()[0] for line in wide] == ["replay"]
    assert any(line.endswith("second line") for line in lines)


def test_long_results_are_cut_and_say_so(
    make_finding: FindingMaker, view: View
) -> None:
    text = failure_text([make_finding(returned="line\n" * 30)], view)
    assert text.count("line\n") < 30
    assert "... and 22 more lines" in text


def test_nothing_that_a_tool_returned_reaches_the_terminal_raw(
    make_finding: FindingMaker, view: View
) -> None:
    text = failure_text(
        [
            make_finding(
                message="a\x1b[31mred\x07\x7f",
                returned="\u202eabc\ud800",
                arguments={"q": "\x1b]0;title\x07\ud800\u200b"},
                tool="t\x1b[2J",
            )
        ],
        view,
    )
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.encode("utf-8")
    assert '{"q": "\\u001b]0;title\\u0007' in text


def test_a_rule_without_a_card_is_shown_all_the_same(
    make_finding: FindingMaker, view: View
) -> None:
    text = failure_text([make_finding("TR999")], view)
    assert "TR999 some-rule" in text
    assert "why " not in text


def test_what_many_tools_share_is_one_line_in_each_item(
    make_finding: FindingMaker, view: View
) -> None:
    mine = make_finding("TR602")
    others = tuple(make_finding("TR602", tool=name) for name in ("a", "b"))
    shared = Shared(target="shop:TOOLS", tools=3, example=(mine,), others=others)
    text = failure_text([mine, make_finding()], view, shared=[shared])
    assert text.split("\n\n")[1].splitlines() == [
        "TR602 credential  search_notes  (on 3 of 3 tools of shop:TOOLS; shown once at",
        "    the end)",
    ]
    assert "TR801 exception-escapes  search_notes\n" in text


def test_headline_and_count_are_for_summaries(make_finding: FindingMaker) -> None:
    one, warning = make_finding(), make_finding("TR606", severity=Severity.WARNING)
    advice = make_finding("TR402", severity=Severity.ADVICE)
    assert headline([one, one]) == "TR801 exception-escapes  search_notes"
    assert counted([one, warning, warning, advice]) == "1 error, 2 warnings, 1 advice"


def test_a_hundred_findings_are_text_in_no_time(
    make_finding: FindingMaker, view: View
) -> None:
    findings = [
        make_finding(
            f"TR{100 + number}",
            place=f"data[{number}]",
            message="a message of several words " * 10,
            returned='{"status": "success", "data": [1, 2, 3]}' * 8,
        )
        for number in range(100)
    ]
    start = time.process_time()
    text = failure_text(findings, view)
    assert time.process_time() - start < 0.5
    assert text.count("seen in") == 100
