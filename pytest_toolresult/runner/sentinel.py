"""The program that watches over a test process from outside.

It is run by its path, without site-packages, and needs the standard library only.
It ends with the process it watches: its standard input is closed then.
"""

from __future__ import annotations

import mmap
import os
import signal
import stat
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

DUE: Final = struct.Struct("<d")
"""When the call in progress is overdue, by the monotonic clock all processes share."""

LENGTH: Final = struct.Struct("<H")
"""How many bytes of text follow."""

TEXT_BYTES: Final = 4000
BOARD_BYTES: Final = DUE.size + LENGTH.size + TEXT_BYTES

INTERVAL_S: Final = 0.25
"""How often the board is looked at."""

DYING_S: Final = 2.0
"""How long the process has to end at the first, milder signal."""

LAST_BYTES: Final = 20_000
"""How much of what it says meanwhile is passed on."""

_LAST_WORDS: Final[list[BinaryIO]] = []


def main(board_file: str, process: int, crash_file: str) -> None:
    """Watch a process until it ends, or a call in it is overdue.

    Args:
        board_file: The file both processes share.
        process: The id of the process to watch.
        crash_file: Where to write what is said, or the empty text.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        board = _board(Path(board_file))
    except OSError:  # the process was that short
        return
    before = None
    while True:
        time.sleep(INTERVAL_S)
        due = DUE.unpack_from(board)[0]
        # Seen twice, so that a board which is just being written on never counts.
        if due <= time.monotonic() and due == before:
            _tell(_text(board), crash_file)
            _kill(process)
            return
        before = due


def _board(path: Path) -> mmap.mmap:
    """Map the shared file, and remove its name where the platform allows it."""
    with path.open("rb") as file:
        board = mmap.mmap(file.fileno(), BOARD_BYTES, access=mmap.ACCESS_READ)
    with suppress(OSError):
        path.unlink()
    return board


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    for file in _LAST_WORDS:
        sys.stderr.write(file.read(LAST_BYTES).decode(errors="replace"))
        sys.stderr.flush()
    os._exit(0)


def _text(board: mmap.mmap) -> str:
    length = LENGTH.unpack_from(board, DUE.size)[0]
    start = DUE.size + LENGTH.size
    return board[start : start + length].decode(errors="replace")


def _tell(text: str, crash_file: str) -> None:
    message = (
        f"\npytest-toolresult: {text}\n"
        "Code that never looks at signals cannot be ended from within, so the test "
        "process is ended here.\n"
    )
    sys.stderr.write(message)
    sys.stderr.flush()
    if crash_file:
        with Path(crash_file).open("a", encoding="utf-8") as file:
            file.write(message.lstrip())


def _kill(process: int) -> None:
    """End the process, by a signal first upon which faulthandler shows the stack."""
    with suppress(OSError):
        _listen(Path(f"/proc/{process}/fd/2"))
    os.kill(process, signal.SIGABRT)
    time.sleep(DYING_S)  # ends earlier, together with the process
    os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))


def _listen(errors: Path) -> None:
    """Have what it says at its end read, where its standard error leads to a file.

    During a call it does: to one without a name, that nobody else would read.
    """
    status = errors.stat()
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
        file = errors.open("rb")
        file.seek(0, os.SEEK_END)
        _LAST_WORDS.append(file)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
