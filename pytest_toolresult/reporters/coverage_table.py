"""The table of tool result coverage: one line for each tool, and the total."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.ledger import counted_results, percent, rounded
from pytest_toolresult.reporters.layout import (
    WIDTH,
    cells,
    listed,
    padded,
    paragraph,
    printable,
    unique,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_toolresult.envelope import Status
    from pytest_toolresult.ledger import ToolCoverage

MARKED: Final = "marked tests"
"""Stands for the target of tools that no target holds."""

_GAP: Final = "  "
_NARROWEST_NAME: Final = 20
_MOST_NAMED: Final = 3
_ARGUMENTS: Final = {
    True: "arguments: validated",
    False: "arguments: passed on as they come",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line of the table before it is laid out.

    Attributes:
        name: What stands on the left.
        values: The other columns by their title.
        remark: What stands behind them.
    """

    name: str
    values: dict[str, str]
    remark: str = ""


def table(rows: Sequence[ToolCoverage], *, width: int = WIDTH) -> list[str]:
    """Lay out the table.

    A name that leaves no room for its numbers stands on a line of its own, and so
    does what is missing where it is much; nothing is cut.

    Args:
        rows: The rows, sorted by target.
        width: How many columns the table should fit.
    """
    titles = _titles(rows)
    lines = [_Line(name="Tool", values={title: title for title in titles})]
    lines += [_line(row) for row in rows]
    lines.append(_total(rows))
    widths = _widths(lines, titles, width)
    laid = [_laid_out(line, titles, widths, width) for line in lines]
    return [*laid[0], *_under_targets(rows, laid[1:-1]), *laid[-1]]


def how_read(rows: Sequence[ToolCoverage], *, width: int = WIDTH) -> list[str]:
    """Say in which dialect results were read and whether arguments were validated.

    One line for each target, more only where its tools differ.

    Args:
        rows: The rows, sorted by target.
        width: How many columns there are.
    """
    targets = _by_target(rows)
    lines = []
    for target, tools in targets:
        prefix = f"{_target(target)}: " if len(targets) > 1 else ""
        for words, names in _readings(tools):
            scope = "" if len(names) == len(tools) else f" [{_named(names)}]"
            text = f"{prefix}{words}{scope}"
            lines += paragraph(text, rest="    ", width=width)
    return lines + _hints(rows)


def _hints(rows: Sequence[ToolCoverage]) -> list[str]:
    """Give the line that pins a mapping; it is there to be copied, so unwrapped."""
    hints = unique(printable(row.subject.dialect_hint) for row in rows)
    return [f"to keep it so: toolresult_dialect = {hint}" for hint in hints if hint]


def _titles(rows: Sequence[ToolCoverage]) -> list[str]:
    codes = ["codes"] if any(row.codes_expected for row in rows) else []
    faults = ["faults"] if any(row.planned for row in rows) else []
    tokens = ["tokens"] if any(row.total.tokens for row in rows) else []
    return [*STATUSES, *codes, *faults, "calls", *tokens, "Cover"]


def _line(row: ToolCoverage) -> _Line:
    return _Line(
        name=printable(row.label).replace("\n", "\\n"),
        values={
            **{status: _seen(row, status) for status in STATUSES},
            "codes": _of(row.codes_seen, row.codes_expected),
            "faults": _of(len(row.total.fired), len(row.planned)),
            "calls": str(row.calls),
            "tokens": str(row.total.tokens or ""),
            "Cover": f"{rounded(row.percent, 0):.0f}%",
        },
        remark=f"missing: {', '.join(row.missing)}" if row.missing else "",
    )


def _seen(row: ToolCoverage, status: Status) -> str:
    path = row.statuses[status]
    return str(path.seen) if path.seen or path.expected else "-"


def _of(some: int, all_: int) -> str:
    return f"{some}/{all_}" if all_ else ""


def _total(rows: Sequence[ToolCoverage]) -> _Line:
    return _Line(
        name="TOTAL",
        values={
            "calls": str(sum(row.calls for row in rows)),
            "Cover": f"{rounded(percent(rows), 0):.0f}%",
        },
    )


def _widths(
    lines: Iterable[_Line], titles: Sequence[str], width: int
) -> dict[str, int]:
    """Return the columns each part takes; the name's stands under an empty title."""
    counted = list(lines)
    widths = {
        title: max(len(line.values.get(title, "")) for line in counted)
        for title in titles
    }
    room = width - sum(widths.values()) - len(_GAP) * len(titles)
    longest = max(cells(line.name) for line in counted)
    return widths | {"": min(longest, max(room, _NARROWEST_NAME))}


def _laid_out(
    line: _Line, titles: Sequence[str], widths: dict[str, int], width: int
) -> list[str]:
    fits = cells(line.name) <= widths[""]
    columns = [padded(line.name if fits else "", widths[""])]
    columns += [line.values.get(title, "").rjust(widths[title]) for title in titles]
    numbers = _GAP.join(columns).rstrip()
    above = [] if fits else [line.name]
    return [*above, *_remarked(numbers, line.remark, width)]


def _remarked(numbers: str, remark: str, width: int) -> list[str]:
    """Put what is missing behind the numbers, or below them where it is much."""
    if not remark:
        return [numbers]
    if cells(remark) <= width // 2:
        return [f"{numbers}   {remark}"]
    return [numbers, *paragraph(remark, first="    ", rest="      ", width=width)]


def _under_targets(
    rows: Sequence[ToolCoverage], laid: Sequence[list[str]]
) -> list[str]:
    """Put each target above its tools where there are several."""
    lines: list[str] = []
    several = len(_by_target(rows)) > 1
    before: str | None = None
    for row, of_row in zip(rows, laid, strict=True):
        if several and row.target != before:
            lines.append(f"{_target(row.target)}:")
        before = row.target
        lines += of_row
    return lines


def _by_target(rows: Sequence[ToolCoverage]) -> list[tuple[str, list[ToolCoverage]]]:
    groups = groupby(rows, key=lambda row: row.target)
    return [(target, list(tools)) for target, tools in groups]


def _target(target: str) -> str:
    return printable(target) or MARKED


def _readings(rows: Sequence[ToolCoverage]) -> list[tuple[str, list[str]]]:
    """Return how tools of a target were read, in words, and which ones so."""
    kinds: dict[tuple[str, bool], list[ToolCoverage]] = {}
    for row in rows:
        key = (row.subject.dialect, row.subject.validate_arguments)
        kinds.setdefault(key, []).append(row)
    return [
        (
            f"{_dialect(dialect, tools)}; {_ARGUMENTS[validated]}",
            _names(tools),
        )
        for (dialect, validated), tools in kinds.items()
    ]


def _dialect(dialect: str, rows: Sequence[ToolCoverage]) -> str:
    reasons = {row.subject.dialect_reason for row in rows}
    results = sum(row.total.results for row in rows)
    envelopes = sum(row.total.envelopes for row in rows)
    mapped = any(row.subject.dialect_hint for row in rows)
    counted = counted_results(results, envelopes=envelopes, mapped=mapped)
    reason = reasons.pop() if len(reasons) == 1 else counted if results else ""
    return f"dialect: {dialect} ({reason})" if reason else f"dialect: {dialect}"


def _names(rows: Iterable[ToolCoverage]) -> list[str]:
    return [printable(row.label) for row in rows]


def _named(names: Sequence[str]) -> str:
    return listed(names, _MOST_NAMED)
