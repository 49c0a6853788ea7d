"""Folders with other entries than they have.

A folder that holds a lot has entries which are nowhere. Whoever opens one of them gets
the file it was made from, as if each had been there.
"""

from __future__ import annotations

import os
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, Self

from pytest_toolresult.seams.shapes import MANY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_MADE_UP: Final = re.compile(r"~\d{4}(?=\.[^.]*$|$)")


def made_up(name: str, number: int) -> str:
    """Return the name of an entry that is not there."""
    path = PurePath(name)
    return f"{path.stem}~{number:04}{path.suffix}"


def real(path: Any) -> Any:
    """Return the path of the file that a made-up entry was made from."""
    if isinstance(path, int):
        return path
    text = os.fspath(path)
    if isinstance(text, bytes) or not _MADE_UP.search(PurePath(text).name):
        return path
    return str(PurePath(text).with_name(_MADE_UP.sub("", PurePath(text).name)))


def many_names(names: Sequence[Any]) -> list[Any]:
    """Return the names of a folder that holds a lot."""
    numbers = range(len(names), MANY if names else 0)
    more = [(names[number % len(names)], number) for number in numbers]
    return [*names, *(made_up(os.fsdecode(name), number) for name, number in more)]


CHANGES: Final[Mapping[str, Callable[[Sequence[Any]], list[Any]]]] = {
    "emptied": lambda _names: [],
    "inflated": many_names,
}
"""The faults that change a folder, as changes to the names in it."""


class MadeUpEntry:
    """An entry that is not there, like one that is."""

    def __init__(self, entry: Any, number: int) -> None:
        self._entry = entry
        self.name = made_up(entry.name, number)
        self.path = str(PurePath(entry.path).with_name(self.name))

    def __getattr__(self, name: str) -> Any:
        """Be the real one in all else."""
        return getattr(self._entry, name)

    def __fspath__(self) -> str:
        """Return the path."""
        return self.path


class Entries:
    """What `os.scandir` returns."""

    def __init__(self, entries: Sequence[Any]) -> None:
        self._left = iter(entries)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the entries."""
        return self._left

    def __next__(self) -> Any:
        """Return the next one."""
        return next(self._left)

    def __enter__(self) -> Self:
        """Have it closed at the end, as a real one has to be."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Hand out no more."""
        self._left = iter(())


def many_entries(entries: Sequence[Any]) -> list[Any]:
    """Return the entries of a folder that holds a lot."""
    numbers = range(len(entries), MANY if entries else 0)
    more = [MadeUpEntry(entries[number % len(entries)], number) for number in numbers]
    return [*entries, *more]
