"""Arguments made simpler for as long as they still show the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.strategies.bases import (
    UnsatisfiableError,
    simplest,
    value_for,
)
from pytest_toolresult.strategies.places import (
    Place,
    at,
    drop,
    is_required,
    name_of,
    places,
    put,
    schema_at,
)
from pytest_toolresult.strategies.shapes import Shapes
from pytest_toolresult.strategies.sweep import identity

if TYPE_CHECKING:
    from pytest_toolresult.calls import Arguments

_ASCII: Final = 128
_LONG_LIST: Final = 8
"""Elements from which a list is cut by pieces before it is cut one by one."""
_ROUND: Final = tuple(10**power for power in (1, 2, 3, 4, 6, 9, 10, 12, 15, 19, 20))


class _SpentError(Exception):
    """The budget of questions is used up."""


class _Shrinker:
    """Keeps the simplest arguments so far and never asks twice about the same."""

    def __init__(
        self,
        shapes: Shapes,
        arguments: Arguments,
        holds: Callable[[Arguments], bool],
        max_calls: int,
    ) -> None:
        self.best: Any = dict(arguments)
        self._shapes = shapes
        self._holds = holds
        self._left = max_calls
        self._asked = {identity(self.best)}

    def accept(self, candidate: Any) -> bool:
        """Ask about a candidate, and keep it if it still shows the same."""
        key = identity(candidate)
        if key in self._asked:
            return False
        if self._left <= 0:
            raise _SpentError
        self._left -= 1
        self._asked.add(key)
        if not self._holds(candidate):
            return False
        self.best = candidate
        return True

    def drop_keys(self) -> None:
        """Leave out every key and element that is not needed, outer ones first."""
        self._cut_long_lists()
        done: set[Place] = set()
        while place := next((p for p in self._droppable() if p not in done), None):
            if not self.accept(drop(self.best, place)):
                done.add(place)

    def _cut_long_lists(self) -> None:
        """Cut by pieces; one by one the elements would take all the questions."""
        for place in places(self.best):
            if self._is_long_list(place):
                self._cut(place)

    def _is_long_list(self, place: Place) -> bool:
        try:
            value = at(self.best, place)
        except (KeyError, IndexError, TypeError):
            return False  # what held this place has been cut off
        return isinstance(value, list) and len(value) > _LONG_LIST

    def _droppable(self) -> Iterator[Place]:
        for place in sorted(places(self.best), key=len):
            is_element = isinstance(place[-1], int)
            if is_element or not is_required(self._shapes, self.best, place):
                yield place

    def simplify(self, place: Place) -> None:
        """Put the simplest value that still shows the same at a place."""
        value = at(self.best, place)
        for simpler in self._simpler(place, value):
            lighter = weight(simpler) < weight(value)
            if lighter and self.accept(put(self.best, place, simpler)):
                break
        value = at(self.best, place)
        if isinstance(value, str):
            self._shorten(place)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self._towards_zero(place)
        elif isinstance(value, list):
            self._cut(place)

    def _simpler(self, place: Place, value: Any) -> Iterator[Any]:
        schema = schema_at(self._shapes, self.best, place)
        for shape in self._shapes.alternatives(schema):
            try:
                name = name_of(place)
                yield value_for(self._shapes, shape, name, filling="simplest")
            except UnsatisfiableError:
                continue
        yield from _plain(value)

    def _shorten(self, place: Place) -> None:
        """Cut a text down, then make what is left plainer."""
        self._cut(place)
        text = at(self.best, place)
        for char in ("a", "1", text[:1]):
            plainer = char * len(text)
            if plainer == text:
                return
            if weight(plainer) <= weight(text) and self.accept(
                put(self.best, place, plainer)
            ):
                return

    def _towards_zero(self, place: Place) -> None:
        """Look for the number nearest to zero, by halving the distance."""
        number = at(self.best, place)
        if number != number // 1:
            if self.accept(put(self.best, place, round(number))):
                number = round(number)
            elif abs(number) < 1:
                return
        sign = -1 if number < 0 else 1
        low, high = self._between_round_numbers(place, sign, abs(int(number)))
        while high - low > 1:
            middle = (low + high) // 2
            if self.accept(put(self.best, place, sign * middle)):
                high = middle
            else:
                low = middle

    def _between_round_numbers(
        self, place: Place, sign: int, size: int
    ) -> tuple[int, int]:
        """Find two round numbers of which only the larger still shows the same."""
        low = 0
        for high in _ROUND:
            if high >= size:
                break
            if self.accept(put(self.best, place, sign * high)):
                return low, high
            low = high
        # Between still larger ones nobody sees a difference worth the questions.
        return (low, size) if size <= _ROUND[-1] else (size, size)

    def _cut(self, place: Place) -> None:
        """Cut a text or list down from either end, by smaller and smaller pieces."""
        size = len(at(self.best, place)) // 2
        while size:
            value = at(self.best, place)
            for shorter in (value[:-size], value[size:]):
                if len(value) > size and self.accept(put(self.best, place, shorter)):
                    break
            else:
                size //= 2


def shrink(
    schema: Mapping[str, Any] | None,
    arguments: Arguments,
    holds: Callable[[Arguments], bool],
    *,
    max_calls: int,
) -> Arguments:
    """Find simpler arguments that still show the same.

    Greedy and without chance: first the simplest arguments of all, then without
    each key, then each value as simple as it can be, until nothing helps.

    Args:
        schema: The JSON Schema of the arguments; `None` where there is none.
        arguments: Arguments for which `holds` is true.
        holds: Asks about a candidate; never twice about an equal one.
        max_calls: How often `holds` may be asked.

    Returns:
        The simplest arguments that were found, the given ones at worst.
    """
    shrinker = _Shrinker(Shapes(schema or {}), arguments, holds, max_calls)
    try:
        if not _is_simplest(shrinker, schema):
            _until_stable(shrinker)
    except _SpentError:
        pass
    return shrinker.best  # type: ignore[no-any-return]


def _is_simplest(shrinker: _Shrinker, schema: Mapping[str, Any] | None) -> bool:
    if schema is None:
        return False
    try:
        return shrinker.accept(simplest(schema))
    except UnsatisfiableError:
        return False


def _until_stable(shrinker: _Shrinker) -> None:
    before = None
    while before != identity(shrinker.best):
        before = identity(shrinker.best)
        shrinker.drop_keys()
        for place in places(shrinker.best):
            try:
                at(shrinker.best, place)
            except (KeyError, IndexError, TypeError):
                continue  # a simpler value has taken what held this place
            shrinker.simplify(place)


def _plain(value: Any) -> Iterator[Any]:
    """Give the plain values of a type, those that people write first."""
    if isinstance(value, str):
        yield from ("", "a", "1")
    elif isinstance(value, bool):
        yield False
    elif isinstance(value, int | float):
        yield from (0, 1, -1, 2)
    elif isinstance(value, list):
        yield []
    elif isinstance(value, Mapping):
        yield {}


def weight(value: Any) -> tuple[int, ...]:
    """Tell how much there is to a value; the simpler of two has the lesser weight."""
    if value is None or isinstance(value, bool):
        return (0, bool(value))
    if isinstance(value, int | float):
        return (1, value != value // 1, min(int(abs(value)), 10**30), value < 0)
    if isinstance(value, str):
        odd = sum(not (char.isalnum() and ord(char) < _ASCII) for char in value)
        return (2, len(value) + odd, len(value))
    return (3, len(identity(value)))
