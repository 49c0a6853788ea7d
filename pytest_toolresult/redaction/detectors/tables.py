"""Finds secrets in the columns of tables that stand in a text.

A table has a line of names, and lines with as many cells below it: CSV, TSV, Markdown,
and what database clients print.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.kinds import labelled
from pytest_toolresult.redaction.detectors.labels import label_of
from pytest_toolresult.redaction.detectors.values import is_clear

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_toolresult.redaction.detectors.labels import Label
    from pytest_toolresult.redaction.spans import Span

_LINE: Final = re.compile(r"[^\n\0]+")
_INSERT: Final = re.compile(
    r"(?i)insert\s+into\s+[\w.\"`\[\]]{1,80}\s{0,4}\((?P<names>[^()\0]{3,1000})\)\s{0,4}values\s{0,4}"
    r"(?P<rows>(?:\((?:[^()'\0]{0,1000}|'(?:[^'\0]|''){0,4000}')+\)[\s,]{0,4}){1,50})"
)
_SQL_ROW: Final = re.compile(r"\(((?:[^()'\0]|'(?:[^'\0]|'')*')+)\)")
_SQL_CELL: Final = re.compile(r"\s*(?:'((?:[^'\0]|'')*)'|([^,']*))\s*(?:,|$)")
_SEPARATORS: Final = ("|", "\t", ",", ";")
_NAMES: Final = frozenset(("name", "key", "variable", "setting", "parameter", "field"))
_VALUES: Final = frozenset(("value", "val", "setting value", "current value"))
_LONGEST_LINE: Final = 2_000
_MOST_COLUMNS: Final = 60


def tables(text: str) -> Iterator[Span]:
    """Find secrets in columns with a telling name.

    Args:
        text: Any text.

    Yields:
        The spans of the cells.
    """
    if "\n" in text:
        yield from _columns(text)
    if "nsert" in text or "NSERT" in text:
        for match in _INSERT.finditer(text):
            yield from _inserted(match)


@dataclass(frozen=True, slots=True)
class _Header:
    """What the line of names says about the lines below it.

    Attributes:
        separator: What stands between two cells; empty where there is no table.
        width: How many separators a line has.
        labels: The columns with a telling name.
        pair: The columns of a name and of its value, in a table of settings.
    """

    separator: str = ""
    width: int = 0
    labels: Mapping[int, Label] = field(default_factory=dict)
    pair: tuple[int, int] | None = None


_NO_TABLE: Final = _Header()


def _columns(text: str) -> Iterator[Span]:
    header = _NO_TABLE
    for line in _LINE.finditer(text):
        separator = header.separator
        if separator and line[0].count(separator) == header.width:
            if header.labels or header.pair:
                yield from _cells(line, header)
        elif not (separator and _is_rule(line[0])):
            header = _header(line[0])


def _header(line: str) -> _Header:
    """Return how a line of names is separated, and which columns are telling."""
    if len(line) <= _LONGEST_LINE:
        for separator in _SEPARATORS:
            names = line.split(separator)
            if not 1 < len(names) <= _MOST_COLUMNS:
                continue
            if not all(map(_is_name, names)) or _is_code(names, separator):
                return _NO_TABLE
            return _read(separator, [name.strip(" \"'\t\r*`") for name in names])
    return _NO_TABLE


def _read(separator: str, names: list[str]) -> _Header:
    found = {at: label for at, name in enumerate(names) if (label := label_of(name))}
    lowered = [name.lower() for name in names]
    name = next((at for at, each in enumerate(lowered) if each in _NAMES), None)
    value = next((at for at, each in enumerate(lowered) if each in _VALUES), None)
    pair = None if name is None or value is None else (name, value)
    return _Header(separator, len(names) - 1, found, pair)


def _is_name(cell: str) -> bool:
    bare = cell.strip(" \"'\t\r*`")
    return not bare or bool(re.fullmatch(r"[^\W\d][\w .()/-]{0,40}", bare))


def _is_code(names: list[str], separator: str) -> bool:
    """Tell a list in a program, with quotes or a comma at its end, from names."""
    return separator == "," and (not names[-1].strip() or "'" in "".join(names))


def _is_rule(line: str) -> bool:
    return not line.strip("-+=|: \t\r")


def _cells(line: re.Match[str], header: _Header) -> Iterator[Span]:
    cells = line[0].split(header.separator)
    labels = dict(header.labels)
    if header.pair:
        name, value = header.pair
        label = label_of(cells[name].strip(" \"'\t\r*`"))
        if label:
            labels[value] = label
    start = line.start()
    for at, cell in enumerate(cells):
        label = labels.get(at)
        bare = cell.strip(" \"'\t\r`")
        if label and bare and is_clear(label, bare):
            begin = start + cell.index(bare)
            yield labelled(label, begin, begin + len(bare))
        start += len(cell) + len(header.separator)


def _inserted(match: re.Match[str]) -> Iterator[Span]:
    names = [name.strip(" \t\r\n\"`[]'") for name in match["names"].split(",")]
    labels = [label_of(name) for name in names]
    if not any(labels):
        return
    for row in _SQL_ROW.finditer(match["rows"]):
        offset = match.start("rows") + row.start(1)
        cells = [cell for cell in _SQL_CELL.finditer(row[1]) if cell[0]]
        for label, cell in zip(labels, cells, strict=False):
            group = 1 if cell[1] is not None else 2
            if label and is_clear(label, cell[group]):
                yield labelled(
                    label, offset + cell.start(group), offset + cell.end(group)
                )
