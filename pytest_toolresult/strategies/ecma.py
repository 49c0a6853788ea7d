"""Regular expressions of JSON Schema, which are JavaScript's, as Python writes them.

Source: JSON Schema Core, section 6.4; ECMA-262, sections 22.2 (patterns) and
22.2.2.9 (Unicode properties).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LAST: Final = 0xFFFF
"""Beyond the basic plane no tool's schema was seen to look."""
_SCRIPTS: Final = {
    "Han": "\u3005\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "Greek": "\u0370-\u0373\u0375-\u03ff\u1f00-\u1fff",
    "Cyrillic": "\u0400-\u052f",
    "Latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u1e00-\u1eff",
    "Hiragana": "\u3041-\u3096\u309d-\u309f",
    "Katakana": "\u30a1-\u30fa\u30fd-\u30ff",
    "Hangul": "\u1100-\u11ff\uac00-\ud7a3",
    "Arabic": "\u0620-\u063f\u0641-\u064a",
    "Hebrew": "\u05d0-\u05ea",
    "Devanagari": "\u0904-\u0939",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
}
_LONG_NAMES: Final = {
    "Letter": "L",
    "Alphabetic": "L",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Uppercase": "Lu",
    "Lowercase": "Ll",
    "Mark": "M",
    "Number": "N",
    "Decimal_Number": "Nd",
    "Punctuation": "P",
    "Symbol": "S",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "White_Space": "Z",
    "Control": "Cc",
}
_SPELLING: Final = re.compile(
    r"\\(?P<sign>[pP])\{(?:\w+=)?(?P<name>\w+)\}|\\u\{(?P<code>[0-9A-Fa-f]+)\}"
    r"|\\k<(?P<again>\w+)>|\\.|(?P<group>\(\?<)(?=[A-Za-z_])|(?P<one>.)",
    re.DOTALL,
)


def as_python(pattern: str) -> str:
    """Rewrite a pattern: properties of characters, names of groups, sets.

    Raises:
        ValueError: If it names a property that is not known.
    """
    return "".join(_rewritten(pattern))


def _rewritten(pattern: str) -> Iterator[str]:
    in_set = False
    for found in _SPELLING.finditer(pattern):
        if found["sign"]:
            yield _property(found["name"], barred=found["sign"] == "P", in_set=in_set)
        elif found["code"]:
            yield re.escape(chr(int(found["code"], 16)))
        elif found["again"]:
            yield f"(?P={found['again']})"
        elif found["group"]:
            yield "(?P<" if not in_set else found.group()
        elif in_set and found.group() in {"[", "&", "|", "~"}:
            yield f"\\{found.group()}"  # Python keeps them for sets of sets
        else:
            in_set = found["one"] == "[" or (in_set and found["one"] != "]")
            yield found.group()


def _property(name: str, *, barred: bool, in_set: bool) -> str:
    if name in {"L", "Letter", "Alphabetic"} and not in_set:
        return r"[\W\d_]" if barred else r"[^\W\d_]"
    if not in_set:
        return f"[{'^' * barred}{_members(name, barred=False)}]"
    return _members(name, barred=barred)


@cache
def _members(name: str, *, barred: bool) -> str:
    """Give the characters of a property as the inside of a set."""
    name = _LONG_NAMES.get(name, name)
    if name in _SCRIPTS:
        regex = re.compile(f"[{_SCRIPTS[name]}]")
        return _ranges([bool(regex.match(char)) is not barred for char in _plane()])
    kinds = [unicodedata.category(char).startswith(name) for char in _plane()]
    if not any(kinds):
        raise ValueError(f"unknown property of characters: {name}")
    return _ranges([kind is not barred for kind in kinds])


def _plane() -> Iterator[str]:
    return map(chr, range(_LAST + 1))


def _ranges(members: list[bool]) -> str:
    found: list[str] = []
    start: int | None = None
    for code, is_member in enumerate([*members, False]):
        if is_member and start is None:
            start = code
        elif not is_member and start is not None:
            found.append(f"\\u{start:04x}-\\u{code - 1:04x}")
            start = None
    return "".join(found)


def without_lookaheads(pattern: str) -> str:
    """Leave out the conditions that look ahead or behind: `(?=...)` and the like."""
    kept: list[str] = []
    position = 0
    while position < len(pattern):
        if re.match(r"\(\?<?[=!]", pattern[position : position + 4]):
            position = _end_of_group(pattern, position)
            continue
        size = 2 if pattern[position] == "\\" else 1
        kept.append(pattern[position : position + size])
        position += size
    return "".join(kept)


def _end_of_group(pattern: str, position: int) -> int:
    depth, in_set = 0, False
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            position += 1
        elif in_set or char == "[":
            in_set = char != "]"
        else:
            depth += (char == "(") - (char == ")")
        position += 1
        if depth == 0:
            break
    return position
