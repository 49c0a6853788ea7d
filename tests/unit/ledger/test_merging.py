"""Merging is a union: whatever is merged in whatever order, and twice."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.ledger import ORIGINS, Evidence, Ledger, Subject, Versions, added

WORDS = st.sampled_from(["", "a", "b", "ä\n", "状态"])
NAMES = st.sampled_from(["a", "b", "data[0].x", "ü"])
COUNTS = st.integers(min_value=0, max_value=3)
SETS = st.frozensets(NAMES, max_size=2)
ARGUMENTS: Any = st.dictionaries(
    NAMES, st.sampled_from([None, True, 1, 1.5, "", "x", [1, {"y": None}]]), max_size=2
)

findings = st.builds(
    Finding,
    rule=st.sampled_from(["TR602", "TR801"]),
    name=NAMES,
    severity=st.sampled_from(Severity),
    tool=NAMES,
    place=WORDS,
    message=WORDS,
    remedy=WORDS,
    arguments=ARGUMENTS,
    origin=st.sampled_from(ORIGINS),
    fault=st.none() | st.fixed_dictionaries({"name": NAMES, "seam": NAMES}),
    count=st.integers(min_value=1, max_value=3),
    replay=WORDS,
    returned=WORDS,
    cause=WORDS,
)
subjects = st.builds(
    Subject,
    name=NAMES,
    identity=st.sampled_from(["m:a", "m:b"]),
    target=WORDS,
    dialect=st.sampled_from(["native", "envelope"]),
    dialect_reason=WORDS,
    validate_arguments=st.booleans(),
    kind=st.none() | NAMES,
    expected=st.frozensets(st.sampled_from(STATUSES)),
    never=st.dictionaries(st.sampled_from(STATUSES), NAMES, max_size=1),
    codes=SETS,
    returns=SETS,
)
evidence = st.builds(
    Evidence,
    item=st.sampled_from(["t.py::a", "t.py::b"]),
    subject=subjects,
    origin=st.sampled_from(ORIGINS[:2]),
    calls=COUNTS,
    refused=COUNTS,
    statuses=st.dictionaries(st.sampled_from(STATUSES), COUNTS, max_size=2),
    codes=st.dictionaries(NAMES, COUNTS, max_size=2),
    planned=SETS,
    fired=SETS,
    returns=SETS,
    not_covered=st.dictionaries(NAMES, WORDS, max_size=1),
    findings=st.lists(findings, max_size=3).map(tuple),
    duration_s=st.sampled_from([0.0, 0.125, 2.0]),
    results=COUNTS,
    envelopes=COUNTS,
    found=st.dictionaries(st.sampled_from(STATUSES), ARGUMENTS, max_size=2),
)
ledgers = st.builds(
    Ledger,
    st.lists(evidence, max_size=3),
    versions=st.lists(
        st.builds(Versions, plugin=NAMES, python=st.just("3.12")), max_size=2
    ),
    exit_code=st.integers(min_value=0, max_value=6),
)


def merged(*parts: Ledger) -> Ledger:
    whole = Ledger()
    for part in parts:
        whole.merge(part)
    return whole


def as_bytes(ledger: Ledger) -> bytes:
    return json.dumps(ledger.to_dict(), sort_keys=True, allow_nan=False).encode()


@given(ledgers)
def test_merging_twice_changes_nothing(ledger: Ledger) -> None:
    assert merged(ledger, ledger) == ledger


@given(ledgers, ledgers)
def test_the_order_of_two_does_not_matter(one: Ledger, two: Ledger) -> None:
    assert merged(one, two) == merged(two, one)
    assert as_bytes(merged(one, two)) == as_bytes(merged(two, one))


@given(ledgers, ledgers, ledgers)
def test_how_three_are_put_together_does_not_matter(
    one: Ledger, two: Ledger, three: Ledger
) -> None:
    assert merged(merged(one, two), three) == merged(one, merged(two, three))


@given(ledgers)
def test_plain_data_loses_nothing(ledger: Ledger) -> None:
    sent = json.loads(as_bytes(ledger))
    assert Ledger.from_dict(sent) == ledger
    assert as_bytes(Ledger.from_dict(sent)) == as_bytes(ledger)


@given(ledgers, ledgers)
def test_merging_never_loses_a_finding(one: Ledger, two: Ledger) -> None:
    def faults(ledger: Ledger) -> set[tuple[str, str, str]]:
        return {
            (finding.tool, finding.rule, finding.place)
            for each in ledger.evidence
            for finding in each.findings
        }

    assert faults(merged(one, two)) == faults(one) | faults(two)


@given(ledgers)
def test_rows_account_for_every_call(ledger: Ledger) -> None:
    rows = ledger.tools()
    assert sum(row.calls for row in rows) == sum(e.calls for e in ledger.evidence)
    assert 0 <= ledger.percent() <= 100


def sight(**changes: Any) -> Evidence:
    subject = Subject(name="find", identity="shop:find")
    values: dict[str, Any] = {"item": "t", "subject": subject, "origin": "fuzz"}
    return Evidence(**values | changes)


def test_the_same_item_twice_keeps_the_larger_counts() -> None:
    ledger = Ledger([sight(calls=3, statuses={"success": 3})])
    ledger.merge(Ledger([sight(calls=5, statuses={"success": 1, "empty": 4})]))
    (only,) = ledger.evidence
    assert only.calls == 5
    assert only.statuses == {"success": 3, "empty": 4}


def test_calls_recorded_one_by_one_are_summed_up() -> None:
    one = sight(calls=1, refused=1, statuses={"success": 1}, duration_s=0.5)
    total = added(added(one, one), one)
    assert (total.calls, total.refused, total.duration_s) == (3, 3, 1.5)
    assert total.statuses == {"success": 3}


def test_one_item_may_see_several_tools() -> None:
    other = Subject(name="send", identity="shop:send")
    ledger = Ledger([sight(calls=1), sight(calls=2, subject=other)])
    item = ledger.to_dict()["evidence"]["t"]
    assert item["calls"] == 1
    assert [each["calls"] for each in item["also"]] == [2]
    assert Ledger.from_dict(ledger.to_dict()) == ledger


def test_the_worst_exit_survives() -> None:
    def exit_of(*codes: int) -> int:
        return merged(*(Ledger(exit_code=code) for code in codes)).exit_code

    assert exit_of(5, 0) == 5
    assert exit_of(1, 5) == 1
    assert exit_of(1, 2, 4) == 4
    assert exit_of(3, 4) == 3


def test_what_no_encoding_takes_is_written_as_escape() -> None:
    finding = Finding(
        rule="TR811",
        name="not-unicode",
        severity=Severity.ERROR,
        tool="find",
        place="",
        message="a lone \ud800",
        remedy="",
        arguments={"q": "\udcff", "n": float("nan"), "set": {1}},
    )
    data = Ledger([sight(findings=(finding,))]).to_dict()
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    assert "\\\\udcff" in text
    assert text.encode("utf-8")


def test_the_simplest_arguments_found_win_in_whatever_order() -> None:
    subject = Subject(name="f", identity="m:f")

    def seen(item: str, **found: Any) -> Evidence:
        return Evidence(item=item, subject=subject, origin="fuzz", found=found)

    long, short = {"name": "nobody at all"}, {"name": "x"}
    one = seen("t", empty=long, error={"name": ""})
    two = seen("t", empty=short)
    for pair in ((one, two), (two, one)):
        (row,) = Ledger(pair).tools()
        assert row.total.found == {"empty": short, "error": {"name": ""}}
