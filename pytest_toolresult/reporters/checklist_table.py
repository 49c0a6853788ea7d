"""The checklist of each tool as a table for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.ledger.checklist import ITEMS, checklist
from pytest_toolresult.reporters.layout import cells, padded, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_toolresult.ledger import ToolCoverage
    from pytest_toolresult.ledger.checklist import Item, Mark

_MARKS: Final[Mapping[Mark, str]] = {"green": "ok", "red": "RED", "not covered": "?"}
_TITLES: Final[Mapping[Item, str]] = {"prominence": "first", "redaction": "secrets"}
"""What an item is called in few columns, where its name is long."""

_WIDEST_NAME: Final = 20
_GAP: Final = "  "


def checklist_lines(rows: Sequence[ToolCoverage]) -> list[str]:
    """Lay out a line for each tool; `?` marks what nothing was seen of."""
    names = [_short(printable(row.label).replace("\n", "\\n")) for row in rows]
    width = max(map(cells, [*names, "Tool"]))
    head = _GAP.join([padded("Tool", width), *map(_title, ITEMS)])
    lines = [
        _GAP.join([padded(name, width), *_marked(row)])
        for name, row in zip(names, rows, strict=True)
    ]
    return [head, *(line.rstrip() for line in lines)]


def _marked(row: ToolCoverage) -> list[str]:
    marks = checklist(row)
    return [_MARKS[marks[item]].ljust(len(_title(item))) for item in ITEMS]


def _title(item: Item) -> str:
    return _TITLES.get(item, item)


def _short(name: str) -> str:
    while cells(name) > _WIDEST_NAME:
        name = f"{name[: len(name) - 2]}\u2026"
    return name
