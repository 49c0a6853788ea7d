"""`[fuzz]`: the tool under every argument that is worth a call, best ones first.

What showed something last time comes first, then the sweep, then what Hypothesis
draws from the same ingredients and from what the tool has given away so far.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from pytest_toolresult.calls import Call
from pytest_toolresult.explore import Summary
from pytest_toolresult.explore.attempts import Attempts, Budget
from pytest_toolresult.explore.shrinking import shrink
from pytest_toolresult.explore.sweeping import constants_of, swept
from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.defects import defects, readable
from pytest_toolresult.strategies.ingredients import Ingredients
from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.sweep import identity
from pytest_toolresult.strategies.validity import fits
from pytest_toolresult.strategies.variation import varied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore import Probe
    from pytest_toolresult.tools import Tool

_LEAST_CALLS: Final = 25
"""A tool whose arguments offer less variety is called again with them."""
_LEAST_WITHOUT_PARAMETERS: Final = 3
_BEST_SWEPT: Final = 100
"""Up to here no draw finds as much as the sweep."""
_MOST_SWEPT: Final = 200
_EXAMPLES_A_CALL: Final = 2
"""Some of what is drawn was tried before, or is refused."""
_BEFORE_REMEMBERED: Final = 1
"""A good call comes before those that failed last time: of arguments that hang it
then shows which value is to blame."""


class Fuzz:
    """The exploration of a tool's arguments."""

    name = "fuzz"

    def run(
        self,
        tool: Tool,
        contract: Contract,
        probe: Probe,
        *,
        max_calls: int,
        remembered: Sequence[Arguments] = (),
    ) -> Summary:
        """Call the tool with one odd thing at a time, then with several.

        Args:
            tool: The tool to explore.
            contract: What is declared about it; declared arguments come first.
            probe: Makes a call, or says that it is over.
            max_calls: How many calls that reach the tool to make at most; as many
                again may be refused by validation before they reach it.
            remembered: Arguments that showed something last time.
        """
        if tool.schema is None:
            return Summary(calls=0, not_covered={"arguments": _why(tool)})
        attempts = Attempts(probe, Budget(max_calls))
        wrong = defects(tool.schema)
        tool = replace(tool, schema=readable(tool.schema))
        why = ""
        try:
            _sweep(tool, swept(tool, contract, attempts), attempts, remembered)
            why = _draw(tool, attempts)
            _repeat(tool, attempts)
        except UnsatisfiableError as error:
            why = str(error)
        told = dict.fromkeys([*wrong, *filter(None, [why])])
        not_covered = {"arguments": "; ".join(told)} if told else {}
        return Summary(calls=attempts.budget.calls, not_covered=not_covered)

    def replay(
        self,
        tool: Tool,  # noqa: ARG002 - see Exploration
        contract: Contract,  # noqa: ARG002 - see Exploration
        probe: Probe,
        asked: Mapping[str, Any],
    ) -> Summary:
        """Make the call of a finding again: what is asked are its arguments."""
        probe(Call(arguments=asked, origin="fuzz"))
        return Summary(calls=1)

    def shrink(
        self,
        tool: Tool,
        arguments: Arguments,
        holds: Callable[[Arguments], bool],
        *,
        max_calls: int,
    ) -> Arguments:
        """Find the arguments a person would have written to show the same."""
        schema = readable(tool.schema) if tool.schema else None
        return shrink(schema, arguments, holds, max_calls=max_calls)


FUZZ: Final = Fuzz()


def _why(tool: Tool) -> str:
    return tool.unusable or "no schema of its arguments could be made"


def _sweep(
    tool: Tool,
    candidates: Iterator[dict[str, Any]],
    attempts: Attempts,
    remembered: Sequence[Arguments],
) -> None:
    """Sweep, until the share of the calls that belongs to the sweep is used up."""
    first = islice(candidates, _BEFORE_REMEMBERED)
    again = (dict(each) for each in remembered)
    shapes = Shapes(tool.schema or {})
    share = swept_share(attempts.budget.most)
    for arguments in chain(first, again, candidates):
        if not attempts.budget.allows_mistakes and not fits(
            shapes, shapes.root, arguments
        ):
            continue
        if not attempts.make(arguments) or attempts.budget.calls >= share:
            return


def swept_share(max_calls: int) -> int:
    """Tell how many of the calls are the sweep's: all of few, some of many."""
    share = max(_BEST_SWEPT, min(_MOST_SWEPT, max_calls * 4 // 5))
    return min(share, max_calls)


def _draw(tool: Tool, attempts: Attempts) -> str:
    """Let Hypothesis draw for the calls that are left; say why where it cannot."""
    if attempts.is_over or not _has_parameters(tool):
        return ""
    from pytest_toolresult.explore.drawing import draw
    from pytest_toolresult.explore.scouting import Scout

    schema = tool.schema or {}
    shapes = Shapes(schema)
    ingredients = Ingredients(
        schema, constants=constants_of(tool), description=tool.description
    )
    number = count()

    def attempt(drawn: dict[str, Any], exact: bool) -> bool:  # noqa: FBT001 - an `Attempt`
        if exact:
            return attempts.make(drawn)
        mistakes = attempts.budget.allows_mistakes
        # To draw the seed as well would cost a quarter of what all the rest does.
        seed = crc32(identity(drawn).encode()) + next(number)
        arguments = varied(
            drawn, seed, attempts.accepted, attempts.harvest, mistakes=mistakes
        )
        if not mistakes and not fits(shapes, shapes.root, arguments):
            return True
        return attempts.make(arguments)

    return draw(
        schema,
        attempt,
        pool=ingredients.pool,
        max_examples=_EXAMPLES_A_CALL * attempts.budget.left,
        key=tool.identity,
        show=Scout(tool.function).show,
    )


def _repeat(tool: Tool, attempts: Attempts) -> None:
    """Call again where there was little to vary: state shows itself over time."""
    wanted = _LEAST_CALLS if _has_parameters(tool) else _LEAST_WITHOUT_PARAMETERS
    accepted = list(attempts.accepted)
    while accepted and attempts.budget.calls < wanted:
        if not attempts.repeat(accepted[attempts.budget.calls % len(accepted)]):
            return


def _has_parameters(tool: Tool) -> bool:
    return bool((tool.schema or {}).get("properties"))
