"""TR4: whether the data is written so that a model can read it."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt_text
from pytest_toolresult.rules.exhibit import RESULT
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.walk import TOP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_LONGEST_SEARCHED: Final = 2_000
"""Longer texts are content, which may quote a repr."""

_MAY_LEAK: Final = re.compile(
    r"^[ \t]{0,20}[\[({]| object at 0x|object Object\]|<(?:c|a|g|b|f)|[nrg]\(",
    re.MULTILINE,
)
"""What one of the texts has to hold before each of them is looked at."""

_LONGEST_PARSED: Final = 20_000
_OBJECT: Final = re.compile(
    r"<[\w.]{1,200}(?:<locals>\.)?[\w.]{0,100} object at 0x[0-9a-fA-F]{4,16}>"
    r"|<(?:coroutine object|async_generator object|generator object|bound method"
    r"|function) [^<>\n]{1,200}(?:<locals>[^<>\n]{1,200})?>"
    r"|\[object Object\]"
)
_EXCEPTION: Final = re.compile(
    r"\s*[A-Z]\w{0,60}(?:Error|Exception|Warning)\((?:['\"].{0,500}['\"],?)?\)\s*",
    re.DOTALL,
)
_CONTAINER: Final = re.compile(r"\s*(?:\{\s*['\d(]|\[\s*['({\[N]|\(\s*['\"({\[\d])")


@rule("TR412", "repr-leak", Severity.ERROR)
def repr_leak(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    r"""What Python or JavaScript prints for an object stands where its content should.

    Why: the model sees an address in memory or another language's notation instead
    of the answer.
    Fix: return the fields themselves; write text with `json.dumps`, not with `str`.
    Bad: {"status": "success", "data": {"owner": "<shop.User object at 0x7f3a2c1b>"},
    "error": null, "meta": {}}
    Bad: returns "{'order_id': 'o-1', 'paid': True}"
    Bad: returns "[object Object]"
    Good: {"status": "success", "data": {"owner": {"name": "Ann"}}, "error": null,
    "meta": {}}
    Good: returns "{\"order_id\": \"o-1\", \"paid\": true}"
    Good: returns "the method returns an object at its first call"
    """
    if contract.kind in ("file", "code"):
        return  # they hand over text that others wrote
    survey = found.survey
    if not _MAY_LEAK.search(survey.everything):
        return
    for note in survey.texts_below("data", "meta", RESULT):
        leak = _leak(note[2], whole=note[0] == TOP)
        if leak:
            place = survey.place(note)
            yield Breach(place=place, detail=f"{place} holds {leak}")


def _leak(text: str, *, whole: bool) -> str | None:
    if len(text) <= _LONGEST_SEARCHED:
        match = _OBJECT.search(text)
        if match:
            return f"the repr of an object: {excerpt_text(match[0])}"
        if not whole and _EXCEPTION.fullmatch(text):  # TR201 judges a whole result
            return f"the repr of an exception: {excerpt_text(text)}"
    if len(text) <= _LONGEST_PARSED and _CONTAINER.match(text) and _is_python(text):
        return f"Python's notation as text: {excerpt_text(text)}"
    return None


def _is_python(text: str) -> bool:
    """Tell a list, dict or tuple in Python's own notation from any other text."""
    flat = text.strip().replace("\\", "/")  # escapes would warn, and decide nothing
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        value = ast.literal_eval(flat)
        quoted = "'" in flat or "None" in flat or "True" in flat or "False" in flat
        return quoted and _has_content(value)
    return False


def _has_content(value: object) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, (list, tuple)) and any(
        isinstance(each, (str, dict, list, tuple)) or each is None for each in value
    )
