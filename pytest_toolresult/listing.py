"""Finds the rows that a result consists of, and tells one row from another."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.digests import digest
from pytest_toolresult.plain import plain
from pytest_toolresult.walk import fields_of, is_a, sequence_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def identity_of(row: object, name: str | None) -> str:
    """Name one row by a field that tells rows apart, or as a whole."""
    fields = fields_of(row)
    if name is not None and name in fields:
        return f"{name} {fields[name]!r}"
    return _whole(row)


def id_field(rows: Sequence[Any]) -> str | None:
    """Return the field that reads as an id and has another value in every row."""
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


_MORE: Final = frozenset(
    ("has more", "has next", "has next page", "more", "more available", "truncated")
)
_NEXT: Final = frozenset(
    (
        *("next cursor", "next page token", "next token", "next page", "next offset"),
        *("next", "next start", "next index", "continuation token", "continuation"),
        *("cursor", "page token", "end cursor", "next start index", "next skip"),
    )
)
_TOTALS: Final = frozenset(
    (
        *("total", "total count", "total results", "total hits", "total rows"),
        *("total items", "total matches", "total records", "total entries"),
        *("count total", "total number", "total found", "total size"),
    )
)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_in(name: str) -> str:
    """Write a name as words in lower case: `maxResults` is `max results`."""
    return " ".join(_WORD.findall(name)).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """What a result says about the rows that it does not hold.

    Attributes:
        following: The values that may lead on, by the words of their names: a cursor,
            the next offset, the id of a cut result.
        says_more: Whether it says that there is more; `None` where it says nothing.
        total: How many rows there are in all, where it says so.
    """

    following: Mapping[str, str | int]
    says_more: bool | None
    total: int | None


def continuation_of(data: object, meta: object) -> Continuation:
    """Read what a result says about its other rows, in its meta or beside the rows."""
    fields = {words_in(name): value for name, value in _fields(data, meta).items()}
    leads = {
        name: value
        for name, value in fields.items()
        if name in _NEXT and _is_given(value)
    }
    flags = [value for name, value in fields.items() if name in _MORE]
    says = [bool(each) for each in flags if is_a(each, bool)]
    ends = any(name in _NEXT and not _is_given(value) for name, value in fields.items())
    says_more = True if leads or any(says) else (False if says or ends else None)
    if says_more and is_a(fields.get("result id"), str):
        leads["result id"] = fields["result id"]
    totals = (value for name, value in fields.items() if name in _TOTALS)
    numbers = [each for each in totals if is_a(each, int) and not is_a(each, bool)]
    return Continuation(
        following=leads,
        says_more=says_more,
        total=int.__int__(numbers[0]) if numbers else None,
    )


def _fields(data: object, meta: object) -> dict[str, Any]:
    """Return the fields of the data, of what pages are told in, and of the meta."""
    found = {**fields_of(plain(data)), **fields_of(plain(meta))}
    for name in ("pagination", "paging", "page_info", "pageInfo", "links"):
        found |= fields_of(found.get(name))
    return found


def _is_given(value: object) -> bool:
    number = is_a(value, int) and not is_a(value, bool)
    return number or (is_a(value, str) and bool(value))
