"""The sweep of one tool: good arguments first, then what its calls have given away.

Every exploration that needs arguments nobody has declared takes them from here, so that
what one of them reaches, the others reach as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.codescan import own_constants
from pytest_toolresult.strategies.bases import UnsatisfiableError
from pytest_toolresult.strategies.defects import MALFORMED
from pytest_toolresult.strategies.echoes import Echoes
from pytest_toolresult.strategies.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.explore.attempts import Attempts
    from pytest_toolresult.tools import Tool

_SWEPT_AN_ECHO: Final = 2
"""After how many calls of the sweep comes one with what they gave away."""


def swept(
    tool: Tool, contract: Contract, attempts: Attempts
) -> Iterator[dict[str, Any]]:
    """Give arguments, the best ones first; what calls give away comes in between.

    Args:
        tool: The tool; its schema is one that can be read.
        contract: What is declared about it; declared arguments come first.
        attempts: Makes the calls, one before the next arguments are asked for.

    Raises:
        UnsatisfiableError: If nothing fits the schema, or it breaks the rules of JSON
            Schema.
    """
    constants = constants_of(tool)
    plain = _readable(_candidates(tool, contract, constants, attempts))
    yield from _with_echoes(tool, plain, attempts, constants)


def constants_of(tool: Tool) -> Sequence[str | int | float]:
    """Return the constants of a tool's own code, best first."""
    return own_constants(tool.function) if tool.function else ()


def _candidates(
    tool: Tool,
    contract: Contract,
    constants: Sequence[str | int | float],
    attempts: Attempts,
) -> Iterator[dict[str, Any]]:
    declared = [dict(case.arguments) for case in contract.cases if case.when is None]
    return sweep(
        tool.schema or {},
        constants=constants,
        description=tool.description,
        bases=declared,
        rank=attempts.rank,
    )


def _readable(candidates: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Say of a schema that breaks the rules of JSON Schema that it cannot be read."""
    try:
        yield from candidates
    except UnsatisfiableError:
        raise
    except MALFORMED as e:
        raise UnsatisfiableError(
            f"the schema of its arguments cannot be read ({type(e).__name__}: {e})"
        ) from e


def _with_echoes(
    tool: Tool,
    candidates: Iterator[dict[str, Any]],
    attempts: Attempts,
    constants: Sequence[str | int | float],
) -> Iterator[dict[str, Any]]:
    """Put in, between the calls of the sweep, what they have given away."""
    schema, harvest = tool.schema or {}, attempts.harvest
    echoes: Echoes | None = None
    for number, arguments in enumerate(candidates):
        echoes = echoes or Echoes(schema, arguments, harvest, constants)
        yield arguments
        if number % _SWEPT_AN_ECHO == 0 and (echo := echoes.next()):
            known = len(attempts.paths)
            yield echo
            if len(attempts.paths) > known:
                echoes.opened(echo)
