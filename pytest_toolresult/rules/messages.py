"""TR3: what the words of an error give away, and what they leave out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.codescan import statuses_and_codes
from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.exhibit import plain_int, plain_text
from pytest_toolresult.rules.internals import Detail, internals
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.stock_phrases import is_stock_phrase
from pytest_toolresult.walk import survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_SHORTEST_ARGUMENT: Final = 3
_LONGEST_CODE: Final = 200
_DIGIT: Final = re.compile(r"\d")


@rule("TR306", "internal-detail", Severity.ERROR, yields_to=("TR305", "TR601", "TR603"))
def internal_detail(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The message shows the tool's inside: SQL, objects, paths or hosts.

    Why: it helps the model with nothing, and tells whoever reads the conversation how
    the system behind the tool is built.
    Fix: write it to the log, and say in the message what went wrong in words of the
    tool's own subject.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "QUERY",
    "retryable": false, "message":
    "no such column: owner; statement: select title from staff order by [owner]"}}
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_DOWN",
    "retryable": true, "message": "cannot connect to db-3.internal.example:5432"}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "QUERY",
    "retryable": false, "message": "Orders can be sorted by title only."}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_DOWN",
    "retryable": true, "message": "The order database does not answer; try again."}}
    """
    if found.message is None or found.path != "error" or found.escaped:
        return
    details = internals(found.message)
    if not details:
        return
    sent = survey([("arguments", found.call.arguments)]).everything
    sent += "".join(f" {each}" for each in _numbers(found))
    told: set[str] = set()
    for each in details:
        if each.kind not in told and not _was_sent(each, sent):
            told.add(each.kind)
            detail = f"the message shows {each.kind}: {excerpt_text(each.text)}"
            severity = None if each.is_grave else Severity.WARNING
            yield Breach(place=found.message_place, detail=detail, severity=severity)


def _numbers(found: Exhibit) -> list[int]:
    values = map(plain_int, found.call.arguments.values())
    return [value for value in values if value is not None]


def _was_sent(detail: Detail, sent: str) -> bool:
    """Tell whether each part of it stood in the arguments, which the model knows."""
    return all(part in sent for part in detail.parts)


@rule("TR307", "code-unstable", Severity.WARNING, needs_envelope=True)
def code_unstable(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """An error code is put together from the arguments.

    Why: a code that differs from call to call cannot be recognised, neither by a
    program nor by a model that met it before.
    Fix: keep the code the same for one cause, and put what differs into the message.
    Bad: `error("NOT_FOUND_c-17", ...)` for `{"customer_id": "c-17"}`
    Good: `error("NOT_FOUND", "There is no customer c-17.")`
    Good: `error("HTTP_404", ...)` for `{"page": 404}`, if the tool always says so
    """
    code = plain_text(found.error_fields.get("code"))
    if not code or not _DIGIT.search(code) or len(code) > _LONGEST_CODE:
        return
    if found.path != "error" or code in contract.codes or _is_constant(code, found):
        return
    for text in _texts_sent(found):
        if text.casefold() in code.casefold():
            shown = excerpt_text(text)
            detail = f"error.code is {excerpt(code)} and holds the argument {shown}"
            yield Breach(place="error.code", detail=detail)
            return


def _texts_sent(found: Exhibit) -> Iterator[str]:
    """Give the arguments that no code would hold by chance: those with a digit."""
    sent = survey([("arguments", found.call.arguments)])
    texts = [note[2] for note in sent.texts] + [str(each) for each in _numbers(found)]
    for text in texts:
        if _SHORTEST_ARGUMENT <= len(text) <= _LONGEST_CODE and _DIGIT.search(text):
            yield text


def _is_constant(code: str, found: Exhibit) -> bool:
    """Tell whether the code stands in the tool's own source."""
    if found.tool.function is None:
        return False
    produced = statuses_and_codes(found.tool.function)
    return produced is not None and code in produced.codes


@rule("TR308", "code-undeclared", Severity.ERROR, needs_envelope=True)
def code_undeclared(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """An error carries a code that is not among the declared ones.

    Why: whoever relies on the list of codes has no answer to this one.
    Fix: use one of the declared codes, or add this one to `codes`.
    Bad: `codes=["NOT_FOUND"]`, and the tool answers with `"code": "MISSING"`
    Good: `codes=["NOT_FOUND"]`, and the tool answers with `"code": "NOT_FOUND"`
    Good: `codes=["NOT_FOUND", "MISSING"]`, and it answers with `"code": "MISSING"`
    """
    code = plain_text(found.error_fields.get("code"))
    if not contract.codes or found.path != "error" or not code:
        return
    declared = {*contract.codes, *(case.code for case in contract.cases)}
    if code not in declared:
        valid = ", ".join(sorted(contract.codes))
        detail = f"error.code is {excerpt(code)}, none of {valid}"
        yield Breach(place="error.code", detail=detail)


@rule("TR309", "opaque-error", Severity.WARNING)
def opaque_error(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The whole message is a phrase that fits every failure.

    Why: the model can neither explain what happened nor do anything about it.
    Fix: name the cause and the next step.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "FAILED",
    "message": "An error occurred.", "retryable": false}}
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "FAILED",
    "message": "Error executing tool lookup", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_TIMEOUT",
    "message": "The query took over 5 s; ask for a shorter period.",
    "retryable": true}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NO_ORDER",
    "message": "There is no order o-1.", "retryable": false}}
    """
    if found.path != "error" or found.escaped or not found.message:
        return
    if is_stock_phrase(found.message, found.tool.name):
        detail = f"the message is only {excerpt(found.message)}"
        yield Breach(place=found.message_place, detail=detail)
