"""What stands near the constants of a tool's code: texts and numbers like them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.strategies.patterns import looks_like_pattern, matching

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_toolresult.strategies.shapes import Shape

_LONGEST: Final = 10_000


def matches(constant: str) -> Iterator[str]:
    """Give texts that match where a constant is a pattern."""
    if looks_like_pattern(constant):
        yield from matching(constant)


def affixed(constant: str) -> Iterator[str]:
    """Give what stands near a constant: with something before or after it."""
    yield from (f"{constant}x", f"x{constant}", f"{constant}1", f"1{constant}1")
    yield from (constant.swapcase(), constant[:-1], f"{constant} ", constant * 2)


def lengths(shape: Shape, constants: Iterable[Any]) -> Iterator[str]:
    """Give texts at the bounds of length, those of the schema and of the code."""
    stated = (shape.get("minLength"), shape.get("maxLength"))
    for length in (*stated, *constants):
        if isinstance(length, int) and 1 < length <= _LONGEST:
            yield from ("a" * length, "a" * (length + 1), "1" * length)


def numbers_in(constants: Iterable[Any]) -> Iterator[int]:
    """Give the numbers that stand in texts."""
    for each in constants:
        if isinstance(each, str):
            yield from (int(n) for n in re.findall(r"\d{1,12}", each)[:2])
