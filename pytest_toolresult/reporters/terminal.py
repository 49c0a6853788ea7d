"""What is printed at the end of a run: coverage first, then what failures left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.findings import Severity
from pytest_toolresult.ledger import percent, rounded
from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.reporters.checklist_table import checklist_lines
from pytest_toolresult.reporters.coverage_table import how_read, table
from pytest_toolresult.reporters.failure import block, counted
from pytest_toolresult.reporters.grouping import shared_findings
from pytest_toolresult.reporters.layout import (
    WIDTH,
    listed,
    paragraph,
    plural,
    printable,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.ledger import Ledger, ToolCoverage
    from pytest_toolresult.reporters.grouping import Shared
    from pytest_toolresult.reporters.view import View

COVERAGE_TITLE: Final = "tool result coverage"
FINDINGS_TITLE: Final = "tool result findings"

_MOST_NAMED: Final = 3
_MOST_LINES: Final = 10
"""How many tools are listed for one kind of gap; the json report has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the terminal's summary.

    Attributes:
        title: What stands in the rule above it.
        lines: The text.
    """

    title: str
    lines: tuple[str, ...]


def sections(
    ledger: Ledger,
    view: View,
    *,
    fail_under: float | None = None,
    known: int = 0,
) -> list[Section]:
    """Return what to print at the end of a run: nothing where no tool was tested.

    Args:
        ledger: What was seen.
        view: How it is shown.
        fail_under: The coverage the user asks for, in percent.
        known: How many findings the baseline has silenced.
    """
    rows = ledger.tools()
    if not rows:
        return []
    coverage = [
        *coverage_lines(rows, width=view.width),
        *(["", "Checklist:", *checklist_lines(rows)] if view.found else []),
        *(_found(rows, view.width) if view.found else []),
        *_counts(rows, view, known),
        *_demand(rows, fail_under),
    ]
    findings = findings_lines(ledger, view)
    parts = ((COVERAGE_TITLE, coverage), (FINDINGS_TITLE, findings))
    return [Section(title=title, lines=tuple(lines)) for title, lines in parts if lines]


def coverage_lines(rows: Sequence[ToolCoverage], *, width: int = WIDTH) -> list[str]:
    """Return the coverage of all tools, and what could not be covered.

    Args:
        rows: The rows, sorted by target.
        width: How many columns there are.
    """
    gaps = [*_never_fired(rows), *_never_reached(rows), *_not_covered(rows)]
    refused = sum(row.total.refused for row in rows)
    return [
        *how_read(rows, width=width),
        *table(rows, width=width),
        *_refused(refused),
        *(["", "Not covered:"] if gaps else []),
        *(
            line
            for gap in gaps
            for line in paragraph(gap, first="  ", rest="      ", width=width)
        ),
    ]


def findings_lines(ledger: Ledger, view: View) -> list[str]:
    """Return the findings that no failure shows in full.

    They are what many tools share, what observed calls brought to light, and, where
    the user asks for it, warnings and advice.

    Args:
        ledger: What was seen.
        view: How it is shown.
    """
    rows = ledger.tools()
    shared = shared_findings(rows, view)
    blocks = [_shared_block(each, view) for each in shared]
    blocks += _observed_blocks(ledger, view)
    blocks += [
        block(group, view) for row in rows for group in _lesser(row, view, shared)
    ]
    return [line for lines in blocks for line in ("", *lines)][1:]


def _found(rows: Sequence[ToolCoverage], width: int) -> list[str]:
    """Show the simplest arguments that led to each status."""
    found = [
        f"{row.label}: {status} with {excerpt(row.total.found[status])}"
        for row in rows
        for status in STATUSES
        if status in row.total.found
    ]
    lines = [
        line
        for each in found
        for line in paragraph(printable(each), first="  ", rest="      ", width=width)
    ]
    return ["", "Arguments found for each path:", *lines] if lines else []


def _shared_block(shared: Shared, view: View) -> list[str]:
    others = ", ".join(printable(name) for name in shared.other_tools)
    text = f"on {shared.breadth}, so most likely one cause; also on: {others}"
    return [
        *block(shared.example, view),
        *paragraph(text, first="  ", rest="    ", width=view.width),
    ]


def _observed_blocks(ledger: Ledger, view: View) -> list[list[str]]:
    """Show errors of observed calls with the test that made the call."""
    blocks = []
    for evidence in ledger.evidence:
        if evidence.origin == "observed":
            errors = [each for each in evidence.findings if _is_new_error(each, view)]
            blocks += [
                [
                    *block(group, view),
                    f"  called by   {printable(evidence.item)}",
                ]
                for group in _by_rule(errors)
            ]
    return blocks


def _is_new_error(finding: Finding, view: View) -> bool:
    return finding.severity is Severity.ERROR and not view.is_known(finding)


def _lesser(
    row: ToolCoverage, view: View, shared: Collection[Shared]
) -> list[list[Finding]]:
    """Return the warnings and advice to be shown about a tool, by rule."""
    common = {each.rule for each in shared if each.target == row.target}
    chosen = [
        finding
        for finding in row.findings
        if finding.severity is not Severity.ERROR
        and view.shows(finding)
        and finding.rule not in common
    ]
    return _by_rule(chosen)


def _by_rule(findings: Iterable[Finding]) -> list[list[Finding]]:
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.rule, []).append(finding)
    return list(groups.values())


def _counts(rows: Sequence[ToolCoverage], view: View, known: int) -> list[str]:
    """Count what is not shown."""
    hidden = [
        finding for row in rows for finding in row.findings if view.counts(finding)
    ]
    lines = [f"{counted(hidden)}; --toolresult-show=all"] if hidden else []
    if known:
        lines.append(f"{plural(known, 'finding')} known from the baseline, not shown")
    return ["", *lines] if lines else []


def _demand(rows: Sequence[ToolCoverage], fail_under: float | None) -> list[str]:
    if fail_under is None:
        return []
    reached = percent(rows)
    shown = f"tool result coverage is {rounded(reached, 1):g}%"
    demand = f"--toolresult-fail-under={fail_under:g}"
    if reached < fail_under:
        return ["", f"FAILED: {shown}, below {demand}"]
    return ["", f"{shown}, as {demand} demands"]


def _refused(count: int) -> list[str]:
    if not count:
        return []
    were = "call was" if count == 1 else "calls were"
    return [f"{count} more {were} refused by validation and never reached a tool."]


def _never_fired(rows: Sequence[ToolCoverage]) -> list[str]:
    gaps = [(row, row.unfired) for row in rows if row.unfired]
    return _gaps("faults that never fired", gaps)


def _never_reached(rows: Sequence[ToolCoverage]) -> list[str]:
    gaps = [(row, row.returns_missing) for row in rows if row.returns_missing]
    return _gaps("return statements never reached", gaps)


def _gaps(what: str, gaps: Sequence[tuple[ToolCoverage, tuple[str, ...]]]) -> list[str]:
    lines = [
        printable(f"{row.label}: {what}: {listed(missed, _MOST_NAMED)}")
        for row, missed in gaps[:_MOST_LINES]
    ]
    if len(gaps) > _MOST_LINES:
        lines.append(f"{len(gaps) - _MOST_LINES} more tools: {what} (in a json report)")
    return lines


def _not_covered(rows: Sequence[ToolCoverage]) -> list[str]:
    """Name what could not be explored, once where several share the reason."""
    tools: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        whats: dict[str, list[str]] = {}
        for each in row.not_covered:
            whats.setdefault(each.why, []).append(each.what)
        for why, several in whats.items():
            tools.setdefault((", ".join(several), why), []).append(row.label)
    return [
        printable(_scoped(names, f"{what}: {why}"))
        for (what, why), names in tools.items()
    ]


def _scoped(names: Sequence[str], text: str) -> str:
    if len(names) <= _MOST_NAMED:
        return f"{', '.join(names)}: {text}"
    return f"{len(names)} tools: {text} ({listed(names, _MOST_NAMED)})"
