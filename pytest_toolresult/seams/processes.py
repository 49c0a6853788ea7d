"""The seam of subprocess, and of asyncio's processes, which are made by it.

A process that is to fail is replaced by a small one which does. So exit codes, signals,
pipes and decoding are the system's own, whichever way a tool looks at them.
"""

from __future__ import annotations

import errno
import inspect
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.guard import unguarded
from pytest_toolresult.redaction.canaries import dsn, noted
from pytest_toolresult.seams import file_contents
from pytest_toolresult.seams.recording import cross
from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage

NAME: Final = "subprocess"

_SLOW_S: Final = 20
"""How long a process that hangs is left alone, should nobody end it."""

_REFUSED: Final[Mapping[str, tuple[int, int]]] = {
    "missing_program": (errno.ENOENT, 127),
    "no_permission": (errno.EACCES, 126),
}
"""The system's error for a program that cannot be run, and a shell's exit code for it:
https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_08_02"""

_SCRIPTS: Final[Mapping[str, str]] = {
    "timeout": f"exec sleep {_SLOW_S}",
    "killed": "kill -9 $$",
    "exit_status": "cat {text} >&2; exit 1",
    "missing_program": "cat {text} >&2; exit 127",
    "no_permission": "cat {text} >&2; exit 126",
}
_SHOWN: Final = "exec cat {text}"
_LARGEST: Final = 1_000_000


class ProcessSeam:
    """Sees processes being started, and what becomes of them."""

    name = NAME
    library = "subprocess"

    def __init__(self) -> None:
        self._passages: WeakKeyDictionary[Any, Passage] = WeakKeyDictionary()
        self._outputs: dict[BoundaryCall, bytes] = {}
        self._bounded: set[BoundaryCall] = set()
        self._folder = ""

    def install(self, patches: Patches) -> None:
        """Lead what is done with processes through here."""
        self._outputs.clear()
        self._bounded.clear()
        folder = tempfile.TemporaryDirectory(prefix="toolresult-processes-")
        self._folder = folder.name
        patches.on_restore(folder.cleanup)
        popen: Any = vars(subprocess.Popen)
        lead_through(patches, popen["__init__"], self._start)
        lead_through(patches, popen["communicate"], self._communicate)
        lead_through(patches, popen["wait"], self._wait)
        lead_through(patches, popen["poll"], self._poll)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at a process; of its output only what is taken."""
        names = [*_REFUSED, "exit_status", "killed"] if _can_replace() else [*_REFUSED]
        if call in self._bounded and _can_replace():
            names.insert(2, "timeout")
        output = self._outputs.get(call, b"")
        if _can_replace():
            names += file_contents.fitting(output, "")
        return [CATALOGUE[name] for name in names]

    def took(self, process: Any, output: Any) -> None:
        """Learn what a process has written, where the tool takes all of it."""
        passage = self._passages.get(process)
        if passage is None or passage.fault is not None or output is None:
            return
        content = output.encode() if isinstance(output, str) else bytes(output)
        if len(content) <= _LARGEST:
            self._outputs[passage.call] = content

    def ended(self, process: Any, code: int | None) -> None:
        """Note the exit code of a process that nobody has broken."""
        passage = self._passages.get(process)
        if passage is None or passage.fired or not code:
            return
        passage.failure = f"exit {code}" if code > 0 else _signal(-code)

    def _start(
        self, original: FunctionType, process: Any, args: Any, *rest: Any, **kwargs: Any
    ) -> None:
        passage = cross(NAME, "start", detail=_detail(args), mutates=True)
        if passage is None:
            original(process, args, *rest, **kwargs)
            return
        passage.sent = _whole(args)
        passage.blocks = passage.blocks and not _is_awaited()
        self._passages[process] = passage
        told = (
            inspect.signature(original).bind(process, args, *rest, **kwargs).arguments
        )
        told.pop(next(iter(told)))
        name = passage.fault.name if passage.fault else ""
        if name in _REFUSED and not told.get("shell"):
            passage.fire()
            raise file_contents.failure(_REFUSED[name][0], _program(args))
        script = self._script(passage, name, args)
        with passage.below():
            if script is None:
                original(process, args, *rest, **kwargs)
            else:
                original(process, **_replaced(told, script))
                process.args = args

    def _script(self, passage: Passage, name: str, args: Any) -> str | None:
        """Return what a shell is to do instead, if anything."""
        if not name or not _can_replace():
            return None
        content = self._outputs.get(passage.call, b"")
        if name in file_contents.CHANGES:
            changed = file_contents.CHANGES[name](content, "")
            if changed == content:
                return None
            passage.fire()
            return _SHOWN.format(text=self._written(name, changed))
        if name not in _SCRIPTS:
            return None
        if name != "timeout":  # that shows only to who waits
            passage.fire()
        said = self._written(name, _complaint(name, args))
        return _SCRIPTS[name].format(text=said)

    def _written(self, name: str, content: bytes) -> str:
        """Put down what a process is to say."""
        path = Path(self._folder, name)
        with unguarded():
            path.write_bytes(content)
        return shlex.quote(str(path))

    def _communicate(
        self,
        original: FunctionType,
        process: Any,
        input: Any = None,  # noqa: A002 - what it is called
        timeout: float | None = None,
    ) -> Any:
        self._hang(process, timeout)
        answer = original(process, input, timeout)
        self.took(process, answer[0])
        self.ended(process, process.returncode)
        return answer

    def _wait(
        self, original: FunctionType, process: Any, timeout: float | None = None
    ) -> Any:
        self._hang(process, timeout)
        code = original(process, timeout)
        self.ended(process, code)
        return code

    def _poll(self, original: FunctionType, process: Any) -> Any:
        code = original(process)
        self.ended(process, code)
        return code

    def _hang(self, process: Any, timeout: float | None) -> None:
        """Let somebody wait in vain, without taking the time."""
        passage = self._passages.get(process)
        if passage is None or timeout is None:
            return
        self._bounded.add(passage.call)
        hangs = passage.fault is not None and passage.fault.name == "timeout"
        if hangs and process.returncode is None and not passage.fired:
            passage.fire()
            late = subprocess.TimeoutExpired(process.args, timeout)
            raise noted(late, f"{NAME} timeout")


PROCESSES: Final = ProcessSeam()


class AsyncProcessSeam:
    """Sees what becomes of asyncio's processes."""

    name = "asyncio.subprocess"
    library = "asyncio.subprocess"

    def install(self, patches: Patches) -> None:
        """Look on when output is taken, and when a process has ended."""
        from asyncio.base_subprocess import BaseSubprocessTransport
        from asyncio.subprocess import Process

        communicate: Any = vars(Process)["communicate"]
        exited: Any = vars(BaseSubprocessTransport)["_process_exited"]
        lead_through(patches, communicate, _communicate_later)
        lead_through(patches, exited, _exited)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:  # noqa: ARG002 - see Seam
        """Return nothing: processes are started by `subprocess`."""
        return ()


