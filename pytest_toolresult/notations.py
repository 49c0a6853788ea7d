"""Writes data for a model in another notation than JSON: CSV, or lines of text.

Source of the CSV: RFC 4180, with one more distinction: null is nothing at all, and an
empty text is a pair of quotation marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Notation = Literal["json", "csv", "text"]

_TO_QUOTE = re.compile(r'[",\r\n]|^\s|\s$')


def as_csv(rows: object) -> str:
    """Write rows that have the same fields as CSV, with their names in the first line.

    Raises:
        ValueError: If the rows are no objects, or differ in their fields.
        TypeError: If a value is no JSON.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise ValueError("only a list of objects can be written as CSV")
    if not all(isinstance(row, Mapping) for row in rows):
        raise ValueError("only a list of objects can be written as CSV")
    names = list(rows[0])
    for number, row in enumerate(rows):
        if list(row) != names:
            raise ValueError(
                f"row {number} has the fields {', '.join(map(str, row))} and not"
                f" {', '.join(map(str, names))}, so that CSV would mix them up"
            )
    lines = [names, *([row[name] for name in names] for row in rows)]
    return "\n".join(",".join(map(_cell, line)) for line in lines)


def as_text(conclusion: object) -> str:
    """Write one value, or the few fields of an object as `name: value` lines.

    Raises:
        ValueError: If the data is more than that: a list, or objects in objects.
        TypeError: If a value is no JSON.
    """
    if not isinstance(conclusion, Mapping):
        return as_value(conclusion)
    return "\n".join(f"{name}: {as_value(each)}" for name, each in conclusion.items())


def as_value(value: object) -> str:
    """Write a value on one line: a text as it is, anything else as JSON.

    Raises:
        ValueError: If a text has several lines, or a number is not finite.
        TypeError: If the value is no JSON.
    """
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(value.splitlines()) > 1:
        raise ValueError("a text of several lines can only be written as JSON")
    return value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if text and not _TO_QUOTE.search(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
