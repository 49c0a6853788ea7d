"""The ledger: all evidence of a run, which merges as a union."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.ledger.evidence import Evidence, joined
from pytest_toolresult.ledger.json_data import Record
from pytest_toolresult.ledger.tool_coverage import (
    NotCovered,
    ToolCoverage,
    coverage_of,
    percent,
    told_apart,
)
from pytest_toolresult.ledger.wire import evidence_from_dict, evidence_to_dict

if TYPE_CHECKING:
    from collections.abc import Iterable

_EXITS: Final = (0, 5, 1, 2, 4, 3)
"""pytest's exit codes, the worst last: passed, nothing collected, failures,
interrupted, usage error, internal error."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Versions:
    """What a report was made with.

    Attributes:
        plugin: The version of this project.
        python: The version of the interpreter.
    """

    plugin: str
    python: str


class Ledger:
    """All evidence of a run.

    Attributes:
        versions: What the evidence was made with.
        exit_code: The exit code of the run, or the worst one of several.
    """

    def __init__(
        self,
        evidence: Iterable[Evidence] = (),
        *,
        versions: Iterable[Versions] = (),
        exit_code: int = 0,
    ) -> None:
        self.versions = frozenset(versions)
        self.exit_code = exit_code
        self._evidence: dict[tuple[str, str, str], Evidence] = {}
        for each in evidence:
            self.record(each)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ledger):
            return NotImplemented
        return self._state() == other._state()

    __hash__ = None  # type: ignore[assignment]  # it grows while a run goes on

    def __repr__(self) -> str:
        return f"<Ledger of {len(self._evidence)} pieces of evidence>"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence, sorted by item, tool and origin."""
        return tuple(self._evidence[key] for key in sorted(self._evidence))

    def record(self, evidence: Evidence) -> None:
        """Take in evidence of an item; what is known of it already is united with it.

        Calls of one item that are recorded one by one are summed up beforehand, with
        `added`.
        """
        known = self._evidence.get(evidence.key, evidence)
        self._evidence[evidence.key] = joined(known, evidence)

    def merge(self, other: Ledger) -> None:
        """Take in another ledger: a union, in any order, any number of times."""
        for evidence in other._evidence.values():
            self.record(evidence)
        self.versions |= other.versions
        self.exit_code = max(self.exit_code, other.exit_code, key=_badness)

    def tools(self) -> list[ToolCoverage]:
        """Return a row for each tool however it was reached, by target and name."""
        by_tool: dict[str, list[Evidence]] = {}
        for each in self.evidence:
            by_tool.setdefault(each.subject.identity, []).append(each)
        rows = [coverage_of(sights) for sights in by_tool.values()]
        rows.sort(key=lambda row: (row.target, row.name, row.identity))
        return told_apart(rows)

    def percent(self) -> float:
        """Return points over expected points of all tools; 0 where there is no tool."""
        rows = self.tools()
        return percent(rows) if rows else 0.0

    def not_covered(self) -> list[NotCovered]:
        """Return what could not be explored, sorted by tool."""
        return sorted({each for row in self.tools() for each in row.not_covered})

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger as plain JSON data, evidence by node id.

        An item that saw several tools, or one in several ways, holds the further
        ones under `also`.
        """
        items = groupby(self.evidence, key=lambda each: each.item)
        return {
            "evidence": {item: _item_to_dict(list(each)) for item, each in items},
            "exit": self.exit_code,
            "versions": [
                {"plugin": each.plugin, "python": each.python}
                for each in sorted(self.versions)
            ],
        }

    @classmethod
    def from_dict(cls, data: object) -> Ledger:
        """Read what `to_dict` gave.

        Raises:
            ReportError: If a field is absent or of another type.
        """
        record = Record.of(data, "")
        ledger = cls(exit_code=record.count("exit", 0), versions=_versions(record))
        for item, value in record.mapping("evidence").items():
            where = f"evidence[{item!r}]"
            also = Record.of(value, where).items("also")
            for each in (value, *also):
                ledger.record(evidence_from_dict(item, each, where))
        return ledger

    def _state(self) -> tuple[object, ...]:
        return self._evidence, self.versions, self.exit_code


def _item_to_dict(evidence: list[Evidence]) -> dict[str, Any]:
    first, *others = [evidence_to_dict(each) for each in evidence]
    return first | {"also": others} if others else first


def _versions(record: Record) -> list[Versions]:
    entries = [Record.of(each, "versions") for each in record.items("versions")]
    return [
        Versions(plugin=entry.text("plugin"), python=entry.text("python"))
        for entry in entries
    ]


def _badness(code: int) -> tuple[int, int]:
    """Order exit codes; one that pytest does not know counts as a failure."""
    return _EXITS.index(code if code in _EXITS else 1), code
