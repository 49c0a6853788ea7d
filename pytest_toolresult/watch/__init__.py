"""What a call does beside answering: output, log, coroutines, its arguments.

Standard output, logging and warnings belong to the whole process, so what watches
them is installed once, for however many calls are under way at a time. Calls that
overlap each see what was written while they ran.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Final, Self

from pytest_toolresult.watch.awaits import DroppedCoroutines
from pytest_toolresult.watch.leaving import ProcessEnd
from pytest_toolresult.watch.logs import LogTap
from pytest_toolresult.watch.output import StandardOutput

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
        log: The first thousand log records, whatever their level.
        dropped: The names of coroutines that were dropped without being awaited.
    """

    def __init__(self) -> None:
        self.stdout = ""
        self.log: list[LogLine] = []
        self.dropped: list[str] = []
        self._start = 0

    def __enter__(self) -> Self:
        self._start = _PROCESS.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stdout = _PROCESS.remove(self, self._start)


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
        self._output = StandardOutput()
        self._holders = 0
        self._lasting = (
            LogTap(self._logged),
            DroppedCoroutines(self._lost),
            ProcessEnd(),
        )

    def add(self, watch: Watch) -> int:
        with self._lock:
            if self._watches:
                self._output.flush()
            else:
                self._output.install()
                self.hold()
            self._watches.append(watch)
            return self._output.position()

    def remove(self, watch: Watch, start: int) -> str:
        with self._lock:
            self._watches.remove(watch)
            self._output.flush()
            try:
                return self._output.since(start)
            finally:
                if not self._watches:
                    self.let_go()
                    self._output.uninstall()

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


_PROCESS: Final = _Process()
