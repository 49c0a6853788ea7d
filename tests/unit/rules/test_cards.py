from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.rules.cards import Example, parsed
from pytest_toolresult.rules.catalogue import rules

if TYPE_CHECKING:
    from pytest_toolresult.rules.rule import Rule
    from tests.unit.rules.conftest import Bench


def judged(bench: Bench, example: Example) -> set[str]:
    dialect = "native" if example.form == "native" else "envelope"
    return bench.rules(json.loads(example.text), dialect=dialect)


def examples(kind: str) -> list[Any]:
    return [
        pytest.param(rule, example, id=f"{rule.id}-{number}")
        for rule in rules()
        for number, example in enumerate(getattr(rule.card, kind))
        if example.form != "code"
    ]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.id))
def test_every_rule_has_a_card(rule: Rule) -> None:
    card = rule.card
    assert card.what.endswith(".")
    assert len(card.why) > 20
    assert card.fix.endswith(".")
    assert card.bad
    assert len(card.good) >= 2
    assert rule.id in rule.waiver


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_a_bad_example_breaks_this_rule_and_no_other(
    bench: Bench, rule: Rule, example: Example
) -> None:
    assert judged(bench, example) == {rule.id}


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_a_good_example_is_clean(bench: Bench, rule: Rule, example: Example) -> None:
    assert judged(bench, example) == set(), rule.name


def test_a_card_may_run_over_lines_and_lack_parts() -> None:
    card = parsed(
        """It is wrong.

        Why: a reason that
        goes on.
        Bad: {"a":
        1}
        Bad: returns "x"
        Good: `return 1`
        """
    )
    assert (card.what, card.why, card.fix) == (
        "It is wrong.",
        "a reason that goes on.",
        "",
    )
    assert card.bad == (Example("envelope", '{"a": 1}'), Example("native", '"x"'))
    assert card.good == (Example("code", "return 1"),)


def test_without_docstrings_cards_are_empty() -> None:
    assert parsed("").what == ""
