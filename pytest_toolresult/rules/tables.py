"""Recognises CSV, TSV and Markdown tables that are a whole text, and reads them."""

from __future__ import annotations

import csv
import re
from typing import Final

_LONGEST: Final = 2_000_000
"""Characters up to which a text is read as a table."""

_LONGEST_LINE: Final = 10_000
_DELIMITERS: Final = (",", "\t", ";")
_COLUMN: Final = re.compile(r"\"?\s*[^\W\d][\w .()/%#-]{0,40}\"?\s*")
_COLUMNS: Final = 2
_PROSE: Final = re.compile(r"[.!?:;,][ ]|[.!?:]$")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = re.compile(r":?-+:?")


def delimited(text: str) -> list[list[str]] | None:
    """Read a text that is CSV or TSV under a line of names.

    Args:
        text: Any text.

    Returns:
        All rows, the names first; `None` for a text that is no such table.
    """
    delimiter = delimiter_of(text)
    if delimiter is None:
        return None
    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    try:
        return [row for row in rows if row]
    except csv.Error:
        return None


def delimiter_of(text: str) -> str | None:
    """Return what separates the columns of a CSV or TSV text, or `None`."""
    head, line_break, rest = text[: _LONGEST_LINE + 1].partition("\n")
    head = head.rstrip("\r")
    if not line_break or not rest.strip() or len(text) > _LONGEST:
        return None
    for delimiter in _DELIMITERS:
        names = head.split(delimiter)
        named = len(names) >= _COLUMNS and all(map(_COLUMN.fullmatch, names))
        if named and not _PROSE.search(head):
            return delimiter if _goes_on(rest, delimiter, len(names)) else None
    return None


def _goes_on(rest: str, delimiter: str, width: int) -> bool:
    """Tell a table's header from a line of prose with commas: rows follow it."""
    lines = [line for line in rest.split("\n") if line.strip()]
    return lines[0].count(delimiter) >= width - 1


def markdown_table(text: str) -> list[list[str]] | None:
    """Read a text that is one Markdown table.

    Returns:
        The rows, the names first and without the line under them; `None` for a text
        that is no such table, or more than that.

    Source: GitHub Flavored Markdown, section 4.10.
    """
    if not text.lstrip().startswith("|") or len(text) > _LONGEST:
        return None
    lines = [line.strip() for line in text.strip().split("\n")]
    if len(lines) <= _COLUMNS or not all(line.startswith("|") for line in lines):
        return None
    if not all(_RULE.fullmatch(cell.strip()) for cell in _cells(lines[1])):
        return None
    return [_cells(line) for number, line in enumerate(lines) if number != 1]


def _cells(line: str) -> list[str]:
    cells = _CELLS.split(line.removeprefix("|"))
    return cells[:-1] if not cells[-1].strip() else cells
