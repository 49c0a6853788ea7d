"""What a call does beside answering: output, log, coroutines, its arguments.

Standard output, logging and warnings belong to the whole process, so what watches
them is installed once, for however many calls are under way at a time. Calls that
overlap each see what was written while they ran.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from threading import RLock
from typing import TYPE_CHECKING, Final, Self

from pytest_toolresult.watch.awaits import DroppedCoroutines
from pytest_toolresult.watch.leaving import ProcessEnd
from pytest_toolresult.watch.logs import LogTap
from pytest_toolresult.watch.output import StandardStream

if TYPE_CHECKING:
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


class _Process:
    """What is installed in the process while any call is watched."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._watches: list[Watch] = []
        self._output = StandardStream("stdout")
        self._errors = StandardStream("stderr")
        self._parts = (
            self._output,
            self._errors,
            LogTap(self._logged),
            DroppedCoroutines(self._lost),
            ProcessEnd(),
        )

    def add(self, watch: Watch) -> tuple[int, int]:
        with self._lock:
            if not self._watches:
                for part in self._parts:
                    part.install()
            self._watches.append(watch)
            self._output.flush()
            self._errors.flush()
            return self._output.position(), self._errors.position()

    def remove(self, watch: Watch, start: tuple[int, int]) -> tuple[str, str]:
        with self._lock:
            self._watches.remove(watch)
            self._output.flush()
            self._errors.flush()
            written = ""
            try:
                output, written = self._output.since(start[0]), self._errors.since(0)
                return output, self._errors.since(start[1])
            finally:
                if not self._watches:
                    for part in reversed(self._parts):
                        part.uninstall()
                    _pass_on(written)

    def _logged(self, line: LogLine) -> None:
        for watch in tuple(self._watches):
            if len(watch.log) < MOST_LINES:
                watch.log.append(line)

    def _lost(self, name: str) -> None:
        for watch in tuple(self._watches):
            watch.dropped.append(name)


def _pass_on(written: str) -> None:
    """Let those who look at standard error see what a call wrote, masked."""
    if written:
        from pytest_toolresult.redaction.masks import mask

        with suppress(Exception):  # closed, or its reader is gone
            sys.stderr.write(mask(written))
            sys.stderr.flush()


_PROCESS: Final = _Process()
