from __future__ import annotations

from random import Random
from typing import Any

from pytest_toolresult.strategies.harvest import Harvest
from pytest_toolresult.strategies.variation import varied


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - repeatable is what it has to be


def harvested(harvest: Harvest, arguments: dict[str, Any]) -> set[Any]:
    tried = [harvest.put_into(arguments, chance(seed)) for seed in range(200)]
    return {value for each in tried for value in each.values()} - {*arguments.values()}


def test_values_in_results_are_taken_by_name() -> None:
    harvest = Harvest()
    rows = [{"order_id": "o-77", "city": "Paris"}, {"order_id": "o-78", "n": 5}]
    harvest.take({}, {"rows": rows, "next_cursor": "eyJwIjogMn0="})
    assert harvested(harvest, {"orderId": "x"}) == {"o-77", "o-78"}
    assert harvested(harvest, {"cursor": "x"}) == {"eyJwIjogMn0="}
    assert harvested(harvest, {"amount": 1}) == {5}
    assert "Paris" in harvested(harvest, {"place": "x"})


def test_identifiers_in_the_text_of_an_error_are_taken() -> None:
    harvest = Harvest()
    harvest.take(
        {"invoice": "abc-1"},
        "unknown invoice 'abc-1'; recent invoices: INV-9F3A21, INV-B6589F",
        LookupError("try `north wing` or user_42").args,
    )
    expected = {"INV-9F3A21", "INV-B6589F", "north wing", "user_42"}
    assert harvested(harvest, {"invoice": "x"}) == expected


def test_the_echo_of_an_argument_is_not_taken() -> None:
    harvest = Harvest()
    harvest.take({"query": "o-77", "n": 3}, {"query": "o-77", "n": 3, "ok": True})
    assert len(harvest) == 0
    assert harvest.put_into({"query": "o-77"}, chance(1)) == {"query": "o-77"}


def test_a_harvest_has_a_bound() -> None:
    harvest = Harvest()
    for start in range(0, 10_000, 100):
        harvest.take({}, [f"id-{n}" for n in range(start, start + 100)])
    assert 100 < len(harvest) <= 400


def test_variation_depends_on_the_seed_alone_and_keeps_its_arguments() -> None:
    harvest = Harvest()
    harvest.take({}, {"id": "o-77"})
    drawn = {"id": "x", "tags": ["a"]}
    known = [{"id": "known", "tags": []}]
    once = [varied(drawn, seed, known, harvest, mistakes=True) for seed in range(99)]
    again = [varied(drawn, seed, known, harvest, mistakes=True) for seed in range(99)]
    assert once == again
    assert drawn == {"id": "x", "tags": ["a"]}
    assert known == [{"id": "known", "tags": []}]
    assert any(each == {"id": "o-77", "tags": []} for each in once)


def test_without_mistakes_and_harvest_nothing_is_varied() -> None:
    drawn = {"id": "x"}
    for seed in range(50):
        assert varied(drawn, seed, [], Harvest(), mistakes=False) == drawn
