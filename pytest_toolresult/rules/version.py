"""TR7: whether whoever read an older result can read this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_toolresult.codescan import statuses_and_codes
from pytest_toolresult.errors import ContractError
from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt_text
from pytest_toolresult.rules.declared import mismatches
from pytest_toolresult.rules.exhibit import plain_int, plain_text
from pytest_toolresult.rules.replaced import replaced_fields
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.volume import whole_of
from pytest_toolresult.shapes import is_optional, parent_of, shape_of, types_in
from pytest_toolresult.tokens import as_json
from pytest_toolresult.walk import is_a

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit, Series
    from pytest_toolresult.shapes import Shape


def version_of(meta: Mapping[str, Any]) -> str:
    """Return the format version that a result names; an empty text for none."""
    version = meta.get("format_version")
    number = plain_int(version)
    return plain_text(version) or ("" if number is None else str(number))


def _missing_beside_others(series: Series, _: Contract) -> Iterator[Breach]:
    versions = [version_of(each.meta_fields) for each in series.exhibits]
    if not any(versions):
        return
    for index, found in enumerate(series.exhibits):
        if found.path == "success" and not versions[index]:
            detail = "meta has no format_version, and other results of the tool have"
            yield Breach(place="meta.format_version", detail=detail, index=index)
            return


@rule(
    "TR701",
    "version-missing",
    Severity.WARNING,
    needs_envelope=True,
    relate=_missing_beside_others,
)
def version_missing(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A result does not name the version of its format, though others do.

    Why: whoever keeps results, or learned their shape, cannot tell which rules hold for
    this one.
    Fix: set `meta.format_version` in one place for all results.
    Bad: `{"status": "success", "data": 1, "error": null, "meta": {}}` beside
    `"meta": {"format_version": "1.0"}` on another path, or in the strict profile
    Good: `"meta": {"format_version": "1.0"}` on every path
    Good: `"meta": {}` on every path, outside of the strict profile
    """
    strict = found.settings.profile == "strict"
    if strict and found.path == "success" and not version_of(found.meta_fields):
        detail = "meta has no format_version"
        yield Breach(place="meta.format_version", detail=detail)


def _locked(found: Exhibit) -> Mapping[str, Any]:
    """Return what the lock file says of the tool and the version of this result."""
    versions = found.settings.locked.get(found.tool.identity)
    if not versions or found.escaped:
        return {}
    locked: Mapping[str, Any] = versions.get(version_of(found.meta_fields), {})
    return locked


def _shapes(found: Exhibit) -> tuple[Shape, Shape] | None:
    """Return the locked shape of this path, and the shape that came."""
    locked = _locked(found).get("data", {}).get(found.path) if found.path else None
    return (locked, shape_of(found.data)) if locked else None


def _replaced(series: Series, _: Contract) -> Iterator[Breach]:
    if series.exhibits and series.exhibits[0].tool.identity in (
        series.exhibits[0].settings.locked
    ):
        return  # the lock knows which field is right
    for index, gone, new in replaced_fields(series.exhibits):
        yield Breach(
            place=gone,
            detail=f"{gone} of another result is {new} here, in the same version",
            severity=Severity.WARNING,
            remedy="Use one name in all results, or another format_version.",
            index=index,
        )


