"""Explorations: they make calls to find out what a tool does, and never judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_toolresult.calls import Arguments, Call
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.tools import Tool

    Probe = Callable[[Call], Interaction | None]
    """Makes one call. `None` says that the exploration is over: out of time,
    stopped by the guard for good, or the session ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What an exploration has to say beside the interactions it brought about.

    Attributes:
        calls: How many calls it made.
        not_covered: What could not be explored, each with the reason.
    """

    calls: int
    not_covered: Mapping[str, str] = field(default_factory=dict)


class Exploration(Protocol):
    """What each exploration offers; `explore.fuzz.FUZZ` is one."""

    name: str

    def run(
        self,
        tool: Tool,
        contract: Contract,
        probe: Probe,
        *,
        max_calls: int,
        remembered: Sequence[Arguments] = (),
    ) -> Summary:
        """Make calls through `probe`, the best ones first.

        Args:
            tool: The tool to explore.
            contract: What is declared about it.
            probe: Makes a call, or says that it is over.
            max_calls: How many calls to make at most.
            remembered: Arguments that showed something last time, to try early.
        """
        ...

    def replay(
        self, tool: Tool, contract: Contract, probe: Probe, asked: Mapping[str, Any]
    ) -> Summary:
        """Make the calls again that showed a finding.

        Args:
            tool: The tool to call.
            contract: What is declared about it.
            probe: Makes a call.
            asked: What stands in the finding's replay line: arguments, and what else
                the exploration put there.
        """
        ...

    def shrink(
        self,
        tool: Tool,
        arguments: Arguments,
        holds: Callable[[Arguments], bool],
        *,
        max_calls: int,
    ) -> Arguments:
        """Find simpler arguments for which `holds` is still true.

        Args:
            tool: The tool the arguments belong to.
            arguments: Arguments for which `holds` is true.
            holds: Asks whether a candidate still shows what is to be shown.
            max_calls: How often `holds` may be asked.

        Returns:
            The simplest arguments that were found, the given ones at worst.
        """
        ...


EXPLORATIONS: Final[Mapping[str, str]] = {
    "fuzz": "pytest_toolresult.explore.fuzz:FUZZ",
    "faults": "pytest_toolresult.explore.faults:FAULTS",
    "relations": "pytest_toolresult.explore.relations:RELATIONS",
}
"""The explorations that exist, by name; their items come in this order."""


def exploration_named(name: str) -> Exploration:
    """Return an exploration, loading its module on first use.

    Raises:
        KeyError: If there is none of that name.
    """
    module, _, attribute = EXPLORATIONS[name].partition(":")
    found: Exploration = getattr(import_module(module), attribute)
    return found
