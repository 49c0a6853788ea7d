"""Renders any object as one short line that is safe to show.

Everything is masked before anything is cut, so that half a secret never stands at a
cut. No method of an object is called but those of the standard library's own types.
"""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.redaction.masks import mask, mask_shown, mask_value
from pytest_toolresult.walk import class_name, is_a, members_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SHORT: Final = 160
"""How many characters of a value a message quotes."""

LONG: Final = 500
"""How many characters of a whole result or of all arguments are shown."""

_MOST_RENDERED: Final = 20_000
_MOST_ARGUMENTS: Final = 20
_QUIET_MODULES: Final = frozenset(
    ("datetime", "decimal", "fractions", "uuid", "pathlib", "pathlib._local")
)
_QUIET_TYPES: Final = (bytes, bytearray, complex, range)
"""What has a `repr` that does nothing but render, and is the same in every run."""


def excerpt(value: object, most: int = SHORT, *, contacts: bool = True) -> str:
    """Render an object as one line: as JSON where it has such a form.

    Args:
        value: Any object, however odd: cyclic, deep, huge, with methods that raise.
        most: How many characters to return at most; at least 10 make sense.
        contacts: Whether e-mail addresses and phone numbers are secrets here.

    Returns:
        A line without secrets, control characters and lone surrogates, with an
        ellipsis in the middle where it was too long.
    """
    pieces: list[str] = []
    length = 0
    for piece in _pieces(value, contacts=contacts):
        pieces.append(piece)
        length += len(piece)
        if length > _MOST_RENDERED:
            pieces.append("\u2026")
            break
    return shortened(mask("".join(pieces), contacts=contacts), most)


def excerpt_text(text: str, most: int = SHORT, *, contacts: bool = True) -> str:
    """Render a text as one line like `excerpt`, but without quotation marks."""
    masked = mask_shown(str.__str__(text), contacts=contacts)
    return shortened(_one_line(masked), most)


def shortened(text: str, most: int) -> str:
    """Cut the middle out of a text that is masked already."""
    if len(text) <= most:
        return text
    head = (most - 1) * 2 // 3
    return f"{text[:head]}\u2026{text[len(text) - (most - 1 - head) :]}"


def masked_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Copy arguments so that they can be shown: without secrets, and short.

    Values that are short stay what they are; long ones become an excerpt. Addresses
    and phone numbers stay: the model chose them, or the test did.
    """
    items = members_of(arguments)
    shown = {
        excerpt_text(key) if is_a(key, str) else excerpt(key): _shown(key, value)
        for key, value in items[:_MOST_ARGUMENTS]
    }
    if len(items) > _MOST_ARGUMENTS:
        shown["\u2026"] = f"and {len(items) - _MOST_ARGUMENTS} more"
    return shown


def _shown(key: object, value: object) -> Any:
    if is_a(value, str):
        text = _named(key, str.__str__(value), contacts=False)
        # Not escaped here: whoever writes it down does that, and twice is once too
        # often: what was a line break would read as a backslash and an n.
        return shortened(mask_shown(text, contacts=False), SHORT)
    line = excerpt(value, LONG, contacts=False)
    with suppress(ValueError, RecursionError):  # not JSON, or cut: the line will do
        return json.loads(line, parse_constant=str)
    return line


def _named(key: object, text: str, *, contacts: bool) -> str:
    """Mask a text that stands under a key, which may say that it is a secret."""
    if not is_a(key, str) or len(text) > _MOST_RENDERED:
        return mask_shown(text, contacts=contacts)
    return mask_value(str.__str__(key), text, contacts=contacts)


def _pieces(value: object, *, contacts: bool) -> Iterator[str]:
    """Render depth first with a stack of iterators, so that depth costs nothing."""
    stack: list[Iterator[Any]] = [iter([value])]
    closing: list[str] = [""]
    entered: list[int] = []
    entered_ids: set[int] = set()
    while stack:
        item = next(stack[-1], _END)
        if item is _END:
            stack.pop()
            yield closing.pop()
            if entered:
                entered_ids.discard(entered.pop())
        elif type(item) is _Verbatim:
            yield item
        elif id(item) in entered_ids:
            yield f"<the same {class_name(item)} again>"
        elif (parts := _parts(item, contacts=contacts)) is not None:
            opening, children, end = parts
            yield opening
            stack.append(children)
            closing.append(end)
            entered.append(id(item))
            entered_ids.add(id(item))
        else:
            yield _leaf(item, contacts=contacts)


class _Verbatim(str):
    """Punctuation and keys, which are rendered already."""

    __slots__ = ()


_END: Final = object()


def _parts(value: object, *, contacts: bool) -> tuple[str, Iterator[Any], str] | None:
    if is_a(value, dict):
        return "{", _pairs(members_of(value), contacts=contacts), "}"
    if is_a(value, list):
        return "[", _items(list.__iter__(value)), "]"
    if is_a(value, tuple):
        return "[", _items(tuple.__iter__(value)), "]"
    members = members_of(value)
    if is_a(value, set) or is_a(value, frozenset):
        return "{", _items(each for _, each in members), "}"
    if not members:
        return None
    return f"{class_name(value)}(", _pairs(members, contacts=contacts), ")"


def _pairs(items: list[tuple[Any, Any]], *, contacts: bool) -> Iterator[Any]:
    for number, (key, value) in enumerate(items):
        name = excerpt(key) if not is_a(key, str) else _quoted(str.__str__(key))
        yield _Verbatim(f"{', ' if number else ''}{name}: ")
        if is_a(value, str):
            text = _named(key, str.__str__(value), contacts=contacts)
            yield _Verbatim(f'"{_one_line(text, quote=True)}"')
        else:
            yield value


def _items(values: Iterator[Any]) -> Iterator[Any]:
    for number, value in enumerate(values):
        if number:
            yield _Verbatim(", ")
        yield value


def _leaf(value: object, *, contacts: bool) -> str:
    if is_a(value, str):
        return _quoted(str.__str__(value), contacts=contacts)
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if is_a(value, int):
        return _integer(int.__int__(value))
    if is_a(value, float):
        return _float(float.__float__(value))
    return _foreign(value)


def _integer(value: int) -> str:
    with suppress(ValueError):  # beyond the interpreter's limit of digits
        return int.__repr__(value)
    return f"<an integer of {value.bit_length()} bits>"


def _float(value: float) -> str:
    return float.__repr__(value) if math.isfinite(value) else json.dumps(value)


def _foreign(value: object) -> str:
    with suppress(Exception):
        if type(value) in _QUIET_TYPES or type(value).__module__ in _QUIET_MODULES:
            return _one_line(mask(repr(value)))
    return f"<{class_name(value)} object>"


def _quoted(text: str, *, contacts: bool = True) -> str:
    return f'"{_one_line(mask_shown(text, contacts=contacts), quote=True)}"'


def _one_line(text: str, *, quote: bool = False) -> str:
    """Escape what would break the line or the terminal, and lone surrogates."""
    text = shortened(text, 2 * _MOST_RENDERED)
    if text.isprintable() and not (quote and ('"' in text or "\\" in text)):
        return text
    return "".join(
        json.dumps(each)[1:-1]
        if not each.isprintable() or (quote and each in '"\\')
        else each
        for each in text
    )
