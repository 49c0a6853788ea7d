"""One fault after the other, put into the calls that a success crosses."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.errors import nearest
from pytest_toolresult.explore import Summary
from pytest_toolresult.explore.base_calls import how_it_ended
from pytest_toolresult.explore.planning import (
    faults_of,
    later_calls,
    persists,
    representatives,
    shared_out,
)
from pytest_toolresult.explore.suspects import has_failed, suspect
from pytest_toolresult.faults import Injection

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pytest_toolresult.explore.base_calls import Base
    from pytest_toolresult.explore.spending import Spending
    from pytest_toolresult.faults import BoundaryCall, Crossing, Fault
    from pytest_toolresult.interactions import Interaction

_MOST_DISCOVERED: Final = 40
"""How many runs go to calls that a tool makes only where something has failed."""

_REPEATS: Final = 4
"""How often a run that left something open is repeated, to see whether it adds up."""

_MOST_REPEATED: Final = 3
"""How many runs of one tool are repeated so."""

_NO_DEPENDENCY: Final = (
    "no call to anything it depends on was seen; name the callables of the project"
    ' that stand for such calls: dependencies=("shop.db.execute",)'
)


class Campaign:
    """Breaks what successes of one tool depend on.

    Args:
        spending: Makes the calls.
        why_not: What keeps some success from being broken, or an empty text.
    """

    def __init__(self, spending: Spending, why_not: str = "") -> None:
        self._spending = spending
        self._reasons = [why_not] if why_not else []
        self._places: set[tuple[str, str, str]] = set()
        self._discovered: list[tuple[Injection, Crossing]] = []
        self._varying: set[BoundaryCall] = set()
        self._repeated = 0
        self._crossed = False
        self._asked = False

    def explore(self, base: Base) -> None:
        """Break everything that a success crosses and no earlier one has."""
        self._asked = True
        self._crossed = self._crossed or bool(base.crossings)
        fresh = [
            crossing
            for crossing in representatives(base.crossings)
            if crossing.call.place not in self._places
        ]
        steady = self._seen_again(base) if fresh else ()
        self._places |= {each.call.place for each in base.crossings}
        for crossing, faults in self._shared(fresh, steady):
            self._break(base, crossing, faults)
        self._break_discovered(base)

    def again(self, base: Base, keys: Sequence[str]) -> None:
        """Put the faults of these keys into a success; the last one is the one meant.

        Args:
            base: The success.
            keys: Keys of injections, each at a call that shows under those before it.
        """
        besides: tuple[Injection, ...] = ()
        crossings = base.crossings
        for key in keys:
            injection = self._keyed(key, crossings)
            last = self._attempt(base, injection, besides) if injection else None
            if injection is None or last is None:
                return
            besides = (*besides, injection)
            crossings = last.outcome.boundary
            if key == keys[-1] and has_failed(last):
                self._recover(last)

    def summary(self) -> Summary:
        """Say how much was spent, and what could not be broken."""
        reasons = list(self._reasons)
        if self._asked and not self._crossed:
            reasons.append(_NO_DEPENDENCY)
        if self._spending.left_out and self._spending.calls >= self._spending.most:
            reasons.append(
                f"faults that were left out: {self._spending.left_out}, because"
                f" {self._spending.most} calls are the most (see --toolresult-examples)"
            )
        why = "; ".join(reasons)
        return Summary(
            calls=self._spending.calls, not_covered={"faults": why} if why else {}
        )

    def _seen_again(self, base: Base) -> Collection[BoundaryCall] | None:
        """Make the success again; return what it crosses now, if it is one still."""
        again = self._spending.make(base.call)
        if again is None:
            return None
        if again.status != base.status or again.outcome.ending != "returned":
            self._reasons.append(
                "it answers differently each time, without any fault: first"
                f" {base.status}, then {how_it_ended(again)}"
            )
            return None
        calls = {each.call for each in again.outcome.boundary}
        ways = {each.way for each in calls}
        first = {each.call for each in base.crossings}
        self._varying |= {each for each in first - calls if each.way in ways}
        return calls | self._varying

    def _shared(
        self, fresh: Sequence[Crossing], steady: Collection[BoundaryCall] | None
    ) -> Iterable[tuple[Crossing, Sequence[Fault]]]:
        """Return what is to be tried: one fault only at calls that do not come back."""
        if steady is None:
            return ()
        wanted = [
            (each, faults_of(each)[: None if each.call in steady else 1])
            for each in fresh
        ]
        shared = shared_out(wanted, self._spending.left)
        self._spending.left_out += _count(wanted) - _count(shared)
        return shared

    def _break(self, base: Base, crossing: Crossing, faults: Sequence[Fault]) -> None:
        """Put each fault at a call, and see in the end whether the tool is itself."""
        runs = [
            interaction
            for fault in faults
            for interaction in self._runs(base, crossing.call, fault)
        ]
        culprit = suspect(runs)
        if culprit is not None:
            self._recover(culprit)

    def _runs(
        self, base: Base, where: BoundaryCall, fault: Fault
    ) -> Iterator[Interaction]:
        varies = where in self._varying
        injection = Injection(fault=fault, where=where, varies=varies)
        once = self._attempt(base, injection)
        if once is None:
            return
        yield once
        if once.outcome.fired and persists(fault):
            if not later_calls(once.outcome.boundary):
                return
            lasting = replace(injection, persistent=True)
            always = self._attempt(base, lasting)
            if always is not None:
                yield always

    def _break_discovered(self, base: Base) -> None:
        """Break the calls that were seen only because something else had failed."""
        last = self._spending.calls + _MOST_DISCOVERED
        while self._discovered:
            injection, crossing = self._discovered.pop(0)
            for fault in faults_of(crossing):
                if self._spending.calls >= last:
                    self._spending.left_out += 1
                    continue
                second = Injection(fault=fault, where=crossing.call)
                self._attempt(base, second, (injection,))

    def _attempt(
        self,
        base: Base,
        injection: Injection,
        besides: tuple[Injection, ...] = (),
    ) -> Interaction | None:
        call = Call(
            arguments=base.call.arguments,
            origin="faults",
            injection=injection,
            besides=besides,
            reference=base.call,
        )
        interaction = self._spending.make(call)
        if interaction is None:
            self._spending.left_out += 1
            return None
        if not besides:
            self._discover(injection, interaction)
        self._repeat(interaction)
        return interaction

    def _discover(self, injection: Injection, interaction: Interaction) -> None:
        for crossing in interaction.outcome.boundary:
            if crossing.call.place not in self._places:
                self._places.add(crossing.call.place)
                self._discovered.append((injection, crossing))

    def _repeat(self, interaction: Interaction) -> None:
        """Make a run several times that left something behind."""
        if not interaction.outcome.resources or self._repeated >= _MOST_REPEATED:
            return
        self._repeated += 1
        for _ in range(_REPEATS):
            self._spending.make(interaction.call)

    def _recover(self, failed: Interaction) -> None:
        """Make the call once the fault is over."""
        call = failed.call
        self._spending.make(
            Call(arguments=call.arguments, origin="faults", reference=call)
        )

    def _keyed(self, key: str, crossings: Sequence[Crossing]) -> Injection | None:
        injections = {
            each.key: each
            for crossing in crossings
            for fault in faults_of(crossing)
            for persistent, varies in product((False, True), repeat=2)
            for each in [
                Injection(
                    fault=fault,
                    where=crossing.call,
                    persistent=persistent,
                    varies=varies,
                )
            ]
        }
        if key not in injections:
            near = nearest(key, injections)
            hint = f"; the nearest is {near!r}" if near else ""
            self._reasons.append(f"no call of it can be broken as {key!r} says{hint}")
        return injections.get(key)


def _count(pairs: Iterable[tuple[Crossing, Sequence[Fault]]]) -> int:
    return sum(len(faults) for _, faults in pairs)
