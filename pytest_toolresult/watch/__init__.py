"""What a call does beside answering: output, log, coroutines, its arguments.

Standard output, logging and warnings belong to the whole process, so what watches
them is installed once, for however many calls are under way at a time. Calls that
overlap each see what was written while they ran.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, Final, Self

from pytest_toolresult.watch.awaits import DroppedCoroutines
from pytest_toolresult.watch.leaving import ProcessEnd
from pytest_toolresult.watch.logs import LogTap
from pytest_toolresult.watch.output import StandardStream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from pytest_toolresult.outcomes import LogLine

MOST_LINES: Final = 1000
"""How many log records of a call are kept."""


class Watch:
    """A context manager around one call; its attributes are whole at its end.

    Attributes:
        stdout: What was written to standard output, at most 100,000 bytes.
        stderr: What was written to standard error, likewise. Unlike standard output,
            which is not for writing, it is passed on afterwards, without its secrets.
        log: The first thousand log records, whatever their level.
        dropped: The names of coroutines that were dropped without being awaited.
    """

    def __init__(self) -> None:
        self.stdout = ""
        self.stderr = ""
        self.log: list[LogLine] = []
        self.dropped: list[str] = []
        self._start = (0, 0)

    def __enter__(self) -> Self:
        self._start = _PROCESS.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stdout, self.stderr = _PROCESS.remove(self, self._start)


@contextmanager
def lasting() -> Iterator[None]:
    """Make watched calls cheaper by the hundred: what can stay installed stays.

    Between two calls nothing is seen, and everything goes where it would have gone.
    Code that may start something which outlives it runs `between` them.
    """
    _PROCESS.hold()
    try:
        yield
    finally:
        _PROCESS.let_go()


@contextmanager
def between() -> Iterator[None]:
    """Give back the descriptors of both streams for a while, if no call is watched.

    A process that is started meanwhile keeps them for good.
    """
    _PROCESS.give_back()
    try:
        yield
    finally:
        _PROCESS.take_again()


class _Process:
    """What is installed in the process while any call is watched."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._watches: list[Watch] = []
        self._streams = (StandardStream("stdout"), StandardStream("stderr"))
        self._holders = 0
        self._lasting = (
            LogTap(self._logged),
            DroppedCoroutines(self._lost),
            ProcessEnd(self._last_words),
        )

    def add(self, watch: Watch) -> tuple[int, int]:
        output, errors = self._streams
        with self._lock:
            start = (0, 0)
            if self._watches:
                start = output.flush(), errors.flush()
            else:
                self.hold()
                output.begin()
                errors.begin()
            self._watches.append(watch)
            return start

    def remove(self, watch: Watch, start: tuple[int, int]) -> tuple[str, str]:
        output, errors = self._streams
        with self._lock:
            self._watches.remove(watch)
            written = ""
            try:
                ends = output.flush(), errors.flush()
                if not any(ends):
                    return "", ""
                written = errors.since(0)
                return output.since(start[0]), errors.since(start[1])
            finally:
                if not self._watches:
                    errors.end()
                    output.end()
                    self.let_go()
                    _pass_on(written)

    def hold(self) -> None:
        """Install what watches, and lead the streams away."""
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                self.take_again()
                for part in self._lasting:
                    part.install()

    def let_go(self) -> None:
        """Undo `hold`, once for each time."""
        with self._lock:
            self._holders -= 1
            if not self._holders:
                self.give_back()
                for part in reversed(self._lasting):
                    part.uninstall()

    def give_back(self) -> None:
        """Lead both descriptors back, unless a call is being watched."""
        with self._lock:
            if not self._watches:
                for stream in reversed(self._streams):
                    stream.lead_back()

    def take_again(self) -> None:
        """Lead both descriptors away where something is installed."""
        with self._lock:
            if self._holders:
                for stream in self._streams:
                    stream.lead_away()

    def _last_words(self) -> None:
        """Show, masked, what was written so far: nobody else will.

        It goes without the lock, which may be held by a thread that never lets go.
        """
        from pytest_toolresult.redaction.masks import mask

        for stream in self._streams:
            stream.say(mask(stream.taken()))

    def _logged(self, line: LogLine) -> None:
        for watch in tuple(self._watches):
            if len(watch.log) < MOST_LINES:
                watch.log.append(line)

    def _lost(self, name: str) -> bool:
        watches = tuple(self._watches)
        for watch in watches:
            watch.dropped.append(name)
        return bool(watches)


def _pass_on(written: str) -> None:
    """Let those who look at standard error see what a call wrote, masked."""
    if written:
        from pytest_toolresult.redaction.masks import mask

        with suppress(Exception):  # closed, or its reader is gone
            sys.stderr.write(mask(written))
            sys.stderr.flush()


_PROCESS: Final = _Process()
