"""Judges the audit events that would change a file or a folder.

What cannot succeed passes, so that the tool meets the system's own error: deleting
what is not there, making a folder that exists, opening below a missing folder.
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard.paths import entry, is_free, target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.guard.period import Limits

    Judge = Callable[[tuple[Any, ...], Limits], str | None]

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_UNNAMED: Final = getattr(os, "O_TMPFILE", 0)
_DEVICES: Final = frozenset(
    {os.devnull, "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdout", "/dev/stderr"}
)


def _open(args: tuple[Any, ...], limits: Limits) -> str | None:
    path, mode, flags = args
    if not isinstance(flags, int) or not flags & _WRITING or isinstance(path, int):
        return None
    if isinstance(path, (str, bytes, os.PathLike)) and os.fspath(path) in _DEVICES:
        return None
    place = target(path)
    if place is None:
        return None
    if _UNNAMED and flags & _UNNAMED == _UNNAMED:
        return _open_unnamed(place, limits)
    # `os.open` (no mode) keeps its `dir_fd` from the hook: a relative path may start
    # anywhere, so neither its place nor its fate can be known.
    hidden_start = mode is None and not os.path.isabs(os.fspath(path))
    if not hidden_start and (
        _opens_freely(place, limits) or _cannot_open(place, flags)
    ):
        return None
    return f"writes a file: {place}"


def _open_unnamed(folder: str, limits: Limits) -> str | None:
    """Linux opens a folder to make a file in it that has no name yet."""
    if folder == limits.root or is_free(folder, limits.root):
        return None
    return f"writes a file without a name in: {folder}"


def _opens_freely(place: str, limits: Limits) -> bool:
    return (
        place in _DEVICES
        or place.startswith("/dev/pts/")
        or is_free(place, limits.root)
    )


def _cannot_open(place: str, flags: int) -> bool:
    if os.path.isdir(place) or not os.path.isdir(os.path.dirname(place)):
        return True
    there = os.path.lexists(place)
    if flags & os.O_CREAT:
        return bool(flags & os.O_EXCL) and there
    return not there


def _changes(verb: str, *, dir_fd: int | None = None) -> Judge:
    """Judge something done to an entry that is there, not to what it leads to."""

    def judge(args: tuple[Any, ...], limits: Limits) -> str | None:
        place = entry(args[0], _folder(args, dir_fd))
        if place is None or is_free(place, limits.root) or not os.path.lexists(place):
            return None
        return f"{verb}: {place}"

    return judge


def _alters(verb: str, *, dir_fd: int | None = None) -> Judge:
    """Judge something that may follow a link, or may not: both must be free."""

    def judge(args: tuple[Any, ...], limits: Limits) -> str | None:
        start = _folder(args, dir_fd)
        for place in (entry(args[0], start), target(args[0], start)):
            if place is None or not _there(place, args[0]):
                return None
            if not is_free(place, limits.root):
                return f"{verb}: {place}"
        return None

    return judge


def _there(place: str, path: object) -> bool:
    return isinstance(path, int) or os.path.lexists(place)


def _makes(verb: str, *, dir_fd: int | None = None) -> Judge:
    """Judge the making of an entry that must not be there yet."""

    def judge(args: tuple[Any, ...], limits: Limits) -> str | None:
        place = entry(args[0], _folder(args, dir_fd))
        if place is None or is_free(place, limits.root) or _cannot_make(place):
            return None
        return f"{verb}: {place}"

    return judge


def _cannot_make(place: str) -> bool:
    return os.path.lexists(place) or not os.path.isdir(os.path.dirname(place))


def _rename(args: tuple[Any, ...], limits: Limits) -> str | None:
    source = entry(args[0], _folder(args, 2))
    into = entry(args[1], _folder(args, 3))
    if source is None or into is None or not os.path.lexists(source):
        return None
    if not os.path.isdir(os.path.dirname(into)):
        return None
    if is_free(source, limits.root) and is_free(into, limits.root):
        return None
    return f"moves {source} to {into}"


def _link(args: tuple[Any, ...], limits: Limits) -> str | None:
    # A link in scratch to a file outside would make that file writable from scratch,
    # so both ends have to be free.
    source = target(args[0], _folder(args, 2))
    into = entry(args[1], _folder(args, 3))
    if source is None or into is None or not os.path.lexists(source):
        return None
    if _cannot_make(into):
        return None
    if is_free(source, limits.root) and is_free(into, limits.root):
        return None
    return f"links {into} to {source}"


def _symlink(args: tuple[Any, ...], limits: Limits) -> str | None:
    into = entry(args[1], _folder(args, 2))
    if into is None or is_free(into, limits.root) or _cannot_make(into):
        return None
    return f"links {into} to {os.fsdecode(args[0])}"


def _bind(args: tuple[Any, ...], limits: Limits) -> str | None:
    """Binding a named local socket leaves a file behind; other sockets do not."""
    sock, address = args
    if sock.family.name != "AF_UNIX" or not address or address[:1] in {"\0", b"\0"}:
        return None
    return _makes("makes a socket")((address,), limits)


def _shared_memory(args: tuple[Any, ...], _limits: Limits) -> str | None:
    name, flags = args
    return f"makes shared memory: {name}" if flags & _WRITING else None


def _always(words: str) -> Judge:
    def judge(args: tuple[Any, ...], _limits: Limits) -> str | None:
        return f"{words}: {' '.join(str(part) for part in args)}"

    return judge


def _folder(args: tuple[Any, ...], position: int | None) -> int:
    """The `dir_fd` among an event's arguments, -1 where there is none."""
    if position is None or len(args) <= position or not isinstance(args[position], int):
        return -1
    return int(args[position])


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        "open": _open,
        "os.remove": _changes("deletes", dir_fd=1),
        "os.rmdir": _changes("deletes the folder", dir_fd=1),
        "shutil.rmtree": _changes("deletes with all below", dir_fd=1),
        "os.rename": _rename,
        "os.link": _link,
        "os.symlink": _symlink,
        "os.mkdir": _makes("makes a folder", dir_fd=2),
        "pytest_toolresult.mkfifo": _makes("makes a pipe", dir_fd=1),
        "pytest_toolresult.mknod": _makes("makes a device or file", dir_fd=1),
        "pytest_toolresult.shm_open": _shared_memory,
        "os.truncate": _alters("cuts a file"),
        "os.chmod": _alters("changes the permissions of", dir_fd=2),
        "os.chown": _alters("changes the owner of", dir_fd=3),
        "os.utime": _alters("changes the times of", dir_fd=3),
        "os.setxattr": _alters("changes the attributes of"),
        "os.removexattr": _alters("changes the attributes of"),
        "os.chflags": _alters("changes the flags of"),
        "socket.bind": _bind,
        "syslog.syslog": _always("writes to the system's log"),
        "winreg.CreateKey": _always("changes the registry"),
        "winreg.DeleteKey": _always("changes the registry"),
        "winreg.DeleteValue": _always("changes the registry"),
        "winreg.LoadKey": _always("changes the registry"),
        "winreg.SaveKey": _always("changes the registry"),
        "winreg.SetValue": _always("changes the registry"),
        "_winapi.CreateJunction": _always("links"),
    }
)
