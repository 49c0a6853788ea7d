"""Hypothesis strategies for values that hold no others: texts, numbers, truths."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from pytest_toolresult.strategies.bases import least
from pytest_toolresult.strategies.ecma import without_lookaheads
from pytest_toolresult.strategies.formats import texts_of
from pytest_toolresult.strategies.patterns import compiled, matching
from pytest_toolresult.strategies.shapes import Shape, Shapes, bounds
from pytest_toolresult.strategies.validity import fits

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

_SHORT: Final = 20
_LONG: Final = 1000
_TRIES: Final = 5
_FROM_CODE: Final = re.compile(r"(?<!\\)\$(?=$|\)|\|)")
"""Where `$` ends a pattern: Python's lets a line break pass, ECMA's does not."""


def leaves(shape: Shape) -> SearchStrategy[Any]:
    """Return the values of a shape that is neither an array nor an object."""
    kind = shape["type"]
    if "enum" in shape:
        return st.sampled_from(shape["enum"])
    if kind == "string":
        return _texts(shape)
    if kind in {"integer", "number"}:
        return _numbers(shape)
    if kind == "boolean":
        return st.booleans()
    return st.none() if kind == "null" else anything()


def anything() -> SearchStrategy[Any]:
    """Return any JSON, most of it small."""
    leaf = st.one_of(
        st.text(max_size=_SHORT),
        st.integers(),
        st.none(),
        st.booleans(),
        st.floats(allow_nan=False, allow_infinity=False),
    )
    keys = st.text(max_size=8)
    return leaf | st.lists(leaf, max_size=3) | st.dictionaries(keys, leaf, max_size=3)


def _texts(shape: Shape) -> SearchStrategy[str]:
    least_size, most_size = shape.get("minLength", 0), shape.get("maxLength")
    if "pattern" in shape:
        return _matching(shape)
    formatted = texts_of(shape.get("format", ""))
    if least_size > _LONG:  # more than Hypothesis makes
        return st.text(max_size=_SHORT).map(lambda text: text.ljust(least_size, "a"))
    if formatted is None:
        return st.text(min_size=least_size, max_size=most_size)
    if least_size or most_size is not None:
        return formatted.filter(
            lambda each: least_size <= len(each) <= (most_size or len(each))
        )
    return formatted


def _matching(shape: Shape) -> SearchStrategy[str]:
    """Return texts of a pattern, or what the sweep tries where it cannot be read."""
    shapes = Shapes(shape)
    known = [*matching(shape["pattern"]), *least(shape)]
    valid = [each for each in known if fits(shapes, shape, each)]
    regex = compiled(shape["pattern"])
    if regex is None:
        return st.sampled_from(valid) if valid else st.text(max_size=_SHORT)
    strict = re.compile(_FROM_CODE.sub(r"\\Z", regex.pattern), regex.flags)
    searched = st.from_regex(strict)
    if valid and (relaxed := without_lookaheads(strict.pattern)) != strict.pattern:
        return _tried(st.from_regex(relaxed), valid, lambda t: fits(shapes, shape, t))
    if set(shape) & {"minLength", "maxLength", "format"}:
        searched = searched.filter(lambda each: fits(shapes, shape, each))
    return st.one_of(searched, st.sampled_from(valid)) if valid else searched


@st.composite
def _tried(
    draw: st.DrawFn,
    near: SearchStrategy[str],
    valid: list[str],
    is_valid: Callable[[str], bool],
) -> str:
    """Try what is nearly valid some times; fall back on what is known to be."""
    for _ in range(_TRIES):
        text = draw(near)
        if is_valid(text):
            return text
    return draw(st.sampled_from(valid))


def _numbers(shape: Shape) -> SearchStrategy[float]:
    low, high = bounds(shape)
    step = shape.get("multipleOf")
    if step:
        return _multiples(low, high, step)
    whole = st.integers(
        None if low is None else math.ceil(low),
        None if high is None else math.floor(high),
    )
    has_whole = low is None or high is None or math.ceil(low) <= math.floor(high)
    if shape["type"] == "integer":
        return whole if has_whole else st.nothing()
    if low is not None and high is not None and low > high:
        return st.nothing()
    parts = st.floats(low, high, allow_nan=False, allow_infinity=False)
    return st.one_of(whole, parts) if has_whole else parts


def _multiples(
    low: float | None, high: float | None, step: float
) -> SearchStrategy[float]:
    times = st.integers(
        None if low is None else math.ceil(low / step),
        None if high is None else math.floor(high / step),
    )
    found: SearchStrategy[float] = times.map(lambda n: n * step)
    if isinstance(step, int):
        return found
    # 0.07 is not seven times 0.01 in binary: only take what divides without a rest.
    return found.filter(lambda each: math.isfinite(each) and each / step % 1 == 0)
