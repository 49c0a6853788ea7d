"""TR2: whether the status tells the truth about what came back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.plain import parsed
from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.rules.exhibit import plain_int, plain_text, written_text
from pytest_toolresult.rules.failure_text import is_failure
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.walk import fields_of, is_a, members_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_OUTPUT_FIELDS: Final = frozenset(
    ("stdout", "stderr", "output", "exit_code", "returncode")
)
_EXPLAINING_FIELDS: Final = frozenset(
    ("message", "note", "hint", "reason", "detail", "query", "suggestion")
)
_SIZED: Final[tuple[Any, ...]] = (str, dict, list, tuple)
_WAYS_ON: Final = (
    *("next_cursor", "cursor", "next_offset", "next_page", "next_page_token", "next"),
    *("result_id", "continuation", "has_more"),
)


@rule("TR201", "error-as-data", Severity.ERROR, yields_to=("TR212",))
def error_as_data(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    r"""A failure is handed over as the data of a successful call.

    Why: the model reads data as fact and tells the user the error as the answer.
    Fix: report it as an error, with a code, a message and whether a retry helps.
    Bad: {"status": "success", "data": "Error: upstream answered 503", "error": null,
    "meta": {}}
    Bad: {"status": "success", "data": {"error": "no such table: orders"},
    "error": null, "meta": {}}
    Bad: {"status": "success", "data": "{\"error\": \"no such table: orders\"}",
    "error": null, "meta": {}}
    Bad: returns "ConnectionError: the server closed the connection"
    Bad: returns {"ok": false, "reason": "timeout"}
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code":
    "UPSTREAM_DOWN", "message": "The upstream answered 503; try again in a minute.",
    "retryable": true}}
    Good: {"status": "success", "data": {"order_status": "rejected", "error": null},
    "error": null, "meta": {}}
    Good: returns "Chapter 3 is about error handling: how an Error is raised."
    """
    if found.path not in ("success", "partial"):
        return
    text = written_text(found.data) if contract.kind != "file" else None
    if text is not None and is_failure(text):
        detail = f"data of a {found.path} is the text of a failure: {excerpt(text)}"
        yield Breach(place="data", detail=detail)
    written = fields_of(parsed(text)) if text is not None else {}
    for name, value in (written or found.data_fields).items():
        if _says_failure(name, value):
            detail = f"data of a {found.path} says that it failed: {name} is"
            yield Breach(place=f"data.{name}", detail=f"{detail} {excerpt(value)}")
            return


def _says_failure(name: str, value: object) -> bool:
    if name in ("error", "errors", "error_message"):
        return value is True or bool(plain_text(value)) or _has_members(value)
    if name in ("ok", "success"):
        return value is False
    code = plain_int(value) if name == "status_code" else None
    return code is not None and 400 <= code <= 599  # noqa: PLR2004 - HTTP's failures


@rule("TR202", "success-without-data", Severity.ERROR, needs_envelope=True)
def success_without_data(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A success carries null, an empty list or an empty object.

    Why: the model was promised an answer, finds none, and makes one up.
    Fix: report `status: "empty"` where nothing was found; an action returns the id
    of what it did.
    Bad: {"status": "success", "data": [], "error": null, "meta": {}}
    Good: {"status": "empty", "data": [], "error": null, "meta": {}}
    Good: {"status": "success", "data": 0, "error": null, "meta": {}}
    Good: {"status": "success", "data": "", "error": null, "meta": {"bytes": 0}}
    """
    if found.path != "success" or found.envelope is None:
        return
    if "data" in found.envelope.missing or is_a(found.data, str):
        return
    if _is_void(found.data):
        detail = f"the status is success, yet data is {excerpt(found.data)}"
        yield Breach(place="data", detail=detail)


