"""Holds results to what users say about them in functions of their own."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from pytest_toolresult.errors import ContractError
from pytest_toolresult.redaction.excerpt import excerpt_text
from pytest_toolresult.results import ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.relating import Relation
    from pytest_toolresult.rules.exhibit import Exhibit


def broken(relation: Relation, asked: Sequence[Exhibit]) -> str | None:
    """Ask a relation about the results of its calls.

    Args:
        relation: The relation.
        asked: Its calls, in order.

    Returns:
        What it says against them, as the end of a sentence; `None` where it holds.

    Raises:
        ContractError: If the function raises anything but an `AssertionError`.
    """
    results = [_result_of(each) for each in asked]
    arguments = [dict(each.call.arguments) for each in asked]
    further = {"asked": arguments} if _wants_arguments(relation) else {}
    try:
        holds = relation.check(*results, **further)
    except AssertionError as error:
        said = str(error).strip()
        return f": {excerpt_text(said)}" if said else ""
    except Exception as error:
        raise ContractError(
            f"the relation {relation.name!r} raised {type(error).__name__}: {error};"
            " it is handed one result for each entry of over=, and asserts what holds"
        ) from error
    return "" if holds is False else None


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
    return ToolResult(**fields, raw=reply.value if reply else None)
