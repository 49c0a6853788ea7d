"""What an argument is for, as its name, its schema and its description tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pytest_toolresult.strategies.shapes import ANY, Shapes

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_LIMITS: Final = frozenset(
    (
        *("limit", "max results", "max items", "max rows", "max count", "max hits"),
        *("top k", "page size", "per page", "num results", "number of results"),
        *("row limit", "result limit", "results limit", "n results", "top n"),
        *("max records", "max entries", "size", "take", "page limit", "max matches"),
    )
)
_NO_LIMIT: Final = re.compile(
    r"(?i)price|amount|cost|budget|speed|temperature|credit|threshold|seconds|bytes"
    r"|characters|tokens|lines|upper bound|weight|distance|depth"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a tool.

    Attributes:
        name: Its name.
        about: What the tool says of it.
        is_required: Whether it cannot be left out.
        shapes: The forms it may have, references resolved.
    """

    name: str
    about: str
    is_required: bool
    shapes: tuple[Mapping[str, Any], ...]

    @property
    def words(self) -> str:
        """The name as words in lower case: `maxResults` is `max results`."""
        return " ".join(_WORD.findall(self.name)).lower()

    def may_be(self, kind: str) -> bool:
        """Tell whether a JSON type is among those it may have."""
        return any(each.get("type") in (kind, ANY) for each in self.shapes)

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts that it may be, where these are listed."""
        listed = [
            value
            for shape in self.shapes
            for value in (*(shape.get("enum") or ()), shape.get("const"))
        ]
        return tuple(each for each in listed if isinstance(each, str))

    def number(self, keyword: str) -> float | None:
        """Return a bound such as `minimum`, where there is one."""
        for shape in self.shapes:
            value = shape.get(keyword)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return value
        return None

    @property
    def is_limit(self) -> bool:
        """Whether it says how many rows there are to be at most."""
        named = self.words in _LIMITS and not _NO_LIMIT.search(self.about)
        return named and self.may_be("integer")


def arguments_of(schema: Mapping[str, Any] | None) -> dict[str, Argument]:
    """Return the arguments that a tool takes by name.

    Args:
        schema: The JSON Schema of its arguments, an object schema.
    """
    found = (schema or {}).get("properties")
    properties = found if isinstance(found, Mapping) else {}
    required = (schema or {}).get("required") or ()
    shapes = Shapes(schema or {})
    return {
        name: Argument(
            name=name,
            about=_about(each),
            is_required=name in required,
            shapes=tuple(shapes.alternatives(each)),
        )
        for name, each in properties.items()
    }


def _about(schema: object) -> str:
    found = schema.get("description") if isinstance(schema, Mapping) else None
    return found if isinstance(found, str) else ""
