"""Writes a page for each rule, and the table of all, from the cards the rules carry.

A Sphinx extension: the pages are made anew with each build, so that they cannot say
anything else than the program. The table stands where a page says
`<!-- the rules -->`.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_toolresult.rules.catalogue import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx

    from pytest_toolresult.rules.cards import Example
    from pytest_toolresult.rules.rule import Rule

MOST_COLUMNS: Final = 72
PLACE: Final = "<!-- the rules -->"

HUNDREDS: Final = {
    "TR1": "Envelope",
    "TR2": "Status",
    "TR3": "Errors",
    "TR4": "Structure and values",
    "TR5": "Volume and paging",
    "TR6": "Redaction",
    "TR7": "Shape and versions",
    "TR8": "Behaviour",
    "TR9": "Under faults, and related calls",
}


def page(rule: Rule) -> str:
    """Return one rule's page, as Markdown."""
    card = rule.card
    marks = [f"**{rule.severity.label}**"]
    if rule.needs_envelope:
        marks.append("*envelope only*")
    if rule.yields_to:
        first = ", ".join(f"[{each}]({each}.md)" for each in rule.yields_to)
        marks.append(f"yields to {first}")
    parts = [
        f"# {rule.id} {rule.name}",
        " \u00b7 ".join(marks),
        card.what,
        f"**Why**: {card.why}",
        f"**Fix**: {card.fix}",
        *examples("Wrong", card.bad),
        *examples("Right", card.good),
        f"Waive it for one tool with `{rule.waiver}`.",
    ]
    return "\n\n".join(parts) + "\n"


def tables(all_rules: Iterable[Rule]) -> str:
    """Return the table of each hundred, as Markdown."""
    return "\n\n".join(
        "\n".join([f"## {HUNDREDS[hundred]}", "", *rows(some)])
        for hundred, some in groupby(all_rules, lambda each: each.id[:3])
    )


def rows(some: Iterable[Rule]) -> Iterator[str]:
    """Yield the rows of one table."""
    yield "| rule | severity | wrong when |"
    yield "| --- | --- | --- |"
    for rule in some:
        what = rule.card.what.replace("|", "\\|").replace("\n", " ")
        link = f"[{rule.id} {rule.name}](rules/{rule.id}.md)"
        yield f"| {link} | {rule.severity.label} | {what} |"


def examples(title: str, shown: tuple[Example, ...]) -> Iterator[str]:
    """Yield a title and the examples under it: JSON as blocks, code within words."""
    if shown:
        yield f"{title}:"
    for example in shown:
        if example.form == "code":
            yield with_backticks(example.text)
        else:
            # JavaScript knows NaN, which JSON does not.
            yield f"```js\n{folded(example.text)}\n```"


def folded(text: str) -> str:
    """Put the fields of a long JSON text on lines of their own, as a page is narrow."""
    if len(text) <= MOST_COLUMNS:
        return text
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=text.isascii())
    except ValueError:  # an example of what is no JSON
        return text


def with_backticks(text: str) -> str:
    """Put back the outer backticks, which a card takes off."""
    ends_in_words = text.count("`") % 2
    return f"`{text}" if ends_in_words else f"`{text}`"


def write_pages(app: Sphinx) -> None:
    """Write the pages beside the others, and touch only those that have changed."""
    folder = Path(app.srcdir, "reference", "rules")
    folder.mkdir(exist_ok=True)
    pages: Mapping[Path, str] = {
        folder / f"{each.id}.md": page(each) for each in rules()
    }
    for stale in set(folder.glob("*.md")) - pages.keys():
        stale.unlink()
    for path, text in pages.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def put_tables(_: Sphinx, __: str, source: list[str]) -> None:
    """Replace the place in a page's source by the tables of all rules."""
    if PLACE in source[0]:
        source[0] = source[0].replace(PLACE, tables(rules()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about this extension."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", put_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
