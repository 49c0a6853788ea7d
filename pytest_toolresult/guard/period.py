"""One armed period: what it forbids, whom it binds and what it stopped."""

from __future__ import annotations

import contextvars
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from pytest_toolresult.outcomes import Blocked, Column

if TYPE_CHECKING:
    from pytest_toolresult.settings import Power

_LONGEST: Final = 120


class Stopped(BaseException):
    """What a call was about to do has been stopped before it happened.

    It is no `Exception`, so that a tool's `except Exception` does not turn it into
    a result.

    Attributes:
        blocked: What was stopped.
    """

    def __init__(self, blocked: Blocked) -> None:
        super().__init__(blocked.action)
        self.blocked = blocked


class GuardReport:
    """What the guard saw during one period; it fills up while the period lasts.

    Attributes:
        blocked: The first thing that was stopped, also where the tool caught our
            exception, or `None`.
        notes: What the guard could not see or could not leave as it was.
        columns: What was read of SQLite files, the last mentioned first.
    """

    def __init__(self) -> None:
        self._stopped: list[Blocked] = []
        self._notes: dict[str, None] = {}
        self._columns: dict[Column, None] = {}

    @property
    def blocked(self) -> Blocked | None:
        """The first thing that was stopped, or `None`."""
        return self._stopped[0] if self._stopped else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the guard could not see, each sentence once."""
        return tuple(self._notes)

    @property
    def columns(self) -> tuple[Column, ...]:
        """What was read of SQLite files, the last mentioned first."""
        return tuple(self._columns)[::-1]

    def read(self, column: Column) -> None:
        """Remember a column that was read. Safe from any thread."""
        self._columns.pop(column, None)
        self._columns[column] = None

    def add(self, blocked: Blocked) -> None:
        """Remember something that was stopped. Safe from any thread."""
        self._stopped.append(blocked)

    def note(self, sentence: str) -> None:
        """Remember something that could not be seen. Safe from any thread."""
        self._notes[sentence] = None


class Limits(Protocol):
    """What a judge needs to know about the period it judges for."""

    @property
    def root(self) -> str:
        """The scratch folder's real path."""

    def note(self, sentence: str) -> None:
        """Remember something that cannot be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """The threads at the beginning of a period.

    Attributes:
        idents: All of them.
        busy: Those that were at work and not merely waiting for some.
    """

    idents: frozenset[int]
    busy: frozenset[int]

    def holds_this_thread(self) -> bool:
        """Whether the running thread is older than the period."""
        return threading.get_ident() in self.idents


@dataclass(slots=True, kw_only=True, eq=False)
class Period:
    """One armed period.

    Attributes:
        powers: What passes.
        root: The scratch folder's real path; what lies below it may be changed.
        before: The threads that were there when the period began.
        parent: The period of the same call that this one stands in, if any.
        report: What was stopped.
    """

    powers: frozenset[Power]
    root: str
    before: Before
    parent: Period | None = None
    report: GuardReport = field(default_factory=GuardReport)

    def note(self, sentence: str) -> None:
        """Remember something that cannot be seen."""
        self.report.note(sentence)

    def read(self, column: Column) -> None:
        """Remember a column that was read."""
        self.report.read(column)

    def chain(self) -> tuple[Period, ...]:
        """This period and those that it stands in, the innermost first."""
        return (self, *(self.parent.chain() if self.parent else ()))

    def stop(self, power: Power, action: str) -> Stopped:
        """Record that something was stopped and return what to raise.

        Args:
            power: What the tool would have to be allowed.
            action: What it was about to do, in words of any length.
        """
        blocked = Blocked(power=power, action=self._words(action))
        self.report.add(blocked)
        return Stopped(blocked)

    def _words(self, action: str) -> str:
        line = " ".join(action.split())
        if len(line) > _LONGEST:
            line = line[: _LONGEST - 3] + "..."
        current = current_period()
        mine = current is not None and self in current.chain()
        if not mine and self.before.holds_this_thread():
            line += " (in a thread that was running before the call)"
        return line


_CURRENT: Final[contextvars.ContextVar[Period | None]] = contextvars.ContextVar(
    "pytest_toolresult_guard", default=None
)


def current_period() -> Period | None:
    """The period whose call this code, or the task it runs in, belongs to."""
    return _CURRENT.get()


def enter(period: Period | None) -> contextvars.Token[Period | None]:
    """Make a period the one that new tasks and `to_thread` calls inherit."""
    return _CURRENT.set(period)


def leave(token: contextvars.Token[Period | None]) -> None:
    """Undo `enter`, also where an async fixture moved us to another context."""
    try:
        _CURRENT.reset(token)
    except ValueError:
        _CURRENT.set(None)
