"""Telling apart what many calls showed: one fault, one finding."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Severity
from pytest_toolresult.rules.raised import innermost
from pytest_toolresult.walk import class_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Interaction

Fingerprint = tuple[str, str, str]
"""What makes two findings of one tool the same fault: rule, place, cause."""

_ABOUT_EXCEPTIONS: Final = frozenset({"TR801", "TR802"})
"""Rules whose fault is the exception itself, and not what else the call did."""


@dataclass(slots=True, kw_only=True)
class Fault:
    """One fault of a tool, as the calls so far have shown it.

    Attributes:
        finding: The finding at the call that shows it best.
        interaction: That call, and what it came to.
        count: How many calls showed it.
    """

    finding: Finding
    interaction: Interaction
    count: int = 1

    @property
    def arguments(self) -> Arguments:
        """The arguments of the call, as they were sent."""
        return self.interaction.call.arguments

    @property
    def is_costly(self) -> bool:
        """Whether the call took all the time or memory there was."""
        outcome = self.interaction.outcome
        return outcome.ending == "hung" or isinstance(outcome.exception, MemoryError)

    @property
    def shown(self) -> Finding:
        """The finding with its count."""
        return replace(self.finding, count=self.count)


class Triage:
    """Collects findings; the same fault seen again only counts up."""

    def __init__(self) -> None:
        self._faults: dict[Fingerprint, Fault] = {}

    def add(self, interaction: Interaction, findings: Iterable[Finding]) -> None:
        """Take the findings of one interaction."""
        for mark, finding in fingerprints(interaction, findings).items():
            known = self._faults.get(mark)
            if known:
                known.count += 1
            else:
                self._faults[mark] = Fault(finding=finding, interaction=interaction)

    def items(self) -> list[tuple[Fingerprint, Fault]]:
        """Return the faults with their fingerprints, in the order they were found."""
        return list(self._faults.items())

    def faults(self) -> list[Fault]:
        """Return the faults in the order they were found."""
        return list(self._faults.values())

    def findings(self) -> list[Finding]:
        """Return one finding a fault, worst first."""
        found = [fault.shown for fault in self._faults.values()]
        return sorted(found, key=_rank)


def fingerprints(
    interaction: Interaction, findings: Iterable[Finding]
) -> dict[Fingerprint, Finding]:
    """Return the findings of one interaction by what makes them the same fault."""
    cause = _cause(interaction.outcome.exception)
    found: dict[Fingerprint, Finding] = {}
    for finding in findings:
        place = re.sub(r"\[\d+\]", "[]", finding.place)
        raised = finding.rule in _ABOUT_EXCEPTIONS or place.startswith("error")
        told = replace(finding, cause=cause) if raised and cause else finding
        mark = (finding.rule, place, told.cause + _fault_name(finding))
        found.setdefault(mark, told)
    return found


def _fault_name(finding: Finding) -> str:
    """Return what was broken: one kind of fault at ten places shows one fault."""
    return f" under {finding.fault.get('name')}" if finding.fault else ""


def has_errors(findings: Sequence[Finding]) -> bool:
    """Tell whether any of the findings is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def _rank(finding: Finding) -> tuple[int, str, str]:
    return (-finding.severity, finding.rule, finding.place)


def _cause(exception: BaseException | None) -> str:
    """Name where an exception was raised: two places are two faults."""
    if exception is None:
        return ""
    return f"{class_name(exception)} at {innermost(exception) or _last(exception)}"


def _last(exception: BaseException) -> str:
    """Return the last frame, of a tool that is no part of the project."""
    frames = traceback.extract_tb(exception.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
