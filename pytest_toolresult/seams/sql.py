"""Reads of a statement in SQL what a seam has to know: whether it writes, what it asks.

It is no parser. It tells words from text, names and comments, and looks at the words
where they stand. What it does not know counts as writing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Literal

Answer = Literal["rows", "one", "none"]
"""What a statement answers with.

- `rows`: as many rows as there are.
- `one`: always one row, of numbers about all rows, such as `SELECT count(*)`.
- `none`: nothing that stands in tables.
"""

_TOKEN: Final = re.compile(
    r"""
      (?P<skipped>\s+ | --[^\n]* | /\*.*?\*/)
    | (?P<text>'(?:[^']|'')*' | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$)
    | (?P<name>"(?:[^"]|"")*" | `[^`]*`)
    | (?P<parameter>%\(\w+\)s | %[sbt] | \?\d* | (?<!:)[:@]\w+ | \$\w+)
    | (?P<word>[^\W\d]\w*)
    | (?P<number>\d+(?:\.\d+)?)
    | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_READING: Final = frozenset(
    [
        "abort",
        "begin",
        "close",
        "commit",
        "deallocate",
        "declare",
        "desc",
        "describe",
        "end",
        "explain",
        "fetch",
        "pragma",
        "release",
        "reset",
        "rollback",
        "savepoint",
        "select",
        "set",
        "show",
        "start",
        "table",
        "use",
        "values",
        "with",
    ]
)
_CHANGING: Final = frozenset({"delete", "insert", "merge", "replace", "update"})
_TELLING: Final = frozenset(
    (
        *("table_info", "table_xinfo", "table_list", "index_list", "index_info"),
        *("index_xinfo", "foreign_key_list", "foreign_key_check", "database_list"),
        *("integrity_check", "quick_check", "compile_options", "function_list"),
    )
)
"""Pragmas of SQLite that tell something, whatever stands in their brackets."""

_LASTING: Final = frozenset({"global", "persist", "persist_only", "password"})
_NUMBERS: Final = frozenset(
    [
        "any_value",
        "array_agg",
        "avg",
        "bool_and",
        "bool_or",
        "count",
        "every",
        "group_concat",
        "json_agg",
        "json_group_array",
        "json_group_object",
        "json_object_agg",
        "jsonb_agg",
        "max",
        "min",
        "stddev",
        "string_agg",
        "sum",
        "total",
        "variance",
    ]
)
_CLAUSES: Final = frozenset(
    [
        "except",
        "fetch",
        "for",
        "group",
        "having",
        "intersect",
        "limit",
        "offset",
        "order",
        "union",
        "where",
    ]
)
_REMEMBERED: Final = 500


