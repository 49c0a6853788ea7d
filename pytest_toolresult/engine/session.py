"""Runs declared cases and explorations, and hands back what they showed."""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_toolresult.calls import Call
from pytest_toolresult.engine.assignment import (
    Assignment,
    Judged,
    evidence_of,
)
from pytest_toolresult.engine.inquiry import Explored, Inquiry
from pytest_toolresult.engine.observing import observing, with_crossings
from pytest_toolresult.engine.probing import HangMemory, Probe
from pytest_toolresult.engine.reading import Reader, result_of
from pytest_toolresult.explore import Summary
from pytest_toolresult.guard import exploring, unsafe_clients

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_toolresult.calls import Arguments
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
        with _observed(assignment, call) as record:
            outcome = self._runner.run(
                assignment.tool, call, timeout=assignment.contract.timeout
            )
        return self._verified(assignment, call, with_crossings(outcome, record))

    async def averify(self, assignment: Assignment, call: Call) -> Verified:
        """Do what `verify` does, on the running event loop."""
        with _observed(assignment, call) as record:
            outcome = await self._runner.arun(
                assignment.tool, call, timeout=assignment.contract.timeout
            )
        return self._verified(assignment, call, with_crossings(outcome, record))

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
        with exploring(), observing(assignment.tool) as observer:
            probe = self._probe(assignment, observer, invoke, reset)
            probe.on_progress = on_progress
            summary = self._unseen(assignment) or exploration.run(
                assignment.tool,
                assignment.contract,
                probe,
                max_calls=assignment.contract.examples or self._settings.max_calls,
                remembered=self._recall(assignment, exploration),
            )
            inquiry = self._inquire(assignment, probe, observer.told(summary))
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
        with observing(assignment.tool) as observer:
            probe = self._probe(assignment, observer, invoke, reset)
            probe(Call(arguments=arguments, origin="fuzz"))
            summary = observer.told(Summary(calls=1))
        return self._inquire(assignment, probe, summary).explored(0.0)

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
        invoke = observer.observed(invoke or self._guarded(assignment))
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
    ) -> Inquiry:
        reader = self._reader(assignment, [each.outcome for each in probe.seen])
        return Inquiry(assignment, reader, probe, summary)


def _after(reset: Callable[[], object], invoke: Invoke) -> Invoke:
    def reset_first(call: Call, bound: float) -> Outcome:
        reset()
        return invoke(call, bound)

    return reset_first


@contextmanager
def _observed(assignment: Assignment, call: Call) -> Iterator[Recording]:
    """Bring about what a declared case needs, and record what the call crosses."""
    when = call.case.when if call.case else None
    with (
        when() if when else nullcontext(),
        observing(assignment.tool) as observer,
        observer.over(call) as record,
    ):
        yield record
