"""TR2: whether an answer is what its status makes of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.cuts import is_cut_json, is_cut_table
from pytest_toolresult.rules.exhibit import plain_int, plain_text
from pytest_toolresult.rules.paging import goes_on
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.vocabulary import ends_in, has_one, table, words_of
from pytest_toolresult.walk import fields_of, is_a, members_of, sequence_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit, Series

_NO_ANSWER: Final = re.compile(
    r"(?:[\w ]{1,30}[:=]\s*)?[-+(]{0,2}"
    r"(?:nan(?:[-+]nanj)?|none|null|undefined|nil|n/a|空|无|未定义)[).\s]*",
    re.IGNORECASE,
)
"""A word for "no value", alone or behind a label."""

_LONGEST_NO_ANSWER: Final = 60
_MOST_ROWS: Final = 10_000

_IDS: Final = table(
    en="id ids uuid guid key reference ref number no token sha hash url uri path name"
    " slug handle receipt etag",
    zh="编号 单号 订单号 流水号 标识 路径",
)
_COUNTING: Final = table(
    en="count total found matches hits size length number num returned results rows",
    zh="总数 数量 条数 命中",
)


@rule("TR211", "broken-by-cut", Severity.ERROR, yields_to=("TR208",))
def broken_by_cut(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    r"""A text is JSON or a table that ends in the middle.

    Why: a model completes what is broken off, with values that nobody sent.
    Fix: cut between rows, report `partial` with the total, and say how to get the rest.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    "[{\"order_id\": \"o-1\", \"total\": \"9.50\"}, {\"order_id\": \"o-2\", \"tot"}
    Bad: returns "order_id,customer,total\no-1,Ann,9.50\no-2,Bob,12.00\no-3,Ca"
    Good: {"status": "success", "error": null, "meta": {}, "data":
    "[{\"order_id\": \"o-1\", \"total\": \"9.50\"}]"}
    Good: returns "order_id,customer,total\no-1,Ann,9.50\no-2,Bob,12.00\n"
    """
    text = plain_text(found.data)
    if text is None or found.path != "success" or contract.kind == "file":
        return
    if is_cut_json(text):
        detail = f"data is JSON that breaks off: {excerpt_text(text)}"
        yield Breach(place="data", detail=detail)
    elif is_cut_table(text):
        last = text.rstrip("\n").rpartition("\n")[2]
        detail = f"the last row of the table in data breaks off: {excerpt(last)}"
        yield Breach(place="data", detail=detail)


def _acted_on_what_is_not(shown: Series, _: Contract) -> Iterator[Breach]:
    """Look at actions on ids that cannot exist."""
    base = shown.exhibits[0]
    for index, found in enumerate(shown.exhibits):
        part = found.call.part
        if part is None or part.role != "missing" or found.path != "success":
            continue
        if not _says_no(found, base):
            yield Breach(
                place="status",
                detail=f"{part.told} the action reports success",
                severity=Severity.ERROR,
                remedy="Look whether it exists, and answer with an error if not.",
                index=index,
                beside=0 if index else None,
            )
            return


def _says_no(found: Exhibit, base: Exhibit) -> bool:
    """Tell whether a success says in a field that nothing was done: `deleted: 0`."""
    usual = base.data_fields
    return any(
        (value is False or value == 0) and usual.get(name, True) != value
        for name, value in found.data_fields.items()
        if type(value) in (bool, int)
    )


@rule(
    "TR213",
    "acted-on-nothing",
    Severity.WARNING,
    yields_to=("TR202",),
    relate=_acted_on_what_is_not,
)
def acted_on_nothing(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """The success of an action does not say on what it acted, or that is not there.

    Why: without the operation's id the model cannot refer to it, look it up or undo it,
    and cannot tell whether anything was done.
    Fix: return the id of what was sent, created, changed or removed.
    Bad: `kind="action"`, and the tool answers with `{"sent": true}`
    Bad: `UPDATE orders SET state = 'cancelled' WHERE id = ?`, whose row count nobody
    looks at
    Good: `kind="action"`, and the tool answers with `{"message_id": "m-31"}`
    Good: `kind="action"`, and the tool answers with `"created ticket SHOP-17"`
    """
    if contract.kind != "action" or found.path != "success":
        return
    text = plain_text(found.data)
    if text is not None:
        named = any(each.isdigit() for each in text)
    else:
        number = plain_int(found.data)
        named = number is not None or any(map(_is_id, found.survey.names))
    if not named:
        detail = f"nothing in {excerpt(found.data)} says on what the action acted"
        yield Breach(place="data", detail=detail)


def _is_id(name: str) -> bool:
    return ends_in(words_of(name), _IDS)


@rule("TR215", "hollow-success", Severity.WARNING)
def hollow_success(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A success holds nothing: only empty lists and zeros, or a word for "no value".

    Why: the model is told that there is an answer, and finds none.
    Fix: report `empty`, and say in `meta` what was looked for.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"query": "zzz", "matches": [], "match_count": 0}}
    Bad: returns "Result: nan"
    Good: {"status": "empty", "error": null, "meta": {"query": "zzz"}, "data": []}
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"booking_count": 0, "is_closed": false}}
    """
    if found.path != "success":
        return
    text = plain_text(found.data)
    if text is not None and len(text) <= _LONGEST_NO_ANSWER:
        if _NO_ANSWER.fullmatch(text.strip()) and not found.was_sent(text):
            detail = f"the whole answer is {excerpt(text)}"
            yield Breach(place="data", detail=detail)
    elif found.has_envelope and _is_hollow(found.data_fields):
        detail = f"every list is empty and every count 0: {excerpt(found.data)}"
        yield Breach(place="data", detail=detail)


