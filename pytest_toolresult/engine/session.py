"""Runs declared cases and explorations, and hands back what they showed."""

from __future__ import annotations

import random
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pytest_toolresult.engine.assignment import (
    Assignment,
    Judged,
    evidence_of,
)
from pytest_toolresult.engine.fault_inquiry import FaultInquiry
from pytest_toolresult.engine.inquiry import Explored, Inquiry
from pytest_toolresult.engine.observing import observing, with_crossings
from pytest_toolresult.engine.probing import HangMemory, Probe
from pytest_toolresult.engine.reading import Reader, result_of
from pytest_toolresult.engine.relation_inquiry import RelationInquiry
from pytest_toolresult.engine.staging import staged
from pytest_toolresult.errors import ContractError
from pytest_toolresult.explore import Summary
from pytest_toolresult.guard import unsafe_clients
from pytest_toolresult.runner.memory import bounded_memory
from pytest_toolresult.seams.recording import Standing
from pytest_toolresult.seams.standing import PlacedFault
from pytest_toolresult.watch import between

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_toolresult.calls import Arguments, Call
    from pytest_toolresult.engine.observing import Observer
    from pytest_toolresult.engine.probing import Invoke, OnProgress
    from pytest_toolresult.explore import Exploration
    from pytest_toolresult.explore.memory import Memory
    from pytest_toolresult.ledger import Evidence
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.results import ToolResult
    from pytest_toolresult.runner import Runner
    from pytest_toolresult.seams.recording import Recording
    from pytest_toolresult.settings import Power, Settings


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
        with _observed(assignment, call, self._settings) as (observer, record):
            outcome = self._runner.run(
                assignment.tool, call, timeout=assignment.contract.timeout
            )
        verified = self._verified(assignment, call, with_crossings(outcome, record))
        return replace(verified, evidence=observer.completed(verified.evidence))

    async def averify(self, assignment: Assignment, call: Call) -> Verified:
        """Do what `verify` does, on the running event loop."""
        with _observed(assignment, call, self._settings) as (observer, record):
            outcome = await self._runner.arun(
                assignment.tool, call, timeout=assignment.contract.timeout
            )
        verified = self._verified(assignment, call, with_crossings(outcome, record))
        return replace(verified, evidence=observer.completed(verified.evidence))

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
        with (
            self._runner.exploring(),
            bounded_memory(self._settings.memory),
            _chance_kept(),
            observing(assignment.tool, assignment.contract, self._settings) as observer,
        ):
            probe = self._probe(assignment, observer, invoke, reset)
            probe.on_progress = on_progress
            unseen = self._unseen(assignment, exploration)
            summary = unseen or exploration.run(
                assignment.tool,
                assignment.contract,
                probe,
                max_calls=assignment.contract.examples or self._settings.max_calls,
                remembered=self._recall(assignment, exploration),
            )
            summary = observer.told(summary)
            inquiry = self._inquire(assignment, exploration, probe, summary)
            inquiry.simplify(exploration)
        if self._memory and probe.calls:
            self._memory.keep(assignment.tool, exploration.name, inquiry.failing)
        explored = inquiry.explored(time.monotonic() - started)
        return replace(explored, evidence=observer.completed(explored.evidence))

    def replay(
        self,
        assignment: Assignment,
        exploration: Exploration,
        asked: Mapping[str, Any],
        *,
        invoke: Invoke | None = None,
        reset: Callable[[], object] | None = None,
    ) -> Explored:
        """Make the guarded calls again that showed an earlier finding.

        Args:
            assignment: The tool, and the item that drives it.
            exploration: What found it.
            asked: What its replay line says: the arguments, and the fault if any.
            invoke: Makes one guarded call; the engine's own runner by default.
            reset: Runs before the call.

        Raises:
            DialectError: If the dialect that is set does not exist or breaks.
        """
        with (
            bounded_memory(self._settings.memory),
            observing(assignment.tool, assignment.contract, self._settings) as observer,
        ):
            probe = self._probe(assignment, observer, invoke, reset)
            summary = observer.told(
                exploration.replay(assignment.tool, assignment.contract, probe, asked)
            )
        inquiry = self._inquire(assignment, exploration, probe, summary)
        explored = inquiry.explored(0.0)
        return replace(explored, evidence=observer.completed(explored.evidence))

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
        reader.refuse_blind_mapping([outcome])
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
            settings=self._settings,
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
        observer: Observer,
        invoke: Invoke | None,
        reset: Callable[[], object] | None,
    ) -> Probe:
        invoke = staged(observer.observed(invoke or self._guarded(assignment)))
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

    def _unseen(
        self, assignment: Assignment, exploration: Exploration
    ) -> Summary | None:
        """Refuse a tool that could change things where the guard cannot look.

        What a seam watches that is in place is not unseen.
        """
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
        return Summary(calls=0, not_covered={exploration.name: why})

    def _inquire(
        self,
        assignment: Assignment,
        exploration: Exploration,
        probe: Probe,
        summary: Summary,
    ) -> Inquiry:
        outcomes = [each.outcome for each in probe.seen]
        reader = self._reader(assignment, outcomes)
        reader.refuse_blind_mapping(outcomes)
        if exploration.name == "faults":
            return FaultInquiry(assignment, reader, probe, summary)
        if exploration.name == "relations":
            return RelationInquiry(assignment, reader, probe, summary)
        return Inquiry(assignment, reader, probe, summary)


def _after(reset: Callable[[], object], invoke: Invoke) -> Invoke:
    def reset_first(call: Call, bound: float) -> Outcome:
        with between():
            reset()
        return invoke(call, bound)

    return reset_first


@contextmanager
def _chance_kept() -> Iterator[None]:
    """Leave to others the random numbers they would have had without us.

    Hypothesis and many tools draw from the generator that the whole process shares.
    """
    state = random.getstate()
    try:
        yield
    finally:
        random.setstate(state)


@contextmanager
def _observed(
    assignment: Assignment, call: Call, settings: Settings
) -> Iterator[tuple[Observer, Recording]]:
    """Bring about what a declared case needs, and record what the call crosses."""
    when = call.case.when if call.case else None
    with (
        when() if when else nullcontext() as made,
        observing(assignment.tool, assignment.contract, settings) as observer,
    ):
        with observer.over(call) as record:
            yield observer, record
        if isinstance(when, PlacedFault) and isinstance(made, Standing):
            problem = when.why_unfired(made)
            if problem:
                raise ContractError(problem)
