"""`[faults]`: a call that succeeds, with one thing broken that it depends on.

One success is recorded. It is then made again with one fault at one of its calls to
the outside, for every kind of call and every fault that fits it: once as a hiccup, and
where the tool went on asking, once for good. Calls that a tool makes only where
something has failed are broken in their turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import FAULT_KEY, Call
from pytest_toolresult.explore.base_calls import base_of, find_bases
from pytest_toolresult.explore.campaign import Campaign
from pytest_toolresult.explore.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore import Probe, Summary
    from pytest_toolresult.tools import Tool

_MOST_REPLAYED: Final = 30


class Faults:
    """The exploration of a tool's dependencies."""

    name = "faults"

    def run(
        self,
        tool: Tool,
        contract: Contract,
        probe: Probe,
        *,
        max_calls: int,
        remembered: Sequence[Arguments] = (),  # noqa: ARG002 - faults are not drawn
    ) -> Summary:
        """Break everything that a success of the tool depends on, once each.

        Args:
            tool: The tool to explore.
            contract: What is declared about it.
            probe: Makes a call, or says that it is over.
            max_calls: How many calls to make at most.
            remembered: Not used: the same faults are tried each time.
        """
        spending = Spending(probe, max_calls)
        found = find_bases(tool, contract, spending)
        campaign = Campaign(spending, found.why_not)
        for base in found.bases:
            campaign.explore(base)
        return campaign.summary()

    def replay(
        self,
        tool: Tool,  # noqa: ARG002 - see Exploration
        contract: Contract,  # noqa: ARG002 - see Exploration
        probe: Probe,
        asked: Mapping[str, Any],
    ) -> Summary:
        """Make the calls again that showed something: without the fault and with it.

        Args:
            tool: Not used: the faults are found in the calls.
            contract: Not used likewise.
            probe: Makes a call.
            asked: The arguments, and under `FAULT_KEY` the key of the fault, or keys.
        """
        arguments = {name: asked[name] for name in asked if name != FAULT_KEY}
        keys = asked.get(FAULT_KEY, [])
        spending = Spending(probe, _MOST_REPLAYED)
        first = spending.make(Call(arguments=arguments, origin="faults"))
        campaign = Campaign(spending)
        if first is not None:
            campaign.again(base_of(first), [keys] if isinstance(keys, str) else keys)
        return campaign.summary()

    def shrink(
        self,
        tool: Tool,  # noqa: ARG002 - see Exploration
        arguments: Arguments,
        holds: Callable[[Arguments], bool],  # noqa: ARG002 - see Exploration
        *,
        max_calls: int,  # noqa: ARG002 - see Exploration
    ) -> Arguments:
        """Return the arguments as they are: it is the fault that shows something."""
        return arguments


FAULTS: Final = Faults()
