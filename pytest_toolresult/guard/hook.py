"""The process's audit hook, and the periods during which it forbids.

Audit hooks cannot be removed, so one is added on first use and does nothing while no
period is open. During a period it binds every thread of the process: a tool may hand
its work to a pool that is older than the call. Another thread that changes something
at that very moment is therefore stopped as well, and its action says so. Code of our
own that has to write runs under `unguarded`.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard import files, hosts, processes, sqlite
from pytest_toolresult.guard.period import (
    GuardReport,
    Period,
    current_period,
    enter,
    leave,
)
from pytest_toolresult.guard.refusals import speaking
from pytest_toolresult.guard.surroundings import CHANGES, Surroundings, audible
from pytest_toolresult.guard.threads import (
    STARTS,
    Late,
    late_threads,
    snapshot,
    started,
    still_late,
)
from pytest_toolresult.settings import POWERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from contextvars import Token
    from pathlib import Path

    from pytest_toolresult.guard.period import Limits
    from pytest_toolresult.settings import Power

    Judge = Callable[[tuple[Any, ...], Limits], str | None]


def _table() -> Mapping[str, tuple[Power, Judge]]:
    groups: tuple[tuple[Power, Mapping[str, Judge]], ...] = (
        ("files", files.JUDGES),
        ("subprocess", processes.JUDGES),
        ("network", hosts.JUDGES),
        ("sql", sqlite.JUDGES),
    )
    return MappingProxyType(
        {
            event: (power, judge)
            for power, group in groups
            for event, judge in group.items()
        }
    )


class _Guard:
    """The state of the one hook of this process.

    Attributes:
        periods: Those that are open, the oldest first.
        late: The threads that still work for a call which is over.
        connections: The SQLite connections of the process.
        exempt: How deep each thread is in `unguarded`.
        surroundings: What the process is put back to after each call.
    """

    def __init__(self) -> None:
        self.periods: tuple[Period, ...] = ()
        self.late: tuple[Late, ...] = ()
        self.connections = sqlite.Connections()
        self.exempt = threading.local()
        self._lock = threading.RLock()
        self.surroundings = Surroundings()
        self._watching = False
        self._lasting = ExitStack()
        self._holders = 0

    def hold(self) -> None:
        """Put in place what forbids nothing and need not be put there for each call."""
        with self._lock:
            if not self._holders:
                self._lasting.enter_context(audible())
                self._lasting.enter_context(speaking())
            self._holders += 1

    def let_go(self) -> None:
        """Undo `hold`, once for each time."""
        with self._lock:
            self._holders -= 1
            if not self._holders:
                self._lasting.close()
                self.surroundings.forget()

    def open(self, period: Period) -> None:
        """Bind every thread by one more period."""
        with self._lock:
            if self.late:
                self.late = still_late(self.late)
            if not self.periods:
                self.hold()
                self.surroundings.hold(period.root)
            if "sql" not in period.powers and not self._watching:
                self.connections.arm(period.root, period.note, period.read)
                self._watching = True
            self.periods = (*self.periods, period)

    def close(self, period: Period) -> None:
        """End a period; threads that still work for its call stay bound."""
        with self._lock:
            late = late_threads(period)
            if late or self.late:
                self.late = (*still_late(self.late), *late)
            self.periods = tuple([one for one in self.periods if one is not period])
            if not self.periods:
                self._disarm()

    def forbidding(self, power: Power) -> list[Period]:
        """The periods that keep the code running now from using a power."""
        if getattr(self.exempt, "depth", 0):
            return []
        return [one for one in self._binding() if power not in one.powers]

    def _binding(self) -> Sequence[Period]:
        own = current_period()
        if own is not None:  # the call itself or a task of it, even if it is over
            return own.chain()
        late = [one.period for one in self.late if one.is_this_thread()]
        return late or self.periods

    def _disarm(self) -> None:
        watching, self._watching = self._watching, False
        try:
            if watching:
                self.connections.disarm()
        finally:
            self.surroundings.restore()
            self.let_go()


_GUARD: Final = _Guard()
_JUDGES: Final = _table()
_HEARD: Final = frozenset({sqlite.HANDLE, *_JUDGES, *STARTS, *CHANGES})
"""The events that mean anything to the hook; most others come by here as well."""


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event not in _HEARD:
        return
    if event == sqlite.HANDLE:
        _GUARD.connections.made(args[0])
    if event in CHANGES:
        _GUARD.surroundings.changed = True
    if not (_GUARD.periods or _GUARD.late) and current_period() is None:
        return
    known = _JUDGES.get(event)
    if known is not None:
        _judge(known[0], known[1], args)
    elif event in STARTS and _GUARD.late:
        _follow(args)


def _judge(power: Power, judge: Judge, args: tuple[Any, ...]) -> None:
    stopped = [
        period.stop(power, action)
        for period in _GUARD.forbidding(power)
        if (action := _action(judge, args, period)) is not None
    ]
    if stopped:
        raise stopped[0]


def _action(judge: Judge, args: tuple[Any, ...], period: Period) -> str | None:
    try:
        return judge(args, period)
    except Exception as error:  # noqa: BLE001 - what cannot be judged must not pass
        return f"does what the guard cannot judge: {type(error).__name__}: {error}"


def _follow(args: tuple[Any, ...]) -> None:
    """Bind the threads that a late thread starts."""
    parents = [one.period for one in _GUARD.late if one.is_this_thread()]
    children = (started(args, period) for period in parents)
    _GUARD.late = (*_GUARD.late, *(child for child in children if child is not None))


@cache
def _install() -> None:
    sys.addaudithook(_hook)


@cache
def _session_scratch() -> str:
    """A folder of this process for what its calls write, gone at its end."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="toolresult-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def guarded(
    powers: frozenset[Power], *, scratch: Path | None = None
) -> AbstractContextManager[GuardReport]:
    """Stop whatever would change something outside the process or reach out of it.

    Binds the running thread, every other thread of the process, and the threads and
    tasks that the call starts, the latter also after the block has ended. Blocks may
    be nested (each forbids what it does not allow) and open at the same time in
    several threads.

    With every power nothing is stopped; entering still lets go of the threads of
    earlier calls that have come to rest.

    Args:
        powers: What passes.
        scratch: A folder below which everything may be changed; `tempfile` leads
            there meanwhile. By default a folder of this process.

    Returns:
        A block that gives what has been stopped so far; it goes on filling up while
        threads of the call live. In the code that was about to do something forbidden
        it raises `Stopped`.
    """
    root = _session_scratch() if scratch is None else os.path.realpath(scratch)
    return _Guarded(powers, root)


