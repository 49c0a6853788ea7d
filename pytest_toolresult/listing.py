"""Finds the rows that a result consists of, and tells one row from another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.digests import digest
from pytest_toolresult.plain import plain
from pytest_toolresult.walk import fields_of, is_a, sequence_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES: Final = (
    *("items", "results", "data", "rows", "records", "entries", "hits", "matches"),
    *("documents", "values", "list", "content", "objects", "nodes", "edges"),
)
"""The names under which rows stand where there is more than one list."""

_IDS: Final = ("id", "uuid", "key", "uid", "guid", "number", "name", "path", "url")
_BLOCK: Final = frozenset({"type", "text", "annotations"})
_DEEPEST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The rows of a result.

    Attributes:
        place: Where they stand, such as `data.items`.
        rows: The rows.
    """

    place: str
    rows: Sequence[Any]


def listing_of(data: object) -> Listing | None:
    """Return the rows of some data; `None` where there are none, or several lists.

    Args:
        data: The data of a result. JSON text counts as what it says.
    """
    return _found(plain(data), "data", 0)


def _found(data: Any, place: str, depth: int) -> Listing | None:
    rows = sequence_of(data)
    if rows is not None:
        text = _only_text(rows)
        opened = plain(text) if text is not None else None
        if text is not None and not is_a(opened, str):
            return _found(opened, place, depth)
        return Listing(place=place, rows=rows)
    fields = fields_of(data)
    lists: Sequence[str] = [
        name for name in fields if sequence_of(fields[name]) is not None
    ]
    if len(lists) > 1:
        lists = [name for name in _NAMES if name in lists][:1]
    if lists:
        rows = sequence_of(fields[lists[0]]) or ()
        return Listing(place=f"{place}.{lists[0]}", rows=rows)
    inner = [name for name, value in fields.items() if is_a(value, dict)]
    if depth < _DEEPEST and len(inner) == 1:
        return _found(fields[inner[0]], f"{place}.{inner[0]}", depth + 1)
    return None


def identities(rows: Sequence[Any]) -> list[str]:
    """Name each row by what tells it from the others, if anything does.

    That is a field which reads as an id and has a value of its own in every row, else
    the row as a whole.
    """
    name = _id_field(rows)
    if name is not None:
        return [f"{name} {fields_of(row)[name]!r}" for row in rows]
    return [_whole(row) for row in rows]


def id_field(rows: Sequence[Any]) -> str | None:
    """Return the field that tells rows apart, or `None`."""
    return _id_field(rows)


def identity_of(row: object, name: str | None) -> str:
    """Name one row by a field that tells rows apart, or as a whole."""
    fields = fields_of(row)
    if name is not None and name in fields:
        return f"{name} {fields[name]!r}"
    return _whole(row)


def _id_field(rows: Sequence[Any]) -> str | None:
    fields = [fields_of(row) for row in rows]
    if not fields or not all(fields):
        return None
    shared = [name for name in fields[0] if all(name in each for each in fields)]
    for suffix in _IDS:
        for name in shared:
            values = [each[name] for each in fields]
            named = name.casefold() == suffix or name.casefold().endswith(f"_{suffix}")
            plain_values = all(is_a(each, str) or is_a(each, int) for each in values)
            if named and plain_values and len(set(map(repr, values))) == len(values):
                return name
    return None


def _whole(row: object) -> str:
    try:
        return json.dumps(row, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        known = digest(row)
        return known.hex() if known is not None else f"row {id(row)}"


def _only_text(rows: Sequence[Any]) -> str | None:
    """Return the text of the one block in which runtimes hand text on."""
    if len(rows) != 1:
        return None
    block = fields_of(rows[0])
    text = block.get("text") if block.keys() <= _BLOCK else None
    return str.__str__(text) if is_a(text, str) else None
