"""Runs declared cases and explorations, and hands back what they showed."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.engine.assignment import (
    Assignment,
    Judged,
    blocked_in,
    evidence_of,
)
from pytest_toolresult.engine.probing import HangMemory, Probe
from pytest_toolresult.engine.reading import Reader, result_of
from pytest_toolresult.engine.triage import (
    Fault,
    Fingerprint,
    Triage,
    fingerprints,
    has_errors,
)
from pytest_toolresult.explore import Summary
from pytest_toolresult.guard import exploring, unsafe_clients

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.engine.probing import Invoke, OnProgress
    from pytest_toolresult.explore import Exploration
    from pytest_toolresult.explore.memory import Memory
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.ledger import Evidence
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.results import ToolResult
    from pytest_toolresult.runner import Runner
    from pytest_toolresult.settings import Power, Settings

_SHRINKING_CALLS: Final = 80
"""How many calls one finding may cost to be shown with simple arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What one declared or hand-made call came to.

    Attributes:
        result: What the user's test looks at.
        evidence: What the ledger keeps.
        refused: Why the arguments never reached the tool, or an empty text.
    """

    result: ToolResult
    evidence: Evidence
    refused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """What an exploration came to.

    Attributes:
        evidence: What the ledger keeps.
        judged: How many calls were neither refused nor stopped.
        why_nothing: Why none was, where none was.
    """

    evidence: Evidence
    judged: int
    why_nothing: str = ""


class Engine:
    """Drives tools for a whole session.

    Args:
        settings: The configuration of the run.
        runner: Makes the calls.
        memory: Keeps what failed for later runs; nothing is kept by default.
    """

    def __init__(
        self, settings: Settings, runner: Runner, memory: Memory | None = None
    ) -> None:
        self._settings = settings
        self._memory = memory
        self._runner = runner
        self._hangs = HangMemory()

    def verify(self, assignment: Assignment, call: Call) -> Verified:
        """Make one call for real and hold it to the contract.

        Raises:
            DialectError: If the dialect that is set does not exist or breaks.
        """
        with _circumstances(call):
            outcome = self._runner.run(
                assignment.tool, call, timeout=assignment.contract.timeout
            )
        return self._verified(assignment, call, outcome)

    async def averify(self, assignment: Assignment, call: Call) -> Verified:
        """Do what `verify` does, on the running event loop."""
        with _circumstances(call):
            outcome = await self._runner.arun(
                assignment.tool, call, timeout=assignment.contract.timeout
            )
        return self._verified(assignment, call, outcome)

    def explore(
        self,
        assignment: Assignment,
        exploration: Exploration,
        *,
        invoke: Invoke | None = None,
        reset: Callable[[], object] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Explored:
        """Explore a tool, and show each fault that turns up with simple arguments.

        Args:
            assignment: The tool, and the item that drives it.
            exploration: What makes the calls.
            invoke: Makes one guarded call; the engine's own runner by default.
            reset: Runs before every call.
            on_progress: Is told every few seconds how far it has come.

        Raises:
            DialectError: If the dialect that is set does not exist or breaks.
        """
        started = time.monotonic()
        probe = self._probe(assignment, invoke, reset)
        probe.on_progress = on_progress
        with exploring():
            summary = self._unseen(assignment) or exploration.run(
                assignment.tool,
                assignment.contract,
                probe,
                max_calls=assignment.contract.examples or self._settings.max_calls,
                remembered=self._recall(assignment, exploration),
            )
            inquiry = self._inquire(assignment, probe, summary)
            inquiry.simplify(exploration)
        if self._memory and probe.calls:
            self._memory.keep(assignment.tool, exploration.name, inquiry.failing)
        return inquiry.explored(time.monotonic() - started)

    def replay(
        self,
        assignment: Assignment,
        arguments: Arguments,
        *,
        invoke: Invoke | None = None,
        reset: Callable[[], object] | None = None,
    ) -> Explored:
        """Make one guarded call again, with the arguments of an earlier finding.

        Args:
            assignment: The tool, and the item that drives it.
            arguments: The arguments.
            invoke: Makes one guarded call; the engine's own runner by default.
            reset: Runs before the call.

        Raises:
            DialectError: If the dialect that is set does not exist or breaks.
        """
        probe = self._probe(assignment, invoke, reset)
        probe(Call(arguments=arguments, origin="fuzz"))
        return self._inquire(assignment, probe, Summary(calls=1)).explored(0.0)

    async def aguarded(
        self, assignment: Assignment, call: Call, bound: float
    ) -> Outcome:
        """Make one guarded call on the running event loop."""
        powers = self._powers(assignment)
        return await self._runner.arun(
            assignment.tool, call, timeout=bound, powers=powers
        )

    def _recall(
        self, assignment: Assignment, exploration: Exploration
    ) -> Sequence[Arguments]:
        if self._memory is None:
            return ()
        return self._memory.recall(assignment.tool, exploration.name)

    def _powers(self, assignment: Assignment) -> frozenset[Power]:
        return assignment.contract.powers | self._settings.allow

    def _verified(
        self, assignment: Assignment, call: Call, outcome: Outcome
    ) -> Verified:
        if outcome.ending == "hung":
            self._hangs.add(assignment.tool, call.arguments)
        reader = self._reader(assignment, [outcome])
        interaction = reader.read(call, outcome)
        findings = [
            replace(finding, replay=assignment.replay(call.arguments, ""))
            for finding in reader.judge(interaction)
        ]
        evidence = evidence_of(
            assignment,
            reader.decision,
            call.origin,
            [Judged(interaction=interaction, findings=findings)],
            findings=findings,
            calls=int(outcome.ending != "refused"),
            not_covered={},
        )
        refused = outcome.reply.refused if outcome.reply else None
        return Verified(
            result=result_of(interaction, findings),
            evidence=evidence,
            refused=refused or "",
        )

    def _reader(self, assignment: Assignment, outcomes: list[Outcome]) -> Reader:
        return Reader.for_outcomes(
            assignment.tool, assignment.contract, self._settings, outcomes
        )

    def _probe(
        self,
        assignment: Assignment,
        invoke: Invoke | None,
        reset: Callable[[], object] | None,
    ) -> Probe:
        invoke = invoke or self._guarded(assignment)
        return Probe(
            self._reader(assignment, []),
            _after(reset, invoke) if reset else invoke,
            self._hangs,
            bound=assignment.contract.timeout or self._settings.timeout,
            seconds=self._settings.item_seconds,
        )

    def _guarded(self, assignment: Assignment) -> Invoke:
        powers = self._powers(assignment)

        def invoke(call: Call, bound: float) -> Outcome:
            return self._runner.run(assignment.tool, call, timeout=bound, powers=powers)

        return invoke

    def _unseen(self, assignment: Assignment) -> Summary | None:
        """Refuse a tool that could change things where the guard cannot look."""
        function = assignment.tool.function
        if function is None or "network" in self._powers(assignment):
            return None
        clients = unsafe_clients(function)
        if not clients:
            return None
        why = (
            f"it may talk to a server through {', '.join(clients)}, where nothing can"
            ' be stopped; give repeatable=True or allow=("network",)'
        )
        return Summary(calls=0, not_covered={"fuzz": why})

    def _inquire(
        self, assignment: Assignment, probe: Probe, summary: Summary
    ) -> _Inquiry:
        reader = self._reader(assignment, [each.outcome for each in probe.seen])
        return _Inquiry(assignment, reader, probe, summary)


class _Inquiry:
    """What an exploration brought about, once the dialect is known.

    Attributes:
        failing: The arguments that first showed each fault that fails an item.
    """

    def __init__(
        self, assignment: Assignment, reader: Reader, probe: Probe, summary: Summary
    ) -> None:
        self._assignment = assignment
        self._reader = reader
        self._probe = probe
        self._summary = summary
        self._triage = Triage()
        self._judged = [self._judge(each) for each in probe.seen]
        # Kept as they were made, and not as they are shown: tried again, they are
        # calls that the exploration makes anyway, and change nothing but the order.
        faults = self._triage.faults()
        self.failing = [each.arguments for each in faults if has_errors([each.finding])]

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
        call = Call(arguments=arguments, origin="fuzz")
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
        refused = (each.interaction.outcome.reply for each in self._judged)
        reasons = [each.refused for each in refused if each and each.refused]
        if not reasons and self._probe.known_hangs:
            return "its arguments are known to hang, and were not tried again"
        if not reasons:
            return "no call was made"
        return f"all of {len(reasons)} generated arguments were refused: {reasons[0]}"

    def _evidence(self) -> Evidence:
        not_covered = dict(self._summary.not_covered)
        told = [*not_covered.values(), self._probe.over, blocked_in(self._judged)]
        if why := "; ".join(filter(None, told)):
            not_covered = {"fuzz": why}
        return evidence_of(
            self._assignment,
            self._reader.decision,
            "fuzz",
            self._judged,
            findings=self._findings(),
            calls=self._probe.calls,
            not_covered=not_covered,
        )

    def _findings(self) -> list[Finding]:
        for mark, fault in self._triage.items():
            dialect = self._pinned_for(mark, fault.interaction)
            replay = self._assignment.replay(fault.arguments, dialect)
            fault.finding = replace(fault.finding, replay=replay)
        return self._triage.findings()

    def _pinned_for(self, mark: Fingerprint, interaction: Interaction) -> str:
        """Name the dialect where the call alone, read as it speaks, shows no fault."""
        alone = self._reader.alone(interaction.outcome)
        own = self._reader.decision.dialect.name
        if alone.decision.dialect.name == own:
            return ""
        again = alone.read(interaction.call, interaction.outcome)
        shown = fingerprints(again, alone.judge(again))
        return "" if mark in shown else own


def _after(reset: Callable[[], object], invoke: Invoke) -> Invoke:
    def reset_first(call: Call, bound: float) -> Outcome:
        reset()
        return invoke(call, bound)

    return reset_first


def _circumstances(call: Call) -> AbstractContextManager[object]:
    """Bring about what a declared case needs."""
    when = call.case.when if call.case else None
    return when() if when else nullcontext()
