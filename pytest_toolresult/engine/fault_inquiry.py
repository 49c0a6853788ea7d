"""What faults in its dependencies brought to light about a tool."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pytest_toolresult.calls import FAULT_KEY
from pytest_toolresult.engine.assignment import Judged
from pytest_toolresult.engine.circumstances import circumstances
from pytest_toolresult.engine.inquiry import Explored, Inquiry
from pytest_toolresult.engine.triage import fingerprints
from pytest_toolresult.interactions import Comparison
from pytest_toolresult.redaction.excerpt import LONG, excerpt
from pytest_toolresult.rules.likeness import differing_places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.calls import Arguments, Call
    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.probing import Probe
    from pytest_toolresult.engine.reading import Reader
    from pytest_toolresult.explore import Exploration, Summary
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.ledger import Evidence


_ABOUT_COUNTS: Final = frozenset({"TR209"})

_ABOUT_DATA: Final = frozenset({"TR901", "TR903"})
"""Rules that hold data against the data without the fault."""

_MOST_NAMED: Final = 3

_WORSE_WHILE_WAITING: Final = frozenset({"TR805"})
"""Rules about what does little harm while answers come at once."""


class FaultInquiry(Inquiry):
    """An inquiry in which each faulted call is held against the call without it.

    What is wrong without any fault is told of that call alone.
    """

    def __init__(
        self, assignment: Assignment, reader: Reader, probe: Probe, summary: Summary
    ) -> None:
        self._by_call: dict[int, Interaction] = {}
        self._anyway: set[tuple[str, str]] = set()
        self._unsteady: set[str] = set()
        self._has_teller = assignment.contract.fuzz or any(
            case.status == "success" for case in assignment.contract.cases
        )
        super().__init__(assignment, reader, probe, summary, origin="faults")
        self._interesting = self._interesting or probe.seen
        self._judge_together()
        self.failing = []  # the same faults are tried next time anyway

    def _of_interest(self, probe: Probe) -> list[Interaction]:
        """Leave out the calls that only looked for a success to start from."""
        bases = {
            id(each.call.reference)
            for each in probe.seen
            if each.call.reference is not None
        }
        return [
            each
            for each in probe.seen
            if each.call.reference is not None or id(each.call) in bases
        ]

    def _judge(self, interaction: Interaction) -> Judged:
        again = self._reader.read(interaction.call, interaction.outcome)
        before = self._by_call.get(id(interaction.call))
        self._by_call[id(interaction.call)] = again
        if again.call.reference is None:
            self._unsteady |= differing_places(_data(before or again), _data(again))
            findings = self._without_a_fault(again)
        else:
            findings = self._held_against(again, self._success_behind(again.call))
        self._triage.add(again, findings)
        return Judged(interaction=again, findings=findings)

    def _without_a_fault(self, interaction: Interaction) -> list[Finding]:
        """Note what is wrong anyway; another item of the tool tells that."""
        findings = self._reader.judge(interaction)
        self._anyway |= {mark[:2] for mark in fingerprints(interaction, findings)}
        return [] if self._has_teller else findings

    def _success_behind(self, call: Call) -> Interaction:
        while call.reference is not None:
            call = call.reference
        return self._by_call[id(call)]

    def _held_against(
        self, subject: Interaction, reference: Interaction
    ) -> list[Finding]:
        found = self._reader.compare(Comparison(reference=reference, subject=subject))
        words, otherwise = circumstances(subject.call), _returned(reference)
        return [
            replace(finding, circumstances=words, otherwise=otherwise)
            for mark, finding in fingerprints(subject, found).items()
            if mark[:2] not in self._anyway or self._is_worse(finding, subject)
            if not _is_our_doing(finding, subject)
            if finding.rule not in _ABOUT_DATA or self._differs(subject, reference)
        ]

    def _differs(self, subject: Interaction, reference: Interaction) -> bool:
        """Tell whether data differs where it is the same in calls without a fault."""
        if not self._unsteady:
            return True
        usual = tuple(f"{place}{end}" for place in self._unsteady for end in ".[")
        return not all(
            place in self._unsteady or place.startswith(usual)
            for place in differing_places(_data(subject), _data(reference))
        )

    def _is_worse(self, finding: Finding, subject: Interaction) -> bool:
        """Tell whether what is wrong anyway is what makes the fault hurt."""
        injection = subject.call.injection
        waits = injection is not None and injection.fault.name == "timeout"
        return self._has_teller and waits and finding.rule in _WORSE_WHILE_WAITING

    def _judge_together(self) -> None:
        """Hold all faulted calls to the rules that look at several."""
        faulted = [
            each.interaction
            for each in self._judged
            if each.interaction.call.injection and each.interaction.outcome.fired
        ]
        for finding in self._reader.relate(faulted):
            self._triage.add(_shown_by(finding, faulted), [finding])

    def simplify(self, exploration: Exploration) -> None:
        """Leave everything as it is: not the arguments show it, but the fault."""

    def _asked(self, interaction: Interaction) -> Arguments:
        keys = _keys(interaction.call)
        if not keys:
            return interaction.call.arguments
        asked = keys[0] if len(keys) == 1 else keys
        return {**interaction.call.arguments, FAULT_KEY: asked}

    def explored(self, duration_s: float) -> Explored:
        """Return what it came to; without a fault that took effect, nothing."""
        explored = super().explored(duration_s)
        fired = [each for each in self._judged if each.interaction.outcome.fired]
        planned = len(explored.evidence.planned)
        why = explored.why_nothing
        if planned and not fired:
            why = f"none of the {planned} faults took effect"
        telling = sum(each.is_telling for each in fired)
        return replace(explored, judged=telling, why_nothing=why)

    def _evidence(self) -> Evidence:
        calls = [each.interaction for each in self._judged]
        planned = [each.call.injection for each in calls if each.call.injection]
        fired = [
            injection
            for each in calls
            for injection in each.outcome.fired
            if injection == each.call.injection
        ]
        refused = sum(each.outcome.ending == "refused" for each in calls)
        evidence = super()._evidence()
        if self._unsteady:
            why = filter(None, (evidence.not_covered.get("faults"), self._told()))
            told = {**evidence.not_covered, "faults": "; ".join(why)}
            evidence = replace(evidence, not_covered=told)
        if not calls:  # those that looked for a success in vain do not count
            evidence = replace(evidence, results=0, envelopes=0)
        return replace(
            evidence,
            calls=len(calls) - refused,
            planned=frozenset(each.key for each in planned),
            fired=frozenset(each.key for each in fired),
        )

    def _told(self) -> str:
        """Say what of the data says nothing about faults."""
        alike = {re.sub(r"\[\d+\]", "[]", place) for place in self._unsteady}
        places = sorted(f"data{place}" for place in alike)
        more = ", ..." if len(places) > _MOST_NAMED else ""
        return (
            "its data differs from call to call without any fault"
            f" ({', '.join(places[:_MOST_NAMED])}{more}), so a difference there was"
            " taken for no fault's doing"
        )


def _data(interaction: Interaction) -> object:
    return interaction.envelope.data if interaction.envelope else None


def _is_our_doing(finding: Finding, subject: Interaction) -> bool:
    """Tell whether a finding comes of the data that was made up, and not of the tool.

    Nobody knows all counts that made-up rows would have to agree with.
    """
    injection = subject.call.injection
    soft = injection is not None and injection.fault.gravity == "soft"
    return soft and finding.rule in _ABOUT_COUNTS


def _shown_by(finding: Finding, interactions: Sequence[Interaction]) -> Interaction:
    """Return the interaction that a finding about several has taken for its example."""
    same = (
        each
        for each in interactions
        if finding.fault and each.call.injection
        if finding.fault["site"] == each.call.injection.where.site
        and finding.fault["name"] == each.call.injection.fault.name
    )
    return next(same, interactions[-1])


def _keys(call: Call) -> Sequence[str]:
    if call.injection is not None:
        return [each.key for each in (*call.besides, call.injection)]
    return _keys(call.reference) if call.reference else []


def _returned(interaction: Interaction) -> str:
    reply = interaction.outcome.reply
    return excerpt(reply.value, LONG) if reply else ""
