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

from pytest_toolresult.strategies import values
from pytest_toolresult.strategies.vocabulary import words_of

ValueMistake: TypeAlias = Callable[[Any, str], Iterator[Any]]
CallMistake: TypeAlias = Callable[[Mapping[str, Any]], Iterator[dict[str, Any]]]

_DEEP: Final = 100
_MANY: Final = 1000
_FULL_WIDTH: Final = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_MOST_AS_TEXT: Final = 10**15


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
        yield from (value.replace("_", " "), value.replace("_", "-"), value + "s")


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


def placeholder(value: Any, name: str) -> Iterator[Any]:
    """What stands in documentation where a real value belongs."""
    if isinstance(value, str):
        yield from (f"<{name}>", f"your_{name}_here", f"{{{name}}}", "string")
        yield from ("example", "unknown", "TODO", "...", "123")


def date_as_people_write(value: Any, name: str) -> Iterator[Any]:
    """A date in another order, in words, or one that does not exist."""
    if isinstance(value, str) and is_date_like(value, name):
        yield from values.WRONG_DATES


def other_scale(value: Any, name: str) -> Iterator[Any]:
    """A number in another unit, or with the other sign."""
    if _is_number(value) and abs(value) < _MOST_AS_TEXT:
        yield from (-value, value * 100, value * 1000, value / 100)


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
