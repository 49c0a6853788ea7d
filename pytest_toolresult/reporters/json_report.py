"""The json report, which machines read and `load` turns back into a ledger.

Source of the format: the project's description of it (docs/reference/report.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.errors import ReportError
from pytest_toolresult.findings import Severity
from pytest_toolresult.ledger import Ledger, ToolCoverage, percent, rounded
from pytest_toolresult.ledger.checklist import checklist
from pytest_toolresult.ledger.json_data import plain, plain_text
from pytest_toolresult.ledger.wire import finding_to_dict
from pytest_toolresult.reporters.formats import check_format, read_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import PurePath

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.ledger import NotCovered, PathSeen

FORMAT: Final = 1
"""The format that is written, and the newest that can be read."""

_OWN: Final = ("tool", "returned", "cause", "circumstances", "otherwise")
"""What evidence says of a finding and the rows of the tools do not."""


@dataclass(frozen=True, slots=True)
class JsonReporter:
    """Writes everything that is known of a run as one JSON object."""

    def render(self, ledger: Ledger, path: PurePath) -> Mapping[PurePath, bytes]:
        """Make the report: one file."""
        return {path: render(ledger)}


REPORTER: Final = JsonReporter()


def render(ledger: Ledger) -> bytes:
    """Return the report: UTF-8, keys sorted, a line break at the end.

    The same ledger gives the same bytes, in whatever order it was filled.
    """
    rows = ledger.tools()
    document = ledger.to_dict() | {
        "format": FORMAT,
        "summary": _summary(rows),
        "tools": [_tool(row) for row in rows],
        "not_covered": [_not_covered(each) for each in ledger.not_covered()],
    }
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, indent=1)
    return f"{text}\n".encode()


def load(data: bytes, source: str = "the report") -> Ledger:
    """Read a report back.

    Args:
        data: The content of the file.
        source: What the file is called in messages.

    Raises:
        ReportError: If the file is no report, is damaged, or has a newer format.
    """
    try:
        document = read_object(data)
        check_format(document, FORMAT)
        return Ledger.from_dict(document)
    except ReportError as error:
        raise ReportError(f"cannot read {source}: {error}") from None


def _summary(rows: Sequence[ToolCoverage]) -> dict[str, Any]:
    severities = [finding.severity for row in rows for finding in row.findings]
    return {
        "tools": len(rows),
        "calls": sum(row.calls for row in rows),
        "coverage": rounded(percent(rows), 1) if rows else 0.0,
        "errors": severities.count(Severity.ERROR),
        "warnings": severities.count(Severity.WARNING),
        "advice": severities.count(Severity.ADVICE),
    }


def _tool(row: ToolCoverage) -> dict[str, Any]:
    return {
        "name": plain_text(row.name),
        "target": plain_text(row.target),
        "framework": row.subject.framework,
        "dialect": row.subject.dialect,
        "validate_arguments": row.subject.validate_arguments,
        "kind": row.subject.kind,
        "statuses": {name: _path(path) for name, path in row.statuses.items()},
        "codes": {
            plain_text(name): {"expected": code.expected, "seen": code.seen}
            for name, code in row.codes.items()
        },
        "faults": {
            "planned": len(row.planned),
            "fired": len(row.total.fired),
            "unfired": plain(row.unfired),
        },
        "returns": {
            "reached": len(row.total.returns),
            "total": len(row.returns),
            "missing": plain(row.returns_missing),
        },
        "calls": row.calls,
        "tokens": row.total.tokens,
        "checklist": dict(checklist(row)),
        "coverage": rounded(row.percent, 1),
        "duration_s": round(row.total.duration_s, 3),
        "findings": [_finding(each) for each in row.findings],
    }


def _path(path: PathSeen) -> dict[str, Any]:
    seen = {"expected": path.expected, "seen": path.seen, "by": list(path.by)}
    return seen if path.never is None else seen | {"never": plain_text(path.never)}


def _finding(finding: Finding) -> dict[str, Any]:
    whole = finding_to_dict(finding)
    return {name: value for name, value in whole.items() if name not in _OWN}


def _not_covered(entry: NotCovered) -> dict[str, str]:
    return {
        "tool": plain_text(entry.tool),
        "what": entry.what,
        "why": plain_text(entry.why),
    }
