"""Reads the docstring of a rule as its card."""

from __future__ import annotations

import re
from dataclasses import dataclass
from inspect import cleandoc
from typing import Final, Literal

Form = Literal["envelope", "native", "code"]

_LABEL: Final = re.compile(r"(Why|Fix|Bad|Good): (.*)")
_NATIVE: Final = "returns "


@dataclass(frozen=True, slots=True)
class Example:
    """One example on a card.

    Attributes:
        form: What the text is. An `envelope` is the whole result as JSON; `native`
            is the JSON of what a tool without envelope returns (written
            `returns "..."` on the card); `code` is a piece of a tool or of a test
            (written in backticks), where JSON cannot show the fault.
        text: The JSON, or the code.
    """

    form: Form
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is said about a rule.

    Attributes:
        what: What is wrong, in one sentence.
        why: How it hurts a model, or whoever runs the tool.
        fix: What to do about it.
        bad: Examples that break the rule.
        good: Examples that do not.
    """

    what: str
    why: str
    fix: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]


def parsed(docstring: str) -> Card:
    """Read a card; a part that is not there is empty.

    A part may go on over several lines. Without docstrings (`python -OO`) every
    card is empty, and the rules work all the same.
    """
    parts: list[tuple[str, str]] = [("What", "")]
    for line in cleandoc(docstring).splitlines():
        match = _LABEL.match(line)
        if match:
            parts.append((match[1], match[2].strip()))
        else:
            label, text = parts[-1]
            parts[-1] = (label, f"{text} {line.strip()}".strip())
    first = dict(reversed(parts))
    return Card(
        what=first["What"],
        why=first.get("Why", ""),
        fix=first.get("Fix", ""),
        bad=tuple(_example(text) for label, text in parts if label == "Bad"),
        good=tuple(_example(text) for label, text in parts if label == "Good"),
    )


def _example(text: str) -> Example:
    if text.startswith("`"):
        return Example("code", text.strip("`"))
    if text.startswith(_NATIVE):
        return Example("native", text.removeprefix(_NATIVE))
    return Example("envelope", text)
