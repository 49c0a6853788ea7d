"""What was seen in a run, kept as evidence per item.

Everything else (coverage, counts, reports) is computed from the evidence, so that
merging what several processes saw is a union.
"""

from __future__ import annotations

from pytest_toolresult.ledger.evidence import (
    ORIGINS,
    Evidence,
    Subject,
    added,
    joined,
    worst_first,
)
from pytest_toolresult.ledger.ledger import Ledger, Versions
from pytest_toolresult.ledger.tool_coverage import (
    CodeSeen,
    NotCovered,
    PathSeen,
    ToolCoverage,
    counted_results,
    percent,
    rounded,
)

__all__ = [
    "ORIGINS",
    "CodeSeen",
    "Evidence",
    "Ledger",
    "NotCovered",
    "PathSeen",
    "Subject",
    "ToolCoverage",
    "Versions",
    "added",
    "counted_results",
    "joined",
    "percent",
    "rounded",
    "worst_first",
]
