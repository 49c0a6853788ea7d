from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.errors import SettingsError
from pytest_toolresult.reporters.baseline import Baseline, load, render

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.findings import Finding

    FindingMaker = Callable[..., Finding]


def test_it_is_sorted_and_minimal(make_finding: FindingMaker) -> None:
    findings = [
        make_finding(tool="send", place="data.x"),
        make_finding("TR602", tool="find", place="data[3].rows[0].token"),
        make_finding("TR602", tool="find", place="data[7].rows[12].token"),
    ]
    assert render(findings) == (
        b'{\n "format": 1,\n "findings": [\n'
        b'  {"tool": "find", "rule": "TR602", "place": "data[].rows[].token"},\n'
        b'  {"tool": "send", "rule": "TR801", "place": "data.x"}\n ]\n}\n'
    )
    assert render(reversed(findings)) == render(findings)


def test_what_was_there_is_known_in_every_row(make_finding: FindingMaker) -> None:
    baseline = load(render([make_finding(place="data[3].ü\ud800")]))
    assert baseline.is_known(make_finding(place="data[41].ü\ud800", message="other"))
    assert not baseline.is_known(make_finding(place="data[3].name"))
    assert not baseline.is_known(make_finding(place="data[3].ü\ud800", tool="send"))
    assert not baseline.is_known(make_finding("TR602", place="data[3].ü\ud800"))


def test_nothing_known_is_a_baseline_too(make_finding: FindingMaker) -> None:
    assert load(render([])) == Baseline()
    assert not Baseline().is_known(make_finding())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "cannot read the baseline toolresult.baseline.json: it is damaged"),
        (b"<<<<<<< HEAD\n{}", "line 1, column 1"),
        (b'{"format": 3}', "it has format 3"),
        (b'{"format": 1, "findings": {}}', "findings should be a list, not {}"),
        (b'{"format": 1, "findings": [{"rule": 1}]}', "findings[0]"),
        (b"", "--toolresult-write-baseline"),
    ],
)
def test_a_damaged_one_says_where_and_what_to_do(data: bytes, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load(data)
    assert words in str(caught.value)
