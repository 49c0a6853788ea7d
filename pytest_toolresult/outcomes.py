"""What one bounded call came to, before anybody reads or judges it."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.faults import Crossing, Injection
    from pytest_toolresult.settings import Power

Ending = Literal["returned", "raised", "hung", "refused", "blocked", "exited"]
"""How a call ended.

- `returned`: the tool, or the runtime around it, gave a result.
- `raised`: an exception left the tool or its runtime.
- `hung`: no result within the bound.
- `refused`: validation turned the arguments down before the tool saw them.
- `blocked`: the guard stopped the call before it changed anything.
- `exited`: the tool tried to end the process (`SystemExit`, `KeyboardInterrupt`).
"""

_NO_GROWTH: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an adapter hands back from one invocation.

    Attributes:
        value: The richest value within reach: the object the tool returned.
        wire: The text the model would see, or `None` where it is the value as JSON.
        flagged: Whether the framework itself marked the result as an error.
        refused: Why the arguments never reached the tool, or `None`.
        exception: The exception that left the tool, even where the framework
            swallowed it.
    """

    value: Any = None
    wire: str | None = None
    flagged: bool = False
    refused: str | None = None
    exception: BaseException | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A record that the call wrote to the log.

    Attributes:
        level: The level's number, as in `logging`.
        logger: The logger's name.
        text: The formatted message.
    """

    level: int
    logger: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """What the guard kept a call from doing.

    Attributes:
        power: What the tool would have to be allowed.
        action: What it was about to do, in words, such as
            `starts a process: sh -c ...`.
    """

    power: Power
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a SQLite file that a call has read.

    Attributes:
        file: The real path of the database.
        table: The table, or the view.
        name: The column.
    """

    file: str
    table: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one bounded call came to.

    Attributes:
        ending: How the call ended.
        reply: What came back; `None` for `hung` and `blocked`. For `raised` and
            `exited` its `exception` is set.
        deliberate: Whether the exception was raised on purpose: by a `raise`
            statement in the project's own code, of a class that does not stand
            for a programming error.
        stdout: What the call wrote to standard output, by whatever way.
        stderr: What it wrote to standard error.
        log: What the call logged, at every level.
        changed_arguments: The places in the arguments that the call changed,
            such as `tags[0].name`.
        never_awaited: The names of coroutines that were returned or dropped.
        boundary: The calls the tool made to what it depends on, in their order.
        fired: The faults that took effect.
        blocked: What the guard stopped, also where the tool caught our exception.
        unseen: What the guard could not see or could not leave as it was.
        columns: The columns of SQLite files that the call read under the guard, the
            last one that a statement mentions first: conditions come last.
        beside: What the calls came to that were made at the same time, in the order
            of `Part.beside`.
        altered: The places in an earlier result that changed through this call.
        resources: How many open files, sockets, threads or tasks stayed behind.
        busy_s: For how long an async call computed without letting its event loop do
            anything else: the processor time of its longest step, in seconds.
        duration_s: How long the call took, in seconds.
        bound_s: The bound that was in force, in seconds.
    """

    ending: Ending
    reply: Reply | None = None
    deliberate: bool = False
    stdout: str = ""
    stderr: str = ""
    log: tuple[LogLine, ...] = ()
    changed_arguments: tuple[str, ...] = ()
    never_awaited: tuple[str, ...] = ()
    boundary: tuple[Crossing, ...] = ()
    fired: tuple[Injection, ...] = ()
    blocked: Blocked | None = None
    unseen: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    beside: tuple[Reply, ...] = ()
    altered: tuple[str, ...] = ()
    resources: Mapping[str, int] = field(default_factory=lambda: _NO_GROWTH)
    busy_s: float = 0.0
    duration_s: float = 0.0
    bound_s: float = 0.0

    @property
    def exception(self) -> BaseException | None:
        """The exception that left the tool, or `None`."""
        return self.reply.exception if self.reply else None
