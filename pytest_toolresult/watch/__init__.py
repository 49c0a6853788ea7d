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
    """
    _PROCESS.hold()
    try:
        yield
    finally:
        _PROCESS.let_go()


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
            ProcessEnd(),
        )

    def add(self, watch: Watch) -> tuple[int, int]:
        with self._lock:
            if self._watches:
                self._flush()
            else:
                for stream in self._streams:
                    stream.install()
                self.hold()
            self._watches.append(watch)
            return self._positions()

    def remove(self, watch: Watch, start: tuple[int, int]) -> tuple[str, str]:
        with self._lock:
            self._watches.remove(watch)
            self._flush()
            output, errors = self._streams
            written = ""
            try:
                written = errors.since(0)
                return output.since(start[0]), errors.since(start[1])
            finally:
                if not self._watches:
                    self.let_go()
                    for stream in reversed(self._streams):
                        stream.uninstall()
                    _pass_on(written)

    def _flush(self) -> None:
        for stream in self._streams:
            stream.flush()

    def _positions(self) -> tuple[int, int]:
        output, errors = self._streams
        return output.position(), errors.position()

    def hold(self) -> None:
        """Install all but what keeps output from where it belongs."""
        with self._lock:
            if not self._holders:
                for part in self._lasting:
                    part.install()
            self._holders += 1

    def let_go(self) -> None:
        """Undo `hold`, once for each time."""
        with self._lock:
            self._holders -= 1
            if not self._holders:
                for part in reversed(self._lasting):
                    part.uninstall()

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
