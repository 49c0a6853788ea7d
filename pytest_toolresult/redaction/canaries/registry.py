"""The canaries of this process: what was planted stays remembered to its end.

It is the one state that judging depends on, and it only grows: a secret that was
planted in one test may come back in the log of a later one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pytest_toolresult.redaction.canaries.canary import Canary


class Registry:
    """What was planted, in order, each value once."""

    def __init__(self) -> None:
        self._planted: dict[str, Canary] = {}

    def add(self, canary: Canary) -> None:
        """Remember a canary."""
        self._planted.setdefault(canary.value, canary)

    def __len__(self) -> int:
        return len(self._planted)

    def planted(self) -> tuple[Canary, ...]:
        """Return every canary."""
        return tuple(self._planted.values())


REGISTRY: Final = Registry()
"""What was planted in this process."""
