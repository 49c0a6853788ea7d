"""What users say about several results of their own tools."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from pytest_toolresult.errors import ContractError

Changes: TypeAlias = Sequence[Mapping[str, Any]]
"""For each call the arguments in which it differs from a success."""

_TWICE: Final[Changes] = ({}, {})


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A statement about the results of several calls that differ in their arguments.

    Attributes:
        name: What it says, such as `limit halves rows`.
        over: For each call the arguments in which it differs from a success.
        check: Is handed the results in that order, and asserts or returns whether the
            statement holds. Where it has an argument `asked`, it gets the arguments of
            the calls there.
    """

    name: str
    over: Changes
    check: Callable[..., object]

    def __call__(self, *results: Any, **asked: Any) -> object:
        """Call the function, as it was written."""
        return self.check(*results, **asked)


def relation(
    name: str, *, over: Changes = _TWICE
) -> Callable[[Callable[..., object]], Relation]:
    """Make a relation of a function over results.

    Args:
        name: What the function says, in a few words: it names the series in reports.
        over: For each call the arguments in which it differs from a success of the
            tool. By default the same call is made twice.

    Raises:
        ContractError: If the name is blank, `over` is no list of arguments, or the
            function does not take as many results as there are calls.

    Example:
        @relation("limit halves rows", over=[{"limit": 10}, {"limit": 5}])
        def halves(ten, five):
            assert len(five.data) <= 5 <= len(ten.data) <= 10
    """
    _check_name(name)
    changes = _checked(name, over)

    def made(check: Callable[..., object]) -> Relation:
        _check_function(name, check, len(changes))
        return Relation(name.strip(), changes, check)

    return made


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name.strip():
        raise ContractError(f"a relation needs a name in words, not {name!r}")


def _checked(name: str, over: object) -> Changes:
    if not isinstance(over, (list, tuple)) or not over:
        raise ContractError(
            f"over= of the relation {name!r} must be a list of arguments, one for each"
            f" call, not {over!r}"
        )
    for each in over:
        if not isinstance(each, Mapping):
            raise ContractError(
                f"over= of the relation {name!r} holds {each!r}, which are no arguments"
            )
        _check_json(name, each)
    return tuple(dict(each) for each in over)


def _check_json(name: str, changes: Mapping[str, Any]) -> None:
    try:
        known = json.loads(json.dumps(dict(changes), allow_nan=False)).keys()
    except (TypeError, ValueError, RecursionError) as error:
        raise ContractError(
            f"over= of the relation {name!r} holds {changes!r}, which is no JSON object"
            f" ({error}); a model can only send JSON"
        ) from None
    if known != changes.keys():
        raise ContractError(
            f"over= of the relation {name!r} holds {changes!r}: the names of arguments"
            " must be texts"
        )


def _check_function(name: str, check: object, calls: int) -> None:
    if not callable(check) or isinstance(check, (type, Relation)):
        raise ContractError(f"the relation {name!r} must be a function, not {check!r}")
    if inspect.iscoroutinefunction(check):
        raise ContractError(
            f"the relation {name!r} is an async function, which nobody would await;"
            " make it a plain one: it is handed results, also of async tools"
        )
    try:
        signature = inspect.signature(check)
    except (TypeError, ValueError):  # built into Python
        return
    further = {"asked": ()} if "asked" in signature.parameters else {}
    try:
        signature.bind(*[None] * calls, **further)
    except TypeError as error:
        raise ContractError(
            f"the relation {name!r} cannot be handed {calls} results, one for each"
            f" entry of over=: {error}"
        ) from None
