"""The seam of files and folders.

Only what the project asks for counts, by itself or through the standard library: a
package that reads its own files is no dependency of the tool.
"""

from __future__ import annotations

import errno
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.seams import file_contents, folders
from pytest_toolresult.seams.aliases import replace_everywhere
from pytest_toolresult.seams.recording import cross, current
from pytest_toolresult.seams.sites import site

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FrameType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage

NAME: Final = "files"

_NUMBERS: Final[Mapping[str, int]] = {
    "missing_file": errno.ENOENT,
    "no_permission": errno.EACCES,
    "is_a_directory": errno.EISDIR,
}
_READING: Final = ("missing_file", "no_permission", "is_a_directory", "io_error")
_WRITING: Final = ("missing_file", "no_permission", "disk_full")
_LISTING: Final = ("missing_file", "no_permission")
_ASKING: Final = ("missing_file",)
"""Where a name can be opened, it can nearly always be asked about as well."""

_SCRATCH: Final = "toolresult-"
"""How the names of the guard's scratch folders begin."""

_LARGEST: Final = 5_000_000
_OPTIONS: Final = ("buffering", "encoding", "errors", "newline", "closefd", "opener")
"""What `open` takes after the mode, in this order."""

_OWN_AFFAIRS: Final = frozenset(
    [
        "asyncio",
        "ctypes",
        "gettext",
        "importlib",
        "inspect",
        "linecache",
        "locale",
        "logging",
        "mimetypes",
        "multiprocessing",
        "pdb",
        "pkgutil",
        "platform",
        "random",
        "runpy",
        "secrets",
        "site",
        "ssl",
        "subprocess",
        "sysconfig",
        "tempfile",
        "tokenize",
        "traceback",
        "uuid",
        "warnings",
        "zoneinfo",
    ]
)
"""Modules of the standard library that open files of their own accord."""


class FileSeam:
    """Sees files being opened, and folders being listed."""

    name = NAME
    library = "io"

    def __init__(self) -> None:
        self._fitting: dict[BoundaryCall, tuple[str, ...]] = {}
        self._real: dict[str, Callable[..., Any]] = {}

    def install(self, patches: Patches) -> None:
        """Stand in for the functions, and for those of a file system that is faked."""
        import builtins

        os_module, io_module = sys.modules["os"], sys.modules["io"]
        self._fitting.clear()
        self._real = {
            "open": builtins.open,
            "listdir": os_module.listdir,
            "scandir": os_module.scandir,
            "stat": os_module.stat,
        }
        stand_ins = {name: getattr(self, f"_{name}") for name in self._real}
        patches.replace(builtins, "open", self._open)
        patches.replace(io_module, "open", self._open)
        for name in ("listdir", "scandir", "stat"):
            patches.replace(os_module, name, stand_ins[name])
        replace_everywhere(
            patches, {self._real[name]: stand_ins[name] for name in self._real}
        )

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at a call."""
        names = {
            "read": _READING,
            "write": _WRITING,
            "list": _LISTING,
            "stat": _ASKING,
        }[call.operation]
        return [CATALOGUE[name] for name in (*names, *self._fitting.get(call, ()))]

    def _open(self, file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        writes = not {"w", "a", "x", "+"}.isdisjoint(mode)
        passage = _entered("write" if writes else "read", file, mutates=writes)
        path, real = _actual(file), self._real["open"]
        if passage is None:
            return real(path, mode, *args, **kwargs)
        told = {**dict(zip(_OPTIONS, args, strict=False)), **kwargs}
        _refuse(passage, file)
        if passage.fault is not None and passage.fault.name == "disk_full":
            passage.fire()
            return _layered(file_contents.Full(file), mode, told)
        with _noting(passage):
            made = real(path, mode, *args, **kwargs)
        content = None if writes else self._content(path, passage, str(file))
        if content is None:
            return made
        made.close()
        bare = real(path, "rb", 0, opener=told.get("opener"))
        return _layered(file_contents.Content(bare, content, file), mode, told)

    def _content(
        self, path: Any, passage: Passage, name: str
    ) -> bytes | OSError | None:
        """Return what is to be read in the place of a file's content, if anything."""
        if not self._is_small_file(path):
            return None
        with self._real["open"](path, "rb") as real:
            content: bytes = real.read()
        fault = passage.fault
        if fault is None:
            self._fitting[passage.call] = file_contents.fitting(content, name)
            passage.rows = file_contents.entries(content)
            return None
        if fault.name == "io_error":
            passage.fire()
            return file_contents.failure(errno.EIO)
        if fault.name not in file_contents.CHANGES:
            return None
        changed = file_contents.CHANGES[fault.name](content, name)
        if changed != content:
            passage.fire()
        passage.rows = file_contents.entries(changed)
        return changed

    def _is_small_file(self, path: Any) -> bool:
        """Whether it can be read once more without harm: a pipe cannot."""
        with suppress(OSError, TypeError, ValueError):
            found = self._real["stat"](path)
            return stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST
        return False

    def _listdir(self, path: Any = None) -> Any:
        passage = _entered("list", path)
        if passage is None:
            return self._real["listdir"](path)
        _refuse(passage, path)
        with _noting(passage):
            names = self._real["listdir"](path)
        return self._listed(passage, names, folders.CHANGES)

    def _scandir(self, path: Any = None) -> Any:
        passage = _entered("list", path)
        if passage is None:
            return self._real["scandir"](path)
        _refuse(passage, path)
        with _noting(passage), self._real["scandir"](path) as found:
            entries = list(found)
        changes = {**folders.CHANGES, "inflated": folders.many_entries}
        return folders.Entries(self._listed(passage, entries, changes))

    def _listed(
        self,
        passage: Passage,
        names: list[Any],
        changes: Mapping[str, Callable[[Sequence[Any]], list[Any]]],
    ) -> list[Any]:
        fault = passage.fault
        if fault is None or fault.name not in changes:
            self._fitting[passage.call] = tuple(changes) if names else ()
            passage.rows = len(names)
            return names
        changed = changes[fault.name](names)
        if len(changed) != len(names):
            passage.fire()
        passage.rows = len(changed)
        return changed

    def _stat(self, path: Any, **kwargs: Any) -> Any:
        passage = _entered("stat", path)
        if passage is None:
            return self._real["stat"](_actual(path), **kwargs)
        _refuse(passage, path)
        with _noting(passage):
            return self._real["stat"](_actual(path), **kwargs)


