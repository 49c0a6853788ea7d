"""Holds results to what users say about them in functions of their own."""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.errors import ContractError
from pytest_toolresult.redaction.excerpt import excerpt_text
from pytest_toolresult.results import ToolResult
from pytest_toolresult.rules.raised import described, innermost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.relating import Relation
    from pytest_toolresult.rules.exhibit import Exhibit

_LONGEST: Final = 400


def broken(relation: Relation, asked: Sequence[Exhibit]) -> str | None:
    """Ask a relation about the results of its calls.

    Args:
        relation: The relation.
        asked: Its calls, in order.

    Returns:
        What it says against them, as the end of a sentence; `None` where it holds.

    Raises:
        ContractError: If the function raises anything but an `AssertionError`: that is
            no fault of the tool.
    """
    results = [_result_of(each) for each in asked]
    arguments = [dict(each.call.arguments) for each in asked]
    further = {"asked": arguments} if _wants_arguments(relation) else {}
    try:
        holds = relation.check(*results, **further)
    except AssertionError as error:
        said = str(error).strip()
        return f": {excerpt_text(said, _LONGEST)}" if said else ""
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # pytest's own outcomes are no exceptions
        raise ContractError(_told(relation, asked[0].tool.name, error)) from error
    return "" if holds is False else None


def _told(relation: Relation, tool: str, error: BaseException) -> str:
    where = innermost(error)
    at = f" at {where}" if where else ""
    return (
        f"{tool}: the relation {relation.name!r} raised"
        f" {described(error)}{at}; a relation asserts what holds"
        " between results, or returns whether it does"
    )


def _wants_arguments(relation: Relation) -> bool:
    try:
        return "asked" in inspect.signature(relation.check).parameters
    except (TypeError, ValueError):  # built into Python
        return False


def _result_of(found: Exhibit) -> ToolResult:
    reply = found.outcome.reply
    envelope = found.envelope
    fields: dict[str, Any] = {"status": found.path}
    if envelope is not None:
        fields |= {"data": envelope.data, "error": envelope.error}
        fields |= {"meta": envelope.meta}
    return _own_copy(ToolResult(**fields, raw=reply.value if reply else None))


def _own_copy(result: ToolResult) -> ToolResult:
    """Return a result in which a function may change what it likes."""
    try:
        return copy.deepcopy(result)
    except Exception:  # noqa: BLE001 - whatever a result's own code raises
        return result
