"""Tables of constants: what in them is looked up, and what they give back."""

from __future__ import annotations

import enum
import types
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.codescan.bytecode import DECIDES, USED, Found, ordered
from pytest_toolresult.codescan.naming import CODE_KEYS, STATUS_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TABLES: Final = (dict, types.MappingProxyType, list, tuple, set, frozenset)
"""Only plain tables: to read another mapping may run code, or give the environment."""

_SCALARS: Final = (str, int, float, enum.Enum)
_MOST_ROWS: Final = 16
_MOST_DEPTH: Final = 3
_PAIR: Final = 2


def rows_of(table: Any, *, coded: bool) -> Iterator[Found]:
    """Walk a table: each scalar in it, with the part that it plays.

    Args:
        table: One of the `TABLES`.
        coded: Whether texts in it may be error codes where no key says so.
    """
    yield from _rows(table, 0, coded=coded)


def _rows(table: Any, depth: int, *, coded: bool) -> Iterator[Found]:
    if depth >= _MOST_DEPTH:
        return
    if isinstance(table, dict | types.MappingProxyType):
        yield from _of_mapping(table, depth, coded=coded)
        return
    elements = list(islice(ordered(table), _MOST_ROWS))
    if all(_is_pair(each) for each in elements):
        # A mapping in disguise: the first of each pair names the second.
        yield from (_key(name, depth + 1) for name, _ in elements)
        elements = [value for _, value in elements]
        depth += 1
    for element in elements:
        if isinstance(element, _SCALARS):
            yield _key(element, depth) if depth == 0 else _value(element, coded=coded)
        elif isinstance(element, TABLES):
            yield from _rows(element, depth + 1, coded=coded)


def _of_mapping(
    table: Mapping[Any, Any], depth: int, *, coded: bool
) -> Iterator[Found]:
    items = list(islice(table.items(), _MOST_ROWS))
    yield from (_key(key, depth) for key, _ in items)
    for key, value in items:
        field = key if key in CODE_KEYS | STATUS_KEYS else None
        # In the records of a table a field that is not called a code is none.
        may = coded and not (depth and isinstance(key, str))
        if isinstance(value, _SCALARS):
            yield _value(value, coded=may, field=field)
        elif isinstance(value, TABLES):
            yield from _rows(value, depth + 1, coded=coded)


def _is_pair(element: object) -> bool:
    """Tell a pair of a name and a text from a record that holds two things."""
    return (
        isinstance(element, tuple)
        and len(element) == _PAIR
        and all(isinstance(each, str) for each in element)
    )


def _key(value: Any, depth: int) -> Found:
    return Found(value=value, rank=USED if depth else DECIDES, made=False)


def _value(value: Any, *, coded: bool, field: str | None = None) -> Found:
    return Found(value=value, rank=USED, key=field, coded=coded)