@rule("TR702", "field-removed", Severity.ERROR, relate=_replaced)
def field_removed(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A field that the lock file knows is gone, under the same version.

    Why: whoever reads the field, in a prompt or in a program, reads nothing from now
    on.
    Fix: send the field again; to drop or rename it, set another `meta.format_version`
    and run with `--toolresult-update-lock`.
    Bad: `{"state": "paid"}` where the lock has `"data[].order_status": "string"`
    Good: `{"order_status": "paid", "paid_at": null}` where the lock has the same
    Good: `{}` where the lock has `"data[].note": "optional string"`
    """
    shapes = _shapes(found)
    if shapes is None:
        return
    locked, came = shapes
    for place, types in locked.items():
        parent = parent_of(place)
        if is_optional(types) or parent is None or not _is_object(parent, came):
            continue
        if place.endswith(("[]", ".*")):
            continue
        if place not in came or is_optional(came[place]):
            some = "" if place not in came else " in some rows"
            detail = f"the lock file knows {place} ({types}), and it is gone{some}"
            yield Breach(place=place, detail=detail)


def _is_object(place: str, shape: Shape) -> bool:
    return "object" in types_in(shape.get(place, ""))


@rule("TR703", "type-changed", Severity.ERROR)
def type_changed(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A field that the lock file knows has another type, under the same version.

    Why: whoever compares it or calculates with it gets an error, or nonsense.
    Fix: send the old type; to change it, set another `meta.format_version` and run with
    `--toolresult-update-lock`.
    Bad: `{"total": 199.0}` where the lock has `"data.total": "string"`
    Good: `{"total": "199.00"}` where the lock has `"data.total": "string"`
    Good: `{"note": null}` where the lock has `"data.note": "string or null"`
    """
    shapes = _shapes(found)
    if shapes is None:
        return
    locked, came = shapes
    for place, types in locked.items():
        new = types_in(came.get(place, "")) - types_in(types)
        if new:
            is_null = new == {"null"}
            detail = f"{place} is {types} in the lock file, and {came[place]} here"
            severity = Severity.WARNING if is_null else None
            yield Breach(place=place, detail=detail, severity=severity)


@rule("TR704", "paths-changed", Severity.ERROR)
def paths_changed(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A status is new, or a status or error code that the lock file knows is gone.

    Why: whoever decides by it waits for what never comes, or does not know what to do.
    Fix: answer as before; to change the paths, set another `meta.format_version` and
    run with `--toolresult-update-lock`.
    Bad: `"status": "partial"` where the lock has `"statuses": ["error", "success"]`
    Bad: `"code": "MISSING"` alone where the lock has `"codes": ["NOT_FOUND"]`
    Good: `"code": "BUSY"` beside the locked `"NOT_FOUND"`
    Good: `"status": "partial"` under another `meta.format_version`
    """
    locked = _locked(found)
    if not locked or found.path is None:
        return
    if found.path not in locked.get("statuses", ()):
        detail = f"the status {found.path} is new: the lock file does not know it"
        yield Breach(place="status", detail=detail)
    function = found.tool.function
    made = statuses_and_codes(function) if function and found.has_envelope else None
    if made is None or not made.codes or found.path != "error":
        return  # nobody can tell what the tool is able to answer
    known = made.codes | {*contract.codes, *(case.code for case in contract.cases)}
    gone = [code for code in locked.get("codes", ()) if code not in known]
    if gone:
        detail = f"the lock file knows {', '.join(gone)}, which nothing makes any more"
        yield Breach(place="error.code", detail=excerpt_text(detail))


@rule("TR705", "schema-mismatch", Severity.ERROR)
def schema_mismatch(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """The data is not what the tool declares.

    Why: what is declared is what models and programs were told to expect.
    Fix: send what is declared, or declare what is sent: `data=` in the contract, or the
    tool's own output schema.
    Bad: `data=list[Order]`, and a row is `{"order_id": null}`
    Good: `data=list[Order]`, and a row is `{"order_id": "o-1"}`
    Good: `data=list[Order]`, and the status is `empty`
    """
    if found.path == "success" and contract.data is not None:
        text = as_json(found.data, found.survey)
        if text is not None:
            yield from _told(contract.data, text, "data")
    promised = found.tool.output_schema
    reply = found.outcome.reply
    if not promised or reply is None or reply.flagged or reply.exception is not None:
        return
    if not is_a(reply.value, str) and found.outcome.ending == "returned":
        text = as_json(whole_of(found), found.survey)
        try:
            yield from _told(promised, text, "result") if text is not None else ()
        except ContractError as error:  # it is the tool's schema, not the user's
            detail = f"the tool's own output schema cannot be used: {error}"
            yield Breach(place="", detail=detail)


def _told(declared: object, text: str, root: str) -> Iterator[Breach]:
    for place, detail in mismatches(declared, text, root):
        yield Breach(place=place, detail=f"{place} is {detail}")
