from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.cli import main
from pytest_toolresult.rules.catalogue import rules

if TYPE_CHECKING:
    from pytest_toolresult.rules.rule import Rule


def test_all_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == [rule.id for rule in rules()]


def test_all_cards_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--json"]) == 0
    told = {each["id"]: each for each in json.loads(capsys.readouterr().out)}
    assert told["TR304"]["name"] == "retryable-missing"
    assert told["TR304"]["severity"] == "error"
    assert told["TR304"]["good"][0]["form"] == "envelope"
    assert set(told) == {rule.id for rule in rules()}


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule.id))
def test_every_rule_is_explained(
    rule: Rule, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = rule.id
    assert main(["explain", id_.lower()]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{id_} ")
    for part in ("why", "fix", "wrong", "right", "waive"):
        assert f"\n  {part} " in told


def test_a_rule_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "TR304", "TR305x"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "did you mean 'TR305'?" in told.err


def test_a_command_is_needed() -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
