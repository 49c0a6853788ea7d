"""Texts that match a regular expression, without any search for them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

# The parser of the standard library: the only public way to take a pattern apart
# would be a second parser that may disagree with the one that matches.
from re import _constants as _ops, _parser  # type: ignore[attr-defined]  # isort: skip

from pytest_toolresult.strategies.ecma import as_python

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFERRED: Final = "a1A0b2zZ9-_ ./:@é~!#$%&*+,;=?^|()[]{}<>'\"\\`"
_CHARACTERS: Final = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})
_UNBOUNDED: Final = 40
_REPEATS: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_SHORT_REPEAT: Final = 8
_LONGEST_NESTED: Final = 16
_LONGEST_BESIDE: Final = (10**9, 10**6, 1000, 100)
"""By the number of repeats beside one another, the place of the start counted."""
_CANDIDATES: Final = ("Passw0rd!", "abc123", "a", "1", "A1b2C3d4!", "2024-01-31")


class _NoMatchError(ValueError):
    """A part of a pattern that no text is known for."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str] | None:
    """Compile a pattern of a schema, `None` where Python cannot.

    Source: JSON Schema Core, section 6.4 (regular expressions).
    """
    try:
        return re.compile(as_python(pattern))
    except (re.error, ValueError, RecursionError, OverflowError):
        return None


def matches(pattern: str, text: str) -> bool:
    """Tell whether a pattern of a schema is found in a text.

    What cannot be compiled is found everywhere. A text so long that looking could
    take for ever counts as one without it.
    """
    regex = compiled(pattern)
    if regex is None:
        return True
    return len(text) <= _longest(pattern) and regex.search(text) is not None


@lru_cache(maxsize=256)
def _longest(pattern: str) -> int:
    """Tell how long a text may be before a search in it takes noticeable time.

    Repeats within repeats double the time with every character, and each further
    repeat beside others multiplies it by the length.
    """
    regex = compiled(pattern)
    if regex is None:
        return 0
    parsed = _parser.parse(regex.pattern, regex.flags & ~re.DEBUG)
    beside, is_nested = _repeats(parsed, within=False)
    if is_nested:
        return _LONGEST_NESTED
    anchored = str(parsed[0][0]) == "AT" if len(parsed) else True
    return _LONGEST_BESIDE[min(beside + (not anchored), len(_LONGEST_BESIDE) - 1)]


def _repeats(parsed: Any, *, within: bool) -> tuple[int, bool]:
    """Count the long repeats in a pattern, and tell whether one is within another."""
    count, is_nested = 0, False
    for op, value in parsed:
        is_long = str(op) in _REPEATS and int(value[1]) > _SHORT_REPEAT
        for inner in _inner(value):
            more, nested = _repeats(inner, within=within or is_long)
            count, is_nested = count + more, is_nested or nested
        count += is_long
        # Choices may overlap, and then every way of choosing is tried.
        is_nested = is_nested or (within and (is_long or str(op) == "BRANCH"))
    return count, is_nested


def _inner(value: Any) -> Iterator[Any]:
    """Give the patterns within a part of a parsed pattern."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _inner(each)


@lru_cache(maxsize=256)
def matching(pattern: str) -> tuple[str, ...]:
    """Find up to three texts that match: short, a little longer, long.

    Empty where the pattern is none or uses what cannot be built, such as a
    condition that looks ahead.
    """
    regex = compiled(pattern)
    if regex is None:
        return ()
    texts = [*_built(regex), *_CANDIDATES]
    found = dict.fromkeys(text for text in texts if matches(pattern, text))
    return tuple(found)[:3]


def looks_like_pattern(text: str) -> bool:
    """Tell a regular expression in the code of a tool from an ordinary text."""
    telling = re.search(r"\\[dwsDWSbAZ]|\[[^\]]+\]|[.)\]][*+?]|\{\d+(,\d*)?\}", text)
    return telling is not None and compiled(text) is not None


def _built(regex: re.Pattern[str]) -> Iterator[str]:
    for extra in (0, 1, _UNBOUNDED):
        try:
            parsed = _parser.parse(regex.pattern, regex.flags & ~re.DEBUG)
            yield _text(parsed, extra, {})
        except (_NoMatchError, RecursionError):
            continue


def _text(parsed: Any, extra: int, groups: dict[int, str]) -> str:
    return "".join(_part(op, value, extra, groups) for op, value in parsed)


def _part(op: Any, value: Any, extra: int, groups: dict[int, str]) -> str:
    """Write one part of a parsed pattern out."""
    kind = str(op)
    if kind in _CHARACTERS:
        return _character(kind, value)
    if kind in {"AT", "ASSERT", "ASSERT_NOT"}:
        return ""  # the finished text is held against the pattern
    if kind == "BRANCH":
        return _text(value[1][extra % len(value[1])], extra, groups)
    if kind in _REPEATS:
        least, most, inner = value
        times = min(least + extra, least + _UNBOUNDED, int(most))
        return "".join(_text(inner, extra, groups) for _ in range(times))
    return _group(kind, value, extra, groups)


def _group(kind: str, value: Any, extra: int, groups: dict[int, str]) -> str:
    if kind == "SUBPATTERN":
        text = _text(value[3], extra, groups)
        if value[0] is not None:
            groups[value[0]] = text
        return text
    if kind == "ATOMIC_GROUP":
        return _text(value, extra, groups)
    if kind == "GROUPREF":
        return groups.get(value, "")
    raise _NoMatchError(kind)


def _character(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind == "NOT_LITERAL":
        return _first(lambda char: ord(char) != value)
    return "a" if kind == "ANY" else _first(lambda char: _in_set(char, value))


def _first(fits: Any) -> str:
    for char in _PREFERRED:
        if fits(char):
            return char
    for number in range(0x20, 0xD800):
        if fits(chr(number)):
            return chr(number)
    raise _NoMatchError("a set of characters")


def _in_set(char: str, members: Any) -> bool:
    negated = bool(members) and members[0][0] is _ops.NEGATE
    listed = any(_is_member(char, op, value) for op, value in members)
    return listed is not negated


def _is_member(char: str, op: Any, value: Any) -> bool:
    match str(op):
        case "LITERAL":
            return bool(ord(char) == value)
        case "RANGE":
            return bool(value[0] <= ord(char) <= value[1])
        case "CATEGORY":
            return _CATEGORIES[str(value)].fullmatch(char) is not None
    return False


_CATEGORIES: Final = {
    f"CATEGORY_{name}": re.compile(pattern)
    for name, pattern in {
        "DIGIT": r"\d",
        "NOT_DIGIT": r"\D",
        "SPACE": r"\s",
        "NOT_SPACE": r"\S",
        "WORD": r"\w",
        "NOT_WORD": r"\W",
    }.items()
}
