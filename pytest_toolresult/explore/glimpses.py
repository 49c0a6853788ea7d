"""A few values of the database columns that a tool reads: ids that exist there.

What a tool looks up it compares with a column. An agent would know some of these
values from other tools; here they are read from the SQLite file itself, which is
opened read-only, and never changed nor locked.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_toolresult.outcomes import Column

_MOST_COLUMNS: Final = 40
_ROWS: Final = 50
_MOST_VALUES: Final = 3
_LONGEST: Final = 120
_STEPS: Final = 100_000
"""Steps of SQLite's machine after which a look is given up: a view may be slow."""
_SECRET: Final = re.compile(
    r"secret|passw|pwd|token|credential|hash|salt|api_?key|private|session|ssn|iban",
    re.IGNORECASE,
)
"""Columns whose values nobody wants to see as arguments in a report."""


class Glimpses:
    """Looks into each column once."""

    def __init__(self) -> None:
        self._seen: set[Column] = set()

    def take(self, columns: Iterable[Column]) -> Iterator[tuple[str, object]]:
        """Give values of columns that were not looked into before, with their names.

        Args:
            columns: What a call has read, the most telling first.
        """
        for column in columns:
            if column in self._seen or len(self._seen) >= _MOST_COLUMNS:
                continue
            self._seen.add(column)
            if not _SECRET.search(column.name):
                yield from ((column.name, value) for value in _values(column))


def _values(column: Column) -> list[object]:
    address = f"file:{quote(column.file)}?mode=ro"
    statement = f"SELECT {_quoted(column.name)} FROM {_quoted(column.table)} LIMIT ?"  # noqa: S608 - both are quoted
    found: dict[object, None] = {}
    with (
        suppress(sqlite3.Error),  # locked, gone, or a table of a module we lack
        closing(sqlite3.connect(address, uri=True, timeout=0)) as connection,
    ):
        connection.set_progress_handler(lambda: 1, _STEPS)
        for (value,) in connection.execute(statement, (_ROWS,)):
            if _is_useful(value):
                found.setdefault(value)
    return list(found)[:_MOST_VALUES]


def _is_useful(value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= _LONGEST
    return isinstance(value, int | float)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
