"""Failures folded: what most tools of a target share is shown in full only once.

While items run nobody knows yet what is shared, so their failures are told anew at
the end, before pytest prints them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.explore import EXPLORATIONS
from pytest_toolresult.ledger.wire import evidence_from_dict
from pytest_toolresult.reporters.failure import failure_text
from pytest_toolresult.reporters.grouping import shared_findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pytest

    from pytest_toolresult._plugin.run import Run
    from pytest_toolresult.ledger import Evidence
    from pytest_toolresult.reporters.grouping import Shared

ATTRIBUTE: Final = "toolresult_evidence"
"""Where a test report carries what its item saw, also from a worker of xdist."""


class Folded:
    """A failure's text in the place of pytest's representation of it.

    Attributes:
        reprcrash: What pytest's one-line summary is made from.
    """

    def __init__(self, text: str, reprcrash: object) -> None:
        self._text = text
        self.reprcrash = reprcrash

    def __str__(self) -> str:
        return self._text

    def toterminal(self, out: Any) -> None:
        """Print the text, as pytest prints what it made itself."""
        for line in self._text.splitlines():
            out.line(line)


def fold(run: Run) -> None:
    """Shorten the failures of explorations by what the end of the run shows once."""
    shared = shared_findings(run.ledger.tools(), run.view)
    terminal = run.config.pluginmanager.get_plugin("terminalreporter")
    if not shared or terminal is None:
        return
    for report in terminal.stats.get("failed", ()):
        _fold(report, shared, run)


def _fold(report: pytest.TestReport, shared: Sequence[Shared], run: Run) -> None:
    explored = list(_explored(report))
    if len(explored) != 1:
        return
    failing = [each for each in explored[0].findings if run.fails(each)]
    common = [each for each in shared if each.target == explored[0].subject.target]
    if failing and common:
        text = failure_text(failing, run.view, shared=common)
        crash = getattr(report.longrepr, "reprcrash", None)
        report.longrepr = Folded(text, crash)  # type: ignore[assignment]


def _explored(report: pytest.TestReport) -> Iterable[Evidence]:
    seen: list[dict[str, Any]] = getattr(report, ATTRIBUTE, [])
    evidence = (evidence_from_dict(report.nodeid, each) for each in seen)
    return (each for each in evidence if each.origin in EXPLORATIONS)