class _Guarded:
    """One guarded block; it is entered once."""

    __slots__ = ("_period", "_powers", "_root", "_token")

    def __init__(self, powers: frozenset[Power], root: str) -> None:
        self._powers = powers
        self._root = root
        self._period: Period | None = None
        self._token: Token[Period | None] | None = None

    def __enter__(self) -> GuardReport:
        _install()
        period = Period(
            powers=self._powers,
            root=self._root,
            before=snapshot(),
            parent=current_period(),
        )
        if self._powers.issuperset(POWERS):
            _GUARD.late = still_late(_GUARD.late)
            return period.report
        _GUARD.open(period)
        self._period = period
        self._token = enter(period)
        return period.report

    def __exit__(self, *_: object) -> None:
        if self._period is not None and self._token is not None:
            leave(self._token)
            _GUARD.close(self._period)


@contextmanager
def exploring() -> Iterator[None]:
    """Make guarded calls cheaper by the hundred: do once what can be done once."""
    _GUARD.hold()
    try:
        with _GUARD.connections.kept():
            yield
    finally:
        _GUARD.let_go()


@contextmanager
def unguarded() -> Iterator[None]:
    """Let our own code in this thread write while a period is open."""
    _GUARD.exempt.depth = getattr(_GUARD.exempt, "depth", 0) + 1
    try:
        yield
    finally:
        _GUARD.exempt.depth -= 1


def is_forbidden(power: Power) -> bool:
    """Whether a period that binds the running code does not allow something.

    Args:
        power: What would have to be allowed.
    """
    return bool(_GUARD.forbidding(power))


def stop_unless_allowed(power: Power, action: str) -> None:
    """Stop what the audit hook cannot see, but the caller knows to change something.

    Args:
        power: What the running call would have to be allowed.
        action: What is about to happen, in words.

    Raises:
        Stopped: If a period that binds this code does not allow it.
    """
    stopped = [each.stop(power, action) for each in _GUARD.forbidding(power)]
    if stopped:
        raise stopped[0]
