from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.database import InMemoryExampleDatabase

from pytest_toolresult.explore.memory import ExampleMemory
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def database() -> Iterator[InMemoryExampleDatabase]:
    before = settings.get_current_profile_name()
    database = InMemoryExampleDatabase()
    settings.register_profile("remembering", database=database)
    settings.register_profile("forgetting", database=None)
    settings.load_profile("remembering")
    yield database
    settings.load_profile(before)


def tool(name: str) -> Tool:
    return Tool(
        name=name,
        identity=f"shop:{name}",
        framework="callable",
        schema={},
        invoke=lambda _: Reply(),
    )


def test_what_is_kept_comes_back_for_the_same_tool_and_exploration_only() -> None:
    kept: list[dict[str, Any]] = [{"text": "half \ud83d"}, {"n": 0}]
    ExampleMemory().keep(tool("a"), "fuzz", kept)
    found = ExampleMemory().recall(tool("a"), "fuzz")
    assert sorted(found, key=str) == sorted(kept, key=str)
    assert ExampleMemory().recall(tool("b"), "fuzz") == []
    assert ExampleMemory().recall(tool("a"), "relations") == []


def test_what_shows_nothing_any_more_is_forgotten() -> None:
    memory = ExampleMemory()
    memory.keep(tool("a"), "fuzz", [{"n": 0}, {"n": 1}])
    memory.keep(tool("a"), "fuzz", [{"n": 1}])
    assert memory.recall(tool("a"), "fuzz") == [{"n": 1}]
    memory.keep(tool("a"), "fuzz", [])
    assert memory.recall(tool("a"), "fuzz") == []


def test_arguments_that_are_no_json_are_left_out_and_others_bounded() -> None:
    memory = ExampleMemory()
    many: list[dict[str, Any]] = [{"n": n} for n in range(99)]
    memory.keep(tool("a"), "fuzz", [{"n": object()}, *many])
    assert 10 < len(memory.recall(tool("a"), "fuzz")) < 30


def test_entries_of_somebody_else_are_passed_over(
    database: InMemoryExampleDatabase,
) -> None:
    memory = ExampleMemory()
    memory.keep(tool("a"), "fuzz", [{"n": 1}])
    (key,) = database.data
    for entry in (b"\xff", b"[1]", b"{"):
        database.save(key, entry)
    assert memory.recall(tool("a"), "fuzz") == [{"n": 1}]


def test_a_profile_without_a_database_keeps_nothing(
    database: InMemoryExampleDatabase,
) -> None:
    settings.load_profile("forgetting")
    ExampleMemory().keep(tool("a"), "fuzz", [{"n": 1}])
    assert ExampleMemory().recall(tool("a"), "fuzz") == []
    assert database.data == {}
