"""Findings, evidence and the words of two rules, for the tests of all reporters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.ledger import Evidence, Ledger, Subject
from pytest_toolresult.reporters.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    FindingMaker = Callable[..., Finding]
    EvidenceMaker = Callable[..., Evidence]

ALL: Any = frozenset({"success", "empty", "partial", "error"})
NAMES = {"TR801": "exception-escapes", "TR602": "credential", "TR606": "contact-data"}


@dataclass(frozen=True)
class Words:
    what: str
    why: str


CARDS = {
    "TR801": Words(
        what="An exception leaves the tool.",
        why="The model is shown a bare class name, or nothing: it cannot tell what"
        " happened, whether to try again, or what to do instead.",
    ),
    "TR602": Words(
        what="A credential stands in the result.",
        why="What a model reads it may repeat to its user and to other tools.",
    ),
}


@pytest.fixture
def view() -> View:
    return View(cards=CARDS.get)


@pytest.fixture
def make_finding() -> FindingMaker:
    def make(rule: str = "TR801", **changes: Any) -> Finding:
        values: dict[str, Any] = {
            "name": NAMES.get(rule, "some-rule"),
            "severity": Severity.ERROR,
            "tool": "search_notes",
            "place": "",
            "message": "IndexError left the tool: list index out of range.",
            "remedy": "Catch it and return an error with code, message and retryable.",
            "origin": "fuzz",
        }
        return Finding(**values | changes, rule=rule)

    return make


@pytest.fixture
def make_evidence() -> EvidenceMaker:
    """Make evidence of a tool; `about` changes what is known of the tool."""

    def make(
        name: str = "find_orders", *, about: dict[str, Any] | None = None, **seen: Any
    ) -> Evidence:
        known: dict[str, Any] = {
            "identity": f"shop.tools:{name}",
            "target": "shop.tools:TOOLS",
            "dialect": "envelope",
            "dialect_reason": "38 of 41 results are envelopes",
            "expected": ALL,
        }
        values: dict[str, Any] = {"item": f"shop::{name}::fuzz", "origin": "fuzz"}
        subject = Subject(**known | (about or {}), name=name)
        return Evidence(**values | seen, subject=subject)

    return make


@pytest.fixture
def shop(make_evidence: EvidenceMaker) -> Ledger:
    """Three tools: one covered, one nearly, one hardly."""
    many = frozenset(f"fault {number}" for number in range(38))
    dozen = frozenset(f"fault {number}" for number in range(12))
    nine = frozenset(f"timeout at shop/db.py:{number}" for number in range(1, 10))
    find = make_evidence(
        about={"codes": frozenset("ABCD")},
        calls=412,
        refused=18,
        statuses={"success": 3, "empty": 1, "partial": 2, "error": 9},
        codes=dict.fromkeys("ABCD", 2),
        planned=many,
        fired=many,
    )
    send = make_evidence(
        "send_notice",
        about={
            "codes": frozenset({"A", "B", "RATE_LIMITED"}),
            "never": {"empty": "it sends", "partial": "one notice"},
        },
        calls=231,
        statuses={"success": 1, "error": 4},
        codes={"A": 3, "B": 1},
        planned=dozen,
        fired=dozen,
    )
    rate = make_evidence(
        "get_rate",
        about={
            "codes": frozenset("AB"),
            "expected": ALL - {"partial"},
            "returns": frozenset({"shop/tools.py:41"}),
        },
        calls=40,
        statuses={"success": 1},
        planned=nine,
        not_covered={"relations": "no success to start from"},
    )
    return Ledger([send, find, rate])