def _is_hollow(fields: Mapping[str, Any]) -> bool:
    lists = [each for each in map(sequence_of, fields.values()) if each is not None]
    if not lists or any(lists):
        return False
    for name, value in fields.items():
        holds = is_a(value, dict) or (sequence_of(value) is None and members_of(value))
        if holds or is_a(value, float) or value is True:
            return False
        number = plain_int(value)
        if number and (number < 0 or _counts(name)):
            return False
    return True


def _counts(name: str) -> bool:
    return has_one(words_of(name), _COUNTING)


@rule("TR216", "failed-items-inside", Severity.WARNING)
def failed_items_inside(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Some rows of a success carry an error.

    Why: the model reports the whole as done, and what failed is never tried again.
    Fix: report `partial`, and list what failed in `meta.failures`.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    [{"page": "a", "error": null}, {"page": "b", "error": "timed out"}]}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    [{"page": "a", "error": null}, {"page": "b", "error": null}]}
    Good: {"status": "partial", "error": null, "data": [{"page": "a"}], "meta":
    {"total": 2, "failed": 1, "failures": [{"page": "b", "code": "TIMEOUT"}]}}
    """
    if found.path != "success" or "error" not in found.survey.names:
        return
    for position, items in found.survey.objects_below("data"):
        if type(found.survey.containers[position][1]) is not int:
            continue
        for name, value in items:
            if name == "error" and _says_error(value):
                place = found.survey.place((position, name, None))
                detail = f"{place} is {excerpt(value)} under a success"
                yield Breach(place=place, detail=detail)


def _says_error(value: object) -> bool:
    return value is True or bool(plain_text(value)) or bool(fields_of(value))


@rule("TR217", "more-but-not-partial", Severity.WARNING)
def more_but_not_partial(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """There is a next page, and the status is success. Only in the strict profile.

    Why: a model that goes by the status takes the first page for all there is.
    Fix: report `partial` as long as there is a next page.
    Bad: `{"status": "success", "meta": {"next_cursor": "p2"}, ...}`
    Good: `{"status": "partial", "meta": {"next_cursor": "p2", ...}, ...}`
    Good: `{"status": "success", "meta": {"next_cursor": null}, ...}`
    """
    if found.settings.profile != "strict" or found.path != "success":
        return
    for root, fields in (("meta", found.meta_fields), ("data", found.data_fields)):
        name = goes_on(fields)
        if name:
            detail = f"{root}.{name} says that there is more, yet the status is success"
            yield Breach(place=f"{root}.{name}", detail=detail)
            return
