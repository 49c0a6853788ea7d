"""Recognises JSON and tables that end in the middle."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Final

from pytest_toolresult.rules.tables import delimited, markdown_table

_SHORTEST: Final = 20
"""Shorter texts in brackets are remarks, not JSON."""

_LONGEST: Final = 10_000_000
_BEGINNING: Final = re.compile(r"\s*(?:\{\s*\"|\[\s*(?:[\[{\"\d-]|true|false|null))")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|"', re.DOTALL)
_HALF_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?$")
_HALF_WORD: Final = re.compile(r"[\w.+-]+$")
_FEWEST_ROWS: Final = 3
_ENDINGS: Final = ("", ": null", "null", '"": null')
"""What may lack behind the last complete piece: nothing, a value behind a key, a value
behind a colon or comma, a pair behind a comma."""


def is_cut_json(text: str) -> bool:
    """Tell whether a text is the beginning of a JSON object or list, and ends there."""
    if not _SHORTEST <= len(text) <= _LONGEST or not _BEGINNING.match(text):
        return False
    closing, in_text = _open(text)
    if not closing:
        return False
    bodies = [_HALF_ESCAPE.sub("", text) + '"'] if in_text else [text]
    if not in_text:
        bodies.append(_HALF_WORD.sub("null", text.rstrip()))
    return any(
        _parses(body.rstrip() + ending + closing)
        for body in bodies
        for ending in _ENDINGS
    )


def _open(text: str) -> tuple[str, bool]:
    """Return what would close the brackets that are open, and whether a text is."""
    stack: list[str] = []
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if piece in ("{", "["):
            stack.append("}" if piece == "{" else "]")
        elif piece in ("}", "]"):
            if not stack or stack.pop() != piece:
                return "", False
        elif piece == '"':
            return "".join(reversed(stack)), True
    return "".join(reversed(stack)), False


def _parses(text: str) -> bool:
    with suppress(ValueError, RecursionError):
        json.loads(text)
        return True
    return False


def is_cut_table(text: str) -> bool:
    """Tell whether the last row of a table is shorter than all others."""
    if text.endswith("\n"):
        return False
    rows = delimited(text)
    if rows is None or len(rows) <= _FEWEST_ROWS:
        return _is_cut_markdown(text)
    widths = {len(row) for row in rows[:-1]}
    return widths == {len(rows[0])} and len(rows[-1]) < len(rows[0])


def _is_cut_markdown(text: str) -> bool:
    table = markdown_table(text)
    if table is None or len(table) <= _FEWEST_ROWS:
        return False
    last = text.rpartition("\n")[2].rstrip()
    complete = all(line.rstrip().endswith("|") for line in text.split("\n")[:-1])
    return complete and not last.endswith("|") and len(table[-1]) < len(table[0])
