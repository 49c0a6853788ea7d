"""TR4: whether the data is built so that a model finds its way through it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.rows import rows_of
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.vocabulary import ends_in, has_one, table, words_of
from pytest_toolresult.walk import TOP, is_a, members_of, sequence_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit
    from pytest_toolresult.walk import Survey

_DEEPEST: Final = 3
"""Objects within objects: `data` itself, or a row, and two levels below it."""

_WRAPPERS: Final = table(
    en="result results data list items rows response payload output"
)
_LONG_RESULT: Final = 2_000
"""Characters from which it matters what stands first."""

_DETAILS: Final = 10
_LONG_TEXT: Final = 1_000
_MANY_ROWS: Final = 10
_COLUMNS: Final = 2
_COLUMN_NAMES: Final = table(en="columns headers header fields", zh="列名 表头")


@rule("TR401", "deep-nesting", Severity.ADVICE)
def deep_nesting(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Objects stand more than two levels below the data.

    Why: the deeper a value stands, the more often it is taken for another one's, or
    overlooked.
    Fix: lift what matters to the top, and name it in full: `customer_city` instead of
    `customer.address.city`.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"order": {"customer": {"address": {"city": "Oslo"}}}}}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"order_id": "o-1", "customer_city": "Oslo"}}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"name": "root", "children": [{"name": "a", "children": [{"name": "b", "children":
    [{"name": "c", "children": []}]}]}]}}
    """
    survey = found.survey
    objects = {position for position, _ in survey.objects_below("data")}
    depths: dict[int, int] = {}
    for position in survey.containers_below("data"):
        above, _step = survey.containers[position]
        depths[position] = depths.get(above, 0) + (position in objects)
        if depths[position] <= _DEEPEST or depths.get(above, 0) > _DEEPEST:
            continue
        if not _is_self_similar(survey, position):
            place = survey.place((above, _step, None))
            yield Breach(
                place=place,
                detail=f"{place} is an object {depths[position] - 1} levels below data",
            )


def _is_self_similar(survey: Survey, position: int) -> bool:
    """Tell a tree, whose levels have one name, from levels that differ."""
    names = []
    while position != TOP:
        position, step = survey.containers[position]
        if is_a(step, str):
            names.append(str.__str__(step))
    return len(set(names)) < len(names)


@rule("TR405", "idle-wrapper", Severity.WARNING)
def idle_wrapper(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The data is one object around the real data and says nothing itself.

    Why: each level that says nothing costs tokens and moves the answer away from where
    the model looks first.
    Fix: hand over what stands inside.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"results": [{"order_id": "o-1"}]}}
    Bad: returns {"response": {"order_id": "o-1", "order_status": "paid"}}
    Good: {"status": "success", "error": null, "meta": {"count": 1},
    "data": [{"order_id": "o-1"}]}
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"orders": [{"order_id": "o-1"}]}}
    """
    if len(found.data_fields) != 1 or found.path not in ("success", "partial"):
        return
    (name, value) = next(iter(found.data_fields.items()))
    holds = is_a(value, dict) or sequence_of(value) is not None or members_of(value)
    if holds and name.casefold() in _WRAPPERS:
        detail = f"data holds nothing but {name!r}, which holds the real data"
        yield Breach(place="data", detail=detail, remedy=f"Hand over data.{name}.")


@rule("TR406", "ragged-rows", Severity.WARNING, yields_to=("TR702", "TR703"))
def ragged_rows(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Rows of one list have fields of different types, or hardly a field in common.

    Why: a model reads the first rows and expects the others to be alike.
    Fix: give every row the same fields with the same types; null stands for what is
    not known.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    [{"order_id": "o-1", "quantity": 2}, {"order_id": "o-2", "quantity": "two"}]}
    Bad: returns [{"name": "Ann", "age": 3}, {"title": "Dune", "pages": 412}]
    Good: {"status": "success", "error": null, "meta": {}, "data":
    [{"order_id": "o-1", "quantity": 2}, {"order_id": "o-2", "quantity": null}]}
    Good: returns [{"type": "text", "text": "a"}, {"type": "image", "url": "b"}]
    """
    for rows in rows_of(found.survey):
        if rows.are_alike or rows.tell_their_kind:
            continue
        place = found.survey.place((*rows.place, None))
        mixed = rows.mixed_types()
        for name, kinds in mixed.items():
            detail = f"{excerpt_text(name)} in the rows of {place} is {kinds}"
            yield Breach(place=f"{place}[].{excerpt_text(name)}", detail=detail)
        if not mixed and rows.share_little:
            detail = f"the rows of {place} share under half of their fields"
            yield Breach(place=place, detail=detail)


