"""A call together with what it came to: what every rule looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_toolresult.walk import is_a

if TYPE_CHECKING:
    from pytest_toolresult.calls import Call
    from pytest_toolresult.envelope import Envelope
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One call, what it came to, and how the dialect reads it.

    Attributes:
        tool: The tool that was called.
        call: What was asked.
        outcome: What it came to.
        envelope: The reading, or `None` where there is nothing to read or the
            dialect cannot read it.
        dialect: The name of the dialect that read it.
    """

    tool: Tool
    call: Call
    outcome: Outcome
    envelope: Envelope | None
    dialect: str

    @property
    def status(self) -> str | None:
        """The status that was read, where it is text."""
        status = self.envelope.status if self.envelope else None
        return status if is_a(status, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two interactions of which one should tell about the other.

    Attributes:
        reference: The one that is taken as right.
        subject: The one that is judged.
    """

    reference: Interaction
    subject: Interaction
