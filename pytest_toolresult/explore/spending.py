"""What an exploration of faults may still spend, and the calls it is spent on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_toolresult.calls import Call
    from pytest_toolresult.explore import Probe
    from pytest_toolresult.interactions import Interaction


class Spending:
    """Makes calls until there have been enough.

    Attributes:
        calls: How many calls were made.
        most: How many may be.
        is_over: Whether no more calls can be made.
        left_out: How many faults were not tried because of that.
    """

    def __init__(self, probe: Probe, most: int) -> None:
        self._probe = probe
        self.most = most
        self.calls = 0
        self.left_out = 0
        self._ended = False

    @property
    def is_over(self) -> bool:
        """Whether no more calls can be made."""
        return self._ended or self.calls >= self.most

    @property
    def left(self) -> int:
        """How many calls can still be made."""
        return 0 if self.is_over else self.most - self.calls

    def make(self, call: Call) -> Interaction | None:
        """Make a call, or return `None` where there have been enough."""
        if self.is_over:
            return None
        interaction = self._probe(call)
        if interaction is None:
            self._ended = True
            return None
        self.calls += 1
        return interaction
