"""The mistakes that models make when they write arguments.

Each mistake is a function of its own. Those of a value get the right value and the
parameter's name and give wrong ones; those of a whole call get right arguments.
The commonest stand first: which those are was counted in recorded calls of models
and in the issue trackers of agent frameworks.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from pytest_toolresult.strategies import values
from pytest_toolresult.strategies.vocabulary import words_of

ValueMistake: TypeAlias = Callable[[Any, str], Iterator[Any]]
CallMistake: TypeAlias = Callable[[Mapping[str, Any]], Iterator[dict[str, Any]]]

_DEEP: Final = 100
_MANY: Final = 1000
_FULL_WIDTH: Final = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_MOST_AS_TEXT: Final = 10**15
_LOOK_ALIKES: Final = str.maketrans(
    "aceopxyACEHKMOPTX\"'-",
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0410\u0421\u0415\u041d\u041a\u041c"
    "\u041e\u0420\u0422\u0425\u201d\u2019\u2013",
)
"""Cyrillic letters that look like Latin ones, typographic quotes and dashes."""

_OTHER_NAMES: Final[tuple[tuple[str, ...], ...]] = (
    ("USD", "US Dollar", "$", "dollars"),
    ("EUR", "Euro", "\u20ac", "euros"),
    ("JPY", "Japanese Yen", "\u00a5", "yen"),
    ("GBP", "British Pound", "\u00a3", "pounds"),
    ("US", "USA", "United States", "America"),
    ("GB", "UK", "United Kingdom", "England"),
    ("DE", "Germany", "Deutschland", "DEU"),
    ("FR", "France", "FRA"),
    ("en", "English", "en-US", "EN"),
    ("de", "German", "Deutsch"),
    ("metric", "celsius", "C", "\u00b0C", "centigrade"),
    ("imperial", "fahrenheit", "F", "\u00b0F"),
    ("km", "kilometers", "kilometres"),
    ("kg", "kilograms", "kilo"),
    ("asc", "ascending", "up"),
    ("desc", "descending", "down"),
    ("high", "urgent", "P1", "critical"),
    ("low", "minor", "P3"),
    ("open", "active", "in progress", "todo"),
    ("closed", "done", "resolved", "completed"),
    ("json", "application/json", "JSON"),
    ("markdown", "md", "text/markdown"),
    ("New York", "NYC", "New York City"),
    ("San Francisco", "SF", "San Fran"),
)
"""What one and the same thing is called beside its name."""


def null(value: Any, name: str) -> Iterator[Any]:
    """`null` where a value is expected."""
    if value is not None:
        yield None


def null_as_text(value: Any, name: str) -> Iterator[Any]:
    """A word for nothing, for an optional argument that has nothing to say."""
    yield from ("", "null", "None", "undefined", "N/A")


def json_as_text(value: Any, name: str) -> Iterator[Any]:
    """A list or an object written as JSON text."""
    if isinstance(value, list | dict):
        yield json.dumps(value)
        yield json.dumps(value, indent=2)


def number_as_text(value: Any, name: str) -> Iterator[Any]:
    """A number in quotes, plain or as people write it."""
    if _is_number(value) and abs(value) < _MOST_AS_TEXT:
        yield from (str(value), f"{value}.0", f"{value:,}", f"${value}", f"{value}%")
        yield from (f" {value} ", str(value).translate(_FULL_WIDTH), "ten")


def text_as_number(value: Any, name: str) -> Iterator[Any]:
    """A text of digits without its quotes."""
    if isinstance(value, str):
        yield int(value) if re.fullmatch(r"\d{1,15}", value) else 1


def truth_as_text(value: Any, name: str) -> Iterator[Any]:
    """A truth value in quotes, or as a number."""
    if isinstance(value, bool):
        yield from ("false", "true", "False", "no", "yes", 0, 1)


def fraction_for_whole(value: Any, name: str) -> Iterator[Any]:
    """A whole number with a decimal point."""
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) < _MOST_AS_TEXT:
            yield float(value)
        yield 1.5


def unwrapped_list(value: Any, name: str) -> Iterator[Any]:
    """The element of a list alone, or elements joined by commas."""
    if isinstance(value, list):
        yield from value[:1]
        yield ", ".join(str(each) for each in value)


def wrapped_in_list(value: Any, name: str) -> Iterator[Any]:
    """A single value put into a list."""
    if not isinstance(value, list):
        yield [value]


def names_for_objects(value: Any, name: str) -> Iterator[Any]:
    """Texts in place of objects, in a list or alone."""
    if isinstance(value, dict):
        yield from (each for each in value.values() if isinstance(each, str))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        yield ["a", "b"]


def odd_list(value: Any, name: str) -> Iterator[Any]:
    """A list that is empty, repeats itself, is long or holds nothing."""
    if isinstance(value, list):
        yield []
        if value:
            yield [value[0], value[0]]
            yield [value[0]] * _MANY
        yield from ([None], [""], [[]], [*value, None], [*value, "a", 1])


def odd_object(value: Any, name: str) -> Iterator[Any]:
    """An object that is empty, or has keys nobody asked for."""
    if isinstance(value, dict):
        yield from ({}, {"": ""}, {**value, "extra": 1}, {"a": None})


def wrong_case(value: Any, name: str) -> Iterator[Any]:
    """A name in capitals, with other separators, or in the plural."""
    if isinstance(value, str) and 0 < len(value) < _MANY:
        yield from (value.upper(), value.lower(), value.title())
        yield from (value.replace("_", " "), value.replace("_", "-"))
        yield value.removesuffix("s") if value.endswith("s") else f"{value}s"


def decorated_text(value: Any, name: str) -> Iterator[Any]:
    """A text with quotes, blanks, a fence or entities around or in it."""
    if isinstance(value, str) and len(value) < _MANY:
        yield from (f" {value}", f"{value}\n", f'"{value}"', f"`{value}`")
        yield from (
            f"```\n{value}\n```",
            html.escape(value or "<&>"),
            f"{name}={value}",
        )
        yield from (value.replace("/", "\\/"), value.translate(_FULL_WIDTH))


def broken_text(value: Any, name: str) -> Iterator[Any]:
    """A text with a NUL or half a surrogate pair in it, or cut off."""
    if isinstance(value, str) and len(value) < _MANY:
        yield from (value + "\x00", value + "\ud83d", value[: len(value) // 2])


def path_habits(value: Any, name: str) -> Iterator[Any]:
    """A path made absolute, relative, a URI, or led out of its folder."""
    if isinstance(value, str) and {"path", "file", "dir"} & set(words_of(name)):
        yield from (f"../{value}", f"/{value}", f"./{value}", f"file://{value}")
        yield from (f"{value}/", f"~/{value}", value.replace("/", "\\"))
        yield from (f"'{value}'", value.rpartition("/")[2], f"/{value}".upper())


def placeholder(value: Any, name: str) -> Iterator[Any]:
    """What stands in documentation where a real value belongs."""
    if isinstance(value, str):
        yield from (f"<{name}>", f"your_{name}_here", f"{{{name}}}", "string")
        yield from ("example", "unknown", "TODO", "...", "123")


def date_as_people_write(value: Any, name: str) -> Iterator[Any]:
    """A date in another order, in words, or one that does not exist."""
    if isinstance(value, str) and is_date_like(value, name):
        if found := re.match(r"(\d{4})-(\d\d)-(\d\d)", value):
            year, month, day = found.groups()
            yield from (f"{day}/{month}/{year}", f"{year}-{day}-{month}")
            yield f"{int(year) - 1:04}-{month}-{day}"
        yield from values.WRONG_DATES


def other_scale(value: Any, name: str) -> Iterator[Any]:
    """A number in another unit, or with the other sign."""
    if _is_number(value) and abs(value) < _MOST_AS_TEXT:
        yield from (-value, value * 100, value * 1000, value / 100)


def scientific(value: Any, name: str) -> Iterator[Any]:
    """A number in powers of ten, or with a letter for the thousands or a unit."""
    if _is_number(value) and abs(value) < _MOST_AS_TEXT:
        yield from (f"{value:e}", f"{value}k", f"{value} units", f"~{value}")


def other_name(value: Any, name: str) -> Iterator[Any]:
    """Another name of the same thing: `Japanese Yen` for `JPY`."""
    for names in _OTHER_NAMES:
        if isinstance(value, str) and value in names:
            yield from (other for other in names if other != value)


def place_with_region(value: Any, name: str) -> Iterator[Any]:
    """A place with its state or country, or without."""
    named = {"city", "place", "location", "town", "destination", "origin"}
    if isinstance(value, str) and named & set(words_of(name)):
        bare = value.partition(",")[0]
        yield from (f"{bare}, CA", f"{bare}, France", f"{bare} City", bare)


def look_alike(value: Any, name: str) -> Iterator[Any]:
    """Letters, quotes and dashes that look alike and are others."""
    if isinstance(value, str) and len(value) < _MANY:
        yield value.translate(_LOOK_ALIKES)
        yield f"\u201c{value}\u201d"
        yield f"\u300c{value}\u300d"


def encoded_text(value: Any, name: str) -> Iterator[Any]:
    """A text encoded once too often: for an address, a page, or JSON."""
    if isinstance(value, str) and len(value) < _MANY and value.isprintable():
        yield quote(value, safe="")
        yield quote(quote(value, safe=""), safe="")
        yield "".join(f"&#{ord(each)};" for each in value[:_DEEP])
        yield "".join(f"\\u{ord(each):04x}" for each in value[:_DEEP])


def deep_nesting(value: Any, name: str) -> Iterator[Any]:
    """Lists in lists in lists."""
    deep: Any = []
    for _ in range(_DEEP):
        deep = [deep]
    yield deep


def other_type(value: Any, name: str) -> Iterator[Any]:
    """Something else altogether."""
    others: tuple[Any, ...] = ({}, [], "a", 1, True, {"value": value})
    for other in others:
        if type(other) is not type(value):
            yield other


VALUE_MISTAKES: Final[tuple[ValueMistake, ...]] = (
    json_as_text,
    number_as_text,
    truth_as_text,
    null,
    null_as_text,
    odd_list,
    odd_object,
    unwrapped_list,
    names_for_objects,
    wrong_case,
    date_as_people_write,
    fraction_for_whole,
    placeholder,
    wrapped_in_list,
    text_as_number,
    decorated_text,
    broken_text,
    path_habits,
    other_scale,
    other_type,
    deep_nesting,
)


RARE_MISTAKES: Final[tuple[ValueMistake, ...]] = (
    other_name,
    place_with_region,
    scientific,
    encoded_text,
    look_alike,
)
"""Mistakes that need more calls to show something: they come more slowly."""


def missing(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One argument left out, or all of them."""
    for name in arguments:
        yield {key: arguments[key] for key in arguments if key != name}
    yield {}


