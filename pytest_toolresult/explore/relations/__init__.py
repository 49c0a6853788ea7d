"""`[relations]`: what must hold between several calls of one tool.

A success is made twice, so that what varies by itself is known. Each relation then
makes series of calls that differ from it in one thing: the spelling of an argument,
the page, the time zone, what happens at the same time. Whether that is right is
for the rules to say.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import RELATION_KEY
from pytest_toolresult.explore import Summary
from pytest_toolresult.explore.relations.ground import (
    asked_for,
    find_successes,
    ground_of,
)
from pytest_toolresult.explore.relations.series import Reasons, Stage
from pytest_toolresult.explore.shrinking import shrink
from pytest_toolresult.explore.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore import Probe
    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Relation, Series
    from pytest_toolresult.tools import Tool

_PACKAGE: Final = "pytest_toolresult.explore.relations"

TABLE: Final[Mapping[str, str]] = {
    "own": f"{_PACKAGE}.own:OWN",
    "limits": f"{_PACKAGE}.limits:LIMITS",
    "paging": f"{_PACKAGE}.paging:PAGING",
    "spelling": f"{_PACKAGE}.spelling:SPELLING",
    "invented": f"{_PACKAGE}.invented:INVENTED",
    "missing-ids": f"{_PACKAGE}.missing_ids:MISSING_IDS",
    "outside": f"{_PACKAGE}.outside:OUTSIDE",
    "line-breaks": f"{_PACKAGE}.line_breaks:LINE_BREAKS",
    "counts": f"{_PACKAGE}.counts:COUNTS",
    "zones": f"{_PACKAGE}.zones:ZONES_RELATION",
    "parallel": f"{_PACKAGE}.parallel:PARALLEL",
    "repeat": f"{_PACKAGE}.repeat:REPEAT",
}
"""The relations that exist, by name: the project's own, then those that find most."""

_MOST_REPLAYED: Final = 80
_SHRINKING_SERIES: Final = 12
"""How many series one finding may cost to be shown with simple arguments."""

_PLAYED_EACH_TIME: Final = frozenset({"repeat", "zones"})
"""Series that hang on the result alone, and so are made from every success."""

_OF_ANY_RESULTS: Final = frozenset({"own", "missing-ids"})
"""Relations that do not compare: what users say may well hold of what varies, and many
an action can be done once only."""

_UNSTEADY: Final = (
    "its results differ from one equal call to the next, so that nothing can be"
    " compared"
)


class Relations:
    """The exploration of what holds between calls."""

    name = "relations"

    def run(
        self,
        tool: Tool,
        contract: Contract,
        probe: Probe,
        *,
        max_calls: int,
        remembered: Sequence[Arguments] = (),  # noqa: ARG002 - nothing is drawn
    ) -> Summary:
        """Try every relation that applies to a tool, from its successes.

        Args:
            tool: The tool to explore.
            contract: What is declared about it.
            probe: Makes a call, or says that it is over.
            max_calls: How many calls to make at most.
            remembered: Not used: the same series are tried each time.
        """
        spending = Spending(probe, max_calls)
        found = find_successes(tool, contract, spending)
        reasons, played = Reasons(), set[str]()
        if found.why_not:
            reasons.add("relations", found.why_not)
        for number, first in enumerate(found.calls):
            ground = ground_of(first, contract, spending, is_first=number == 0)
            if ground is None:
                spending.left_out += 1
            else:
                self._explore(ground, spending, reasons, played)
        return _summary(spending, reasons)

    def replay(
        self,
        tool: Tool,  # noqa: ARG002 - see Exploration
        contract: Contract,
        probe: Probe,
        asked: Mapping[str, Any],
    ) -> Summary:
        """Make the calls of one series again.

        Args:
            tool: Not used: what was called says it.
            contract: What is declared about it.
            probe: Makes a call.
            asked: The arguments of the success, and under `RELATION_KEY` the key.
        """
        arguments = {name: asked[name] for name in asked if name != RELATION_KEY}
        spending = Spending(probe, _MOST_REPLAYED)
        reasons = Reasons()
        first = spending.make(asked_for(arguments))
        ground = ground_of(first, contract, spending) if first else None
        if ground is not None:
            _play_keyed(ground, str(asked.get(RELATION_KEY, "")), spending, reasons)
            ground_of(ground.base, contract, spending)  # it may have changed meanwhile
        return _summary(spending, reasons)

    def shrink(
        self,
        tool: Tool,
        arguments: Arguments,
        holds: Callable[[Arguments], bool],
        *,
        max_calls: int,
    ) -> Arguments:
        """Find a simpler success whose series still shows the same."""
        most = min(max_calls, _SHRINKING_SERIES)
        return shrink(tool.schema, arguments, holds, max_calls=most)

    def _explore(
        self,
        ground: Ground,
        spending: Spending,
        reasons: Reasons,
        played: set[str],
    ) -> None:
        """Play every series that no earlier success was good for."""
        is_steady = ground.steadiness.is_telling
        if not is_steady:
            reasons.add("relations", _UNSTEADY)
        for relation in relations():
            if not is_steady and relation.name not in _OF_ANY_RESULTS:
                continue
            for series in relation.series(ground, reasons):
                if series.key in played and series.key not in _PLAYED_EACH_TIME:
                    continue
                if spending.left < series.cost:
                    spending.left_out += 1
                    continue
                played.add(series.key)
                _play(relation, series, ground, spending)


def relations() -> Iterator[Relation]:
    """Give the relations, loading each on first use."""
    for target in TABLE.values():
        module, _, attribute = target.partition(":")
        yield getattr(import_module(module), attribute)


def _play_keyed(ground: Ground, key: str, spending: Spending, reasons: Reasons) -> None:
    for relation in relations():
        for series in relation.series(ground, reasons):
            if series.key == key:
                _play(relation, series, ground, spending)
                return
    reasons.add("relations", f"no series of it is called {key!r}")


def _play(
    relation: Relation, series: Series, ground: Ground, spending: Spending
) -> None:
    series.play(Stage(spending, ground, relation.name, series.key))


def _summary(spending: Spending, reasons: Reasons) -> Summary:
    told = [
        why if name == "relations" else f"{name}: {why}"
        for name, why in reasons.told.items()
    ]
    if spending.left_out:
        told.append(
            f"series that were left out: {spending.left_out}, because {spending.most}"
            " calls are the most (see --toolresult-examples)"
        )
    why = "; ".join(told)
    return Summary(calls=spending.calls, not_covered={"relations": why} if why else {})


RELATIONS: Final = Relations()