async def _communicate_later(
    original: FunctionType, process: Any, *args: Any, **kwargs: Any
) -> Any:
    answer = await original(process, *args, **kwargs)
    beneath = process._transport.get_extra_info("subprocess")  # noqa: SLF001 - there is no other way
    if beneath is not None:
        PROCESSES.took(beneath, answer[0])
    return answer


def _exited(original: FunctionType, transport: Any, code: int) -> Any:
    PROCESSES.ended(transport.get_extra_info("subprocess"), code)
    return original(transport, code)


def _replaced(told: Mapping[str, Any], script: str) -> dict[str, Any]:
    """Return what to start instead, with the same pipes."""
    kept = {
        name: value
        for name, value in told.items()
        if name not in {"args", "executable", "shell", "kwargs"}
    }
    return {**kept, "args": ["/bin/sh", "-c", script], "env": {"PATH": os.defpath}}


def _complaint(name: str, args: Any) -> bytes:
    if name == "exit_status":
        return f"error: could not connect to {dsn(f'{NAME} {name}')}\n".encode()
    if name in _REFUSED:
        words = {126: "Permission denied", 127: "not found"}[_REFUSED[name][1]]
        return f"/bin/sh: 1: {_program(args)}: {words}\n".encode()
    return b""


def _program(args: Any) -> str:
    if isinstance(args, (str, bytes, os.PathLike)):
        return (os.fsdecode(args).split() or [""])[0]
    return os.fsdecode(args[0]) if args else ""


def _whole(args: Any) -> str:
    """Return a command as it is, line breaks and all."""
    parts = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
    return "\x00".join(map(str, map(os.fsdecode, parts)))


def _detail(args: Any) -> str:
    """The command, with a program by its name: its folder differs between machines."""
    if isinstance(args, (str, bytes, os.PathLike)):
        return os.fsdecode(args)
    words = [os.fsdecode(each) for each in args]
    return shlex.join([PurePath(words[0]).name, *words[1:]]) if words else ""


def _signal(number: int) -> str:
    if number == signal.SIGKILL:
        return "killed"
    return f"signal {number}"


def _can_replace() -> bool:
    """Whether there is a shell to do what is to be done instead."""
    return os.name == "posix"


def _is_awaited() -> bool:
    """Whether asyncio starts the process, which takes a moment."""
    frame = sys._getframe(2)  # noqa: SLF001 - the documented way to the running frames
    for _ in range(8):
        if frame.f_globals.get("__name__") == "asyncio.unix_events":
            return True
        if frame.f_back is None:
            return False
        frame = frame.f_back
    return False


ASYNC_PROCESSES: Final = AsyncProcessSeam()
