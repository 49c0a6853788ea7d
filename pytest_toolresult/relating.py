"""What users say about several results of their own tools."""

from __future__ import annotations

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
        ContractError: If the name is blank, or `over` is no list of arguments.

    Example:
        @relation("limit halves rows", over=[{"limit": 10}, {"limit": 5}])
        def halves(ten, five):
            assert len(five.data) <= 5 <= len(ten.data) <= 10
    """
    _check_name(name)
    changes = _checked(name, over)

    def made(check: Callable[..., object]) -> Relation:
        if not callable(check):
            raise ContractError(f"the relation {name!r} must be a function")
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
    return tuple(dict(each) for each in over)
