"""TR3: whether an error tells the model what it needs to go on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.exhibit import plain_text
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.traces import stack_trace_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{1,63}")
_ONLY_A_NUMBER: Final = re.compile(r"[\s\d.,:;#()\[\]-]*")


@rule("TR301", "code-missing", Severity.ERROR, needs_envelope=True)
def code_missing(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An error has no code, or one that is not text.

    Why: the code is the only part of an error that a program, or a model that saw it
    before, can rely on.
    Fix: name the cause in `error.code`, such as `DB_TIMEOUT` or `NOT_FOUND`.
    Bad: {"status": "error", "data": null, "meta": {},
    "error": {"message": "There is no order o-1.", "retryable": false}}
    Bad: {"status": "error", "data": null, "meta": {}, "error": "no order o-1"}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NOT_FOUND",
    "message": "There is no order o-1.", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "not_found",
    "message": "There is no order o-1; list_orders gives the ids.",
    "retryable": false}}
    """
    if not _has_error(found):
        return
    if not found.error_fields:
        error = found.envelope.error if found.envelope else None
        shown = excerpt(error)
        detail = f"error is {shown} and not an object with code, message, retryable"
        yield Breach(place="error", detail=detail)
    elif not plain_text(found.error_fields.get("code")):
        code = found.error_fields.get("code")
        detail = f"error.code is {excerpt(code)} and names no cause"
        yield Breach(place="error.code", detail=detail)


@rule("TR302", "code-form", Severity.WARNING, needs_envelope=True)
def code_form(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An error code is not a short name without spaces.

    Why: a sentence or a bare number as a code is reworded or misread, and is compared
    in vain.
    Fix: use a name of 2 to 64 letters, digits and `_ . : -`, starting with a letter.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "not found!",
    "message": "There is no order o-1.", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NOT_FOUND",
    "message": "There is no order o-1.", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code":
    "orders.not-found", "message": "There is no order o-1.", "retryable": false}}
    """
    code = plain_text(found.error_fields.get("code"))
    if _has_error(found) and code and not _CODE.fullmatch(code):
        detail = f"error.code is {excerpt(code)}, which is no name"
        yield Breach(place="error.code", detail=detail)


@rule("TR303", "message-missing", Severity.ERROR)
def message_missing(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An error's message is blank, or only a number or the code once more.

    Why: the model can neither explain the failure nor find a way around it.
    Fix: say what happened and what to do next, in one or two sentences.
    Bad: {"status": "error", "data": null, "meta": {},
    "error": {"code": "NOT_FOUND", "message": "", "retryable": false}}
    Bad: {"status": "error", "data": null, "meta": {},
    "error": {"code": "NOT_FOUND", "message": "NOT_FOUND", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NOT_FOUND",
    "message": "There is no order o-1.", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NO_ID",
    "message": "order_id must not be empty; list_orders gives the ids.",
    "retryable": false}}
    """
    if not _has_error(found):
        return
    if found.message is None and not (found.has_envelope and found.error_fields):
        return  # TR301 where error is no object; another dialect has other fields
    message = (found.message or "").strip()
    code = plain_text(found.error_fields.get("code"))
    if not message or message == code or _ONLY_A_NUMBER.fullmatch(message):
        shown = excerpt(found.error_fields.get("message", found.message))
        detail = f"the message of the error is {shown}"
        yield Breach(place=found.message_place, detail=detail)


@rule("TR304", "retryable-missing", Severity.ERROR, needs_envelope=True)
def retryable_missing(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An error does not say with true or false whether trying again can help.

    Why: the model repeats what can never work, or gives up what would work in a
    second.
    Fix: set `error.retryable`: true for a timeout, a refused connection, a 429 or a
    503; false for what was not found, not permitted or not valid.
    Bad: {"status": "error", "data": null, "meta": {},
    "error": {"code": "DB_TIMEOUT", "message": "The query timed out."}}
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_TIMEOUT",
    "message": "The query timed out.", "retryable": "yes"}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_TIMEOUT",
    "message": "The query timed out.", "retryable": true}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NOT_FOUND",
    "message": "There is no order o-1.", "retryable": false}}
    """
    if not _has_error(found) or not found.error_fields:
        return
    retryable = found.error_fields.get("retryable")
    if type(retryable) is not bool:
        state = (
            f"is {excerpt(retryable)}, not true or false"
            if "retryable" in found.error_fields
            else "is missing"
        )
        yield Breach(place="error.retryable", detail=f"error.retryable {state}")


@rule("TR305", "stack-trace", Severity.ERROR)
def stack_trace(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    r"""A stack trace stands in the error or in `meta`.

    Why: it drowns the cause in lines about the tool's inside, and gives paths and
    code away.
    Fix: write the trace to the log, and put cause and next step into the message.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "IO",
    "retryable": false, "message":
    "Traceback (most recent call last):\n  File \"t.py\", line 3, in read\nOSError"}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "IO",
    "retryable": false, "message": "notes.txt cannot be read: permission denied."}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "IO",
    "retryable": false, "message": "The traceback is in the log under id 7f3."}}
    Good: {"status": "success", "error": null, "meta": {}, "data": {"log":
    "Traceback (most recent call last):\n  File \"t.py\", line 3, in read\nOSError"}}
    """
    if found.escaped:
        return
    for note in found.survey.texts_below("error", "meta"):
        text = note[2]
        start = stack_trace_at(text)
        if start is None:
            continue
        place = found.survey.place(note)
        if contract.kind == "code" and place.endswith("stderr"):
            continue
        quoted = excerpt_text(text[start:])
        yield Breach(place=place, detail=f"a stack trace stands in {place}: {quoted}")


def _has_error(found: Exhibit) -> bool:
    """Tell whether there is an error to judge, and one that is not TR801's."""
    if found.path != "error" or found.escaped or found.envelope is None:
        return False
    return "error" not in found.envelope.missing
