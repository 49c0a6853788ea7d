"""TR4: whether the texts in the data can be read as they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.plain import parsed
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.field_names import traits
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.walk import TOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_NAIVE: Final = re.compile(
    r"\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\s*"
)
"""A date and a time of ISO 8601 without its offset."""

_SHORTEST_TIME: Final = len("2026-01-02T10:00")
_LONGEST_TIME: Final = len(" 2026-01-02T10:00:00.123456789 ")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""ASCII's and Latin-1's control characters but tab, line feed, carriage return, and
the next-line character, which some systems end lines with."""

_BREAKS: Final = str.maketrans("", "", "\n\r\t")
_MOJIBAKE: Final = "\ufffd"
_SPOILT: Final = 0.02
"""The share of replacement characters from which a text was no text."""

_SHORTEST_SPOILT: Final = 4
_MOST_SHOWN: Final = 5


@rule("TR408", "naive-timestamp", Severity.WARNING)
def naive_timestamp(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A date and time does not say in which time zone it is.

    Why: the model cannot tell whether it has passed, nor compare it with another one.
    Fix: write the offset: `2026-01-02T10:00:00Z` or `...+01:00`.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"created_at": "2026-01-02 10:00:00"}}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"created_at": "2026-01-02T10:00:00+01:00", "due_on": "2026-01-05"}}
    Good: returns "the backup of 2026-01-02 10:00 is complete"
    """
    seen: set[object] = set()
    for note in found.survey.texts_below("data"):
        text = note[2]
        if not _SHORTEST_TIME <= len(text) <= _LONGEST_TIME or "-" not in text[4:6]:
            continue
        name = note[1] if type(note[1]) is str else ""
        if name not in seen and _NAIVE.fullmatch(text) and not found.was_sent(text):
            seen.add(name)
            place = found.survey.place(note)
            detail = f"{place} is {excerpt(text)}, and nothing says in which time zone"
            yield Breach(place=place, detail=detail)


@rule("TR410", "double-encoded", Severity.WARNING)
def double_encoded(found: Exhibit, _: Contract) -> Iterator[Breach]:
    r"""JSON stands as a text inside of data that is JSON already.

    Why: each quotation mark in it is escaped, which costs tokens and is misread.
    Fix: put the object or list itself there.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"order": "{\"order_id\": \"o-1\", \"total\": \"9.50\"}"}}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"order": {"order_id": "o-1", "total": "9.50"}}}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"file_content": "{\"debug\": true}", "tags": "[]"}}
    """
    for note in found.survey.texts_below("data"):
        text = note[2]
        if text[:1] not in ("{", "[") or note[0] == TOP or _is_content(note[1]):
            continue
        value = parsed(text)
        if value is not text and value and not found.was_sent(text):
            place = found.survey.place(note)
            detail = f"{place} is JSON written as text: {excerpt_text(text)}"
            yield Breach(place=place, detail=detail)


def _is_content(step: object) -> bool:
    return type(step) is str and "content" in traits(step)


@rule("TR411", "control-characters", Severity.WARNING)
def control_characters(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    r"""A text holds terminal escapes, other control characters, or binary content.

    Why: they say nothing to a model, cost tokens, and hide what stands around them.
    Fix: take them out: run commands without colours, and send binary content by its
    name, type and size.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"log": "\u001b[31mfailed\u001b[0m"}}
    Bad: returns "PK\u0003\u0004"
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"log": "failed", "lines": "one\n\ttwo\r\n"}}
    Good: returns "\ud83d\udc69\u200d\ud83d\udd2c caf\u00e9 10\u00a0000"
    """
    walked = found.survey
    may_be_spoilt = contract.kind == "file" and _MOJIBAKE in walked.everything
    if walked.everything.translate(_BREAKS).isprintable() and not may_be_spoilt:
        return
    for note in walked.texts_below("data"):
        controls = set(_CONTROL.findall(note[2]))
        made = sorted(each for each in controls if not found.was_sent(each))
        if made:
            place = walked.place(note)
            shown = ", ".join(f"U+{ord(each):04X}" for each in made[:_MOST_SHOWN])
            yield Breach(place=place, detail=f"{place} holds {shown}")
        elif contract.kind == "file" and _is_spoilt(note[2]):
            place = walked.place(note)
            detail = f"{place} is binary content read as text: {excerpt(note[2])}"
            yield Breach(place=place, detail=detail)


def _is_spoilt(text: str) -> bool:
    marks = text.count(_MOJIBAKE)
    return marks >= _SHORTEST_SPOILT and marks >= _SPOILT * len(text)
