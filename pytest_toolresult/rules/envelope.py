"""TR1: whether the four fields are there and are what they should be."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from pytest_toolresult.envelope import FIELDS, STATUSES
from pytest_toolresult.errors import nearest
from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.rules.exhibit import RESULT, plain_text
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.walk import fields_of, is_a, members_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit


@rule("TR101", "not-an-envelope", Severity.ERROR, needs_envelope=True)
def not_an_envelope(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The result cannot be read as status, data, error and meta.

    Why: a model that learned one shape has to guess what another one means, and
    takes a failure for an answer.
    Fix: return the four fields on every path, the early returns and error branches
    included.
    Bad: ["c-1", "c-2"]
    Good: {"status": "success", "data": ["c-1", "c-2"], "error": null, "meta": {}}
    Good: {"status": "empty", "data": [], "error": null, "meta": {}}
    """
    outcome = found.outcome
    if found.envelope is not None or outcome.ending != "returned":
        return
    value = outcome.reply.value if outcome.reply else None
    if outcome.exception is not None or inspect.iscoroutine(value):
        return  # TR801 and TR812 say what really happened
    detail = f"the result is not the four fields but {excerpt(value)}"
    yield Breach(place=RESULT, detail=detail)


@rule("TR102", "unknown-status", Severity.ERROR, needs_envelope=True)
def unknown_status(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The status is none of success, error, empty and partial.

    Why: a model decides by the status whether to answer, to retry or to ask; a word
    it was not told about leaves it guessing.
    Fix: use one of the four statuses and put finer words into `data` or `error.code`.
    Bad: {"status": "ok", "data": {"order_id": "o-1"}, "error": null, "meta": {}}
    Good: {"status": "success", "data": {"order_id": "o-1"}, "error": null, "meta": {}}
    Good: {"status": "partial", "data": {"order_status": "ok"}, "error": null,
    "meta": {"truncated": true, "total": 2, "next_cursor": "p2"}}
    """
    envelope = found.envelope
    if envelope is None or found.path or "status" in envelope.missing:
        return
    near = nearest(plain_text(envelope.status) or "", STATUSES)
    hint = f"; did you mean {near!r}?" if near else ""
    valid = ", ".join(STATUSES)
    shown = excerpt(envelope.status)
    yield Breach(place="status", detail=f"the status is {shown}, none of {valid}{hint}")


@rule("TR103", "missing-field", Severity.ERROR, needs_envelope=True)
def missing_field(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """One of the four fields is absent although it has something to say.

    Why: a reader cannot tell a field that was forgotten from one that is empty.
    Fix: send all four fields; only `data` and `error` may be left out, and only
    where they would be null.
    Bad: {"status": "success", "data": {"order_id": "o-1"}, "error": null}
    Good: {"status": "success", "data": {"order_id": "o-1"}, "meta": {}}
    Good: {"status": "error", "meta": {},
    "error": {"code": "NOT_FOUND", "message": "no order o-1", "retryable": false}}
    """
    if found.envelope is None:
        return
    needed = {"status", "meta"}
    if found.path in ("success", "partial"):
        needed.add("data")
    if found.path == "error":
        needed.add("error")
    for name in FIELDS:
        if name in needed and name in found.envelope.missing:
            detail = f"the field {name!r} is missing"
            yield Breach(place=name, detail=detail)


@rule("TR104", "unexpected-field", Severity.WARNING, needs_envelope=True)
def unexpected_field(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A field stands beside the four of the envelope.

    Why: a model reads every top-level field as part of the answer.
    Fix: move it into `data` or `meta`.
    Bad: {"status": "success", "data": 1, "error": null, "meta": {}, "took": 3}
    Good: {"status": "success", "data": 1, "error": null, "meta": {"took": 3}}
    Good: {"status": "success", "data": {"took": 3}, "error": null, "meta": {}}
    """
    if found.envelope is None:
        return
    for name, value in fields_of(found.envelope.extra).items():
        detail = (
            f"{excerpt(name)} is none of the four fields; it holds {excerpt(value)}"
        )
        yield Breach(place=name, detail=detail)


@rule("TR105", "meta-not-object", Severity.ERROR, needs_envelope=True)
def meta_not_object(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The field `meta` is not an object.

    Why: counts, cursors and marks of incompleteness are looked up in it by name.
    Fix: send an object; `{}` where there is nothing to say.
    Bad: {"status": "success", "data": ["c-1"], "error": null, "meta": null}
    Good: {"status": "success", "data": ["c-1"], "error": null, "meta": {}}
    Good: {"status": "success", "data": ["c-1"], "error": null, "meta": {"count": 1}}
    """
    envelope = found.envelope
    if envelope is None or "meta" in envelope.missing:
        return
    if not is_a(envelope.meta, dict) and not members_of(envelope.meta):
        detail = f"meta is {excerpt(envelope.meta)} and not an object"
        yield Breach(place="meta", detail=detail)


@rule("TR106", "error-beside-result", Severity.ERROR, needs_envelope=True)
def error_beside_result(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An error is set although the status says that there is a result.

    Why: the model is told of a success and of a failure at once and believes either.
    Fix: report `status: "error"` if the call failed; list what failed for single
    items in `meta.failures`.
    Bad: {"status": "success", "data": ["c-1"], "meta": {},
    "error": {"code": "TIMEOUT", "message": "page 2 timed out", "retryable": true}}
    Good: {"status": "success", "data": ["c-1"], "error": null, "meta": {}}
    Good: {"status": "partial", "data": ["c-1"], "error": null,
    "meta": {"total": 2, "failures": [{"customer_id": "c-2", "code": "TIMEOUT"}]}}
    """
    if found.envelope is None or found.path in (None, "error"):
        return
    error = found.envelope.error
    if error is None or error is False:
        return
    if found.error_fields or plain_text(error) or members_of(error) or _opaque(error):
        detail = f"the status is {found.path}, yet error is {excerpt(error)}"
        yield Breach(place="error", detail=detail)


def _opaque(error: object) -> bool:
    return not any(is_a(error, kind) for kind in (str, dict, list, tuple))
