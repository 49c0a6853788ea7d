"""How a reply reads as an envelope, and so which rules apply to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.envelope import Envelope, Status
    from pytest_toolresult.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A way in which tools answer.

    Attributes:
        name: What users call it, such as `native`.
        read: Reads an outcome that has a reply as an envelope, or returns `None` where
            it cannot.
        statuses: The statuses it can express: the coverage denominator.
        has_envelope: Whether it has the four fields; rules about them are inactive
            elsewhere, not waived.
        forgives_raise: Whether an exception raised on purpose is an error result
            (as agent runtimes hand it to the model) and no escaping exception.
    """

    name: str
    read: Callable[[Outcome], Envelope | None]
    statuses: frozenset[Status]
    has_envelope: bool
    forgives_raise: bool
