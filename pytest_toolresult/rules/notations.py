"""TR4: whether a text in another notation than JSON can be read back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.exhibit import plain_text
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.tables import delimited, markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_AMBIGUOUS: Final = re.compile(
    r"(?m)^[ \t]*(?:-[ \t]+)?(?:[\w .-]{1,60}:[ \t]+)?"
    r"(?P<value>(?i:yes|no|on|off|y|n)"
    r"|0\d+|\d+\.\d*0|\d+[eE]\d+|\d{1,2}(?::\d\d){1,2})[ \t]*$"
)
"""A value that one reader of YAML takes for a text and another for something else.

Source: YAML 1.1, types `bool`, `int` and `float`, against the core schema of YAML 1.2.
"""

_FORMAT_FIELDS: Final = ("format", "content_type", "mime_type", "media_type")


@rule("TR413", "malformed-csv", Severity.WARNING, yields_to=("TR208", "TR211"))
def malformed_csv(found: Exhibit, _: Contract) -> Iterator[Breach]:
    r"""A CSV text has rows that are wider than its header.

    Why: from the separator that was not quoted on, each value stands under the wrong
    name.
    Fix: write it with the `csv` module, which quotes separators and line breaks.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    "order_id,customer\no-1,Ann\no-2,Miller, Bob\n"}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    "order_id,customer\no-1,Ann\no-2,\"Miller, Bob\"\n"}
    Good: returns "Dear Ann,\nthe order, which you placed, is on its way, we hope."
    """
    text = plain_text(found.data)
    rows = delimited(text) if text is not None and found.path == "success" else None
    if rows is None:
        return
    width = len(rows[0])
    wide = [number for number, row in enumerate(rows) if len(row) > width]
    if wide:
        row = excerpt_text(",".join(rows[wide[0]]))
        detail = f"row {wide[0]} has {len(rows[wide[0]])} values under {width} names"
        more = f", and {len(wide) - 1} more rows likewise" if len(wide) > 1 else ""
        yield Breach(place="data", detail=f"{detail}: {row}{more}")


@rule("TR414", "malformed-table", Severity.ADVICE, yields_to=("TR208", "TR211"))
def malformed_table(found: Exhibit, _: Contract) -> Iterator[Breach]:
    r"""A Markdown table has rows of unequal width.

    Why: the values of such a row stand under the wrong names.
    Fix: write `\|` for a bar in a value, and `<br>` for a line break.
    Bad: returns "| id | name |\n| --- | --- |\n| 1 | Ann |\n| 2 | a|b |\n"
    Good: returns "| id | name |\n| --- | --- |\n| 1 | Ann |\n| 2 | a\\|b |\n"
    Good: returns "| id | name |\n| --- | --- |\n| 1 | Ann |\n"
    """
    text = plain_text(found.data)
    rows = markdown_table(text) if text is not None else None
    if rows is None:
        return
    width = len(rows[0])
    odd = next((row for row in rows if len(row) != width), None)
    if odd:
        shown = excerpt_text(" | ".join(each.strip() for each in odd))
        detail = f"a row has {len(odd)} cells under {width} names: {shown}"
        yield Breach(place="data", detail=detail)


@rule("TR415", "ambiguous-yaml", Severity.WARNING)
def ambiguous_yaml(found: Exhibit, _: Contract) -> Iterator[Breach]:
    r"""A YAML text holds a value that some readers take for something else.

    Why: `no` is false to one reader and a text to the next, `1.10` is 1.1, and `012` is
    ten.
    Fix: put such texts into quotation marks, and write truth values as true and false.
    Bad: {"status": "success", "error": null, "meta": {"format": "yaml"}, "data":
    "country: no\nversion: 1.10\n"}
    Good: {"status": "success", "error": null, "meta": {"format": "yaml"}, "data":
    "country: \"no\"\nversion: \"1.10\"\nport: 8080\n"}
    Good: {"status": "success", "error": null, "meta": {"format": "text"}, "data":
    "answer: no\n"}
    """
    text = plain_text(found.data)
    if text is None or not _is_yaml(found):
        return
    match = _AMBIGUOUS.search(text)
    if match:
        detail = f"{excerpt(match['value'])} is read in more than one way"
        yield Breach(place="data", detail=f"{detail}: {excerpt_text(match[0].strip())}")


def _is_yaml(found: Exhibit) -> bool:
    told = (plain_text(found.meta_fields.get(name)) for name in _FORMAT_FIELDS)
    return any(each and "yaml" in each.casefold() for each in told)
