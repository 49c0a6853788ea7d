"""The line of the project from which a boundary call comes."""

from __future__ import annotations

import sys
import sysconfig
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_OURS: Final = str(PurePath(__file__).parents[1])
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where a boundary call comes from.

    Attributes:
        text: The line, as `file:line`; `UNKNOWN` where only libraries are on the stack.
        direct: Whether no library stands between the line and the call.
        function: The function that the line is of, by its qualified name; of one
            within another the inner part.
    """

    text: str
    direct: bool
    function: str = ""


_ASKED_FROM: Final[ContextVar[Site | None]] = ContextVar(
    "pytest_toolresult_site", default=None
)


@contextmanager
def asked_from(place: Site) -> Iterator[None]:
    """Say where the calls come from that a thread makes for somebody else."""
    token = _ASKED_FROM.set(place)
    try:
        yield
    finally:
        _ASKED_FROM.reset(token)


def site(homes: tuple[str, ...] = ()) -> Site:
    """Return the nearest line of the project on the stack.

    Args:
        homes: Folders whose code is the project's even where it is installed.
    """
    direct = True
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way
    while frame is not None:
        whose = _owner(frame.f_code.co_filename, homes)
        if whose == "project":
            code = frame.f_code
            line = f"{PurePath(code.co_filename).name}:{frame.f_lineno}"
            function = code.co_qualname.rpartition("<locals>.")[2]
            return Site(text=line, direct=direct, function=function)
        if whose == "runner":
            break
        direct = direct and whose != "library"
        frame = frame.f_back or _switched_from(frame)
    return _ASKED_FROM.get() or Site(text=UNKNOWN, direct=False)


def _switched_from(frame: FrameType) -> FrameType | None:
    """Return where a greenlet was switched to from, at the bottom of its stack.

    Libraries run their synchronous code in greenlets to use it from async functions.
    """
    greenlet = sys.modules.get("greenlet")
    if greenlet is None:
        return None
    parent = greenlet.getcurrent().parent
    outer: FrameType | None = parent.gr_frame if parent is not None else None
    return None if outer is frame else outer


@cache
def _owner(file: str, homes: tuple[str, ...]) -> str:
    """Tell whose code a file is: beneath the runner nothing is the tool's."""
    if file.startswith(_OURS):
        return "runner" if "runner" in PurePath(file).parts else "seam"
    if file.startswith(homes):
        return "project"
    if not _INSTALLED.isdisjoint(PurePath(file).parts):
        return "library"
    if file.startswith("<") and not file.startswith(("<stdin", "<ipython")):
        return "standard"  # generated: by a decorator, for a dataclass
    stdlib = sysconfig.get_paths()["stdlib"]
    return "standard" if file.startswith(stdlib) else "project"
