"""Writes the page of rules from the cards that the rules carry.

A Sphinx extension: where a page says `<!-- the rule cards -->`, the cards are put, so
that the page cannot say anything else than the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.rules.catalogue import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from pytest_toolresult.rules.cards import Example
    from pytest_toolresult.rules.rule import Rule

PLACE = "<!-- the rule cards -->"


def section(rule: Rule) -> str:
    """Return one rule's section, as Markdown."""
    card = rule.card
    marks = [f"**{rule.severity.label}**"]
    if rule.needs_envelope:
        marks.append("*envelope only*")
    if rule.yields_to:
        marks.append("yields to " + ", ".join(rule.yields_to))
    lines = [
        f"## {rule.id} {rule.name}",
        " · ".join(marks),
        card.what,
        f"Why: {card.why}",
        f"Fix: {card.fix}",
        *examples("Wrong", card.bad),
        *examples("Right", card.good),
    ]
    return "\n\n".join(lines)


def examples(title: str, shown: tuple[Example, ...]) -> Iterator[str]:
    """Yield a title and the examples under it: JSON as blocks, code within words."""
    if shown:
        yield f"{title}:"
    for example in shown:
        if example.form == "code":
            yield with_backticks(example.text)
        else:
            yield f"```js\n{example.text}\n```"  # knows NaN, which JSON does not


def with_backticks(text: str) -> str:
    """Put back the outer backticks, which a card takes off."""
    ends_in_words = text.count("`") % 2
    return f"`{text}" if ends_in_words else f"`{text}`"


def put_cards(_: Sphinx, __: str, source: list[str]) -> None:
    """Replace the place in a page's source by all the cards."""
    if PLACE in source[0]:
        cards = "\n\n".join(map(section, rules()))
        source[0] = source[0].replace(PLACE, cards)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about this extension."""
    app.connect("source-read", put_cards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
