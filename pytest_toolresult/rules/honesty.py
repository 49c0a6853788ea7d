"""TR9: whether a tool tells what became of what it depends on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.rules.boundary import (
    CLEAR_CUT,
    cause_of,
    failed_for_good,
    last_word,
    repeats,
    told,
)
from pytest_toolresult.rules.causes import told_to_pass
from pytest_toolresult.rules.exhibit import plain_text, written_text
from pytest_toolresult.rules.likeness import differ_in_texts_only, is_part, same
from pytest_toolresult.rules.rule import comparison_rule, rule
from pytest_toolresult.walk import fields_of, is_a

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.faults import Crossing, Fault
    from pytest_toolresult.rules.exhibit import Contrast, Exhibit

_DEGRADED: Final = re.compile(
    r"(?i)(?:is_|from_|served_from_)?(?:stale|degraded|cached?|fallback|partial"
    r"|incomplete|truncated)|(?:stale|cache|fallback|degraded)_\w+|warnings?|failures"
    r"|failed|errors?|skipped|unavailable"
)
"""Names of fields that say in a result that it is not what it should be."""

_PAYLOADS: Final = frozenset(
    {
        "html",
        "malformed",
        "truncated",
        "empty_body",
        "null_body",
        "wrong_shape",
        "undecodable",
    }
)
"""Faults that a tool which only passes text on has no way to notice."""

_BODY: Final = re.compile(r"\s*(?:<[!?a-zA-Z]|[{\[]).{20}", re.DOTALL)
"""How a body begins that nobody has read as what it should be."""

_ANSWER_LOST: Final = frozenset(
    ("timeout", "slow", "reset", "html", "malformed", "truncated", "empty_body")
)
"""Faults after which the dependency may well have done what it was asked."""

_MAY_PASS: Final = re.compile(
    r"(?i)(?:.*[_.:-])?(?:time(?:d[_-]?)?[_-]?out|rate[_-]?limit(?:ed)?|throttled|busy"
    r"|too[_-]many[_-]requests|service[_-]unavailable|overloaded"
    r"|(?:db|database|file)[_-]locked)"
)
_WILL_NOT_PASS: Final = re.compile(
    r"(?i)(?:.*[_.:-])?(?:not[_-]?found|forbidden|unauthori[sz]ed|permission[_-]denied"
    r"|access[_-]denied|bad[_-]request|validation(?:[_-]error)?|unsupported"
    r"|invalid[_-](?:argument|input|param(?:eter)?|request|query|date|id)s?"
    r"|syntax(?:[_-]error)?)"
)
_TOLD_IN_TEXT: Final = re.compile(
    r"(?i)\b(?:stale|cached?|outdated|fallback|unavailable|incomplete|skipped|failed"
    r"|failure|error|could not|couldn't|cannot|unable|timed out|denied|refused)\b"
    r"|\u5931\u8d25|\u9519\u8bef|\u7f13\u5b58|\u65e0\u6cd5|\u4e0d\u53ef\u7528"
)
"""Words that say in a text that it is not what it should be."""


@comparison_rule(
    "TR901", "fault-as-success", Severity.ERROR, yields_to=("TR212", "TR201")
)
def fault_as_success(pair: Contrast, contract: Contract) -> Iterator[Breach]:
    """A dependency failed, and the tool reports success with something else.

    Why: the model cannot know that the answer is not what it asked for, and passes it
    on as fact.
    Fix: report an error, or the data that there is with a mark in `meta`: `stale`,
    `fallback`, `warnings`.
    Bad: `except RequestException: return success({"rate": DEFAULT})`
    Bad: `except RequestException: return success(read_cache())`
    Good: `except RequestException: return error("NO_RATES", "Try again.", True)`
    Good: `except RequestException: return success(read_cache(), stale=True)`
    Good: `except RequestException: return fetch(mirror)` with the same data
    """
    failed = _hidden_failure(pair)
    if failed is None or pair.subject.path != "success":
        return
    subject, reference = pair.subject, pair.reference
    if same(subject.data, reference.data, loosely=True):
        yield from _same_in_spite(pair, contract, failed)
    elif not is_part(subject.data, reference.data):
        detail = f"{_failure(failed)}, yet the status is success and data is"
        shown = f"{excerpt(subject.data)} instead of {excerpt(reference.data)}"
        doubt = None if _is_made_up(pair) else _doubt(pair, failed)
        yield Breach(place="data", detail=f"{detail} {shown}", severity=doubt)


@rule("TR902", "fault-as-empty", Severity.ERROR)
def fault_as_empty(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A dependency failed, and the tool reports that nothing was found.

    Why: the model tells the user that there is nothing, although nobody could look.
    Fix: catch failures apart from empty answers, and report an error for them.
    Bad: `except Exception: rows = []`
    Good: `except sqlite3.Error: return error("DB", "The database is down.", True)`
    Good: `if response.status_code == 404: return empty(city=city)`
    """
    if found.path != "empty" or _is_open(found):
        return
    for crossing in failed_for_good(found.outcome):
        cause = cause_of(crossing)
        beside = crossing.call.mutates and _has_source(found, crossing)
        if cause and cause.gravity == "hard" and not beside:
            detail = f"{_failure(crossing)}, yet the status is empty"
            yield Breach(place="status", detail=detail)
            return