@rule("TR203", "empty-with-data", Severity.ERROR, needs_envelope=True)
def empty_with_data(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The status says that nothing was found, and there are rows.

    Why: the model tells the user that there is nothing although there is.
    Fix: report `status: "success"` with these rows, or send no data.
    Bad: {"status": "empty", "data": [{"order_id": "o-1"}], "error": null, "meta": {}}
    Good: {"status": "empty", "data": [], "error": null, "meta": {"query": "o-1"}}
    Good: {"status": "success", "data": [{"order_id": "o-1"}], "error": null,
    "meta": {}}
    """
    if found.path == "empty" and _carries_rows(found):
        detail = f"the status is empty, yet data is {excerpt(found.data)}"
        yield Breach(place="data", detail=detail)


@rule("TR204", "error-with-data", Severity.ERROR, needs_envelope=True)
def error_with_data(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """An error carries data as well.

    Why: a model answers from whatever data it sees and passes over the error.
    Fix: report `status: "partial"` if the data is good; otherwise leave it out.
    Bad: {"status": "error", "data": [{"order_id": "o-1"}], "meta": {}, "error":
    {"code": "DB_TIMEOUT", "message": "The query timed out.", "retryable": true}}
    Good: {"status": "error", "data": null, "meta": {}, "error":
    {"code": "DB_TIMEOUT", "message": "The query timed out.", "retryable": true}}
    Good: {"status": "error", "data": {"stdout": "", "stderr": "no such file"},
    "meta": {"exit_code": 1}, "error": {"code": "EXIT_CODE",
    "message": "The command ended with 1; see stderr.", "retryable": false}}
    """
    if found.path != "error" or _is_void(found.data) or found.data is False:
        return
    fields = found.data_fields
    if fields and contract.kind in (None, "code") and fields.keys() <= _OUTPUT_FIELDS:
        return
    detail = f"the status is error, yet data is {excerpt(found.data)}"
    yield Breach(place="data", detail=detail)


@rule(
    "TR205", "empty-shape", Severity.ADVICE, needs_envelope=True, yields_to=("TR203",)
)
def empty_shape(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An empty result is written as something other than null or an empty list.

    Why: one way of writing "nothing" is easier to recognise than five.
    Fix: send `null` or `[]`, and put explanations into `meta`.
    Bad: {"status": "empty", "data": {}, "error": null, "meta": {}}
    Good: {"status": "empty", "data": [], "error": null, "meta": {}}
    Good: {"status": "empty", "data": null, "error": null, "meta": {"query": "x"}}
    """
    if found.path != "empty" or found.data is None or _carries_rows(found):
        return
    if not _is_empty_list(found.data):
        detail = f"the status is empty and data is {excerpt(found.data)}"
        yield Breach(place="data", detail=f"{detail} instead of null or []")


@rule("TR206", "partial-unmarked", Severity.ERROR, needs_envelope=True)
def partial_unmarked(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A partial result does not say whether it was cut or some items failed.

    Why: the model cannot tell the user what is missing, nor whether to ask for more.
    Fix: set `meta.truncated` to true, or list the failed items in `meta.failures`
    and count them in `meta.failed`.
    Bad: {"status": "partial", "data": [1, 2], "error": null, "meta": {"total": 9}}
    Good: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"truncated": true, "total": 9, "next_cursor": "p2"}}
    Good: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"total": 3, "failed": 1, "failures": [{"id": 3, "code": "TIMEOUT"}]}}
    """
    if found.path != "partial" or not _has_meta(found):
        return
    meta = found.meta_fields
    failed = plain_int(meta.get("failed"))
    if meta.get("truncated") is True or (failed is not None and failed > 0):
        return
    if not _has_members(meta.get("failures")):
        detail = f"the status is partial, yet meta is only {excerpt(found.meta_fields)}"
        yield Breach(place="meta", detail=detail)


@rule(
    "TR207",
    "partial-without-total",
    Severity.ERROR,
    needs_envelope=True,
    yields_to=("TR206",),
)
def partial_without_total(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A partial list does not say how much there is in all.

    Why: "5 of 6" and "5 of 50,000" call for different next steps.
    Fix: set `meta.total`; where nobody knows it, send `total: null` with a cursor.
    Bad: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"truncated": true}}
    Good: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"truncated": true, "total": 9, "next_cursor": "p2"}}
    Good: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"truncated": true, "total": null, "next_cursor": "p2"}}
    """
    if found.path != "partial" or not _has_meta(found):
        return
    meta = found.meta_fields
    if any(_is_total(name) and value is not None for name, value in meta.items()):
        return
    if "total" in meta and any(
        meta.get(name) for name in _WAYS_ON if _simple(meta, name)
    ):
        return
    is_list = is_a(found.data, list) or is_a(found.data, tuple)
    yield Breach(
        place="meta.total",
        detail=f"the status is partial, yet meta has no total: {excerpt(meta)}",
        severity=None if is_list else Severity.WARNING,
    )


