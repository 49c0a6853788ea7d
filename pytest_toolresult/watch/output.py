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
    """Leads standard output or standard error to a file while calls are watched.

    Leading a descriptor away and back costs most of it, so that may last for many
    calls. What is written between two of them is passed on as it came, a moment later.
    The object in `sys` is replaced for the time of a call alone.

    Args:
        name: Which of the two, by its name in `sys`.
    """

    def __init__(self, name: Literal["stdout", "stderr"]) -> None:
        self._name = name
        self._first_name = f"__{name}__"
        self._descriptor = _DESCRIPTORS[name]
        self._file: IO[bytes] | None = None
        self._stream: io.TextIOWrapper | None = None
        self._before: Any = None
        self._saved: int | None = None
        self._is_away = False
        self._size = 0
        self._number = -1

    def lead_away(self) -> None:
        """Lead the descriptor to the file, after what is pending has gone out."""
        if self._is_away:
            return
        self._is_away = True
        _flush(getattr(sys, self._name), getattr(sys, self._first_name))
        self._saved = _duplicate(self._descriptor)
        if self._saved is None:
            _occupy(self._descriptor)  # lest our own file is given that descriptor
        if self._file is None:
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  reused
            atexit.register(self.close)
            self._number = self._file.fileno()
        os.dup2(self._number, self._descriptor)

    def lead_back(self) -> None:
        """Lead the descriptor back to where it went before."""
        if not self._is_away:
            return
        self._is_away = False
        _flush(getattr(sys, self._name), getattr(sys, self._first_name))
        if self._measure():
            self._pass_on()
        if self._saved is None:
            os.close(self._descriptor)
        else:
            os.dup2(self._saved, self._descriptor)
            os.close(self._saved)

    def begin(self) -> None:
        """Begin with an empty file, and take the place of the object in `sys`."""
        self._before = before = getattr(sys, self._name)
        if not self._is_away:
            self.lead_away()
        _flush(before, getattr(sys, self._first_name))
        if self._file is not None:
            if self._measure():
                self._pass_on()
            # Whoever takes turns with others on it, such as pytest for a line of its
            # live log, has put back what was there when the test began.
            os.dup2(self._number, self._descriptor)
            setattr(sys, self._name, self._usable_stream(self._file))

    def end(self) -> None:
        """Give `sys` its object back, and empty the file.

        What is pending has to be flushed by then, or it follows.
        """
        setattr(sys, self._name, self._before)
        if self._size:
            self._empty()

    def flush(self) -> int:
        """Write out what is pending in any stream that ends in our file.

        Returns:
            How many bytes were written so far.
        """
        now, first = getattr(sys, self._name), getattr(sys, self._first_name)
        ours = now is self._stream  # which keeps nothing back
        _flush(first, self._before, *(() if ours else (now,)))
        return self._measure()

    def since(self, start: int) -> str:
        """Return what was written from a position to the last flush, cut if long."""
        return self._read(start, MOST_BYTES).decode(errors="replace")

    def _measure(self) -> int:
        self._size = os.lseek(self._number, 0, os.SEEK_CUR) if self._file else 0
        return self._size

    def _read(self, start: int, most: int) -> bytes:
        if self._file is None or self._size <= start:
            return b""
        descriptor = self._number
        end = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, start, os.SEEK_SET)
        raw = os.read(descriptor, min(self._size - start, most))
        os.lseek(descriptor, end, os.SEEK_SET)
        return raw

    def _pass_on(self) -> None:
        """Let what was written between two calls go where it would have gone."""
        if self._saved is not None:
            with suppress(OSError):  # closed, or its reader is gone
                _write(self._saved, self._read(0, self._size))
        self._empty()

    def _empty(self) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()
            self._size = 0

    def taken(self) -> str:
        """Return the last of what was written, and empty the file."""
        most = max(0, self.flush() - MOST_BYTES)
        written = self.since(most)
        self._empty()
        return written

    def say(self, text: str) -> None:
        """Lead the descriptor back, and write a text there."""
        self.lead_back()
        if text:
            _write(self._descriptor, text.encode(errors="replace"))

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


def _write(descriptor: int, raw: bytes) -> None:
    while raw:
        raw = raw[os.write(descriptor, raw) :]


def _flush(*streams: object) -> None:
    for stream in streams:
        try:
            stream.flush()  # type: ignore[attr-defined]
        except Exception:  # noqa: S112 - closed, or its reader is gone
            continue
