from __future__ import annotations

from typing import Any

from pytest_toolresult.strategies.echoes import Echoes
from pytest_toolresult.strategies.harvest import Harvest

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"order_id": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["order_id", "limit"],
}
BASE = {"order_id": "x", "limit": 10}


def all_of(echoes: Echoes, most: int = 600) -> list[dict[str, Any]]:
    return [each for _ in range(most) if (each := echoes.next())]


def test_there_is_nothing_while_nothing_was_given_away() -> None:
    assert all_of(Echoes(SCHEMA, BASE, Harvest())) == []


def test_what_has_the_name_of_a_place_comes_first_and_each_value_once() -> None:
    harvest = Harvest()
    harvest.learn("city", "Oslo")
    harvest.learn("id", "o-7")
    echoes = Echoes(SCHEMA, BASE, harvest)
    assert echoes.next() == {"order_id": "o-7", "limit": 10}
    assert echoes.next() == {"order_id": "Oslo", "limit": 10}
    harvest.learn("id", "o-8")
    later = all_of(echoes)
    assert later[0] == {"order_id": "o-8", "limit": 10}
    assert {"order_id": "o-7", "limit": 10} not in later


def test_a_harvested_value_meets_a_bound() -> None:
    harvest = Harvest()
    harvest.learn("id", "o-7")
    harvest.learn("most", 4250)
    tried = all_of(Echoes(SCHEMA, BASE, harvest))
    assert {"order_id": "o-7", "limit": 4251} in tried


def test_a_tool_that_gives_away_much_leaves_calls_to_others() -> None:
    harvest = Harvest()
    for number in range(300):
        harvest.learn("id", f"o-{number}")
    assert len(all_of(Echoes(SCHEMA, BASE, harvest))) <= 120


def test_words_of_the_envelope_are_not_taken_for_values() -> None:
    harvest = Harvest()
    error = {"code": "NOT_FOUND", "message": "no"}
    harvest.take({}, {"status": "error", "data": None, "error": error, "meta": {}})
    assert harvest.values() == ["no"]
