from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.control import current_build_context
from hypothesis.database import InMemoryExampleDatabase

from pytest_toolresult.explore.drawing import draw
from pytest_toolresult.explore.fuzz import swept_share

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "text": {"type": "string"}},
    "required": ["n", "text"],
}


@pytest.fixture
def database() -> InMemoryExampleDatabase:
    return InMemoryExampleDatabase()


@pytest.fixture(autouse=True)
def profile(database: InMemoryExampleDatabase) -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.register_profile("derandomized", derandomize=True, database=None)
    settings.register_profile("remembering", database=database)
    settings.load_profile("derandomized")
    yield
    settings.load_profile(before)


def drawn(key: str = "shop:tool", count: int = 30, schema: Any = SCHEMA) -> list[Any]:
    made: list[Any] = []

    def attempt(arguments: dict[str, Any]) -> bool:
        made.append(arguments)
        return True

    assert draw(schema, attempt, pool=lambda *_: (), max_examples=count, key=key) == ""
    return made


def test_a_derandomized_profile_draws_the_same_each_time_and_other_for_others() -> None:
    assert drawn() == drawn()
    assert drawn() != drawn("shop:other")
    assert len(drawn()) == 30


def test_calls_are_made_several_in_a_row_and_none_is_left_out() -> None:
    made: list[Any] = []

    def attempt(drawn: dict[str, Any]) -> bool:
        made.append((drawn, len(current_build_context().data.nodes)))
        return True

    def last(drawn: dict[str, Any]) -> bool:
        made.append((drawn, 0))
        return True

    draw(SCHEMA, attempt, pool=lambda *_: (), max_examples=100, key="k")
    examples = [size for _, size in made]
    assert len(made) == 100
    assert len(set(examples[:50])) == len(set(examples[50:])) == 1
    made.clear()
    draw(SCHEMA, last, pool=lambda *_: (), max_examples=70, key="k")
    assert len(made) == 70


def test_no_more_calls_are_made_after_the_end() -> None:
    made: list[Any] = []

    def attempt(drawn: object) -> bool:
        made.append(drawn)
        return len(made) < 3

    draw(SCHEMA, attempt, pool=lambda *_: (), max_examples=50, key="k")
    assert len(made) == 3


@pytest.mark.parametrize("error", [ValueError, pytest.fail.Exception, SystemExit])
def test_what_an_attempt_raises_comes_out_once(
    error: type[BaseException], database: InMemoryExampleDatabase
) -> None:
    settings.load_profile("remembering")
    made: list[Any] = []

    def attempt(drawn: object) -> bool:
        made.append(drawn)
        raise error

    with pytest.raises(error):
        draw(SCHEMA, attempt, pool=lambda *_: (), max_examples=50, key="k")
    assert len(made) == 1
    assert database.data == {}


def test_what_cannot_be_drawn_is_said() -> None:
    schema = {"properties": {"n": False}, "required": ["n"], "type": "object"}
    why = draw(schema, lambda _: True, pool=lambda *_: (), max_examples=9, key="k")
    assert "Unsatisfiable" in why


@pytest.mark.parametrize(
    ("calls", "share"), [(1, 1), (60, 60), (100, 100), (250, 200), (1000, 200)]
)
def test_few_calls_are_all_swept_and_of_many_the_first(calls: int, share: int) -> None:
    assert swept_share(calls) == share
