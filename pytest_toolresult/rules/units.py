"""Units of money and of size in the names of fields, and whether they agree."""

from __future__ import annotations

from decimal import Decimal, DecimalException
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.rules.field_names import traits
from pytest_toolresult.rules.vocabulary import words_of
from pytest_toolresult.walk import is_a

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MONEY: Final = {
    "cents": 100,
    "cent": 100,
    "pence": 100,
    "minor": 100,
    "milliunits": 1_000,
    "millis": 1_000,
    "micros": 1_000_000,
    "microunits": 1_000_000,
}
"""How many of a unit make the main one, of which an amount without a unit is."""

_SIZES: Final = {
    "byte": (1, 1),
    "bytes": (1, 1),
    "kb": (1_000, 1_024),
    "kib": (1_024, 1_024),
    "mb": (1_000**2, 1_024**2),
    "mib": (1_024**2, 1_024**2),
    "gb": (1_000**3, 1_024**3),
    "gib": (1_024**3, 1_024**3),
}
"""How many bytes a unit may be, decimal or binary."""

_MOST_FIELDS: Final = 200
_LONGEST_NUMBER: Final = 40


@lru_cache(maxsize=4096)
def unit_of(name: str) -> tuple[str, Sequence[Decimal]] | None:
    """Return what a field measures and how much of the base unit its unit may be.

    Args:
        name: The field's name, such as `amount_cents` or `size_kb`.

    Returns:
        What is left of the name without the unit, and the possible sizes of the
        unit; `None` for a field that is neither an amount of money nor a size.
    """
    words = words_of(name)
    if not words:
        return None
    stem, last = " ".join(words[:-1]), words[-1]
    if last in _SIZES:
        return f"size {stem}", [Decimal(each) for each in _SIZES[last]]
    if last in _MONEY and stem:
        return f"money {stem}", [1 / Decimal(_MONEY[last])]
    if "money" in traits(name):
        return f"money {' '.join(words)}", [Decimal(1)]
    return None


def disagreements(
    items: Sequence[tuple[Any, Any]],
) -> Iterator[tuple[str, str, str, str]]:
    """Give pairs of fields of one object that tell one quantity differently.

    Args:
        items: Names and values of the object.

    Yields:
        The field, the one it disagrees with, its value, and what it should be.
    """
    measured: dict[str, list[tuple[str, Sequence[Decimal], Decimal]]] = {}
    for name, value in items[:_MOST_FIELDS]:
        unit = unit_of(name) if type(name) is str else None
        number = _number(value) if unit else None
        if unit and number is not None:
            measured.setdefault(unit[0], []).append((name, unit[1], number))
    for fields in measured.values():
        for (one, sizes, number), (other, units, base) in combinations(fields, 2):
            expected = [base * unit / size for size in sizes for unit in units]
            if not any(
                _agree(number, base, size, unit) for size in sizes for unit in units
            ):
                yield one, other, f"{number}", f"{expected[0].normalize():f}"


def _agree(one: Decimal, other: Decimal, size: Decimal, unit: Decimal) -> bool:
    """Compare within what rounding to the decimals that are shown may have changed."""
    slack = _step(one) * size + _step(other) * unit
    return abs(one * size - other * unit) <= slack


def _step(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _number(value: object) -> Decimal | None:
    if is_a(value, bool) or not any(is_a(value, kind) for kind in (int, float, str)):
        return None
    try:
        text = str.__str__(value) if is_a(value, str) else repr(_bare(value))
        number = Decimal(text) if len(text) <= _LONGEST_NUMBER else None
    except (DecimalException, ValueError):
        return None
    return number if number is not None and number.is_finite() else None


def _bare(value: Any) -> int | float:
    return int.__int__(value) if is_a(value, int) else float.__float__(value)
