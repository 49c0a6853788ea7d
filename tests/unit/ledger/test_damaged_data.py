from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.errors import ReportError
from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.ledger import Evidence, Ledger, Subject


def document() -> dict[str, Any]:
    finding = Finding(
        rule="TR801",
        name="exception-escapes",
        severity=Severity.ERROR,
        tool="find",
        place="",
        message="KeyError left the tool",
        remedy="return an error",
        fault={"name": "timeout", "seam": "sqlite3", "site": "db.py:3"},
    )
    subject = Subject(name="find", identity="shop:find", expected=frozenset({"error"}))
    seen = Evidence(item="t", subject=subject, origin="fuzz", findings=(finding,))
    return Ledger([seen]).to_dict()


def damaged(path: str, value: object) -> dict[str, Any]:
    data = document()
    inner: Any = data
    *way, last = path.split("/")
    for step in way:
        inner = inner[int(step)] if step.isdecimal() else inner[step]
    inner[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("evidence", [], "evidence should be an object, not []"),
        ("evidence/t", 3, "evidence['t'] should be an object, not 3"),
        ("evidence/t/calls", -1, "evidence['t'].calls should be a whole number"),
        ("evidence/t/calls", True, "a whole number of 0 or more, not True"),
        ("evidence/t/origin", "fuz", "one of declared, fuzz"),
        ("evidence/t/fired", "abc", "should be a list, not 'abc'"),
        ("evidence/t/fired", [1], "should be a list of texts, not 1"),
        ("evidence/t/statuses", {"success": "3"}, "statuses.success should be"),
        ("evidence/t/duration_s", "1", "should be a number"),
        ("evidence/t/duration_s", float("nan"), "should be a number of 0 or more"),
        ("evidence/t/subject/name", None, "subject.name should be a text, not None"),
        ("evidence/t/subject/expected", ["good"], "one of success, empty"),
        ("evidence/t/subject/validate_arguments", 1, "should be true or false"),
        ("evidence/t/findings/0/severity", "bad", "findings[0].severity should be one"),
        ("evidence/t/findings/0/fault", {"name": 3}, "fault.name should be a text"),
        ("evidence/t/found", {"empty": 3}, "found.empty should be an object, not 3"),
        ("versions", [{"plugin": "1"}], "versions.python should be a text"),
        ("exit", None, "exit should be a whole number"),
    ],
)
def test_the_field_and_the_right_type_are_named(
    path: str, value: object, words: str
) -> None:
    with pytest.raises(ReportError) as caught:
        Ledger.from_dict(damaged(path, value))
    assert words in str(caught.value)


def test_what_is_absent_has_its_default() -> None:
    data = document()
    for name in ("refused", "statuses", "returns", "results"):
        del data["evidence"]["t"][name]
    assert Ledger.from_dict(data) == Ledger.from_dict(document())
