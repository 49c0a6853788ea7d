"""TR3: whether an error tells the model what it needs to go on."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.boundary import CLEAR_CUT, last_word
from pytest_toolresult.rules.exhibit import plain_text
from pytest_toolresult.rules.likeness import same
from pytest_toolresult.rules.rule import rule, series_rule
from pytest_toolresult.rules.traces import stack_trace_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit, Series

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{1,63}")
_MARKUP: Final = re.compile(
    r"(?i)<(?:!doctype html|html|head|body|title|h1|p)(?:\s[^<>\n]{0,200})?>|<\?xml\s"
)
_JSON: Final = re.compile(r'\{\s*"|\[\s*\{\s*"')
_LONGEST_PARSED: Final = 20_000
_UNLIKE: Final = (
    ({"http_404", "missing_file"}, {"http_401", "http_403", "no_permission"}),
)
"""Causes that have one answer to whether a retry helps, and yet call for different
next steps: what was not found, and what is not permitted."""
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


@rule("TR310", "upstream-body", Severity.WARNING, yields_to=("TR305",))
def upstream_body(found: Exhibit, _: Contract) -> Iterator[Breach]:
    r"""What another service answered is pasted into the message of the error.

    Why: the model has to find the cause in somebody else's page or JSON, which can
    hold anything, instructions for it and secrets included.
    Fix: put the upstream's status into `meta.http_status`, its body into the log, and
    the cause and the next step into the message.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "UPSTREAM",
    "retryable": true, "message":
    "The service said: <html><head><title>502</title></head></html>"}}
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "UPSTREAM",
    "retryable": false, "message":
    "Answer: {\"errors\": [{\"code\": 7, \"detail\": \"no such user\"}]}"}}
    Good: {"status": "error", "data": null, "meta": {"http_status": 502}, "error":
    {"code": "UPSTREAM", "retryable": true, "message":
    "The weather service is down; try again in a minute."}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "BAD_FILTER",
    "retryable": false, "message": "Write the filter as {field: value}."}}
    """
    if not _has_error(found) or not found.message:
        return
    body = _body_in(found.message)
    if body and not _was_sent(found, body):
        detail = f"{found.message_place} quotes an answer: {excerpt_text(body)}"
        yield Breach(place=found.message_place, detail=detail)


def _body_in(message: str) -> str:
    """Return the page or the JSON object that stands in a message, if any."""
    page = _MARKUP.search(message)
    if page:
        return message[page.start() :]
    for start in _JSON.finditer(message[:_LONGEST_PARSED]):
        try:
            _, end = json.JSONDecoder().raw_decode(message, start.start())
        except (ValueError, RecursionError):
            continue
        return message[start.start() : end]
    return ""


def _was_sent(found: Exhibit, body: str) -> bool:
    """Tell whether what is quoted stands in the arguments."""
    for value in found.call.arguments.values():
        text = plain_text(value)
        if text is not None and body in text:
            return True
        try:
            if text is None and same(value, json.loads(body)):
                return True
        except (ValueError, RecursionError):
            continue
    return False


@series_rule("TR311", "one-code-for-all", Severity.WARNING, needs_envelope=True)
def one_code_for_all(series: Series, _: Contract) -> Iterator[Breach]:
    """Causes that call for different next steps share one error code.

    Why: the code is what a model and a program decide by: whether to wait, to ask for
    a permission, or to look elsewhere.
    Fix: give what may pass by itself, what was not found and what is not permitted
    codes of their own.
    Bad: `except OSError: return error("FILE_ERROR", ...)`
    Good: `except PermissionError: return error("NOT_PERMITTED", ...)` before it
    Good: `except TimeoutError: return error("TIMEOUT", ...)` before it
    """
    causes: dict[str, dict[str, int]] = {}
    for index, found in enumerate(series.exhibits):
        code = plain_text(found.error_fields.get("code"))
        crossing = last_word(found.outcome)
        if found.path == "error" and code and crossing and crossing.fault:
            causes.setdefault(code, {}).setdefault(crossing.fault.name, index)
    for code, seen in causes.items():
        pair = _unlike(seen)
        if pair:
            one, other = pair
            detail = f"the code {excerpt(code)} stands for {one} and for {other} alike"
            yield Breach(place="error.code", detail=detail, index=seen[other])


def _unlike(seen: Iterable[str]) -> tuple[str, str] | None:
    """Return two causes that should not share a code, if there are any."""
    names = sorted(seen)
    clear = [name for name in names if name in CLEAR_CUT]
    passing = [name for name in clear if CATALOGUE[name].retryable]
    lasting = [name for name in clear if not CATALOGUE[name].retryable]
    if passing and lasting:
        return passing[0], lasting[0]
    for ones, others in _UNLIKE:
        one = next((name for name in names if name in ones), None)
        other = next((name for name in names if name in others), None)
        if one and other:
            return one, other
    return None


def _has_error(found: Exhibit) -> bool:
    """Tell whether there is an error to judge, and one that is not TR801's."""
    if found.path != "error" or found.escaped or found.envelope is None:
        return False
    return "error" not in found.envelope.missing
