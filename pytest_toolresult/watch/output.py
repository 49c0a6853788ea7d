"""What goes to standard output, by file descriptor 1 as well as by `sys.stdout`.

Both are led to one temporary file: the descriptor, because a library in C, a child
process and `os.write` know no other way; `sys.stdout`, because pytest may have
replaced it by an object that has no descriptor.
"""

from __future__ import annotations

import atexit
import io
import os
import sys
import tempfile
from contextlib import suppress
from typing import IO, Any, Final

STDOUT: Final = 1
"""The file descriptor of standard output."""

MOST_BYTES: Final = 100_000
"""How much of what a call wrote is kept."""


class StandardOutput:
    """Leads standard output to a file while it is installed."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._stream: io.TextIOWrapper | None = None
        self._before: Any = None
        self._saved: int | None = None

    def install(self) -> None:
        """Lead standard output away, after what is pending has gone out."""
        _flush(sys.stdout, sys.__stdout__)
        self._saved = _duplicate(STDOUT)
        if self._saved is None:
            _occupy(STDOUT)  # lest our own file is given that descriptor
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  reused
            atexit.register(self.close)
        os.dup2(self._file.fileno(), STDOUT)
        self._before, sys.stdout = sys.stdout, self._usable_stream(self._file)

    def uninstall(self) -> None:
        """Lead standard output back to where it went before, and empty the file.

        What is pending has to be flushed by then, or it follows.
        """
        sys.stdout = self._before
        if self._saved is None:
            os.close(STDOUT)
        else:
            os.dup2(self._saved, STDOUT)
            os.close(self._saved)
        if self._file is not None and self.position():
            self._file.seek(0)
            self._file.truncate()

    def flush(self) -> None:
        """Write out what is pending in any stream that ends in our file."""
        _flush(sys.stdout, sys.__stdout__, self._before, self._stream)

    def position(self) -> int:
        """Return how many bytes were written so far."""
        return os.lseek(self._file.fileno(), 0, os.SEEK_CUR) if self._file else 0

    def since(self, start: int) -> str:
        """Return what was written from a position on, as text, cut where too long."""
        end = self.position()
        if self._file is None or end <= start:
            return ""
        descriptor = self._file.fileno()
        os.lseek(descriptor, start, os.SEEK_SET)
        raw = os.read(descriptor, min(end - start, MOST_BYTES))
        os.lseek(descriptor, end, os.SEEK_SET)
        return raw.decode(errors="replace")

    def close(self) -> None:
        """Remove the file."""
        if self._stream is not None:
            self._stream.close()
        if self._file is not None:
            self._file.close()
        self._file = self._stream = None

    def _usable_stream(self, file: IO[bytes]) -> io.TextIOWrapper:
        if self._stream is None or self._stream.closed:  # a tool may close its output
            raw = io.FileIO(os.dup(file.fileno()), "w")
            self._stream = io.TextIOWrapper(
                raw,  # unbuffered, as under `python -u`
                encoding="utf-8",
                errors="backslashreplace",
                write_through=True,
            )
        return self._stream


def _duplicate(descriptor: int) -> int | None:
    try:
        return os.dup(descriptor)
    except OSError:  # closed
        return None


def _occupy(descriptor: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)


def _flush(*streams: object) -> None:
    for stream in dict.fromkeys(streams):
        with suppress(Exception):  # closed, or its reader is gone
            stream.flush()  # type: ignore[attr-defined]
