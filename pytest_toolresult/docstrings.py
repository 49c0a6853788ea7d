"""What a docstring says about each parameter."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    _EntryReader = Callable[[str], tuple[list[str], str] | None]

_SPHINX: Final = re.compile(r"^:param\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)$")
_GOOGLE_HEAD: Final = re.compile(r"^(?:Args|Arguments|Parameters|Params):$")
_GOOGLE_ENTRY: Final = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_NUMPY_HEAD: Final = re.compile(r"^(?:Other )?Parameters$")
_NUMPY_ENTRY: Final = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_RULE: Final = re.compile(r"^-{3,}$")


def summary(text: str | None) -> str:
    """Return a docstring as a model gets it: without indentation, stripped."""
    return inspect.cleandoc(text) if text else ""


def parameter_texts(text: str | None) -> dict[str, str]:
    """Read what a docstring says about its parameters.

    Args:
        text: A docstring in Google, numpy or Sphinx style, or `None`.

    Returns:
        The description by parameter name; only parameters that have one.
    """
    lines = summary(text).splitlines()
    found = dict(_sphinx(lines))
    found.update(_google(lines))
    found.update(_numpy(lines))
    return {name: told for name, told in found.items() if told}


def _sphinx(lines: list[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        entry = _SPHINX.match(line)
        if entry:
            yield entry[1], _joined(entry[2], _deeper(lines[number + 1 :], above=0))


def _google(lines: list[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        if _GOOGLE_HEAD.match(line):
            body = list(_deeper(lines[number + 1 :], above=_indent(line)))
            yield from _entries(body, _google_entry)


def _numpy(lines: list[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines[:-1]):
        if _NUMPY_HEAD.match(line) and _RULE.match(lines[number + 1]):
            yield from _entries(_until_section(lines[number + 2 :]), _numpy_entry)


def _google_entry(line: str) -> tuple[list[str], str] | None:
    entry = _GOOGLE_ENTRY.match(line)
    return ([entry[1]], entry[2]) if entry else None


def _numpy_entry(line: str) -> tuple[list[str], str] | None:
    entry = _NUMPY_ENTRY.match(line)
    return ([name.strip(" *") for name in entry[1].split(",")], "") if entry else None


def _entries(body: list[str], read: _EntryReader) -> Iterator[tuple[str, str]]:
    """Split a section into its entries: each starts at the section's own indent."""
    filled = [line for line in body if line.strip()]
    margin = min(map(_indent, filled), default=0)
    for number, line in enumerate(filled):
        entry = read(line.strip()) if _indent(line) == margin else None
        if entry:
            told = _joined(entry[1], _deeper(filled[number + 1 :], above=margin))
            yield from ((name, told) for name in entry[0])


def _until_section(lines: list[str]) -> list[str]:
    """Cut a numpy section where the next one is underlined."""
    for number, line in enumerate(lines):
        if _RULE.match(line.strip()):
            return lines[: max(number - 1, 0)]
    return lines


def _deeper(lines: list[str], *, above: int) -> Iterator[str]:
    """Yield the lines that are indented further, up to the first that is not."""
    for line in lines:
        if line.strip() and _indent(line) <= above:
            return
        yield line


def _joined(first: str, rest: Iterable[str]) -> str:
    return " ".join(" ".join([first, *rest]).split())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
