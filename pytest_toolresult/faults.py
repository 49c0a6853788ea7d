"""Failures of what a tool depends on: the values that name and place them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

_ANY: Final = "*"
"""Stands in names for what a call is about, where that is another thing each time."""

Gravity = Literal["hard", "ambiguous", "soft"]
"""What a tool may make of a fault.

- `hard`: the dependency failed; a result that does not say so is wrong.
- `ambiguous`: an error and an empty answer are both right, as for a 404.
- `soft`: nothing failed, the dependency has other data than usual: none, or a lot.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryCall:
    """One call of a tool to something outside it, as a seam saw it.

    Two runs of a tool are lined up by these values, never by a running number:
    pools and caches shift numbers.

    Attributes:
        seam: The library that was called, such as `sqlite3`.
        operation: What was asked of it, such as `execute`.
        site: The line of the project that made the call, as `file:line`.
        detail: What tells calls of one site apart, such as a URL's path.
        occurrence: Which of several equal calls this is, counted from 0.
        mutates: Whether the call changes something outside the process.
        function: The function of the project that made the call, by its qualified
            name; empty where none is known.
        turn: Which of the equal calls of that function this is, counted from 0. With
            the function it names the call for as long as neither is changed, whatever
            happens to the lines above.
        step: Which call of its kind, equal or not, this is in that function, counted
            from 0.
    """

    seam: str
    operation: str
    site: str
    detail: str = ""
    occurrence: int = 0
    mutates: bool = False
    function: str = field(default="", compare=False)
    turn: int = field(default=0, compare=False)
    step: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """Name it in one line, without the line it stands in."""
        what = f"{self.seam}.{self.operation}[{self.detail}]"
        if not self.function:
            return f"{what}@{self.site}#{self.occurrence}"
        return f"{what}@{self.file}:{self.function}#{self.turn}"

    @property
    def course(self) -> str:
        """Name what calls have in common that one function makes, whatever of."""
        return replace(self, detail=_ANY, turn=0, occurrence=0).name

    @property
    def way(self) -> str:
        """Name it by its place in the course of its function alone."""
        return f"{self.course.removesuffix('#0')}#{self.step}"

    @property
    def file(self) -> str:
        """The name of the file that `site` is a line of."""
        return self.site.rpartition(":")[0]

    @property
    def kind(self) -> tuple[str, str]:
        """What a persistent fault goes on breaking: the seam and the operation."""
        return self.seam, self.operation

    @property
    def place(self) -> tuple[str, str, str]:
        """What repeated calls have in common: seam, operation and line."""
        return self.seam, self.operation, self.site


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One way in which a dependency fails.

    Attributes:
        name: The catalogue's name, such as `timeout`.
        retryable: Whether trying again can help; `None` where nobody can tell.
        gravity: What a tool may make of it.
        leads_to: The status path it should open, where it is there for that: `empty`
            for emptied data, `partial` for a lot of data.
        at: The dotted name the user gave, or `None` for a seam's own call.
    """

    name: str
    retryable: bool | None = None
    gravity: Gravity = "hard"
    leads_to: Literal["empty", "partial"] | None = None
    at: str | None = None

    def put_at(self, dotted: str) -> Fault:
        """Return the fault for a callable that the user names."""
        return replace(self, at=dotted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A fault put at one boundary call.

    Attributes:
        fault: What fails.
        where: Which call fails.
        persistent: Whether later calls of the same kind fail as well.
        varies: Whether the call is about something else each time, so that its place
            in the course of its function has to tell which one it is.
    """

    fault: Fault
    where: BoundaryCall
    persistent: bool = False
    varies: bool = False

    def strikes(self, call: BoundaryCall) -> bool:
        """Tell whether this is the call that fails."""
        if self.varies:
            return self.where.way == call.way
        return self.where == call

    @property
    def key(self) -> str:
        """Name it in one line, as plans and replay lines do: `*` for persistent."""
        star = "*" if self.persistent else ""
        where = self.where.way if self.varies else self.where.name
        return f"{where}!{self.fault.name}{star}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """One boundary call, and what it came to.

    Attributes:
        call: The call.
        fault: The fault that took effect at it, or `None`.
        failure: What went wrong at it, by itself or by the fault: a name of the
            catalogue where one fits, such as `http_503`; empty where nothing did.
        rows: How many rows, entries or list items it handed to the tool, if it did.
        goes_on: Whether it said that there are more, on another page.
        blocks: Whether it was a blocking call while an event loop was running.
        suspends: Whether it was awaited, so that the tool's call can be cancelled
            there.
        idempotent: Whether making it twice comes to the same as making it once, by
            what the dependency promises: a PUT, a DELETE, an idempotency key.
        sent: What was handed over as it is, such as a whole path or a command line;
            empty where `call.detail` says it all.
    """

    call: BoundaryCall
    fault: Fault | None = None
    failure: str = ""
    rows: int | None = None
    goes_on: bool = False
    blocks: bool = False
    suspends: bool = False
    idempotent: bool = False
    sent: str = ""


def _catalogue() -> Mapping[str, Fault]:
    faults = (
        # the way there
        Fault(name="timeout", retryable=True),
        Fault(name="refused", retryable=True),
        Fault(name="reset", retryable=True),
        Fault(name="dns"),
        Fault(name="tls", retryable=False),
        Fault(name="slow", retryable=True),
        # answers of servers
        Fault(name="http_401", retryable=False),
        Fault(name="http_403", retryable=False),
        Fault(name="http_404", retryable=False, gravity="ambiguous"),
        Fault(name="http_409"),
        Fault(name="http_429", retryable=True),
        Fault(name="http_500"),
        Fault(name="http_502", retryable=True),
        Fault(name="http_503", retryable=True),
        # bodies, rows and values
        Fault(name="html"),
        Fault(name="malformed"),
        Fault(name="truncated"),
        Fault(name="empty_body", gravity="ambiguous"),
        Fault(name="null_body", gravity="ambiguous"),
        Fault(name="wrong_shape", gravity="ambiguous"),
        Fault(name="emptied", gravity="soft", leads_to="empty"),
        Fault(name="inflated", gravity="soft", leads_to="partial"),
        # databases
        Fault(name="unavailable"),
        Fault(name="locked", retryable=True),
        Fault(name="closed"),
        Fault(name="integrity", retryable=False),
        Fault(name="undefined", retryable=False),
        # files
        Fault(name="missing_file", retryable=False, gravity="ambiguous"),
        Fault(name="no_permission", retryable=False),
        Fault(name="is_a_directory", retryable=False),
        Fault(name="disk_full"),
        Fault(name="io_error"),
        Fault(name="undecodable", gravity="ambiguous"),
        # processes
        Fault(name="missing_program", retryable=False),
        Fault(name="exit_status"),
        Fault(name="killed"),
        # anything at all
        Fault(name="unexpected"),
        Fault(name="cancelled"),
    )
    return MappingProxyType({fault.name: fault for fault in faults})


CATALOGUE: Final[Mapping[str, Fault]] = _catalogue()
"""Every fault by its name; seams say which of them fit a call."""
