"""Data of the same shape as some other, with nothing in it or with a lot.

A dependency that has no data, or more than usual, answers in the form it always
answers in: the lists are empty or long, and what counts them or leads to the next
page agrees. What is a list, what a count and what a cursor is told by type and name.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any, Final

MANY: Final = 2_000
"""How long a list becomes that is made to hold a lot."""

LONG: Final = 60_000
"""About how many characters a text gets that is made long."""

_PROSE: Final = 40
"""A text inside data that is longer than this is content, not a name or a label."""

_LISTS: Final = (list, tuple, deque)
_COUNT: Final = re.compile(
    r"(total|num)?(items|rows|hits|results|found|count|returned)"
    r"|total|size|length|(item|row|result)count"
)
_MORE: Final = frozenset({"hasmore", "hasnext", "more", "truncated", "isincomplete"})
_CURSOR: Final = re.compile(
    r"next|cursor|nextpage|nextcursor|nexttoken|next(page)?token|nexturl|nextlink"
    r"|(page|continuation)token|after|endcursor"
)
_LEADS_ON: Final = re.compile(
    r"next(page|cursor|token|pagetoken|url|link|offset)?|continuationtoken"
)
"""Names of what leads to the next page; a plain `cursor` can be that of this one."""

_IDENTITY: Final = re.compile(r"(.*[_-])?(id|uuid|key|slug|number|sku)|.*[a-z]Id|n")
_WORD: Final = re.compile(r"[a-z][A-Za-z0-9_]*")


def emptied(value: Any) -> Any:
    """Return the same shape without entries.

    Lists, tuples, sets and text become empty ones of their type. Within an object the
    lists become empty, and so do objects that are keyed by data (`{"EUR": 1.1}`);
    what counts them becomes 0, what leads to a next page `None`, `has_more` false.
    All else stays as it is, so that `emptied(value) == value` says that there is
    nothing to leave out.
    """
    if isinstance(value, Mapping):
        if _is_table(value):
            return type(value)() if type(value) is dict else _cleared(value)
        return _emptied_object(value) if _holds_entries(value) else value
    if isinstance(value, (list, deque, set)):
        return _cleared(value)
    if type(value) in {tuple, frozenset, str, bytes, bytearray}:
        return type(value)()
    return value


def inflated(value: Any) -> Any:
    """Return the same shape with a lot in it.

    Each list that is not itself part of an entry gets `MANY` entries: its own over
    and over, with ids of their own, so that a tool which drops repeated ids keeps
    them all. Counts go up by as much. Where there is no list, long text gets longer.
    What has no entry stays as it is: nobody knows how one looks.
    """
    if isinstance(value, Mapping):
        if _holds_lists(value):
            return _with_members(value, _inflated_member(_growth(value)))
        return _with_members(value, lambda _, member: _longer(member))
    if isinstance(value, _LISTS):
        return _repeated(value)
    return _longer(value, shortest=0)


def reshaped(value: Any) -> Any:
    """Return what the value says in a form that nobody expects.

    An object comes as the only entry of a list, all else as the member of an object,
    as answers do after an incompatible release of a service.
    """
    return [value] if isinstance(value, Mapping) else {"result": value}


def count(value: Any) -> int | None:
    """Return how many entries a value holds; `None` where it holds no list.

    Of several lists the longest counts. Lists that are part of an entry do not.
    """
    if isinstance(value, (*_LISTS, set, frozenset)):
        return len(value)
    if isinstance(value, Mapping):
        lengths = [count(member) for member in value.values()]
        return max((each for each in lengths if each is not None), default=None)
    return None


def goes_on(value: Any) -> bool:
    """Tell whether data with entries says that there are more on another page.

    It does so at its top, or one level below, as under `pagination`.
    """
    if not isinstance(value, Mapping) or not _holds_lists(value):
        return False
    below = [each for each in value.values() if isinstance(each, Mapping)]
    return any(_says_more(each) for each in (value, *below))


def _says_more(fields: Mapping[Any, Any]) -> bool:
    named = {_folded(name): member for name, member in fields.items()}
    flags = [named[name] for name in (*_MORE, "hasnextpage") if name in named]
    if flags:
        return any(flag is True for flag in flags)
    return any(
        isinstance(member, (str, int)) and bool(member)
        for name, member in named.items()
        if _LEADS_ON.fullmatch(name)
    )


def _emptied_object(value: Mapping[Any, Any]) -> Any:
    return _with_members(value, _emptied_member)


def _emptied_member(name: object, member: Any) -> Any:
    folded = _folded(name)
    if _COUNT.fullmatch(folded) and type(member) is int:
        return 0
    if folded in _MORE and isinstance(member, bool):
        return False
    if _CURSOR.fullmatch(folded) and not isinstance(member, (Mapping, *_LISTS)):
        return None
    if isinstance(member, Mapping) and not _is_table(member):
        return _emptied_object(member)
    return emptied(member) if _is_collection(member) else member


def _inflated_member(growth: int) -> Callable[[object, Any], Any]:
    def change(name: object, member: Any) -> Any:
        if _COUNT.fullmatch(_folded(name)) and type(member) is int:
            return member + growth
        if isinstance(member, Mapping):
            return _with_members(member, change)
        return _repeated(member) if isinstance(member, _LISTS) else member

    return change


def _growth(value: Mapping[Any, Any]) -> int:
    before = count(value)
    return MANY - before if before and before < MANY else 0


def _repeated(entries: Any) -> Any:
    many = list(_rounds(list(entries)))
    if isinstance(entries, tuple):
        return tuple(many) if type(entries) is tuple else entries
    longer = _cleared(entries)
    longer.extend(many)
    return longer


def _rounds(entries: list[Any]) -> Iterator[Any]:
    yield from entries
    for number in range(len(entries), MANY if entries else 0):
        turn, position = divmod(number, len(entries))
        yield _again(entries[position], turn, len(entries))


def _again(entry: Any, turn: int, of: int) -> Any:
    """Return an entry once more, told from the others by its id."""
    if isinstance(entry, dict):
        return {
            name: _other(member, turn, of) if _names_entry(name) else member
            for name, member in entry.items()
        }
    if type(entry) is tuple and entry:
        return (_other(entry[0], turn, of), *entry[1:])
    return entry


def _other(identity: Any, turn: int, of: int) -> Any:
    if type(identity) is int:
        return identity + turn * max(of, 1_000)
    return f"{identity}-{turn}" if isinstance(identity, str) else identity


def _longer(value: Any, shortest: int = _PROSE) -> Any:
    if type(value) in {str, bytes} and len(value) > shortest:
        return value * (LONG // len(value) + 1)
    return value


def _with_members(
    value: Mapping[Any, Any], change: Callable[[object, Any], Any]
) -> Any:
    members = {name: change(name, member) for name, member in value.items()}
    if type(value) is dict or not hasattr(value, "update"):
        return members
    changed = _cleared(value)
    changed.update(members)
    return changed


def _cleared(value: Any) -> Any:
    """Return an empty one of the same type, whatever its constructor asks for."""
    empty = copy(value)
    empty.clear()
    return empty


def _is_collection(value: object) -> bool:
    return isinstance(value, (*_LISTS, set, frozenset)) or _is_table(value)


def _holds_entries(value: Mapping[Any, Any]) -> bool:
    return any(
        _is_collection(member)
        or (isinstance(member, Mapping) and _holds_entries(member))
        for member in value.values()
    )


def _holds_lists(value: Mapping[Any, Any]) -> bool:
    return count(value) is not None


def _is_table(value: object) -> bool:
    """Whether an object's keys are data: alike values under what are no field names."""
    if not isinstance(value, Mapping) or not value:
        return False
    kinds = {type(member) for member in value.values()}
    if len(kinds) > 1 or all(_WORD.fullmatch(str(name)) for name in value):
        return False
    return all(not isinstance(member, _LISTS) for member in value.values())


def _names_entry(name: object) -> bool:
    return isinstance(name, str) and _IDENTITY.fullmatch(name) is not None


def _folded(name: object) -> str:
    return re.sub(r"[^a-z0-9]", "", str(name).lower())
