"""Failures of what a tool depends on: the values that name and place them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryCall:
    """One call of a tool to something outside it, as a seam saw it.

    Attributes:
        seam: The library that was called, such as `sqlite3`.
        operation: What was asked of it, such as `execute`.
        site: The line of the project that made the call, as `file:line`.
        detail: What tells calls of one site apart, such as a URL's path.
        occurrence: Which of several equal calls this is, counted from 0.
        mutates: Whether the call changes something outside the process.
    """

    seam: str
    operation: str
    site: str
    detail: str = ""
    occurrence: int = 0
    mutates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One way in which a dependency fails.

    Attributes:
        name: The catalogue's name, such as `timeout`.
        retryable: Whether trying again can help; `None` where nobody can tell.
        hides_data: Whether the fault keeps data from the tool (an empty body
            does not: it is data).
        at: The dotted name the user gave, or `None` for a seam's own call.
    """

    name: str
    retryable: bool | None = None
    hides_data: bool = True
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A fault put at one boundary call.

    Attributes:
        fault: What fails.
        where: Which call fails.
        persistent: Whether later calls of the same kind fail as well.
    """

    fault: Fault
    where: BoundaryCall
    persistent: bool = False
