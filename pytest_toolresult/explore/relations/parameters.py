"""What an argument is for, as its name, its schema and its description tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pytest_toolresult.listing import words_in
from pytest_toolresult.strategies.shapes import ANY, Shapes

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

_CURSORS: Final = frozenset(
    (
        *("cursor", "page token", "next token", "next cursor", "continuation token"),
        *("continuation", "after", "starting after", "start after", "result id"),
        *("next page token", "scroll id", "bookmark", "marker", "after cursor"),
    )
)
_OFFSETS: Final = frozenset(
    ("offset", "skip", "start", "start index", "from index", "start at", "start row")
)
_PAGES: Final = frozenset(("page", "page number", "page no", "page num", "page index"))
_PATHS: Final = frozenset(
    (
        *("path", "file", "filename", "file name", "file path", "filepath", "document"),
        *("relative path", "doc", "template", "image path", "report", "attachment"),
        *("note", "name of file", "document name", "source path", "log file"),
    )
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
        return words_in(self.name)

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
    def default(self) -> object:
        """What stands for it where it is left out; `None` where that is not told."""
        return next(
            (each["default"] for each in self.shapes if "default" in each), None
        )

    @property
    def paging(self) -> str:
        """How it leads through pages: `cursor`, `offset`, `page`, or not at all."""
        if self.words in _CURSORS:
            return "cursor"
        if self.words in _OFFSETS and self.may_be("integer"):
            return "offset"
        if self.words in _PAGES and self.may_be("integer"):
            return "page"
        return ""

    @property
    def may_be_a_path(self) -> bool:
        """Whether it may name a file."""
        return self.may_be("string") and self.words in _PATHS

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
