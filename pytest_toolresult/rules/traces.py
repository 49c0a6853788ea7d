"""Recognises a stack trace, whatever the language."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_TRACES: Final = (
    ("Traceback (most recent call last)", r"Traceback \(most recent call last\)"),
    ('File "', r'File "[^"\n]{1,400}", line \d+, in '),
    ("at ", r"^[ \t]{1,40}at [\w.$<>/]{1,200}\([^()\n]{1,200}\)"),
    ("at ", r"^[ \t]{1,40}at [^\n]{0,200}?\.(?:js|ts|mjs|cjs|jsx|tsx):\d+:\d+"),
    (":line ", r"^[ \t]{0,40}at [^\n]{1,400}?:line \d+"),
    ("goroutine ", r"^goroutine \d+ \[[\w ,]{1,40}\]:"),
    ("panicked at ", r"^thread '[^'\n]{1,80}' (?:\(\d+\) )?panicked at "),
    ("#0 ", r"^#0 [^\n]{1,300}?\(\d+\): "),
    (".rb:", r"^[ \t]{0,40}(?:from )?[^\s:]{1,300}\.rb:\d+:in "),
)
"""For each language a text that has to be there, and how a line of its traces looks:
Python (twice), Java, JavaScript, C#, Go, Rust, PHP, Ruby."""


def stack_trace_at(text: str) -> int | None:
    """Return where a stack trace starts in the text, or `None`."""
    for number, (gate, _) in enumerate(_TRACES):
        match = _pattern(number).search(text) if gate in text else None
        if match:
            return match.start()
    return None


@cache
def _pattern(number: int) -> re.Pattern[str]:
    return re.compile(_TRACES[number][1], re.MULTILINE)
