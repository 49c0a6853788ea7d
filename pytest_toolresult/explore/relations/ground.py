"""The success that relations start from, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call, Part
from pytest_toolresult.explore.attempts import Attempts, Budget
from pytest_toolresult.explore.base_calls import (
    MOST_STOPPED,
    MOST_SWEPT,
    answered,
    how_it_ended,
)
from pytest_toolresult.explore.relations.parameters import arguments_of
from pytest_toolresult.explore.sweeping import swept
from pytest_toolresult.listing import listing_of
from pytest_toolresult.steadiness import Steadiness, content_of
from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.defects import readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore.relations.parameters import Argument
    from pytest_toolresult.explore.spending import Spending
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.tools import Tool

_MOST_LOOKED: Final = 12
"""How many calls more are made for a success of several rows, once there is one."""

_MOST_GROUNDS: Final = 3
_ANSWERED: Final = frozenset({"success", "partial"})
_TWO: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A success, made twice, from which the calls of a series differ in one thing.

    Attributes:
        tool: The tool.
        contract: What is declared about it.
        base: The success.
        again: The same call once more.
        is_first: Whether it is the first one of its tool.
    """

    tool: Tool
    contract: Contract
    base: Interaction
    again: Interaction
    is_first: bool = True

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the success."""
        return dict(self.base.call.arguments)

    @property
    def takes_by_name(self) -> Mapping[str, Argument]:
        """What the tool takes, by the names of the arguments."""
        schema = self.tool.schema
        return arguments_of(readable(schema) if schema else None)

    @property
    def steadiness(self) -> Steadiness:
        """What of the result stays the same from one equal call to the next."""
        return Steadiness.of([content_of(self.base), content_of(self.again)])

    def takes(self, arguments: Arguments) -> bool:
        """Tell whether arguments reach the tool, and are not turned down before."""
        return self.converted(arguments) is not None

    def sees_a_difference(self, arguments: Arguments) -> bool:
        """Tell whether the tool is handed something else than in the success."""
        found = self.converted(arguments)
        if found is None:
            return False
        return _differs(found, self.converted(self.base.call.arguments))

    def converted(self, arguments: Arguments) -> Mapping[str, Any] | None:
        """Return what the tool is handed; `None` where validation refuses."""
        if self.tool.convert is None:
            return arguments
        try:
            return self.tool.convert(arguments)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The successes to start from, or why there is none."""

    calls: Sequence[Interaction] = ()
    why_not: str = ""


def find_successes(tool: Tool, contract: Contract, spending: Spending) -> Found:
    """Make calls until there are successes to start from.

    Args:
        tool: The tool.
        contract: Its declared successes come first; where none of them succeeds,
            the sweep through the arguments is searched for one.
        spending: Makes the calls.
    """
    declared = [
        dict(case.arguments)
        for case in contract.cases
        if case.status in _ANSWERED and case.when is None
    ]
    made = [_asked(arguments, spending) for arguments in declared[:_MOST_GROUNDS]]
    good = [each for each in made if each is not None and answered(each)]
    if good:
        return Found(calls=good)
    found = _swept(tool, contract, spending)
    failed = [each for each in made if each is not None]
    if found.calls or not failed:
        return found
    why = f"no declared success succeeds ({how_it_ended(failed[0])})"
    return Found(why_not="; ".join(filter(None, (why, found.why_not))))


def ground_of(
    first: Interaction, contract: Contract, spending: Spending, *, is_first: bool = True
) -> Ground | None:
    """Make a success again, to see what of it varies; `None` where there is no more."""
    part = Part(role="again", told="the same call again")
    again = spending.make(
        Call(
            arguments=first.call.arguments,
            origin="relations",
            part=part,
            reference=first.call,
        )
    )
    if again is None:
        return None
    return Ground(
        tool=first.tool, contract=contract, base=first, again=again, is_first=is_first
    )


def asked_for(arguments: Arguments) -> Call:
    """Return the call that a series may start from."""
    return Call(arguments=arguments, origin="relations", part=Part())


def _asked(arguments: Arguments, spending: Spending) -> Interaction | None:
    return spending.make(asked_for(arguments))


def _swept(tool: Tool, contract: Contract, spending: Spending) -> Found:
    if tool.schema is None:
        why = tool.unusable or "no schema of its arguments could be made"
        return Found(why_not=f"no success to start from: {why}")
    tool = replace(tool, schema=readable(tool.schema))
    most = min(MOST_SWEPT, spending.left // 2)  # the rest is for the relations
    attempts = Attempts(
        lambda call: _asked(call.arguments, spending), Budget(most), "relations"
    )
    try:
        return _richest(swept(tool, contract, attempts), attempts)
    except UnsatisfiableError as error:
        return Found(why_not=f"no success to start from: {error}")


def _richest(candidates: Iterator[dict[str, Any]], attempts: Attempts) -> Found:
    """Find a success of several rows; another one, if there is none."""
    others: list[Interaction] = []
    endings: list[str] = []
    looked = 0
    for arguments in islice(candidates, attempts.budget.left):
        attempts.repeat(arguments)
        interaction = attempts.last
        looked += bool(others)
        if interaction is None or looked > _MOST_LOOKED:
            break
        endings.append(interaction.outcome.ending)
        if answered(interaction):
            if rows_in(interaction) >= _TWO:
                return Found(calls=[interaction, *others[:1]])
            others.append(interaction)
        if endings[-MOST_STOPPED:] == ["blocked"] * MOST_STOPPED:
            break
    if others:
        return Found(calls=others[:1])
    if "blocked" in endings:
        return Found()  # what was stopped is told anyway, and is reason enough
    return Found(
        why_not=f"no success to start from among {len(endings)} calls; declare one"
        " with success={...}"
    )


def rows_in(interaction: Interaction) -> int:
    """Return how many rows a call came to; 0 where its data is no list."""
    data = interaction.envelope.data if interaction.envelope else None
    listing = listing_of(data)
    return len(listing.rows) if listing else 0


def _differs(one: object, other: object) -> bool:
    try:
        return not bool(one == other)
    except Exception:  # noqa: BLE001 - whatever a comparison of the user's raises
        return True
