"""The fault-free calls that faults are put into: those with data, declared or found."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.explore.attempts import Attempts, Budget
from pytest_toolresult.explore.sweeping import swept
from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.defects import readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore.spending import Spending
    from pytest_toolresult.faults import Crossing
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.tools import Tool

MOST_SWEPT: Final = 60
"""How many calls may be spent on finding a success where none is declared."""

_MOST_WITHOUT: Final = 10
"""How many successes that touch nothing are passed over for one that does."""

_MOST_PARTIAL: Final = 20
"""How many partial results are passed over for a success."""

MOST_STOPPED: Final = 20
"""After so many calls in a row that the guard has stopped, all others would be."""

_LONGEST: Final = 120
_ANSWERED: Final = frozenset({"success", "partial"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A call that comes to data, and what it crosses.

    Attributes:
        call: The call.
        crossings: What it crosses, in order.
        status: What it comes to: `success`, or `partial`.
    """

    call: Call
    crossings: Sequence[Crossing]
    status: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The successes to start from, or why there is none.

    Attributes:
        bases: The calls; all that are declared, or one that was found.
        why_not: Why faults cannot be put into some declared success, or into any.
    """

    bases: Sequence[Base] = ()
    why_not: str = ""


def find_bases(tool: Tool, contract: Contract, spending: Spending) -> Found:
    """Make calls until there is a success for faults to be put into.

    Args:
        tool: The tool.
        contract: Its declared successes are what to start from; where there are
            none, the first success of the sweep through its arguments is, or a
            partial result where there is no success.
        spending: Makes the calls.
    """
    declared = [
        dict(case.arguments)
        for case in contract.cases
        if case.status == "success" and case.when is None
    ]
    if declared:
        return _declared(declared, spending)
    return _swept(tool, contract, spending)


def base_of(interaction: Interaction) -> Base:
    """Return what a call that came to data is as a base."""
    return Base(
        call=interaction.call,
        crossings=interaction.outcome.boundary,
        status=interaction.status,
    )


def how_it_ended(interaction: Interaction) -> str:
    """Say in words what a call came to."""
    outcome = interaction.outcome
    if outcome.ending != "returned":
        reason = outcome.reply.refused if outcome.reply else None
        blocked = outcome.blocked.action if outcome.blocked else None
        return ": ".join(filter(None, (outcome.ending, reason or blocked)))
    code = interaction.envelope.code if interaction.envelope else None
    return " ".join(filter(None, (interaction.status or "an unreadable result", code)))


def _declared(several: Sequence[Arguments], spending: Spending) -> Found:
    bases: list[Base] = []
    failed: list[str] = []
    for arguments in several:
        interaction = spending.make(Call(arguments=arguments, origin="faults"))
        if interaction is None:
            break
        if succeeded(interaction):
            bases.append(base_of(interaction))
        else:
            ended = how_it_ended(interaction)
            failed.append(
                f"the success case {_shown(arguments)} does not succeed ({ended})"
            )
    return Found(bases=bases, why_not="; ".join(failed))


def _swept(tool: Tool, contract: Contract, spending: Spending) -> Found:
    if tool.schema is None:
        why = tool.unusable or "no schema of its arguments could be made"
        return Found(why_not=f"no success to start from: {why}")
    tool = replace(tool, schema=readable(tool.schema))
    attempts = Attempts(spending.make, Budget(MOST_SWEPT), "faults")
    try:
        return _first_success(swept(tool, contract, attempts), attempts)
    except UnsatisfiableError as error:
        return Found(why_not=f"no success to start from: {error}")


def _first_success(candidates: Iterator[dict[str, Any]], attempts: Attempts) -> Found:
    """Find a success that crosses something.

    Second to it comes a partial result that does: a tool with many rows may never
    send all of them. Last comes a success that crosses nothing.
    """
    others: list[Base] = []
    partial: list[Base] = []
    endings: list[str] = []
    for arguments in islice(candidates, MOST_SWEPT):
        attempts.repeat(arguments)
        interaction = attempts.last
        if interaction is None or len(others) >= _MOST_WITHOUT:
            break
        if len(partial) >= _MOST_PARTIAL:
            break
        endings.append(interaction.outcome.ending)
        if succeeded(interaction) and interaction.outcome.boundary:
            return Found(bases=[base_of(interaction)])
        if succeeded(interaction):
            others.append(base_of(interaction))
        elif answered(interaction) and interaction.outcome.boundary:
            partial.append(base_of(interaction))
        if endings[-MOST_STOPPED:] == ["blocked"] * MOST_STOPPED:
            break
    found = [*partial[:1], *others[:1]][:1]
    return Found(bases=found, why_not="" if found else _none_among(endings))


def _none_among(endings: Sequence[str]) -> str:
    if "blocked" in endings:
        return ""  # what was stopped is told anyway, and is reason enough
    return (
        f"no success to start from among {len(endings)} calls;"
        " declare one with success={...}"
    )


def succeeded(interaction: Interaction) -> bool:
    """Tell whether a call came to a success, and nothing was stopped on the way."""
    return answered(interaction) and interaction.status == "success"


def answered(interaction: Interaction) -> bool:
    """Tell whether a call came to data, all of it or a part, and was not stopped."""
    outcome = interaction.outcome
    unharmed = outcome.ending == "returned" and outcome.blocked is None
    return unharmed and interaction.status in _ANSWERED


def _shown(arguments: Arguments) -> str:
    text = json.dumps(arguments)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
