"""Files with other content than they have, or that cannot be read or written."""

from __future__ import annotations

import errno
import io
import json
import os
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.redaction.canaries import noted
from pytest_toolresult.seams import shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from _typeshed import ReadableBuffer, WriteableBuffer

_TABLES: Final = frozenset({".csv", ".tsv"})
_UNDECODABLE: Final = b"\xff\xfe\x81"


def failure(number: int, *file: Any) -> OSError:
    """Make the error that the system has for a number, about a file if one is given.

    What it says is the system's, and the name is the tool's: the secret is in a note.
    """
    error = OSError(number, os.strerror(number), *file)
    return noted(error, f"files {errno.errorcode[number]}")


def emptied(content: bytes, name: str) -> bytes:
    """Return what stands in such a file when there is nothing in it.

    A table keeps its header, and JSON its form.
    """
    data = _json(content)
    if data is not None:
        return _text(shapes.emptied(data))
    if PurePath(name).suffix.lower() in _TABLES:
        return content.splitlines(keepends=True)[0] if content else b""
    return b""


def inflated(content: bytes, name: str) -> bytes:
    """Return a lot of the same."""
    data = _json(content)
    if data is not None:
        return _text(shapes.inflated(data))
    lines = content.splitlines(keepends=True)
    if len(lines) < 2:  # noqa: PLR2004 - a single one is no list
        return shapes.inflated(content) if content else content
    head = 1 if PurePath(name).suffix.lower() in _TABLES else 0
    if not lines[-1].endswith(b"\n"):
        lines[-1] += b"\n"
    more: list[bytes] = shapes.inflated(lines[head:])
    return b"".join([*lines[:head], *more])


def undecodable(content: bytes, _name: str) -> bytes:
    """Return the same with bytes in it that are no text."""
    half = len(content) // 2
    return content[:half] + _UNDECODABLE + content[half:]


CHANGES: Final[Mapping[str, Callable[[bytes, str], bytes]]] = {
    "undecodable": undecodable,
    "emptied": emptied,
    "inflated": inflated,
}
"""The faults that change what stands in a file."""


def fitting(content: bytes, name: str) -> tuple[str, ...]:
    """Return the changes that make a difference to a file."""
    if not content:
        return ()
    try:
        content.decode()
    except UnicodeDecodeError:
        return ("emptied",)
    return tuple(
        each for each, change in CHANGES.items() if change(content, name) != content
    )


def entries(content: bytes) -> int | None:
    """Return how many entries the list in a file holds, if one does."""
    data = _json(content)
    return None if data is None else shapes.count(data)


class Content(io.RawIOBase):
    """A file that is open for reading and has other content."""

    mode = "rb"

    def __init__(self, file: Any, content: bytes | OSError, name: Any) -> None:
        self._file = file
        self._content = content
        self._at = 0
        self.name = name

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that one can go to and fro in it."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read some bytes."""
        if isinstance(self._content, OSError):
            raise self._content
        view = memoryview(buffer).cast("B")
        part = self._content[self._at : self._at + len(view)]
        view[: len(part)] = part
        self._at += len(part)
        return len(part)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go somewhere."""
        size = 0 if isinstance(self._content, OSError) else len(self._content)
        self._at = max(0, offset + (0, self._at, size)[whence])
        return self._at

    def fileno(self) -> int:
        """Return the descriptor of the real file."""
        return int(self._file.fileno())

    def close(self) -> None:
        """Close the real file too."""
        self._file.close()
        super().close()


class Full(io.RawIOBase):
    """A file that is open for writing, on a disk that is full."""

    mode = "wb"

    def __init__(self, name: Any) -> None:
        self.name = name

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def write(self, _data: ReadableBuffer) -> int:
        """Find no space left.

        Raises:
            OSError: Always.
        """
        raise failure(errno.ENOSPC)


def opened(raw: io.RawIOBase, mode: str, buffering: int, **text: Any) -> Any:
    """Put the layers around it that `open` puts around a file.

    Args:
        raw: What is to be read or written.
        mode: The mode that the file was opened with.
        buffering: See `open`.
        text: Encoding, handling of errors and line ends.
    """
    if "b" in mode and buffering == 0:
        return raw
    layer: Any = io.BufferedReader if raw.readable() else io.BufferedWriter
    buffered = layer(raw)
    if "b" in mode:
        return buffered
    wrapper: Any = io.TextIOWrapper(buffered, line_buffering=buffering == 1, **text)
    wrapper.mode = mode
    return wrapper


def _json(content: bytes) -> Any:
    if not content.lstrip().startswith((b"{", b"[")):
        return None
    try:
        return json.loads(content)
    except ValueError:
        return None


def _text(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()
