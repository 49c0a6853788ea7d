"""Whether two results say the same, and whether one is a part of the other.

Results may hold anything, so that containers are read as in `walk`: through the
built-in types, never recursively, and only up to a size.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.walk import fields_of, is_a, members_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MOST: Final = 200_000
"""How many pairs of values are compared; what lies beyond is taken as equal."""

_DEEPEST: Final = 3
"""How far below the top a part may be missing."""

_MARKS: Final = re.compile(r"\W+")
_ABSENT: Final = object()
_SCALARS: Final[tuple[Any, ...]] = (str, bool, int, float)


def same(one: object, other: object, *, loosely: bool = False) -> bool:
    """Tell whether two results say the same.

    Args:
        one: A result.
        other: Another one.
        loosely: Whether texts are the same that differ in nothing but spaces and
            punctuation, such as `notes.txt` and `./notes.txt`.
    """
    return all(
        loosely and _are_alike(left, right)
        for _, left, right in _differences(one, other)
    )


def _are_alike(one: object, other: object) -> bool:
    if not is_a(one, str) or not is_a(other, str):
        return False
    return _MARKS.sub("", str.__str__(one)) == _MARKS.sub("", str.__str__(other))


def differing_places(one: object, other: object) -> set[str]:
    """Return where two results differ, such as `[0].read_at`; `""` for all of them.

    A list that is longer than the other differs in the entries that it has more.
    """
    return {place for place, _, _ in _differences(one, other)}


def differ_in_texts_only(one: object, other: object) -> bool:
    """Tell whether two results have one form and other texts in it."""
    return all(
        is_a(left, str) and is_a(right, str)
        for _, left, right in _differences(one, other)
    )


def is_part(part: object, whole: object, depth: int = 0) -> bool:
    """Tell whether a result is another one of which something is missing.

    What is missing are entries of a list, the end or lines of a text, or fields of an
    object; of an object with parts the counts may be lower. Nothing at all is no part.
    """
    if is_a(part, str) and is_a(whole, str):
        return _is_part_of_text(str.__str__(part), str.__str__(whole))
    entries, all_entries = _entries(part), _entries(whole)
    if entries is not None and all_entries is not None:
        return 0 < len(entries) < len(all_entries) and _in_order(entries, all_entries)
    if depth < _DEEPEST and is_a(part, dict) and is_a(whole, dict):
        return _is_part_of_object(fields_of(part), fields_of(whole), depth)
    return False


def entries_of(data: object) -> int | None:
    """Return how many entries data holds: its own, or those of its longest list."""
    own = _entries(data)
    if own is not None:
        return len(own)
    lists = (_entries(value) for value in fields_of(data).values())
    return max((len(each) for each in lists if each is not None), default=None)


def _entries(value: object) -> list[object] | None:
    if is_a(value, list):
        return list(list.__iter__(value))
    return list(tuple.__iter__(value)) if is_a(value, tuple) else None


def _in_order(part: Iterable[object], whole: Iterable[object]) -> bool:
    rest = iter(whole)
    return all(any(same(wanted, each) for each in rest) for wanted in part)


def _is_part_of_text(part: str, whole: str) -> bool:
    if not part.strip() or len(part) >= len(whole):
        return False
    return whole.startswith(part.rstrip()) or _in_order(
        part.splitlines(), whole.splitlines()
    )


def _is_part_of_object(
    part: Mapping[str, Any], whole: Mapping[str, Any], depth: int
) -> bool:
    if not part or not part.keys() <= whole.keys():
        return False
    missing = part.keys() != whole.keys()
    numbers_differ = False
    for name, value in part.items():
        if same(value, whole[name]):
            continue
        if _is_nothing(value) or is_part(value, whole[name], depth + 1):
            missing = True
        elif not (_is_number(value) and _is_number(whole[name])):
            return False
        else:
            numbers_differ = True
    return missing and (not numbers_differ or entries_of(whole) is not None)


def _is_nothing(value: object) -> bool:
    return value is None or _entries(value) == []


def _is_number(value: object) -> bool:
    return (is_a(value, int) or is_a(value, float)) and type(value) is not bool


def _differences(one: object, other: object) -> Iterator[tuple[str, object, object]]:
    """Yield where two results differ, and the values there."""
    stack: list[tuple[str, object, object]] = [("", one, other)]
    seen: set[tuple[int, int]] = set()
    for _ in range(_MOST):
        if not stack:
            return
        place, left, right = stack.pop()
        if left is right:
            continue
        pairs = _paired(left, right)
        if pairs is None:
            if not _are_equal(left, right):
                yield place, left, right
        elif (id(left), id(right)) not in seen:
            seen.add((id(left), id(right)))
            stack += [(f"{place}{name}", mine, yours) for name, mine, yours in pairs]


def _paired(left: object, right: object) -> list[tuple[str, object, object]] | None:
    """Pair what two containers of one kind hold; `None` where they are none."""
    ours, theirs = _entries(left), _entries(right)
    if ours is not None and theirs is not None:
        pairs = zip_longest(ours, theirs, fillvalue=_ABSENT)
        return [(f"[{at}]", mine, yours) for at, (mine, yours) in enumerate(pairs)]
    if any(is_a(left, kind) or is_a(right, kind) for kind in (*_SCALARS, list, tuple)):
        return None
    mine, yours = dict(_named(left)), dict(_named(right))
    if not mine and not yours:
        return None
    names = [*mine, *(name for name in yours if name not in mine)]
    return [
        (f".{name}", mine.get(name, _ABSENT), yours.get(name, _ABSENT))
        for name in names
    ]


def _named(value: object) -> Iterator[tuple[str, object]]:
    """Yield the members of an object by names that can be compared."""
    for name, member in members_of(value):
        if is_a(name, str):
            yield str.__str__(name), member
        elif name is None or type(name) in (bool, int, float):
            yield repr(name), member


def _are_equal(left: object, right: object) -> bool:
    for kind in _SCALARS:
        if is_a(left, kind) and is_a(right, kind):
            return bool(kind.__eq__(left, right))
    if _is_number(left) and _is_number(right):
        return _as_float(left) == _as_float(right)
    return type(left) is type(right) and left is not _ABSENT


def _as_float(value: Any) -> float:
    try:
        return float.__float__(value) if is_a(value, float) else int.__float__(value)
    except OverflowError:
        return float("inf")