@dataclass(frozen=True, slots=True)
class _Token:
    """A part of a statement: what it is, its text in lower case, and how deep."""

    kind: str
    text: str
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a statement says about itself.

    Attributes:
        verb: Its first word, such as `select`; empty where there is none.
        writes: Whether it changes something in the database that lasts.
        answer: What it answers with.
        counted: For an answer of `one` row, which of its values count something.
    """

    verb: str
    writes: bool
    answer: Answer
    counted: tuple[bool, ...] = ()

    @property
    def changes_rows(self) -> bool:
        """Whether it puts rows into a table, or changes or removes them."""
        return self.writes and self.verb in {*_CHANGING, "with"}


@lru_cache(_REMEMBERED)
def read(statement: str) -> Statement:
    """Read a statement, or several with semicolons between them."""
    parts = [part for part in _parts(_tokens(statement)) if part]
    if not parts:
        return Statement(verb="", writes=False, answer="none")
    items = _items(parts[-1])
    return Statement(
        verb=parts[0][0].text,
        writes=any(map(_writes, parts)),
        answer=_answer(parts[-1], items),
        counted=tuple(_counts(item) for item in items),
    )


def limit(statement: str, parameters: Any = ()) -> int | None:
    """Return how many rows a statement asks for at most, `None` for all there are.

    Args:
        statement: The statement.
        parameters: What it is executed with, by position or by name.
    """
    tokens = _tokens(statement)
    at = _limit_at(tokens)
    if at is None:
        return None
    given = _value(tokens, at, parameters)
    return given if isinstance(given, int) and given >= 0 else None


@lru_cache(_REMEMBERED)
def _tokens(statement: str) -> tuple[_Token, ...]:
    found: list[_Token] = []
    depth = 0
    for match in _TOKEN.finditer(statement):
        kind, text = match.lastgroup or "", match.group()
        kind = "text" if kind == "tag" else kind
        if kind == "skipped":
            continue
        depth -= text == ")"
        found.append(_Token(kind, text.lower() if kind == "word" else text, depth))
        depth += text == "("
    return tuple(found)


def _parts(tokens: Sequence[_Token]) -> list[list[_Token]]:
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token.text == ";":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _writes(part: Sequence[_Token]) -> bool:
    words = [token.text for token in part if token.kind == "word"]
    verb = words[0] if words else ""
    if verb == "copy":
        return "stdout" not in words
    if verb == "pragma":
        sets = any(token.text in {"=", "("} for token in part)
        return sets and _TELLING.isdisjoint(words)
    if verb == "set":
        return not _LASTING.isdisjoint(words)
    if verb not in _READING:
        return bool(verb)
    into = any(token.text == "into" and token.depth == 0 for token in part)
    return _changes(part) or (into and "fetch" not in words)


def _changes(part: Sequence[_Token]) -> bool:
    """Whether a statement that reads has one that writes inside it."""
    starts = [None, *part]
    return any(
        token.kind == "word"
        and token.text in _CHANGING
        and (before is None or before.text in {"(", ")", "as", "analyze", "explain"})
        for before, token in zip(starts, part, strict=False)
    )


def _items(part: Sequence[_Token]) -> list[list[_Token]]:
    """The expressions that a statement selects, without those of inner ones."""
    begins = [n for n, token in enumerate(part) if _is_word(token, "select")]
    if not begins:
        return []
    items: list[list[_Token]] = [[]]
    for token in part[begins[-1] + 1 :]:
        if _is_word(token, "from") or (token.depth == 0 and token.text in _CLAUSES):
            break
        if token.depth == 0 and token.text == ",":
            items.append([])
        else:
            items[-1].append(token)
    return items


def _answer(part: Sequence[_Token], items: Sequence[Sequence[_Token]]) -> Answer:
    if part[0].text in {"table", "values", "fetch"}:
        return "rows"
    if not items or not any(_is_word(token, "from") for token in part):
        return "none"
    grouped = any(
        token.depth == 0 and token.text in _CLAUSES - _AFTER for token in part
    )
    return "one" if not grouped and any(map(_is_number, items)) else "rows"


_AFTER: Final = frozenset({"for", "limit", "offset", "order", "fetch", "where"})
"""The clauses that leave the one row of a number about all rows."""


def _is_number(item: Sequence[_Token]) -> bool:
    """Whether an expression is about all rows together, and not over a window."""
    words = {token.text for token in item if token.kind == "word"}
    return not _called(item).isdisjoint(_NUMBERS) and not words & {"over", "select"}


def _counts(item: Sequence[_Token]) -> bool:
    return not _called(item).isdisjoint({"count", "total"})


def _called(item: Sequence[_Token]) -> set[str]:
    """The functions that an expression calls."""
    return {
        token.text
        for token, after in pairwise(item)
        if token.kind == "word" and after.text == "("
    }


def _is_word(token: _Token, word: str) -> bool:
    return token.kind == "word" and token.depth == 0 and token.text == word


def _limit_at(tokens: Sequence[_Token]) -> int | None:
    """The position of the number of rows, at the end of the outermost statement."""
    for n, token in enumerate(tokens[:-1]):
        if _is_word(token, "limit"):
            pair = n + 3 < len(tokens) and tokens[n + 2].text == ","
            return n + 3 if pair else n + 1
        if _is_word(token, "fetch") and tokens[n + 1].text in {"first", "next"}:
            return n + 2
    return None


def _value(tokens: Sequence[_Token], at: int, parameters: Any) -> Any:
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.kind == "number":
        return int(float(token.text))
    if token.kind != "parameter":
        return None
    named = re.search(r"\w+", token.text.removeprefix("%"))
    if isinstance(parameters, Mapping):
        return parameters.get(named.group()) if named else None
    earlier = sum(token.kind == "parameter" for token in tokens[:at])
    numbered = named is not None and named.group().isdigit()
    place = int(named.group()) - 1 if named and numbered else earlier
    try:
        return parameters[place]
    except (IndexError, KeyError, TypeError):
        return None
