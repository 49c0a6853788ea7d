"""How an argument led to a file or a folder, as the seam of files saw it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.faults import Crossing

_GOES_ON: Final = ("", ".", "_", "-", os.sep)
"""With what a path may go on behind the argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A path that a tool made of an argument, by putting it behind a folder.

    Attributes:
        root: The folder.
        value: The argument, without idle steps such as `./`.
        rest: What the tool put behind it, such as `.md` or `/index.html`.
        lists: Whether the path is a folder whose entries were asked for.
    """

    root: str
    value: str
    rest: str = ""
    lists: bool = False

    @property
    def path(self) -> str:
        """The whole path."""
        return str(PurePath(self.root, self.value + self.rest))

    @property
    def ending(self) -> str:
        """The ending that another argument needs to be taken for such a file."""
        return "" if self.rest or self.lists else PurePath(self.value).suffix


def opening_of(value: object, boundary: Sequence[Crossing]) -> Opening | None:
    """Return what a tool opened that an argument names; `None` where nothing is known.

    A path that is opened as it came, or from the working folder, tells of no folder
    that the tool keeps to.

    Args:
        value: The argument.
        boundary: What the call crossed.
    """
    if not isinstance(value, str) or not value.strip():
        return None
    if PurePath(value).is_absolute():
        return None
    norm = os.path.normpath(value)
    if norm.startswith(os.pardir):
        return None
    found = [
        opening
        for each in boundary
        if each.call.seam == "files" and each.call.operation in ("read", "list")
        if not each.failure and os.path.normpath(each.sent) != norm
        if (opening := _matched(norm, each.sent, lists=each.call.operation == "list"))
    ]
    own = [each for each in found if not _is_working_folder(each.root)]
    return next((each for each in own if each.lists), own[0] if own else None)


def _matched(norm: str, sent: str, *, lists: bool) -> Opening | None:
    path = os.path.normpath(Path.cwd() / sent)  # links are left alone
    if norm == os.curdir:
        return Opening(root=path, value=norm, lists=True) if lists else None
    head, middle, rest = path.rpartition(os.sep + norm)
    if not middle or rest[:1] not in _GOES_ON or (lists and rest):
        return None
    return Opening(root=head or os.sep, value=norm, rest=rest, lists=lists)


def _is_working_folder(root: str) -> bool:
    return os.path.realpath(root) == os.path.realpath(Path.cwd())