def _entered(operation: str, path: Any, *, mutates: bool = False) -> Passage | None:
    """Report what the project asks of the file system, as far as it does."""
    record = current()
    if record is None or isinstance(path, int):
        return None
    place = site(record.homes)
    if not place.direct or _is_own_affair():
        return None
    passage = cross(
        NAME,
        operation,
        detail=_shown(path),
        mutates=mutates and not _is_temporary(_decoded(path)),
        at=place,
    )
    if passage is not None:
        passage.sent = _decoded(path)
        passage.blocks = False  # what a disk takes is not worth a word
    return passage


def _is_own_affair() -> bool:
    """Whether the standard library, or this project, asks for its own purposes."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the documented way
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        top = name.partition(".")[0]
        if name != __name__:
            if top in _OWN_AFFAIRS or top == "pytest_toolresult":
                return True
            if top not in sys.stdlib_module_names:
                return False
        frame = frame.f_back
    return True


def _actual(path: Any) -> Any:
    """Return where a path leads for a call to which a folder was shown as long."""
    record = current()
    if record is None:
        return path
    shown = any(
        each.fired and each.call.operation == "list" and each.call.seam == NAME
        for each in record.passages
    )
    return folders.real(path) if shown else path


def _refuse(passage: Passage, path: Any) -> None:
    number = _NUMBERS.get(passage.fault.name) if passage.fault else None
    if number is not None:
        passage.fire()
        raise file_contents.failure(number, path)


@contextmanager
def _noting(passage: Passage) -> Iterator[None]:
    """Note the system's own error."""
    try:
        yield
    except OSError as error:
        passage.failure = type(error).__name__
        raise


def _layered(raw: io.RawIOBase, mode: str, told: Mapping[str, Any]) -> Any:
    text = {name: told.get(name) for name in ("encoding", "errors", "newline")}
    return file_contents.opened(raw, mode, told.get("buffering", -1), **text)


def _shown(path: Any) -> str:
    """The name alone: the folder may be another in each run."""
    return PurePath(_decoded(path)).name or _decoded(path)


def _is_temporary(path: Any) -> bool:
    """Whether it lies in the scratch folder to which `tempfile` leads meanwhile."""
    scratch = PurePath(tempfile.tempdir or "")
    return scratch.name.startswith(_SCRATCH) and scratch in PurePath(path).parents


def _decoded(path: Any) -> str:
    return path.decode(errors="replace") if isinstance(path, bytes) else str(path)


FILES: Final = FileSeam()
