"""What comes of invoking something under a bound, before it is named an ending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.loops import ReusedLoop

    Extend = Callable[[float], None]
    """Gives the call in progress more time, in seconds."""


class Overdue(BaseException):
    """Raised inside a call that is past its bound, by us alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an invocation came to.

    Attributes:
        value: What it returned.
        exception: What left it instead.
        hung: Whether it went past its bound, whatever it returned then.
        busy_s: See `Outcome.busy_s`.
    """

    value: Any = None
    exception: BaseException | None = None
    hung: bool = False
    busy_s: float = 0.0


class Lane(Protocol):
    """A way of making bounded calls from one thread.

    Attributes:
        loop: The event loop that belongs to the thread the calls are made on.
    """

    loop: ReusedLoop

    def call(self, function: Callable[[Extend], Any], bound: float) -> Answer:
        """Call a function, and give up on it when the bound is over.

        Args:
            function: Gets a way to have its bound extended.
            bound: How long the call may take, in seconds.
        """
        ...

    def close(self) -> None:
        """Let go of loop and threads."""
        ...
