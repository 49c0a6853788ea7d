"""`[fuzz]`: the tool under every argument that is worth a call, best ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.codescan import own_constants
from pytest_toolresult.explore import Summary
from pytest_toolresult.explore.shrinking import shrink
from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.sweep import sweep
from pytest_toolresult.strategies.validity import fits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore import Probe
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.tools import Tool

_LEAST_CALLS: Final = 25
"""A tool whose arguments offer less variety is called again with them."""
_LEAST_WITHOUT_PARAMETERS: Final = 3
_REPEATED: Final = frozenset({"returned", "raised"})
_MOST_IN_A_ROW: Final[Mapping[str, int]] = {"blocked": 20, "hung": 5, "exited": 20}
"""After so many calls in a row that ended in one of these ways all others would."""


class _Budget:
    """How many calls were made and how they ended, and whether more may be.

    Refused calls never reached the tool. They have a budget of their own, so that
    a strict validator leaves the calls to arguments that it lets through.
    """

    def __init__(self, max_calls: int) -> None:
        self.calls = 0
        self.refused = 0
        self._last_ending = ""
        self._in_a_row = 0
        self._max_calls = max_calls

    @property
    def is_spent(self) -> bool:
        """Whether the exploration is to end."""
        return (
            self.calls >= self._max_calls
            or self.refused >= self._max_calls
            or self._in_a_row >= _MOST_IN_A_ROW.get(self._last_ending, self._max_calls)
        )

    @property
    def allows_mistakes(self) -> bool:
        """Whether arguments may be tried that validation will likely refuse."""
        return self.refused < self._max_calls / 2

    def count(self, outcome: Outcome) -> None:
        """Take a call into account."""
        if outcome.ending == "refused":
            self.refused += 1
            return
        self.calls += 1
        again = outcome.ending == self._last_ending
        self._in_a_row = self._in_a_row + 1 if again else 1
        self._last_ending = outcome.ending


class Fuzz:
    """The exploration of a tool's arguments."""

    name = "fuzz"

    def run(
        self, tool: Tool, contract: Contract, probe: Probe, *, max_calls: int
    ) -> Summary:
        """Call the tool with one odd thing at a time.

        Args:
            tool: The tool to explore.
            contract: What is declared about it; declared arguments come first.
            probe: Makes a call, or says that it is over.
            max_calls: How many calls that reach the tool to make at most; as many
                again may be refused by validation before they reach it.
        """
        if tool.schema is None:
            return Summary(calls=0, not_covered={"arguments": _why(tool)})
        budget = _Budget(max_calls)
        try:
            _explore(_readable(_candidates(tool, contract)), tool, probe, budget)
        except UnsatisfiableError as error:
            return Summary(calls=budget.calls, not_covered={"arguments": str(error)})
        return Summary(calls=budget.calls)

    def shrink(
        self,
        tool: Tool,
        arguments: Arguments,
        holds: Callable[[Arguments], bool],
        *,
        max_calls: int,
    ) -> Arguments:
        """Find the arguments a person would have written to show the same."""
        return shrink(tool.schema, arguments, holds, max_calls=max_calls)


FUZZ: Final = Fuzz()


def _why(tool: Tool) -> str:
    return tool.unusable or "no schema of its arguments could be made"


def _explore(
    candidates: Iterator[dict[str, Any]], tool: Tool, probe: Probe, budget: _Budget
) -> None:
    shapes = Shapes(tool.schema or {})
    accepted: list[dict[str, Any]] = []
    for arguments in candidates:
        if budget.is_spent:
            return
        if not budget.allows_mistakes and not fits(shapes, shapes.root, arguments):
            continue
        interaction = probe(Call(arguments=arguments, origin="fuzz"))
        if interaction is None:
            return
        budget.count(interaction.outcome)
        if interaction.outcome.ending in _REPEATED:
            accepted.append(arguments)
    _repeat(accepted, tool, probe, budget)


def _repeat(
    accepted: list[dict[str, Any]], tool: Tool, probe: Probe, budget: _Budget
) -> None:
    """Call again where there was little to vary: state shows itself over time."""
    has_parameters = bool((tool.schema or {}).get("properties"))
    wanted = _LEAST_CALLS if has_parameters else _LEAST_WITHOUT_PARAMETERS
    while accepted and budget.calls < wanted and not budget.is_spent:
        again = accepted[budget.calls % len(accepted)]
        interaction = probe(Call(arguments=again, origin="fuzz"))
        if interaction is None:
            return
        budget.count(interaction.outcome)


def _readable(candidates: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Say of a schema that breaks the rules of JSON Schema that it cannot be read."""
    try:
        yield from candidates
    except UnsatisfiableError:
        raise
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as e:
        raise UnsatisfiableError(
            f"the schema of its arguments cannot be read ({type(e).__name__}: {e})"
        ) from e


def _candidates(tool: Tool, contract: Contract) -> Iterator[dict[str, Any]]:
    declared = [dict(case.arguments) for case in contract.cases if case.when is None]
    constants = own_constants(tool.function) if tool.function else ()
    return sweep(
        tool.schema or {},
        constants=constants,
        description=tool.description,
        bases=declared,
    )
