"""The deterministic sweep: one change at a time over good arguments, best first.

Several streams of candidates are dealt out in turn, so that wherever the budget
ends each of them has shown its best. There is no chance in it and no seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pytest_toolresult.strategies import nearby, values, vocabulary
from pytest_toolresult.strategies.bases import (
    UnsatisfiableError,
    rich,
    simplest,
    suited,
    value_for,
)
from pytest_toolresult.strategies.invented import invented
from pytest_toolresult.strategies.mistakes import (
    CALL_MISTAKES,
    RARE_MISTAKES,
    VALUE_MISTAKES,
    is_date_like,
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
from pytest_toolresult.strategies.shapes import Shape, Shapes, bounds
from pytest_toolresult.strategies.validity import fits, holds_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.calls import Arguments

    Rank = Callable[[Arguments], int]
    """Tells how far arguments have led, the less the further."""

Lane: TypeAlias = tuple[int, Iterator[Any]]
"""A stream of candidates, and every how many rounds it has its turn."""

_MOST_ELEMENTS: Final = 1000
_MOST_COPIES: Final = 8
_CONSTANT_TURNS: Final = 3
_MOST_SWEPT: Final = 4
_MOST_PAIRED: Final = 8
_EDGES: Final = 6


def sweep(
    schema: Mapping[str, Any],
    *,
    constants: Sequence[str | int | float] = (),
    description: str = "",
    bases: Sequence[Arguments] = (),
    rank: Rank = lambda _: 0,
) -> Iterator[dict[str, Any]]:
    """Give arguments worth trying, the best first, each of them once.

    The bases come first of all. Around those that led furthest there is most to
    see: where a base crashes, every call near it would show the same crash.

    Args:
        schema: A JSON Schema (draft 2020-12) of the arguments, an object.
        constants: Constants of the tool's own code, best first.
        description: What the model is told about the tool.
        bases: Arguments known to be good; the sweep then starts from them.
        rank: Tells how far arguments that were given have led, the less the further.

    Yields:
        JSON objects. A part of them is not valid under the schema: mistakes as
        models make them. Texts may hold lone surrogates.

    Raises:
        UnsatisfiableError: If no arguments can be built and none are given.
    """
    seen: set[str] = set()
    for candidate in _candidates(schema, constants, description, bases, rank):
        key = identity(candidate)
        if key not in seen:
            seen.add(key)
            yield candidate


def boundary_pairs(
    schema: Mapping[str, Any], base: Arguments, edges: Sequence[str | int | float]
) -> Iterator[dict[str, Any]]:
    """Give a base with two arguments at once at values that may decide something.

    Args:
        schema: A JSON Schema (draft 2020-12) of the arguments, an object.
        base: Good arguments.
        edges: Values to combine, beside bounds and options; numbers also +-1.
    """
    yield from _Sweep(Shapes(schema), dict(base), edges, "").pairs()


def variants(
    schema: Mapping[str, Any], base: Arguments, constants: Sequence[str | int | float]
) -> Iterator[dict[str, Any]]:
    """Give a base with one other valid value, of each argument in turn."""
    around = _Sweep(Shapes(schema), dict(base), constants, "")
    yield from deal([(1, around.good(place)) for place in places(base)])


_sorted: Final = json.JSONEncoder(sort_keys=True).encode


def identity(arguments: object) -> str:
    """Give a text that two arguments share only if they are the same JSON."""
    return _sorted(arguments)


def _candidates(
    schema: Mapping[str, Any],
    constants: Sequence[Any],
    description: str,
    given: Sequence[Arguments],
    rank: Rank,
) -> Iterator[dict[str, Any]]:
    start = [dict(each) for each in given]
    start += _bases(schema, constants, failing=not given)
    yield from start
    shapes = Shapes(schema)
    lanes: list[Lane] = []
    best = sorted(_distinct(start), key=rank)[:_MOST_SWEPT]
    for number, base in enumerate(best):
        # What the best base does not show the others may: they come more slowly.
        lanes += _lanes(_Sweep(shapes, base, constants, description), 2 * number + 1)
    pairs = _Sweep(shapes, best[0], constants, description).pairs()
    yield from deal([*lanes, (1, pairs)])


def _bases(
    schema: Mapping[str, Any],
    constants: Sequence[Any],
    *,
    failing: bool,
) -> list[dict[str, Any]]:
    """Build arguments to start from; fail only where there are no others."""
    built: list[dict[str, Any]] = []
    try:
        built.append(rich(schema))
        turns = range(_CONSTANT_TURNS if constants else 0)
        built += [rich(schema, constants=constants, turn=turn) for turn in turns]
        built.append(rich(schema, optional=False))
        built.append(simplest(schema))
        built.append(rich(schema, turn=1))
    except UnsatisfiableError:
        if failing and not built:
            raise
    return built


def _distinct(bases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({identity(base): base for base in bases}.values())


def deal(lanes: Sequence[Lane]) -> Iterator[Any]:
    """Take from each stream in turn, from some of them only every few rounds."""
    left = list(lanes)
    done = object()
    turn = 0
    while left:
        for lane in list(left):
            period, stream = lane
            if (turn + 1) % period:
                continue
            candidate = next(stream, done)
            if candidate is done:
                left.remove(lane)
            else:
                yield candidate
        turn += 1


def _lanes(sweep_of: _Sweep, period: int) -> list[Lane]:
    base = sweep_of.base
    lanes: list[Lane] = []
    for place in places(base):
        deeper = period * (1 if len(place) == 1 else 2)
        lanes.append((deeper, sweep_of.good(place)))
        lanes.append((2 * deeper, sweep_of.wrong(place)))
    lanes.append((period, sweep_of.optional_left_out()))
    lanes.append((2 * period, sweep_of.copies()))
    lanes += [(3 * period, iter(mistake(base))) for mistake in CALL_MISTAKES]
    return lanes


class _Sweep:
    """All single changes of one base."""

    def __init__(
        self,
        shapes: Shapes,
        base: dict[str, Any],
        constants: Sequence[Any],
        description: str,
    ) -> None:
        self.base = base
        self._shapes = shapes
        self._constants = constants
        self._description = description

    def good(self, place: Place) -> Iterator[dict[str, Any]]:
        """Put other valid values at a place."""
        schema = schema_at(self._shapes, self.base, place)
        for value in self._values(place):
            if fits(self._shapes, schema, value):
                yield put(self.base, place, value)

    def wrong(self, place: Place) -> Iterator[dict[str, Any]]:
        """Put mistakes at a place, and values that its schema rules out."""
        schema = schema_at(self._shapes, self.base, place)
        value, name = at(self.base, place), name_of(place)
        lanes: list[Lane] = [(1, iter(each(value, name))) for each in VALUE_MISTAKES]
        rare: list[Lane] = [(3, iter(each(value, name))) for each in RARE_MISTAKES]
        barred = (v for v in self._values(place) if not fits(self._shapes, schema, v))
        for other in deal([*lanes[:5], (1, barred), *lanes[5:], *rare]):
            yield put(self.base, place, other)

    def optional_left_out(self) -> Iterator[dict[str, Any]]:
        """Leave out what may be left out, one at a time."""
        for place in places(self.base):
            if not isinstance(place[-1], str):
                continue
            if not is_required(self._shapes, self.base, place):
                yield drop(self.base, place)

    def copies(self) -> Iterator[dict[str, Any]]:
        """Give one argument the value of another of the same type."""
        names = list(self.base)[:_MOST_COPIES]
        for one in names:
            for other in names:
                same_type = type(self.base[one]) is type(self.base[other])
                if one != other and same_type:
                    yield {**self.base, one: self.base[other]}

    def pairs(self) -> Iterator[dict[str, Any]]:
        """Put two arguments at their boundaries at once.

        Bounds, options and constants come in every combination of two arguments,
        each pair in its turn.
        """
        names = list(self.base)[:_MOST_PAIRED]
        edges = {name: list(islice(self._edges(name), _EDGES)) for name in names}
        yield from deal(
            [
                (1, self._paired(one, other, edges))
                for number, one in enumerate(names)
                for other in names[number + 1 :]
            ]
        )

    def _paired(
        self, one: str, other: str, edges: Mapping[str, list[Any]]
    ) -> Iterator[dict[str, Any]]:
        """Combine the boundaries of two arguments, the first ones first."""
        combined = product(enumerate(edges[one]), enumerate(edges[other]))
        for (_, first), (_, second) in sorted(combined, key=_distance):
            yield {**self.base, one: first, other: second}

    def _edges(self, name: str) -> Iterator[Any]:
        """Give the values of an argument at which tools decide."""
        place = (name,)
        schema = schema_at(self._shapes, self.base, place)
        lanes: list[Lane] = [
            (1, self._edges_of(shape)) for shape in self._shapes.alternatives(schema)
        ]
        for value in deal(lanes):
            if value != self.base[name] and fits(self._shapes, schema, value):
                yield value

    def _edges_of(self, shape: Shape) -> Iterator[Any]:
        yield from shape.get("enum", ())
        kind = shape["type"]
        own = [each for each in self._constants if isinstance(each, str)]
        if kind == "string" and "enum" not in shape:
            yield from deal([(1, iter(own)), (3, iter(("", values.DATES[0])))])
        elif kind in {"integer", "number"}:
            numbers = [each for each in self._constants if not isinstance(each, str)]
            near = (each + step for each in numbers for step in (1, -1))
            limits = [each for each in bounds(shape) if each is not None]
            yield from deal([(1, iter(limits)), (1, near), (1, iter((0, -1, 10**6)))])
        elif kind == "boolean":
            yield from (True, False)
        elif kind == "array":
            yield []
        elif kind == "null":
            yield None

    def _values(self, place: Place) -> Iterator[Any]:
        """Give values for a place by the shapes its schema allows."""
        schema = schema_at(self._shapes, self.base, place)
        found = self._shapes.alternatives(schema)
        lanes = [(1, self._of_shape(shape, place)) for shape in found]
        yield from deal(lanes)

    def _of_shape(self, shape: Shape, place: Place) -> Iterator[Any]:
        name = name_of(place)
        if "enum" in shape:
            yield from shape["enum"]
        kind = shape["type"]
        if kind in {"object", "array"}:
            yield from self._built(shape, name)
        if kind == "string" and holds_json(shape):
            yield from self._json_texts(shape, place)
        if kind in {"string", "any"}:
            yield from self._texts(shape, name)
        elif kind in {"integer", "number"}:
            yield from self._numbers(shape, name)
        elif kind == "array":
            yield from self._arrays(at(self.base, place))
        elif kind == "object":
            yield {}
        elif kind == "boolean":
            yield from (True, False)
        elif kind == "null":
            yield None

    def _json_texts(self, shape: Shape, place: Place) -> Iterator[str]:
        for inner in self._shapes.alternatives(shape.get("contentSchema", True)):
            yield from (json.dumps(each) for each in self._of_shape(inner, place))

    def _built(self, shape: Shape, name: str) -> Iterator[Any]:
        for filling, turn in (("simplest", 0), ("rich", 0), ("lean", 0), ("rich", 1)):
            try:
                yield value_for(self._shapes, shape, name, filling=filling, turn=turn)  # type: ignore[arg-type]
            except UnsatisfiableError:
                return

    def _texts(self, shape: Shape, name: str) -> Iterator[str]:
        own = [each for each in self._constants if isinstance(each, str)]
        dated = is_date_like(shape.get("default"), name)
        lanes: list[Lane] = [
            (1, iter(own)),
            (1, iter(values.TEXTS)),
            (1, suited(shape, name, str(shape.get("description", "")))),
            (3, invented(name)),
            (2, nearby.lengths(shape, self._constants)),
            (2, (text for each in own for text in nearby.matches(each))),
            (2, (text for each in own[:16] for text in nearby.affixed(each))),
            (1 if dated else 8, iter((*values.DATES, *values.WRONG_DATES))),
            (4, iter(vocabulary.mentioned(self._description))),
            (4, (str(each) for each in self._constants if not isinstance(each, str))),
        ]
        yield from deal(lanes)

    def _numbers(self, shape: Shape, name: str) -> Iterator[float]:
        own = [each for each in self._constants if not isinstance(each, str)]
        whole = shape["type"] == "integer"
        limits = [each for each in bounds(shape) if each is not None]
        near = (each + step for each in [*limits, *own] for step in (1, -1))
        lanes: list[Lane] = [
            (1, iter(limits)),
            (1, iter(values.INTEGERS if whole else values.NUMBERS)),
            (1, iter(own)),
            (1, suited(shape, name, str(shape.get("description", "")))),
            (1, near),
            (2, iter(values.NUMBERS if not whole else ())),
            (3, nearby.numbers_in(self._constants)),
        ]
        for value in deal(lanes):
            yield int(value) if whole and value == value // 1 else value

    def _arrays(self, value: Any) -> Iterator[list[Any]]:
        if not isinstance(value, list):
            return
        yield []
        if value:
            yield value[:1]
            yield [value[0], value[0]]
            yield value[::-1]
            lengths = [each for each in self._constants if isinstance(each, int)]
            for length in (100, *lengths):
                if 0 < length <= _MOST_ELEMENTS:
                    yield value[:1] * length
                    yield value[:1] * (length + 1)


def _distance(pair: tuple[tuple[int, Any], tuple[int, Any]]) -> int:
    """Order pairs so that the first values of both come before the last of either."""
    return pair[0][0] + pair[1][0]
