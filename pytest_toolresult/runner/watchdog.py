"""The last resort against a call that nothing in this process can end.

C code that never looks at signals may hold the interpreter's lock as well, so no
thread of ours would run either, and the interpreter's own timer for tracebacks
belongs to whoever set `faulthandler_timeout`. A small process therefore watches a
page of shared memory on which every call writes what it is and when it is due.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from contextlib import suppress
from mmap import mmap
from pathlib import Path

# Taken here, at load time: a test may have replaced the attribute in the module.
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final
from weakref import finalize

from pytest_toolresult.runner import sentinel

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any

    Finalizer = finalize[Any, Any]

GRACE_S: Final = 30.0
"""How long after its bound a call is given up for lost, in seconds. Long calls of C
code that let other threads run, such as a query, do end on their own."""

_NEVER: Final = (math.inf, b"")


class Watchdog:
    """Ends the process when a call stays away for good.

    Make it where file descriptor 2 is the real standard error, as it is while
    pytest configures itself: what it has to say in the end is said there.

    Args:
        crash_file: Where to write what is said as well, or `None`.
        grace: How long after its bound a call is given up for lost, in seconds.
    """

    def __init__(self, *, crash_file: Path | None, grace: float = GRACE_S) -> None:
        self._crash_file = str(crash_file.resolve()) if crash_file else ""
        self._grace = grace
        self._stderr = _duplicate_stderr()
        self._lock = Lock()
        self._calls: dict[object, tuple[float, bytes]] = {}
        self._last = ("", 0.0, b"")
        self._posted = b""
        self._board: mmap | None = None
        self._owner = 0
        self._end: Finalizer = finalize(self, _close_descriptor, self._stderr)

    def over(self, description: str, bound: float) -> AbstractContextManager[None]:
        """Watch over a call, for as long as the block takes.

        Args:
            description: What to say about the call, without secrets.
            bound: The bound the call should have kept, in seconds.
        """
        return _Over(self, description, bound)

    def begin(self, token: object, description: str, bound: float) -> None:
        """Begin to watch over a call that goes by a token."""
        due = monotonic() + bound + self._grace
        with self._lock:
            if self._owner != os.getpid():  # the first call, here or after a fork
                self._start()
            self._calls[token] = (due, self._words(description, bound))
            self._post()

    def end(self, token: object) -> None:
        """Watch over it no longer."""
        with self._lock:
            self._calls.pop(token, None)
            self._post()

    def close(self) -> None:
        """Let the watching process go; calls made afterwards are not watched."""
        self._end()
        self._board = None
        self._owner = os.getpid()

    def _words(self, description: str, bound: float) -> bytes:
        """Say what would be said of a call; of calls alike it is the same object."""
        if self._last[:2] != (description, bound):
            text = (
                f"{description} did not come back: {bound:g} s were its bound, and "
                f"{self._grace:g} s more did not help."
            )
            raw = text.encode(errors="replace")[: sentinel.TEXT_BYTES]
            self._last = description, bound, raw
        return self._last[2]

    def _post(self) -> None:
        if self._board is None:
            return
        due, raw = min(self._calls.values()) if self._calls else _NEVER
        if raw and raw is not self._posted:
            self._board[: sentinel.DUE.size] = sentinel.DUE.pack(math.inf)
            start = sentinel.DUE.size
            self._board[start : start + sentinel.LENGTH.size + len(raw)] = (
                sentinel.LENGTH.pack(len(raw)) + raw
            )
            self._posted = raw
        self._board[: sentinel.DUE.size] = sentinel.DUE.pack(due)

    def _start(self) -> None:
        """Start the watching process; where none can be started, do without."""
        self._end.detach()
        self._owner = os.getpid()
        self._calls.clear()
        descriptor, name = tempfile.mkstemp(prefix="toolresult-")
        try:
            os.truncate(descriptor, sentinel.BOARD_BYTES)
            self._posted = b""
            self._board = mmap(descriptor, sentinel.BOARD_BYTES)
            self._post()
            process = self._spawn(name)
        except OSError:
            self._board = None
            process = None
        finally:
            os.close(descriptor)
        self._end = finalize(self, _end, process, Path(name), self._stderr)

    def _spawn(self, board: str) -> Popen[bytes]:
        program = [sys.executable, "-I", "-S", str(Path(sentinel.__file__))]
        return Popen(  # noqa: S603  our own program, with our own arguments
            [*program, board, str(self._owner), self._crash_file],
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=self._stderr,
            start_new_session=True,
        )


class _Over:
    """One call that is watched over."""

    __slots__ = ("_bound", "_description", "_watchdog")

    def __init__(self, watchdog: Watchdog, description: str, bound: float) -> None:
        self._watchdog = watchdog
        self._description = description
        self._bound = bound

    def __enter__(self) -> None:
        self._watchdog.begin(self, self._description, self._bound)

    def __exit__(self, *_: object) -> None:
        self._watchdog.end(self)


def _duplicate_stderr() -> int:
    try:
        return os.dup(2)
    except OSError:  # closed
        return os.open(os.devnull, os.O_WRONLY)


def _close_descriptor(descriptor: int) -> None:
    with suppress(OSError):
        os.close(descriptor)


def _end(process: Popen[bytes] | None, board: Path, stderr: int) -> None:
    _close_descriptor(stderr)
    with suppress(OSError):
        board.unlink()
    if process is None or process.stdin is None:
        return
    with suppress(OSError):
        process.stdin.close()
    process.kill()  # it may be starting still; there is nothing it has to finish
    process.wait()
