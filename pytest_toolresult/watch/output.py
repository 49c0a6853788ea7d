"""What goes to standard output or error, by descriptor as well as by `sys.stdout`.

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
from typing import IO, Any, Final, Literal

_DESCRIPTORS: Final = {"stdout": 1, "stderr": 2}

MOST_BYTES: Final = 100_000
"""How much of what a call wrote is kept."""


class StandardStream:
    """Leads standard output or standard error to a file while it is installed.

    Args:
        name: Which of the two, by its name in `sys`.
    """

    def __init__(self, name: Literal["stdout", "stderr"]) -> None:
        self._name = name
        self._descriptor = _DESCRIPTORS[name]
        self._file: IO[bytes] | None = None
        self._stream: io.TextIOWrapper | None = None
        self._before: Any = None
        self._saved: int | None = None

    def install(self) -> None:
        """Lead the stream away, after what is pending has gone out."""
        _flush(*self._streams())
        self._saved = _duplicate(self._descriptor)
        if self._saved is None:
            _occupy(self._descriptor)  # lest our own file is given that descriptor
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  reused
            atexit.register(self.close)
        os.dup2(self._file.fileno(), self._descriptor)
        self._before = getattr(sys, self._name)
        setattr(sys, self._name, self._usable_stream(self._file))

    def uninstall(self) -> None:
        """Lead the stream back to where it went before, and empty the file.

        What is pending has to be flushed by then, or it follows.
        """
        setattr(sys, self._name, self._before)
        if self._saved is None:
            os.close(self._descriptor)
        else:
            os.dup2(self._saved, self._descriptor)
            os.close(self._saved)
        if self._file is not None and self.position():
            self._file.seek(0)
            self._file.truncate()

    def flush(self) -> None:
        """Write out what is pending in any stream that ends in our file."""
        _flush(*self._streams(), self._before, self._stream)

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

    def _streams(self) -> tuple[object, object]:
        """Return what the name stands for in `sys`: now, and from the beginning."""
        return getattr(sys, self._name), getattr(sys, f"__{self._name}__")

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