@rule("TR209", "count-mismatch", Severity.ERROR)
def count_mismatch(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A count in `meta` does not agree with the data beside it.

    Why: the model repeats the number to the user, or pages on for rows that are
    not there.
    Fix: compute the count from the very list that is returned; `total` counts all
    there is, `count` and `returned` what came back.
    Bad: {"status": "success", "data": [1, 2], "error": null, "meta": {"count": 3}}
    Bad: {"status": "partial", "data": [5, 6, 7], "error": null,
    "meta": {"truncated": true, "offset": 4, "total": 6}}
    Good: {"status": "success", "data": [1, 2], "error": null, "meta": {"count": 2}}
    Good: {"status": "partial", "data": [5, 6], "error": null,
    "meta": {"truncated": true, "offset": 4, "total": 60, "returned": 2}}
    """
    if found.path in (None, "error"):
        return
    lengths = _lengths(found.data)
    shown = " or ".join(str(each) for each in sorted(lengths))
    for name in ("count", "returned", "returned_lines"):
        stated = plain_int(found.meta_fields.get(name))
        if name != "returned_lines" and is_a(found.data, str):
            continue  # a text has no rows to count
        if stated is not None and lengths and stated not in lengths:
            detail = f"meta.{name} is {excerpt(stated)}, but data has {shown}"
            yield Breach(place=f"meta.{name}", detail=detail)
    yield from _total_below(found)


def _total_below(found: Exhibit) -> Iterator[Breach]:
    injection = found.call.injection
    if injection and injection.fault.leads_to == "partial":
        return  # rows were made up; a total that the dependency gave was not
    total = plain_int(found.meta_fields.get("total"))
    offset = plain_int(found.meta_fields.get("offset")) or 0
    lengths = set() if is_a(found.data, str) else _lengths(found.data)
    if total is None or not lengths:
        return
    (length,) = lengths
    if length and total < max(offset, 0) + length:
        before = f" after an offset of {excerpt(offset)}" if offset > 0 else ""
        detail = f"meta.total is {excerpt(total)}, but data has {length} rows{before}"
        yield Breach(place="meta.total", detail=detail)


@rule("TR210", "wrong-path", Severity.ERROR)
def wrong_path(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A call ended on another path than its declaration promises.

    Why: a model that meets the case in production is told something else than the
    tool's authors think.
    Fix: repair the tool, or correct the declaration if the tool is right.
    Bad: `success={"customer_id": "c-1"}` answered with `status: "empty"`
    Good: `empty={"customer_id": "nobody"}` answered with `status: "empty"`
    Good: `error=Case({"customer_id": ""}, code="NO_ID")` answered with that code
    """
    # A case that let an exception escape, hung or ended the process is told by the
    # rules about those; a status that nobody knows by TR101 and TR102.
    if found.path is None or found.escaped:
        return
    case = found.call.case
    if case is not None and case.status is not None and found.path != case.status:
        detail = f"declared as {case.status}, but the status is {found.path}"
        yield Breach(place="status", detail=f"{detail}{_because(found)}")
    elif found.path in contract.never:
        reason = contract.never[found.path]  # type: ignore[index] # one of STATUSES
        detail = f"{found.path} was declared impossible ({reason}), and here it is"
        yield Breach(place="status", detail=detail)
    elif case is not None and case.code is not None:
        yield from _wrong_code(found, case.code)


def _wrong_code(found: Exhibit, promised: str) -> Iterator[Breach]:
    code = found.error_fields.get("code")
    if code is None and not found.has_envelope:
        return  # the dialect may have no codes to compare
    if plain_text(code) != promised:
        detail = f"declared with the code {promised}, but the code is {excerpt(code)}"
        yield Breach(place="error.code", detail=detail)


def _because(found: Exhibit) -> str:
    return f": {excerpt(found.message)}" if found.message else ""


def _carries_rows(found: Exhibit) -> bool:
    """Tell rows from the ways in which tools spell out that there are none."""
    if is_a(found.data, list) or is_a(found.data, tuple):
        return not _is_void(found.data)
    return any(
        not _is_void(value) and plain_int(value) != 0
        for name, value in found.data_fields.items()
        if name not in _EXPLAINING_FIELDS
    )


def _has_meta(found: Exhibit) -> bool:
    """A missing or malformed `meta` is the business of TR103 and TR105."""
    return bool(found.meta_fields) or bool(
        found.envelope is not None and is_a(found.envelope.meta, dict)
    )


def _is_void(value: Any) -> bool:
    for kind in _SIZED:
        if is_a(value, kind):
            return bool(kind.__len__(value) == 0)
    return value is None


def _is_empty_list(value: Any) -> bool:
    return (is_a(value, list) or is_a(value, tuple)) and _is_void(value)


def _has_members(value: Any) -> bool:
    containers = is_a(value, dict) or is_a(value, list) or is_a(value, tuple)
    return (containers and not _is_void(value)) or bool(members_of(value))


def _is_total(name: str) -> bool:
    return name == "total" or name.startswith("total_")


def _simple(meta: Any, name: str) -> bool:
    value = meta.get(name)
    return bool(plain_text(value)) or value is True or plain_int(value) is not None


def _lengths(data: Any) -> set[int]:
    """How long data may be said to be: a last line break may count or not."""
    text = plain_text(data)
    if text is not None:
        lines = text.count("\n")
        return {lines, lines + 1, len(text.splitlines())}
    if is_a(data, list):
        return {list.__len__(data)}
    return {tuple.__len__(data)} if is_a(data, tuple) else set()
