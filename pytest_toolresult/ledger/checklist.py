"""The checklist of the contract, item by item, computed from what was seen of a tool.

Source: the project's contract (docs/reference/contract.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pytest_toolresult.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.ledger.tool_coverage import ToolCoverage

Item = Literal[
    "status", "fields", "volume", "errors", "partial", "prominence", "redaction",
    "version",
]  # fmt: skip
"""Status is right, fields are clear, volume, error information, partial results,
prominence, sensitive data, version."""

Mark = Literal["green", "red", "not covered"]
"""An item is red by a finding that is more than advice, and not covered where nothing
that it is about was seen."""

_RULES: Final[Mapping[str, Item]] = {
    "TR1": "status",
    "TR2": "status",
    "TR206": "partial",
    "TR207": "partial",
    "TR208": "partial",
    "TR211": "partial",
    "TR217": "partial",
    "TR3": "errors",
    "TR4": "fields",
    "TR401": "prominence",
    "TR405": "prominence",
    "TR407": "prominence",
    "TR5": "volume",
    "TR507": "partial",
    "TR508": "prominence",
    "TR6": "redaction",
    "TR7": "version",
    "TR801": "errors",
    "TR802": "errors",
    "TR803": "errors",
    "TR9": "status",
    "TR904": "errors",
    "TR910": "redaction",
}
"""What each rule, or hundred of rules, is an item of; the longest prefix decides."""

_ANSWERS: Final = ("success", "partial")
_NEEDS: Final[Mapping[Item, tuple[str, ...]]] = {
    "status": ("success", "empty", "partial", "error"),
    "fields": _ANSWERS,
    "volume": _ANSWERS,
    "errors": ("error",),
    "partial": ("partial",),
    "prominence": _ANSWERS,
    "redaction": ("success", "empty", "partial", "error"),
}
"""On which paths a sound result has to be seen, one of them at least."""

ITEMS: Final[tuple[Item, ...]] = (*_NEEDS, "version")
"""All items in the order in which they are shown."""


def checklist(row: ToolCoverage) -> dict[Item, Mark]:
    """Return the checklist of one tool."""
    found = [each for each in row.findings if each.severity > Severity.ADVICE]
    red = {_item_of(each.rule) for each in found}
    return {item: "red" if item in red else _seen(item, row) for item in ITEMS}


def _item_of(rule: str) -> Item | None:
    known = [prefix for prefix in _RULES if rule.startswith(prefix)]
    return _RULES[max(known, key=len)] if known else None


def _seen(item: Item, row: ToolCoverage) -> Mark:
    if item == "version":
        return "green" if row.total.locked else "not covered"
    seen = any(row.total.statuses.get(status) for status in _NEEDS[item])
    return "green" if seen else "not covered"