@comparison_rule("TR903", "fault-shrinks-result", Severity.ERROR)
def fault_shrinks_result(pair: Contrast, _: Contract) -> Iterator[Breach]:
    """A part of the data is missing because a dependency failed, and nothing says so.

    Why: the model counts and sums what is there, and takes it for all there is.
    Fix: report `status: "partial"` with `failed` or `failures` in `meta`, or an error.
    Bad: `except HTTPError: break` in a loop over pages
    Good: `except HTTPError: return partial(rows, failed=1, total=total)`
    Good: `except HTTPError: return error("PAGE_FAILED", f"Page {page} failed.", True)`
    """
    failed = _hidden_failure(pair)
    if failed is None or pair.subject.path != "success":
        return
    subject, reference = pair.subject.data, pair.reference.data
    if not same(subject, reference) and is_part(subject, reference):
        detail = f"{_failure(failed)}, and data is only {excerpt(subject)} of"
        yield Breach(
            place="data",
            detail=f"{detail} {excerpt(reference)}, with no sign of it",
            severity=_doubt(pair, failed),
        )


@rule("TR904", "wrong-retryable", Severity.ERROR)
def wrong_retryable(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """The error says the opposite of whether trying again can help.

    Why: the model repeats what can never work, or gives up what would work in a
    second.
    Fix: true for timeouts, refused and reset connections, 429, 502, 503 and locked
    databases; false for 401, 403, 404, missing files, refused permissions and
    arguments that are not valid.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "RATE_LIMITED",
    "message": "The service allows 5 calls a minute.", "retryable": false}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code":
    "RATE_LIMITED", "message": "Try again in a minute.", "retryable": true}}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "NOT_FOUND",
    "message": "There is no order o-1.", "retryable": false}}
    """
    says = found.error_fields.get("retryable")
    if found.path != "error" or type(says) is not bool:
        return
    crossing = last_word(found.outcome)
    cause = cause_of(crossing) if crossing else None
    if crossing and cause and cause.retryable is not None:
        if cause.retryable is not says:
            yield Breach(
                place="error.retryable",
                detail=f"{_failure(crossing)}, and error.retryable is {excerpt(says)}",
                severity=None if cause.name in CLEAR_CUT else Severity.ADVICE,
            )
    elif crossing is None and contract.kind != "code":
        # A program that runs too long does so again, whatever the code is called.
        yield from _against_its_code(found, says=says)


@comparison_rule("TR905", "does-not-recover", Severity.ERROR)
def does_not_recover(pair: Contrast, _: Contract) -> Iterator[Breach]:
    """The dependency works again, and the same call still fails.

    Why: the model was told that a retry can help, and every retry is in vain until
    somebody restarts the process.
    Fix: do not keep broken connections, failed answers and failed initialisations;
    make them anew on the next call.
    Bad: `@cache` around a function that returns an error
    Bad: `conn = sqlite3.connect(PATH)` once, closed after the first failure
    Good: `with closing(sqlite3.connect(PATH)) as conn:` in every call
    Good: `create_engine(URL, pool_pre_ping=True)`, whose pool checks its connections
    """
    past = pair.subject.call.reference
    if past is None or past.injection is None or pair.subject.call.injection:
        return
    before, after = pair.reference, pair.subject
    if before.path not in ("success", "partial") or _says_when(after):
        return
    ended = after.path or after.outcome.ending
    if after.path not in ("success", "partial") and ended != "returned":
        because = f": {excerpt(after.message)}" if after.message else ""
        detail = f"{past.injection.fault.name} is over, and the same call ends in"
        place = "status" if after.path else ""
        yield Breach(place=place, detail=f"{detail} {ended}{because}")


@comparison_rule("TR906", "acts-twice", Severity.ERROR)
def acts_twice(pair: Contrast, _: Contract) -> Iterator[Breach]:
    """The tool repeats an action whose answer was lost, and so does it twice.

    Why: two orders, two payments, two messages, and the model knows of one.
    Fix: retry only what may be repeated, or send an idempotency key along; else report
    that nobody knows whether it happened.
    Bad: `for _ in range(3): client.post("/payments", json=payment)` until it answers
    Good: `client.post("/payments", json=payment, headers={"Idempotency-Key": key})`
    Good: `except ReadTimeout: return error("UNKNOWN", "Look before you retry.", False)`
    """
    for crossing in pair.subject.outcome.boundary:
        fault = crossing.fault
        if fault is None or fault.name not in _ANSWER_LOST or crossing.idempotent:
            continue
        call = crossing.call
        times = repeats(pair.subject.outcome, call)
        if call.mutates and times > repeats(pair.reference.outcome, call):
            detail = f"{_failure(crossing)} after it was sent, and it was made"
            yield Breach(place="", detail=f"{detail} {times} times in one call")
            return


def _hidden_failure(pair: Contrast) -> Crossing | None:
    """Return what failed in the subject, unless the result says that something did.

    What is soft is no failure, and what a tool makes of being cancelled TR813 judges.
    """
    if pair.reference.path not in ("success", "partial") or _is_open(pair.subject):
        return None
    for crossing in pair.subject.outcome.boundary:
        cause = cause_of(crossing) if crossing.fault else None
        if cause is None or cause.gravity == "soft" or cause.name == "cancelled":
            continue
        return None if _is_flagged(pair) else crossing
    return None


def _is_open(found: Exhibit) -> bool:
    """Tell whether a way around a failure had other data, so that much may be right."""
    injection = found.call.injection
    return bool(found.call.besides and injection and injection.fault.gravity != "hard")


def _is_flagged(pair: Contrast) -> bool:
    subject, reference = pair.subject, pair.reference
    # Without a status the text is all that a tool can say it with.
    if subject.dialect == "native" and _is_told_in_text(subject.data, reference.data):
        return True
    return any(
        _DEGRADED.fullmatch(name) and not same(value, usual.get(name))
        for fields, usual in (
            (subject.meta_fields, reference.meta_fields),
            (subject.data_fields, reference.data_fields),
        )
        for name, value in fields.items()
    )


def _is_told_in_text(data: object, usual: object) -> bool:
    text = written_text(data)
    if text is None or not _TOLD_IN_TEXT.search(text):
        return False
    return not _TOLD_IN_TEXT.search(written_text(usual) or "")


def _doubt(pair: Contrast, failed: Crossing) -> Severity | None:
    """Tell how sure it is that the data is wrong."""
    cause = cause_of(failed)
    if cause is not None and cause.gravity == "ambiguous":
        return Severity.ADVICE
    if cause is not None and cause.name in _PAYLOADS and _passes_on(pair):
        return Severity.ADVICE
    return None


def _is_made_up(pair: Contrast) -> bool:
    """Tell whether data under a success has nothing of the usual data.

    Other values in the same fields can be right for what is not there, and so can a
    field that says no.
    """
    data, usual = pair.subject.data, pair.reference.data
    if not pair.subject.has_envelope or (is_a(data, str) and is_a(usual, str)):
        return False
    fields, known = _fields(pair.subject), _fields(pair.reference)
    if fields.keys() & known.keys() or any(each is False for each in fields.values()):
        return False
    return not _texts(pair.subject) & _texts(pair.reference)


def _fields(found: Exhibit) -> Mapping[str, Any]:
    """Return the fields of data, or of the first of its rows."""
    if is_a(found.data, list) and list.__len__(found.data):
        return fields_of(list.__getitem__(found.data, 0))
    return found.data_fields


def _texts(found: Exhibit) -> set[str]:
    return {text for _, _, text in found.survey.texts_below("data")}


def _passes_on(pair: Contrast) -> bool:
    """Tell whether a tool hands over what it was handed, whatever that is."""
    if differ_in_texts_only(pair.subject.data, pair.reference.data):
        return True
    new = _texts(pair.subject) - _texts(pair.reference)
    return any(_BODY.match(text) for text in new)


def _same_in_spite(
    pair: Contrast, contract: Contract, failed: Crossing
) -> Iterator[Breach]:
    """Judge a success with the usual data: recovered, or only as if."""
    cause = cause_of(failed)
    if cause is None or cause.gravity != "hard":
        return
    if failed not in failed_for_good(pair.subject.outcome):
        return  # the tool tried again, and it worked
    if failed.call.mutates:
        own = contract.kind == "action" or not _has_source(pair.reference, failed)
        what = "what the call was to do" if own else "a side effect"
        yield Breach(
            place="status",
            detail=f"{_failure(failed)}, {what}, yet the status is success",
            severity=None if own else Severity.ADVICE,
        )
    elif own_copy := _own_copy(pair):
        detail = f"{_failure(failed)}, and the data comes from {told(own_copy.call)}"
        yield Breach(
            place="status",
            detail=f"{detail}, which an earlier call wrote, with no sign of it",
        )


def _has_source(reference: Exhibit, failed: Crossing) -> bool:
    """Tell whether the answer stems from elsewhere than the call that failed."""
    return any(
        not each.call.mutates
        and (each.call.seam != failed.call.seam or each.rows is not None)
        for each in reference.outcome.boundary
    )


def _own_copy(pair: Contrast) -> Crossing | None:
    """Return where the subject alone read what such a tool itself puts by."""
    usual = pair.reference.outcome.boundary
    known = {(each.call.kind, each.call.detail) for each in usual}
    written = {each.call.seam for each in usual if each.call.mutates}
    for each in pair.subject.outcome.boundary:
        new = (each.call.kind, each.call.detail) not in known
        read = new and not each.call.mutates and not each.failure
        if read and each.call.seam in written:
            return each
    return None


def _against_its_code(found: Exhibit, *, says: bool) -> Iterator[Breach]:
    code = plain_text(found.error_fields.get("code")) or ""
    against = _WILL_NOT_PASS if says else _MAY_PASS
    if against.fullmatch(code):
        detail = f"the code is {excerpt(code)}, and error.retryable is {excerpt(says)}"
        yield Breach(place="error.retryable", detail=detail, severity=Severity.WARNING)
        return
    words = told_to_pass(found.message) if found.message else None
    if words and words[0] is not says:
        detail = (
            f'the message says "{words[1]}", and error.retryable is {excerpt(says)}'
        )
        yield Breach(place="error.retryable", detail=detail, severity=Severity.WARNING)


def _says_when(found: Exhibit) -> bool:
    """Tell whether an error says after what time to come back, as a breaker does."""
    fields: Mapping[str, Any] = {**found.meta_fields, **found.error_fields}
    waits = any("retry_after" in name or "retry_in" in name for name in fields)
    return waits and found.error_fields.get("retryable") is True


def _failure(crossing: Crossing) -> str:
    cause: Fault | None = cause_of(crossing)
    name = cause.name if cause and cause.name == crossing.failure else crossing.failure
    return f"{told(crossing.call)} failed ({name})"
