"""What a tool has given away, put back into good arguments: one value, then two."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.strategies.places import places, put
from pytest_toolresult.strategies.sweep import boundary_pairs, deal, variants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_toolresult.strategies.harvest import Harvest

_MOST: Final = 60
"""Beyond it a tool that gives away much would leave the sweep no calls."""
_MOST_UNNAMED: Final = 12
"""How many values a place is given whose names have nothing to do with its own."""
_MOST_VARIANTS: Final = 30
_PAIRS_PERIOD: Final = 2
"""A pair comes only so often: the sweep's single changes may be the better ones."""


class Echoes:
    """Gives arguments with something harvested in the place of one value.

    Where that opened a new path, what stands beside it is varied: now it may matter.
    Once all is tried, two values change at once: what was harvested decides together
    with a bound more often than alone.

    Args:
        schema: The JSON Schema of the arguments.
        base: Good arguments.
        harvest: What calls have given away; it may grow meanwhile.
        constants: Constants of the tool's own code, best first.
    """

    def __init__(
        self,
        schema: Mapping[str, Any],
        base: Mapping[str, Any],
        harvest: Harvest,
        constants: Sequence[str | int | float] = (),
    ) -> None:
        self._schema = schema
        self._base = base
        self._harvest = harvest
        self._constants = constants
        self._places = places(base)
        self._tried: set[tuple[object, ...]] = set()
        self._known = 0
        self._turn = 0
        self._waiting: Iterator[dict[str, Any]] = iter(())
        self._beside: Iterator[dict[str, Any]] = iter(())
        self._paired: Iterator[dict[str, Any]] | None = None

    def next(self) -> dict[str, Any] | None:
        """Give the next arguments, or `None` while there is nothing new."""
        if len(self._harvest) != self._known and len(self._tried) < _MOST:
            self._known = len(self._harvest)
            self._waiting = self._fresh()
        streams = (self._beside, self._waiting)
        return next(chain(*streams), None) or self._next_pair()

    def opened(self, arguments: Mapping[str, Any]) -> None:
        """Learn of arguments that opened a path which was not seen before."""
        found = variants(self._schema, arguments, self._constants)
        self._beside = chain(self._beside, islice(found, _MOST_VARIANTS))

    def _next_pair(self) -> dict[str, Any] | None:
        self._turn += 1
        if not self._tried or self._turn % _PAIRS_PERIOD:
            return None
        if self._paired is None:
            harvested, own = iter(self._harvest.values()), iter(self._constants)
            edges = list(deal([(1, harvested), (2, own)]))
            found = boundary_pairs(self._schema, self._base, edges)
            self._paired = islice(found, _MOST)
        return next(self._paired, None)

    def _fresh(self) -> Iterator[dict[str, Any]]:
        """Put in what was not tried yet: first where names agree."""
        for named in (True, False):
            for place in self._places:
                most = None if named else _MOST_UNNAMED
                found = self._harvest.for_place(self._base, place, named=named)
                for value in islice(found, most):
                    key = (place, type(value), value)
                    if key not in self._tried and len(self._tried) < _MOST:
                        self._tried.add(key)
                        yield put(self._base, place, value)
