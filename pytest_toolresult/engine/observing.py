"""Records what calls cross into what they depend on, and puts faults there."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from pytest_toolresult.ledger.evidence import simplicity
from pytest_toolresult.seams.arming import armed
from pytest_toolresult.seams.cassette import Cassette
from pytest_toolresult.seams.recording import Recording, recording
from pytest_toolresult.watch.returns import ReturnWatch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from pytest_toolresult.calls import Call
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.engine.probing import Invoke
    from pytest_toolresult.explore import Summary
    from pytest_toolresult.ledger import Evidence
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.seams import Seam
    from pytest_toolresult.seams.arming import Arming
    from pytest_toolresult.settings import Settings
    from pytest_toolresult.tools import Tool

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


class Observer:
    """Sees what the calls of one tool cross, while its seams are in place.

    Calls of `[faults]` get their faults, and are answered from a cassette where a
    backend has answered already: what it is asked, and how often, stays small.

    Attributes:
        arming: The seams that are in place.
        returns: The return statements of the tool, and those it has reached.
    """

    def __init__(self, tool: Tool, arming: Arming, returns: ReturnWatch) -> None:
        self.arming = arming
        self.returns = returns
        self._homes = homes(tool)
        self._cassettes: dict[tuple[int, str], Cassette] = {}

    def observed(self, invoke: Invoke) -> Invoke:
        """Return what makes a call and notes in its outcome what it crossed."""

        def make(call: Call, bound: float) -> Outcome:
            with self.over(call) as record:
                outcome = invoke(call, bound)
            return with_crossings(outcome, record)

        return make

    def over(self, call: Call) -> AbstractContextManager[Recording]:
        """Record what is crossed in the block; it belongs to one call."""
        self.arming.refresh()
        return recording(self._recording(call))

    def told(self, summary: Summary) -> Summary:
        """Add to a summary what could not be seen."""
        broken = [f"the seam {name}: {why}" for name, why in self.arming.broken.items()]
        reasons = {"seams": "; ".join(broken), "returns": self.returns.why_not}
        told = {what: why for what, why in reasons.items() if why}
        return replace(summary, not_covered={**summary.not_covered, **told})

    def completed(self, evidence: Evidence) -> Evidence:
        """Add to evidence which return statements were reached."""
        subject = replace(evidence.subject, returns=self.returns.reachable)
        return replace(evidence, subject=subject, returns=self.returns.reached)

    def _recording(self, call: Call) -> Recording:
        if call.origin != "faults":
            record = Recording(homes=self._homes)
            record.virtual = bool(record.standing)  # nobody waits for a backoff
            return record
        planned = (call.injection, *call.besides)
        return Recording(
            plan=tuple(each for each in planned if each is not None),
            homes=self._homes,
            cassette=self._cassettes.setdefault(simplicity(call.arguments), Cassette()),
            virtual=True,
        )


@contextmanager
def observing(tool: Tool, contract: Contract, settings: Settings) -> Iterator[Observer]:
    """Put the seams in place for calls of a tool, its own dependencies' included.

    Raises:
        ContractError: If a dependency cannot be found or broken.
        TargetError: If its module cannot be imported.
    """
    with (
        armed(_own_seams(contract)) as arming,
        ReturnWatch(tool.function, slowly=settings.slow_returns) as returns,
    ):
        yield Observer(tool, arming, returns)


def _own_seams(contract: Contract) -> list[Seam]:
    if not contract.dependencies:
        return []
    from pytest_toolresult.seams.callables import CallableSeam

    return [CallableSeam(dotted) for dotted in contract.dependencies]


def with_crossings(outcome: Outcome, record: Recording) -> Outcome:
    """Return the outcome of a call with what was crossed during it."""
    if not record.passages:
        return outcome
    return replace(outcome, boundary=record.boundary, fired=record.fired)


def homes(tool: Tool) -> tuple[str, ...]:
    """Return the folders of a tool that is installed, so that its lines are seen.

    What is not installed is the project's own anyway.
    """
    module = getattr(tool.function, "__module__", None) or ""
    package = sys.modules.get(module.partition(".")[0])
    file = getattr(package, "__file__", None)
    if not isinstance(file, str) or _INSTALLED.isdisjoint(PurePath(file).parts):
        return ()
    return (str(PurePath(file).parent) if hasattr(package, "__path__") else file,)
