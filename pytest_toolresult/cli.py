"""The command `toolresult`: what is known about the rules, without a test run."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.reporters.layout import paragraph
from pytest_toolresult.rules.catalogue import rule_named, rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.rules.cards import Example
    from pytest_toolresult.rules.rule import Rule

_USAGE: Final = 2
"""The exit code for a command that cannot be understood, as argparse has it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: What stands behind the command's name; `sys.argv` by default.

    Returns:
        The exit code: 0, or 2 where the command asks for something that is not there.
    """
    asked = _parser().parse_args(arguments)
    try:
        lines: Iterator[str] = asked.answer(asked)
        sys.stdout.write("".join(f"{line}\n" for line in list(lines)))
    except ToolResultError as error:
        sys.stderr.write(f"toolresult: {error}\n")
        return _USAGE
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolresult", description="Look up what tool results are held to."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("rules", help="list all rules")
    listing.add_argument("--json", action="store_true", help="with their whole cards")
    listing.set_defaults(answer=_listed)
    explaining = commands.add_parser("explain", help="tell all about some rules")
    explaining.add_argument("ids", nargs="+", metavar="RULE", help="such as TR304")
    explaining.set_defaults(answer=_explained)
    return parser


def _listed(asked: argparse.Namespace) -> Iterator[str]:
    if asked.json:
        told = [_as_json(rule) for rule in rules()]
        yield json.dumps(told, indent=1, ensure_ascii=False)
        return
    widest = max(len(rule.name) for rule in rules())
    for rule in rules():
        head = f"{rule.id}  {rule.severity.label:7}  {rule.name:{widest}}"
        yield f"{head}  {rule.card.what}"


def _as_json(rule: Rule) -> dict[str, Any]:
    card = rule.card
    return {
        "id": rule.id,
        "name": rule.name,
        "severity": rule.severity.label,
        "envelope_only": rule.needs_envelope,
        "yields_to": list(rule.yields_to),
        "what": card.what,
        "why": card.why,
        "fix": card.fix,
        "bad": [_example(each) for each in card.bad],
        "good": [_example(each) for each in card.good],
        "waiver": rule.waiver,
    }


def _example(example: Example) -> dict[str, str]:
    return {"form": example.form, "text": example.text}


def _explained(asked: argparse.Namespace) -> Iterator[str]:
    chosen = [rule_named(id_.upper()) for id_ in asked.ids]
    for number, rule in enumerate(chosen):
        if number:
            yield ""
        yield from _explanation(rule)


def _explanation(rule: Rule) -> Iterator[str]:
    card = rule.card
    scope = ", only where results have the four fields" if rule.needs_envelope else ""
    yield f"{rule.id} {rule.name} ({rule.severity.label}{scope})"
    yield from paragraph(card.what, first="  ")
    yield ""
    yield from paragraph(card.why, first="  why    ")
    yield from paragraph(card.fix, first="  fix    ")
    for label, examples in (("wrong", card.bad), ("right", card.good)):
        for example in examples:
            yield from paragraph(example.text, first=f"  {label}  ")
    yield from paragraph(rule.waiver, first="  waive  ")
    if rule.yields_to:
        others = ", ".join(rule.yields_to)
        yield from paragraph(f"silent where {others} says it", first="  beside ")