def extra(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """An argument nobody asked for."""
    for name, value in (("explanation", "because"), ("limit", 1), ("verbose", True)):
        if name not in arguments:
            yield {**arguments, name: value}


def renamed(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A name in another case convention, or only its last word."""
    for name in arguments:
        words = words_of(name)
        camel = words[0] + "".join(map(str.title, words[1:])) if words else name
        others = (camel, "_".join(words), "-".join(words), words[-1] if words else "")
        for other in dict.fromkeys((*others, name + "s", name.upper())):
            if other and other not in arguments:
                yield {(other if k == name else k): arguments[k] for k in arguments}


def wrapped(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All arguments inside one, as an object or as JSON text."""
    whole = dict(arguments)
    for name in ("arguments", "properties", "params", "input", "kwargs"):
        yield {name: whole}
    yield {"arguments": json.dumps(whole)}


def mixed_up(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The values of two arguments exchanged."""
    names = list(arguments)[:8]
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            if arguments[one] != arguments[other]:
                yield {
                    **arguments,
                    one: arguments[other],
                    other: arguments[one],
                }


CALL_MISTAKES: Final[tuple[CallMistake, ...]] = (
    missing,
    extra,
    renamed,
    wrapped,
    mixed_up,
)


def is_date_like(value: object, name: str) -> bool:
    """Tell whether a value or its name speaks of a date."""
    named = {"date", "day", "since", "until", "deadline", "birthday", "when"}
    written = isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)
    return bool(written) or bool(named & set(words_of(name)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
