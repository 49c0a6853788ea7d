"""Process-wide settings that hold while the guard is armed, and their way back."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def surroundings(root: str) -> Iterator[None]:
    """Lead honest use of temporary files to scratch; undo what is process-local.

    The working folder and the environment variables belong to the process alone, so
    a call may change them; afterwards they are what they were. No byte code is
    written meanwhile.
    """
    with ExitStack() as stack:
        stack.enter_context(_replaced(tempfile, "tempdir", root))
        stack.enter_context(_replaced(sys, "dont_write_bytecode", True))  # noqa: FBT003 - a value
        stack.enter_context(_environment())
        stack.enter_context(_working_folder())
        for owner, name, describe in _unaudited():
            stack.enter_context(_replaced(owner, name, _audited(owner, name, describe)))
        yield


@contextmanager
def _replaced(owner: object, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextmanager
def _environment() -> Iterator[None]:
    before = dict(os.environ)
    try:
        yield
    finally:
        if before != dict(os.environ):
            os.environ.clear()
            os.environ.update(before)


@contextmanager
def _working_folder() -> Iterator[None]:
    try:
        before = os.getcwd()
    except OSError:  # it has been deleted: there is nothing to go back to
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):
            os.chdir(before)


def _unaudited() -> Iterator[tuple[object, str, Callable[..., tuple[Any, ...]]]]:
    """Functions that change something outside and that Python does not audit."""
    import signal

    yield signal, "raise_signal", lambda number: (number,)
    if hasattr(os, "mkfifo"):
        yield os, "mkfifo", lambda path, *_, dir_fd=-1, **__: (path, dir_fd)
        yield os, "mknod", lambda path, *_, dir_fd=-1, **__: (path, dir_fd)
    with suppress(ImportError):  # `multiprocessing` starts its processes with it
        import _posixsubprocess

        yield _posixsubprocess, "fork_exec", lambda command, *_: (command,)
    with suppress(ImportError):
        shared_memory = importlib.import_module("_posixshmem")
        yield shared_memory, "shm_open", lambda path, flags, *_, **__: (path, flags)


def _audited(
    owner: object, name: str, describe: Callable[..., tuple[Any, ...]]
) -> Callable[..., Any]:
    original = getattr(owner, name)
    event = f"pytest_toolresult.{name}"

    def audited(*args: Any, **kwargs: Any) -> Any:
        sys.audit(event, *describe(*args, **kwargs))
        return original(*args, **kwargs)

    return audited