@rule("TR407", "late-summary", Severity.ADVICE)
def late_summary(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """In a long result the summary stands behind the details.

    Why: what stands first is read best, and what stands last is what a cut takes away.
    Fix: put the summary in front of the details.
    Bad: `{"rows": [...200 rows...], "summary": "3 orders are late"}`
    Good: `{"summary": "3 orders are late", "rows": [...200 rows...]}`
    Good: `{"summary": "3 orders are late", "late_orders": ["o-1", "o-7", "o-9"]}`
    """
    if len(found.survey.everything) < _LONG_RESULT:
        return
    details = ""
    for name, value in found.data_fields.items():
        if _is_detail(value):
            details = details or name
        elif details and _is_summary(name):
            detail = f"{name!r} stands behind {details!r}, which holds the details"
            yield Breach(place=f"data.{name}", detail=detail)
            return


def _is_detail(value: object) -> bool:
    if is_a(value, str):
        return str.__len__(value) >= _LONG_TEXT
    return len(sequence_of(value) or ()) >= _DETAILS


_SUMMARIES: Final = table(
    en="summary conclusion overview headline abstract verdict",
    zh="摘要 总结 结论 概要 概述",
)


def _is_summary(name: str) -> bool:
    return has_one(words_of(name), _SUMMARIES)


@rule("TR416", "missing-count", Severity.ADVICE, needs_envelope=True)
def missing_count(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A list of ten rows or more comes without its count.

    Why: models count badly, and "how many" is often the question.
    Fix: set `meta.count`.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}
    Good: {"status": "success", "error": null, "meta": {"count": 10},
    "data": [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}
    Good: {"status": "success", "error": null, "meta": {}, "data": [11, 12, 13]}
    """
    rows = len(sequence_of(found.data) or ())
    if rows < _MANY_ROWS or found.path not in ("success", "partial"):
        return
    if not any(_counts(name) for name in found.meta_fields):
        yield Breach(place="meta", detail=f"data has {rows} rows, and meta no count")


_COUNTING: Final = table(
    en="count total returned rows hits size number items results",
    zh="总数 数量 条数 计数",
)


def _counts(name: str) -> bool:
    return has_one(words_of(name), _COUNTING)


@rule("TR418", "unnamed-columns", Severity.WARNING)
def unnamed_columns(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Rows are bare lists, and nothing says what their columns mean.

    Why: the model never saw the query, and has to guess which value is which.
    Fix: make each row an object with a name for each value, or put the names of the
    columns beside the rows.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": [[1, "ann", "paid"], [2, "bob", "open"]]}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    [{"order_id": 1, "customer": "ann"}, {"order_id": 2, "customer": "bob"}]}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"columns": ["order_id", "customer"], "rows": [[1, "ann"], [2, "bob"]]}}
    """
    named: bool | None = None
    for position, members in found.survey.arrays_below("data"):
        if not _are_bare_rows(members):
            continue
        if named is None:
            named = _names_columns(found)
        if named:
            return
        place = found.survey.place((*found.survey.containers[position], None))
        detail = f"the rows of {place} have no names for their columns"
        yield Breach(place=place, detail=f"{detail}: {excerpt(members[0])}")


def _are_bare_rows(members: Sequence[Any]) -> bool:
    """Tell records, which mix texts and numbers, from pairs of words and matrices."""
    if len(members) < _COLUMNS:
        return False
    rows = [sequence_of(each) for each in members[:_MANY_ROWS]]
    first = rows[0]
    if first is None or len(first) < _COLUMNS or not _is_record(first):
        return False
    return all(
        row is not None and len(row) == len(first) for row in rows
    ) and not _starts_with_names(members)


def _is_record(row: Sequence[Any]) -> bool:
    texts = sum(is_a(value, str) for value in row)
    scalars = sum(
        is_a(value, int) or is_a(value, float) or value is None for value in row
    )
    return bool(texts) and bool(scalars) and texts + scalars == len(row)


def _starts_with_names(members: Sequence[Any]) -> bool:
    first, second = (sequence_of(each) or () for each in members[:_COLUMNS])
    return all(is_a(value, str) for value in first) and not all(
        is_a(value, str) for value in second
    )


def _names_columns(found: Exhibit) -> bool:
    """Tell whether a list of names stands beside the rows or in `meta`."""
    fields = {**found.data_fields, **found.meta_fields}
    return any(
        ends_in(words_of(name), _COLUMN_NAMES) and sequence_of(value) is not None
        for name, value in fields.items()
    )
