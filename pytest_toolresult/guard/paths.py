"""Where a path really leads, and whether that place may be changed."""

from __future__ import annotations

import os
import sys
from typing import Any, Final

_NO_DIR_FD: Final = -1
_MAC_GET_PATH: Final = 50  # F_GETPATH of <fcntl.h>, which `fcntl` does not name
_MAC_PATH_BYTES: Final = 1024


def entry(path: Any, dir_fd: int = _NO_DIR_FD) -> str | None:
    """Return the directory entry a path names: its last part is not followed.

    Args:
        path: Text, bytes, a path object or a file descriptor.
        dir_fd: The folder a relative path starts from, or -1.

    Returns:
        The absolute path, or `None` where the system itself refuses the path.
    """
    named = _named(path, dir_fd)
    if named is None:
        return None
    head, tail = os.path.split(named.rstrip(os.sep) or os.sep)
    if tail in {"", os.curdir, os.pardir}:
        return os.path.realpath(named)
    return os.path.join(os.path.realpath(head), tail)


def target(path: Any, dir_fd: int = _NO_DIR_FD) -> str | None:
    """Return what a path leads to once every link is followed, or `None`."""
    named = _named(path, dir_fd)
    return None if named is None else os.path.realpath(named)


def is_free(place: str, root: str) -> bool:
    """Whether a real path may be changed: scratch, or a byte-code cache."""
    return place.startswith(root + os.sep) or _is_byte_code(place)


def _is_byte_code(place: str) -> bool:
    head, tail = os.path.split(place)
    if tail == "__pycache__":
        return True
    return ".pyc" in tail and os.path.basename(head) == "__pycache__"


def _named(path: Any, dir_fd: int) -> str | None:
    if isinstance(path, int):
        return _descriptor(path)
    try:
        text = os.fsdecode(path)
        if "\0" in os.fsdecode(os.fsencode(text)) or not text:
            return None
    except (TypeError, ValueError):
        return None
    if os.path.isabs(text):
        return text
    if dir_fd == _NO_DIR_FD:
        return os.getcwd() + os.sep + text
    return _descriptor(dir_fd) + os.sep + text


def _descriptor(number: int) -> str:
    """Where an open descriptor leads, or a name that lies in no folder."""
    try:
        if sys.platform == "darwin":
            import fcntl

            found = fcntl.fcntl(number, _MAC_GET_PATH, bytes(_MAC_PATH_BYTES))
            return os.fsdecode(found.rstrip(b"\0"))
        return os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return f"descriptor {number}"
