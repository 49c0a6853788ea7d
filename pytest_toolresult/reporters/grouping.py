"""Views on the findings of a whole run: what many tools share is said once.

Items pass or fail alone, whatever is grouped here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.ledger import ToolCoverage
    from pytest_toolresult.reporters.view import View

SHARE: Final = 0.8
"""The share of a target's tools that makes a finding one about the target."""

FEWEST: Final = 3
"""How many tools that must be at least."""


_NEVER_SHARED: Final = frozenset({"TR210", "TR801", "TR802", "TR803"})
"""Rules whose causes lie in each tool's own code, however many tools break them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A rule that most tools of a target break: most likely one cause.

    Attributes:
        target: The target.
        tools: How many tools it has.
        example: What is wrong with the first tool.
        others: What is wrong with the others.
    """

    target: str
    tools: int
    example: tuple[Finding, ...]
    others: tuple[Finding, ...]

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.example[0].rule

    @property
    def breadth(self) -> str:
        """On how many tools of which target, in words."""
        broken = 1 + len(self.other_tools)
        where = f" of {self.target}" if self.target else ""
        return f"{broken} of {self.tools} tools{where}"

    @property
    def other_tools(self) -> list[str]:
        """The names of the others, in their order."""
        return list(dict.fromkeys(finding.tool for finding in self.others))


def shared_findings(rows: Sequence[ToolCoverage], view: View) -> list[Shared]:
    """Find the rules that most tools of a target break, the worst first.

    Args:
        rows: The rows of a run, sorted by target.
        view: Which findings are shown at all.
    """
    shared = []
    for target, group in groupby(rows, key=lambda row: row.target):
        tools = list(group)
        enough = max(FEWEST, math.ceil(SHARE * len(tools)))
        shared += [
            _shared(target, len(tools), by_tool)
            for by_tool in _by_rule(tools, view)
            if len(by_tool) >= enough
        ]
    return sorted(shared, key=lambda each: (-each.example[0].severity, each.rule))


def _by_rule(rows: Sequence[ToolCoverage], view: View) -> list[list[list[Finding]]]:
    """Return for each rule the findings of each tool that breaks it."""
    rules: dict[str, dict[str, list[Finding]]] = {}
    for row in rows:
        for finding in row.findings:
            if view.shows(finding) and finding.rule not in _NEVER_SHARED:
                tools = rules.setdefault(finding.rule, {})
                tools.setdefault(row.identity, []).append(finding)
    return [list(tools.values()) for tools in rules.values()]


def _shared(target: str, tools: int, by_tool: Sequence[Sequence[Finding]]) -> Shared:
    first, *others = by_tool
    return Shared(
        target=target,
        tools=tools,
        example=tuple(first),
        others=tuple(finding for group in others for finding in group),
    )
