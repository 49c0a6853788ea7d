"""The text of a failure, for a person who is tired and has other things to do.

First what happened and with which arguments, then how to mend it, then why it
matters and how to see it again. All is plain text, fit for a terminal and a log.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Severity
from pytest_toolresult.ledger import worst_first
from pytest_toolresult.reporters.layout import (
    as_json,
    listed,
    paragraph,
    plural,
    printable,
    unique,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.reporters.grouping import Shared
    from pytest_toolresult.reporters.view import View

MOST_PLACES: Final = 10
"""How many places of one rule are shown."""

_MOST_RETURNED: Final = 8
"""How many lines of what came back are shown."""

_AS_IN_FIRST: Final = "as in 1"
"""Stands for a result that the first of several places has shown already."""

_LABEL: Final = 12
"""Columns of a label and the space behind it."""


def failure_text(
    findings: Sequence[Finding],
    view: View,
    *,
    shared: Collection[Shared] = (),
) -> str:
    """Say what is wrong with a tool: all findings of an item as one failure.

    Args:
        findings: At least one finding.
        view: How it is shown.
        shared: What most tools of the item's target have in common: the end of the
            run shows it in full, and the item in a line.
    """
    common = {each.rule: each for each in shared}
    blocks = [
        _in_a_line(group, common[group[0].rule], view)
        if group[0].rule in common
        else "\n".join(block(group, view))
        for group in _by_rule(findings)
    ]
    if len(blocks) > 1:
        blocks.insert(0, headline(findings))
    return "\n\n".join(blocks)


def headline(findings: Sequence[Finding]) -> str:
    """Say in one line what is wrong, for summaries."""
    ordered = worst_first(findings)
    rules = unique(finding.rule for finding in ordered)
    tool = printable(ordered[0].tool)
    if len(rules) == 1:
        return f"{rules[0]} {ordered[0].name}  {tool}"
    return f"{tool}: {counted(findings)}: {listed(rules, MOST_PLACES)}"


def counted(findings: Sequence[Finding]) -> str:
    """Count findings by severity, as in `2 errors, 1 warning, 3 advice`."""
    severities = [finding.severity for finding in findings]
    words = [
        plural(count, severity.label)
        if severity is not Severity.ADVICE
        else f"{count} advice"
        for severity in reversed(Severity)
        if (count := severities.count(severity))
    ]
    return ", ".join(words)


def block(findings: Sequence[Finding], view: View) -> list[str]:
    """Show the findings of one rule about one tool.

    Args:
        findings: Findings of the same rule and tool.
        view: How it is shown.
    """
    alike = _alike(worst_first(findings))
    if len(alike) == 1:
        return _single(alike[0], view)
    return _several(alike, view)


def _in_a_line(findings: Sequence[Finding], shared: Shared, view: View) -> str:
    text = f"{_title(findings[0])}  (on {shared.breadth}; shown once at the end)"
    return "\n".join(paragraph(text, rest="    ", width=view.width))


def _by_rule(findings: Sequence[Finding]) -> list[list[Finding]]:
    groups = groupby(worst_first(findings), key=lambda each: (each.rule, each.severity))
    return [list(group) for _, group in groups]


def _alike(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Put findings together whose calls gave the same answer under several faults."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for number, finding in enumerate(findings):
        answer = (finding.place, finding.cause, finding.returned)
        key = answer if finding.fault and finding.returned else (number,)
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _single(alike: Sequence[Finding], view: View) -> list[str]:
    finding = alike[0]
    return [
        _title(finding),
        *paragraph(finding.message, first="  ", width=view.width),
        "",
        *_evidence(alike, "  ", view),
        "",
        *_labelled("fix", finding.remedy, "  ", view),
        *_from_card(finding.rule, view),
        *_replay(finding, "  "),
    ]


def _several(groups: Sequence[Sequence[Finding]], view: View) -> list[str]:
    findings = [alike[0] for alike in groups]
    remedies = unique(finding.remedy for finding in findings)
    shared = remedies[0] if len(remedies) == 1 else ""
    lines = [
        f"{_title(findings[0])}  ({len(findings)} places)",
        *_labelled("fix", shared, "  ", view),
        *_from_card(findings[0].rule, view),
    ]
    first = findings[0].otherwise
    for number, alike in enumerate(groups[:MOST_PLACES], start=1):
        known = first if number > 1 and len(first) > len(_AS_IN_FIRST) else ""
        lines += ["", *_numbered(number, alike, view, known)]
        if not shared:
            lines += _labelled("fix", alike[0].remedy, "     ", view)
        lines += _replay(alike[0], "     ")
    return lines + _further(findings[MOST_PLACES:], view)


def _numbered(
    number: int, alike: Sequence[Finding], view: View, known: str
) -> list[str]:
    first = f"  {number:>2} "
    return [
        *paragraph(alike[0].message, first=first, width=view.width),
        *_evidence(alike, "     ", view, known),
    ]


def _further(findings: Sequence[Finding], view: View) -> list[str]:
    if not findings:
        return []
    places = unique(finding.place or "the call as a whole" for finding in findings)
    text = f"and {plural(len(findings), 'more place')}: {listed(places, MOST_PLACES)}"
    return ["", *paragraph(text, first="     ", width=view.width)]


def _title(finding: Finding) -> str:
    weak = finding.severity is not Severity.ERROR
    label = f"  ({finding.severity.label})" if weak else ""
    return f"{finding.rule} {finding.name}  {printable(finding.tool)}{label}"


def _evidence(
    alike: Sequence[Finding], indent: str, view: View, known: str = ""
) -> list[str]:
    finding = alike[0]
    otherwise = _shortened(finding.otherwise)
    if known and finding.otherwise == known:
        otherwise = _AS_IN_FIRST
    return [
        *_labelled("arguments", as_json(finding.arguments), indent, view),
        *_around(finding, indent, view),
        *_labelled("came back", _shortened(finding.returned), indent, view),
        *_labelled("otherwise", otherwise, indent, view),
        *_labelled("where", _where(finding), indent, view),
        *_labelled("seen in", _frequency(alike), indent, view),
    ]


def _around(finding: Finding, indent: str, view: View) -> list[str]:
    """Say what had failed: `while GET /rates answered 503`."""
    if not finding.circumstances:
        return _labelled("fault", _fault(finding), indent, view)
    label, _, words = finding.circumstances.partition(" ")
    return _labelled(label, words, indent, view)


def _from_card(rule: str, view: View) -> list[str]:
    card = view.cards(rule)
    if card is None:
        return []
    return [
        *_labelled("rule", card.what, "  ", view),
        *_labelled("why", card.why, "  ", view),
    ]


def _replay(finding: Finding, indent: str) -> list[str]:
    """Show the command on one line, however long: it is there to be copied."""
    if not finding.replay:
        return []
    return [f"{indent}{'replay':<{_LABEL}}{printable(finding.replay)}"]


def _labelled(label: str, text: str, indent: str, view: View) -> list[str]:
    if not text:
        return []
    return paragraph(text, first=f"{indent}{label:<{_LABEL}}", width=view.width)


def _where(finding: Finding) -> str:
    """Name the place, unless the message has done so."""
    return "" if finding.place in finding.message else finding.place


def _fault(finding: Finding) -> str:
    if not finding.fault:
        return ""
    fault = {"name": "", "seam": "", "site": ""} | dict(finding.fault)
    where = ", ".join(filter(None, (fault["seam"], fault["site"])))
    return f"{fault['name']} put into {where}" if where else fault["name"]


def _frequency(alike: Sequence[Finding]) -> str:
    finding = alike[0]
    made_by = "a declared case" if finding.origin == "declared" else finding.origin
    calls = plural(sum(each.count for each in alike), "call")
    others = unique(each.fault.get("name", "") for each in alike[1:] if each.fault)
    also = f"; also under {listed(others, MOST_PLACES)}" if others else ""
    return f"{calls}, by {made_by}{also}"


def _shortened(returned: str) -> str:
    lines = returned.strip("\n").split("\n")
    if len(lines) <= _MOST_RETURNED:
        return "\n".join(lines)
    more = f"... and {len(lines) - _MOST_RETURNED} more lines"
    return "\n".join([*lines[:_MOST_RETURNED], more])
