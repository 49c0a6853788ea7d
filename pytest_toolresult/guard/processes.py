"""Judges the audit events that start processes, signal them or run foreign code.

Whoever may start a process may do anything, so loading C code at run time counts as
the same power.
"""

from __future__ import annotations

import os
import shlex
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.guard.period import Limits

    Judge = Callable[[tuple[Any, ...], Limits], str | None]

_IMPORT_SYSTEM: Final = "<frozen importlib._bootstrap>"


def _command(command: Any) -> str:
    """One line for a command given as text, bytes or a list of either."""
    if isinstance(command, (list, tuple)):
        return shlex.join(_text(part) for part in command)
    return _text(command)


def _text(part: Any) -> str:
    if isinstance(part, (str, bytes, os.PathLike)):
        return os.fsdecode(part)
    return str(part)


def _starts(position: int) -> Judge:
    def judge(args: tuple[Any, ...], _limits: Limits) -> str | None:
        return f"starts a process: {_command(args[position])}"

    return judge


def _popen(args: tuple[Any, ...], _limits: Limits) -> str | None:
    executable, command = args[0], args[1]
    return f"starts a process: {_command(command or executable)}"


def _forks(_args: tuple[Any, ...], _limits: Limits) -> str | None:
    return "starts a process: a fork of this one"


def _exec(args: tuple[Any, ...], _limits: Limits) -> str | None:
    return f"becomes another process: {_command(args[1] or args[0])}"


def _browser(args: tuple[Any, ...], _limits: Limits) -> str | None:
    return f"opens a browser: {args[0]}"


def _signals(whom: str) -> Judge:
    def judge(args: tuple[Any, ...], _limits: Limits) -> str | None:
        receiver, number = args
        if not number:  # asks whether the receiver exists, sends nothing
            return None
        return f"sends signal {int(number)} to {whom} {receiver}"

    return judge


def _raise_signal(args: tuple[Any, ...], _limits: Limits) -> str | None:
    return f"sends signal {int(args[0])} to process {os.getpid()}"


def _terminate(_args: tuple[Any, ...], _limits: Limits) -> str | None:
    return "ends another process"


def _library(args: tuple[Any, ...], _limits: Limits) -> str | None:
    if _importing():
        return None
    return f"loads C code: {args[0] or 'of this process'}"


def _symbol(args: tuple[Any, ...], _limits: Limits) -> str | None:
    name = args[1]
    own = isinstance(name, str) and name.startswith(("Py", "_Py"))
    if own or _importing():
        return None
    return f"calls C code: {name}"


def _importing() -> bool:
    """Whether an import is under way: honest modules load their libraries then."""
    frame = sys._getframe()  # noqa: SLF001 - the documented way to the running frames
    while frame.f_back is not None:
        if frame.f_code.co_filename == _IMPORT_SYSTEM:
            return True
        frame = frame.f_back
    return False


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        "subprocess.Popen": _popen,
        "os.system": _starts(0),
        "os.exec": _exec,
        "os.posix_spawn": _starts(1),
        "os.spawn": _starts(2),
        "os.startfile": _starts(0),
        "os.startfile/2": _starts(0),
        "pty.spawn": _starts(0),
        "os.fork": _forks,
        "os.forkpty": _forks,
        "pytest_toolresult.fork_exec": _starts(0),
        "_winapi.CreateProcess": _starts(1),
        "_winapi.TerminateProcess": _terminate,
        "webbrowser.open": _browser,
        "os.kill": _signals("process"),
        "os.killpg": _signals("process group"),
        "signal.pthread_kill": _signals("thread"),
        "pytest_toolresult.raise_signal": _raise_signal,
        "ctypes.dlopen": _library,
        "ctypes.dlsym": _symbol,
        "ctypes.dlsym/handle": _symbol,
    }
)
