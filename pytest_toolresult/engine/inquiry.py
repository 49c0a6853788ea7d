"""What an exploration brought about: judged, told apart, shown by simple arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.engine.assignment import (
    Assignment,
    Judged,
    blocked_in,
    evidence_of,
    unseen_in,
)
from pytest_toolresult.engine.triage import (
    Fault,
    Fingerprint,
    Triage,
    fingerprints,
    has_errors,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.calls import Arguments, Origin
    from pytest_toolresult.engine.probing import Probe
    from pytest_toolresult.engine.reading import Reader
    from pytest_toolresult.explore import Exploration, Summary
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.ledger import Evidence

_SHRINKING_CALLS: Final = 80
"""How many calls one finding may cost to be shown with simple arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """What an exploration came to.

    Attributes:
        evidence: What the ledger keeps.
        judged: How many calls were neither refused nor stopped.
        why_nothing: Why none was, where none was.
        problem: What is wrong with a declaration, as far as only results show it; an
            empty text where nothing is.
    """

    evidence: Evidence
    judged: int
    why_nothing: str = ""
    problem: str = ""


class Inquiry:
    """What an exploration brought about, once the dialect is known.

    Attributes:
        failing: The arguments that first showed each fault that fails an item.
    """

    def __init__(
        self,
        assignment: Assignment,
        reader: Reader,
        probe: Probe,
        summary: Summary,
        *,
        origin: Origin = "fuzz",
    ) -> None:
        self._origin = origin
        self._assignment = assignment
        self._reader = reader
        self._probe = probe
        self._summary = summary
        self._triage = Triage()
        self._interesting = self._of_interest(probe)
        self._judged = [self._judge(each) for each in self._interesting]
        # Kept as they were made, and not as they are shown: tried again, they are
        # calls that the exploration makes anyway, and change nothing but the order.
        faults = self._triage.faults()
        self.failing = [each.arguments for each in faults if has_errors([each.finding])]

    def _of_interest(self, probe: Probe) -> list[Interaction]:
        """Return the interactions that say something about the tool."""
        return probe.seen

    def _judge(self, interaction: Interaction) -> Judged:
        again = self._reader.read(interaction.call, interaction.outcome)
        findings = self._reader.judge(again)
        self._triage.add(again, findings)
        return Judged(interaction=again, findings=findings)

    def simplify(self, exploration: Exploration) -> None:
        """Replace what first showed each fault by the simplest that shows it.

        A hang is left as it is: every try would cost the whole bound.
        """
        for mark, fault in self._triage.items():
            if fault.hung:
                continue
            simplest = exploration.shrink(
                self._assignment.tool,
                fault.arguments,
                partial(self._shows, mark),
                max_calls=_SHRINKING_CALLS,
            )
            self._show(fault, simplest, mark)

    def _show(self, fault: Fault, arguments: Arguments, mark: Fingerprint) -> None:
        if arguments == fault.arguments:
            return
        again = self._again(arguments)
        found = self._shown_by(again).get(mark)
        if again and found:
            fault.interaction, fault.finding = again, found

    def _shows(self, mark: Fingerprint, arguments: Arguments) -> bool:
        return mark in self._shown_by(self._again(arguments))

    def _again(self, arguments: Arguments) -> Interaction | None:
        call = Call(arguments=arguments, origin=self._origin)
        interaction = self._probe(call)
        if interaction is None or interaction.outcome.ending in ("hung", "refused"):
            return None
        return self._reader.read(call, interaction.outcome)

    def _shown_by(
        self, interaction: Interaction | None
    ) -> Mapping[Fingerprint, Finding]:
        if interaction is None:
            return {}
        return fingerprints(interaction, self._reader.judge(interaction))

    def explored(self, duration_s: float) -> Explored:
        """Return what the exploration came to."""
        evidence = replace(self._evidence(), duration_s=duration_s)
        judged = [each for each in self._judged if each.is_telling]
        why = "; ".join(evidence.not_covered.values()) or self._why_refused()
        return Explored(evidence=evidence, judged=len(judged), why_nothing=why)

    def _why_refused(self) -> str:
        refused = (each.outcome.reply for each in self._probe.seen)
        reasons = [each.refused for each in refused if each and each.refused]
        if not reasons and self._probe.known_hangs:
            return "its arguments are known to hang, and were not tried again"
        if not reasons:
            return "no call was made"
        return f"all of {len(reasons)} generated arguments were refused: {reasons[0]}"

    def _evidence(self) -> Evidence:
        not_covered = dict(self._summary.not_covered)
        told = [*not_covered.values(), self._probe.over, blocked_in(self._interesting)]
        if why := "; ".join(filter(None, told)):
            not_covered = {self._origin: why}
        if unseen := unseen_in(self._judged):
            not_covered["guard"] = unseen
        return evidence_of(
            self._assignment,
            self._reader.decision,
            self._origin,
            self._judged,
            settings=self._reader.settings,
            findings=self._findings(),
            calls=self._probe.calls,
            not_covered=not_covered,
        )

    def _findings(self) -> list[Finding]:
        for mark, fault in self._triage.items():
            dialect = self._pinned_for(mark, fault.interaction)
            asked = self._asked(fault.interaction)
            replay = self._assignment.replay(asked, dialect)
            fault.finding = replace(fault.finding, replay=replay)
        return [*self._triage.findings(), *self._together()]

    def _together(self) -> list[Finding]:
        """Return what no call shows by itself, and so cannot be shrunk or replayed."""
        telling = [each.interaction for each in self._judged if each.is_telling]
        return self._reader.relate(telling)

    def _asked(self, interaction: Interaction) -> Arguments:
        """Return what a replay line gives to show an interaction again."""
        return interaction.call.arguments

    def _pinned_for(self, mark: Fingerprint, interaction: Interaction) -> str:
        """Name the dialect where the call alone, read as it speaks, shows no fault."""
        alone = self._reader.alone(interaction.outcome)
        own = self._reader.decision.dialect.name
        if alone.decision.dialect.name == own:
            return ""
        again = alone.read(interaction.call, interaction.outcome)
        shown = fingerprints(again, alone.judge(again))
        return "" if mark in shown else own
