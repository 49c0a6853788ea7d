"""One tool as one item drives it, and the evidence that comes of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.codescan import statuses_and_codes
from pytest_toolresult.engine.learning import largest_of, shapes_of
from pytest_toolresult.engine.triage import has_errors
from pytest_toolresult.ledger import Evidence, Subject
from pytest_toolresult.ledger.evidence import simplicity
from pytest_toolresult.redaction.excerpt import masked_arguments
from pytest_toolresult.settings import UNDOABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from pytest_toolresult.calls import Arguments, Origin
    from pytest_toolresult.codescan import Produced
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.dialects import Decision, Dialect
    from pytest_toolresult.envelope import Status
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.settings import Settings
    from pytest_toolresult.tools import Tool

_BLOCKED_SHOWN: Final = 3
"""How many of the things the guard stopped are told by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One tool as one item drives it.

    Attributes:
        item: The node id of the item.
        tool: The tool.
        contract: What is declared about it.
        target: What the user pointed at, or an empty text.
        replay: Makes the command line that shows arguments again, with a dialect
            that has to be named in it or an empty text.
    """

    item: str
    tool: Tool
    contract: Contract
    target: str = ""
    replay: Callable[[Arguments, str], str] = lambda *_: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An interaction with what is wrong about it."""

    interaction: Interaction
    findings: Sequence[Finding]

    @property
    def is_telling(self) -> bool:
        """Whether the call says anything about the tool.

        Refused arguments never reached it, and what came of a call that the guard
        stopped is our doing, also where the tool caught our exception.
        """
        outcome = self.interaction.outcome
        return outcome.ending != "refused" and outcome.blocked is None


def subject_of(assignment: Assignment, decision: Decision) -> Subject:
    """Return what is known about a tool beside what was seen of it."""
    tool, contract, dialect = assignment.tool, assignment.contract, decision.dialect
    produced = statuses_and_codes(tool.function) if tool.function else None
    can = _possible(dialect, produced)
    codes = frozenset(contract.codes) | {case.code for case in contract.cases}
    if dialect.has_envelope and produced and not contract.codes:
        codes |= produced.codes
    return Subject(
        name=tool.name,
        identity=tool.identity,
        target=assignment.target,
        framework=tool.framework,
        dialect=dialect.name,
        dialect_reason=decision.reason,
        dialect_hint=decision.hint,
        validate_arguments=tool.validates,
        kind=contract.kind,
        expected=can - contract.never.keys(),
        never=dict(contract.never),
        codes=frozenset(code for code in codes if code),
    )


def _possible(dialect: Dialect, produced: Produced | None) -> frozenset[Status]:
    """Return the statuses that both the dialect and the tool's code can express.

    Where a tool has no envelope its errors are what it raises on purpose.
    """
    if produced is None:
        return dialect.statuses
    if dialect.forgives_raise and not produced.raises:
        return dialect.statuses - {"error"}
    named = [each for each in dialect.statuses if each in produced.statuses]
    return frozenset(named) if dialect.has_envelope and named else dialect.statuses


def evidence_of(  # noqa: PLR0913 - each is one column of the evidence
    assignment: Assignment,
    decision: Decision,
    origin: Origin,
    judged: Sequence[Judged],
    *,
    settings: Settings,
    findings: Sequence[Finding],
    calls: int,
    not_covered: Mapping[str, str],
) -> Evidence:
    """Return what an item saw: statuses count only where nothing was wrong."""
    telling = (each for each in judged if each.is_telling)
    sound = [each.interaction for each in telling if not has_errors(each.findings)]
    refused = sum(each.interaction.outcome.ending == "refused" for each in judged)
    codes = [each.envelope.code for each in sound if each.envelope]
    return Evidence(
        item=assignment.item,
        subject=subject_of(assignment, decision),
        origin=origin,
        calls=calls,
        refused=refused,
        statuses=Counter(each.status for each in sound if each.status),
        codes=Counter(code for code in codes if code),
        findings=tuple(findings),
        not_covered=not_covered,
        results=decision.results,
        envelopes=decision.envelopes,
        found=_found(sound),
        locked=assignment.tool.identity in settings.locked,
        tokens=largest_of([each.interaction for each in judged], settings),
        shapes=shapes_of(sound) if settings.learns_shapes else {},
    )


def _found(sound: Iterable[Interaction]) -> dict[str, Mapping[str, Any]]:
    """Return the simplest arguments that led to each status by themselves."""
    simplest: dict[str, Arguments] = {}
    for each in sound:
        call, status = each.call, each.status
        helped = call.injection or (call.case and call.case.when)
        if status and not helped:
            known = simplest.get(status, call.arguments)
            simplest[status] = min(known, call.arguments, key=simplicity)
    return {status: masked_arguments(simplest[status]) for status in simplest}


def blocked_in(interactions: Sequence[Interaction]) -> str:
    """Say what the guard stopped, and what would let it happen; empty if nothing."""
    stopped = [each.outcome.blocked for each in interactions]
    actions = Counter(each.action for each in stopped if each)
    if not actions:
        return ""
    shown = "; ".join(action for action, _ in actions.most_common(_BLOCKED_SHOWN))
    more = len(actions) - _BLOCKED_SHOWN
    rest = f"; and {more} more" if more > 0 else ""
    powers = {each.power for each in stopped if each}
    listed = ", ".join(f'"{each}"' for each in sorted(powers))
    allow = f"allow=({listed}{',' if len(powers) == 1 else ''})"
    undo = "reset=, " if powers <= UNDOABLE else ""
    return f"{shown}{rest}; give {undo}repeatable=True or {allow}"


def unseen_in(judged: Sequence[Judged]) -> str:
    """Say what the guard could not see of the calls; empty if nothing."""
    notes = (note for each in judged for note in each.interaction.outcome.unseen)
    return "; ".join(dict.fromkeys(notes))
