"""Values worth drawing for a leaf: what the sweep tries one at a time."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.strategies import values, vocabulary
from pytest_toolresult.strategies.bases import suited
from pytest_toolresult.strategies.mistakes import is_date_like
from pytest_toolresult.strategies.shapes import ANY, Shape, Shapes, bounds
from pytest_toolresult.strategies.sweep import deal, identity
from pytest_toolresult.strategies.validity import fits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.strategies.shapes import Schema
    from pytest_toolresult.strategies.sweep import Lane

_MOST: Final = 64
_LONGEST: Final = 256
"""The sweep has tried long texts alone; among other odd values they only cost."""
_AFFIXED: Final = 8


class Ingredients:
    """Gives the values of a tool's arguments by shape and name.

    Args:
        schema: The JSON Schema of the arguments.
        constants: Constants of the tool's own code, best first.
        description: What the model is told about the tool.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        constants: Sequence[str | int | float] = (),
        description: str = "",
    ) -> None:
        self._shapes = Shapes(schema)
        self._texts = [each for each in constants if isinstance(each, str)]
        self._numbers = [each for each in constants if not isinstance(each, str)]
        self._description = description

    def pool(self, shape: Shape, name: str) -> list[Any]:
        """List valid values of a leaf, the best first, each of them once."""
        kind = shape["type"]
        found: Iterator[Any] = iter(())
        if kind in {"string", ANY}:
            found = self._of_texts(shape, name)
        elif kind in {"integer", "number"}:
            found = self._of_numbers(shape, name)
        valid = (each for each in found if fits(self._shapes, shape, each))
        once = {identity(each): each for each in valid}
        return list(islice(once.values(), _MOST))

    def _of_texts(self, shape: Shape, name: str) -> Iterator[str]:
        dated = is_date_like(shape.get("default"), name)
        described = str(shape.get("description", ""))
        lanes: list[Lane] = [
            (1, iter(self._texts)),
            (1, suited(shape, name, described)),
            (1, (each for each in values.TEXTS if len(each) <= _LONGEST)),
            (1 if dated else 8, iter((*values.DATES, *values.WRONG_DATES))),
            (2, (f"{each}{end}" for each in self._texts[:_AFFIXED] for end in "1x ")),
            (4, iter(vocabulary.mentioned(self._description))),
        ]
        return deal(lanes)

    def _of_numbers(self, shape: Shape, name: str) -> Iterator[float]:
        described = str(shape.get("description", ""))
        whole = shape["type"] == "integer"
        limits = [each for each in bounds(shape) if each is not None]
        near = [each + step for each in (*limits, *self._numbers) for step in (1, -1)]
        lanes: list[Lane] = [
            (1, iter((*limits, *self._numbers))),
            (1, suited(shape, name, described)),
            (1, iter(near)),
            (1, iter(values.INTEGERS if whole else values.NUMBERS)),
        ]
        for value in deal(lanes):
            yield int(value) if whole and value == value // 1 else value
