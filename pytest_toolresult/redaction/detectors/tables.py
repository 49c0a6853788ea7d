"""Finds secrets in the columns of tables that stand in a text.

A table has a line of names, and lines with as many cells below it: CSV, TSV, Markdown,
and what database clients print.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.kinds import labelled
from pytest_toolresult.redaction.detectors.labels import label_of
from pytest_toolresult.redaction.detectors.values import is_clear

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def _columns(text: str) -> Iterator[Span]:
    separator, width = "", 0
    labels: dict[int, Label] = {}
    for line in _LINE.finditer(text):
        cells = line[0].count(separator) if separator else -1
        if separator and cells == width:
            yield from _cells(line, separator, labels)
        elif not (separator and _is_rule(line[0])):
            separator, labels = _header(line[0])
            width = line[0].count(separator) if separator else 0


def _header(line: str) -> tuple[str, dict[int, Label]]:
    """Return how a line of names is separated, and which columns are telling."""
    if len(line) <= _LONGEST_LINE:
        for separator in _SEPARATORS:
            names = line.split(separator)
            if not 1 < len(names) <= _MOST_COLUMNS:
                continue
            if not all(map(_is_name, names)) or _is_code(names, separator):
                return "", {}
            found = {
                at: label_of(name.strip(" \"'\t*`")) for at, name in enumerate(names)
            }
            return separator, {at: label for at, label in found.items() if label}
    return "", {}


def _is_name(cell: str) -> bool:
    bare = cell.strip(" \"'\t\r*`")
    return not bare or bool(re.fullmatch(r"[^\W\d][\w .()/-]{0,40}", bare))


def _is_code(names: list[str], separator: str) -> bool:
    """Tell a list in a program, with quotes or a comma at its end, from names."""
    return separator == "," and (not names[-1].strip() or "'" in "".join(names))


def _is_rule(line: str) -> bool:
    return not line.strip("-+=|: \t\r")


def _cells(
    line: re.Match[str], separator: str, labels: dict[int, Label]
) -> Iterator[Span]:
    if not labels:
        return
    start = line.start()
    for at, cell in enumerate(line[0].split(separator)):
        label = labels.get(at)
        bare = cell.strip(" \"'\t\r`")
        if label and bare and is_clear(label, bare):
            begin = start + cell.index(bare)
            yield labelled(label, begin, begin + len(bare))
        start += len(cell) + len(separator)


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
