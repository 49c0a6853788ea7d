"""Process-wide settings that hold while the guard is armed, and their way back."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Unaudited = tuple[object, str, Callable[..., tuple[Any, ...]]]


CHANGES: Final = frozenset({"os.chdir", "os.putenv", "os.unsetenv"})
"""The audit events of what changes the working folder and environment variables."""


class Surroundings:
    """Leads honest use of temporary files to scratch; undoes what is process-local.

    The working folder and the environment variables belong to the process alone, so
    a call may change them; afterwards they are what they were. No byte code is
    written meanwhile. What they are is looked up once for many calls, unless an audit
    event tells that they have changed.

    Attributes:
        changed: Whether they may have changed since they were looked up.
    """

    def __init__(self) -> None:
        self.changed = True
        self._environment = os.environ
        self._content: dict[Any, Any] = {}
        self._folder = ""
        self._temporary = tempfile.tempdir
        self._byte_code = sys.dont_write_bytecode

    def hold(self, root: str) -> None:
        """Begin with what there is now.

        Args:
            root: The scratch folder's real path.
        """
        if self.changed or os.environ is not self._environment or self._is_foreign():
            self._environment = os.environ
            self._content = dict(_inside(self._environment))
            self._folder = _working_folder()
            self.changed = False
        self._temporary, tempfile.tempdir = tempfile.tempdir, root
        self._byte_code, sys.dont_write_bytecode = sys.dont_write_bytecode, True

    def restore(self) -> None:
        """Put everything back."""
        sys.dont_write_bytecode = self._byte_code
        tempfile.tempdir = self._temporary
        if os.environ is not self._environment:
            os.environ = self._environment  # noqa: B003 - the very object is put back
        if self.changed or self._is_foreign():
            self._put_back()

    def forget(self) -> None:
        """Undo as well what changed out of sight, and look everything up again."""
        if not self.changed:
            self._put_back()
        self.changed = True

    def _is_foreign(self) -> bool:
        """Whether somebody has put a mapping of his own in place: it tells nothing."""
        return not hasattr(self._environment, "_data")

    def _put_back(self) -> None:
        environment = self._environment
        if _working_folder() != self._folder:
            _go_back(self._folder)
        if _inside(environment) != self._content:
            environment.clear()
            environment.update(_readable(environment, self._content))
        self.changed = False


@contextmanager
def audible() -> Iterator[None]:
    """Have what Python does not audit raise audit events of our own."""
    before = _put(*(_stand_in(*each) for each in _unaudited()))
    try:
        yield
    finally:
        _put(*before)


def _put(*values: tuple[object, str, Any]) -> list[tuple[object, str, Any]]:
    """Set attributes, and return what they were."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in values]
    for owner, name, value in values:
        setattr(owner, name, value)
    return before


def _inside(environment: Any) -> dict[Any, Any]:
    """Give the variables as the system has them: to decode them all is not for free.

    Where somebody has put a mapping of his own in place, they are text.
    """
    inside: dict[Any, Any] = getattr(environment, "_data", environment)
    return inside


def _readable(environment: Any, content: dict[Any, Any]) -> dict[str, str]:
    """Decode what was copied."""
    if _inside(environment) is environment:
        return content
    key, value = environment.decodekey, environment.decodevalue
    return {key(name): value(each) for name, each in content.items()}


def _working_folder() -> str:
    """Return the working folder; the empty text where it has been deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _go_back(folder: str) -> None:
    if folder:
        with suppress(OSError):
            os.chdir(folder)


@cache
def _unaudited() -> tuple[Unaudited, ...]:
    """Functions that change something outside and that Python does not audit."""
    return tuple(_found())


def _found() -> Iterator[Unaudited]:
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


def _stand_in(
    owner: object, name: str, describe: Callable[..., tuple[Any, ...]]
) -> tuple[object, str, Any]:
    return owner, name, _audited(getattr(owner, name), name, describe)


def _audited(
    original: Callable[..., Any], name: str, describe: Callable[..., tuple[Any, ...]]
) -> Callable[..., Any]:
    event = f"pytest_toolresult.{name}"

    def audited(*args: Any, **kwargs: Any) -> Any:
        sys.audit(event, *describe(*args, **kwargs))
        return original(*args, **kwargs)

    return audited
