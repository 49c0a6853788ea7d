"""Other arguments for the same tool: one changed, as its own code may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.codescan import own_constants
from pytest_toolresult.envelope import FIELDS, STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground

_LONGEST: Final = 60
_ENVELOPE: Final = frozenset({*FIELDS, *STATUSES, "code", "message", "retryable"})
"""What the code says of its own answers, and nobody asks for."""


def variants(ground: Ground) -> Iterator[dict[str, Any]]:
    """Give the arguments of a success with another value for one of them.

    Texts become what the tool's own code compares them with, numbers their
    neighbours; a choice becomes another one.
    """
    function = ground.tool.function
    constants = own_constants(function) if function else ()
    words = [
        each
        for each in constants
        if isinstance(each, str) and len(each) <= _LONGEST and each not in _ENVELOPE
    ]
    arguments = ground.arguments
    for name, argument in ground.takes_by_name.items():
        value = arguments.get(name)
        others: list[Any] = []
        if isinstance(value, str):
            others = [*(argument.choices or words)]
        elif isinstance(value, int) and not isinstance(value, bool):
            others = [value + 1, value - 1]
        for other in others:
            asked = {**arguments, name: other}
            if other != value and ground.takes(asked):
                yield asked
