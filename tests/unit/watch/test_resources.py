from __future__ import annotations

import asyncio
import gc
import socket
import sqlite3
import threading
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.tools import Tool
from pytest_toolresult.watch.resources import Census, is_frozen_anyway

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


def test_nothing_stays_behind_where_all_is_closed(tmp_path: Path) -> None:
    census = Census()
    (tmp_path / "a.txt").write_text("a")
    sqlite3.connect(tmp_path / "a.db").close()
    assert census.growth() == {}


def test_what_is_open_is_counted_by_kind(tmp_path: Path) -> None:
    go_on = threading.Event()
    waiting = threading.Thread(target=go_on.wait, daemon=True)
    census = Census()
    with (tmp_path / "a.txt").open("w"), socket.socket(), socket.socket():
        waiting.start()
        assert census.growth() == {"files": 1, "sockets": 2, "threads": 1}
        go_on.set()
        waiting.join()


def test_garbage_is_not_open() -> None:
    census = Census()
    connection: dict[str, Any] = {"socket": socket.socket()}
    connection["itself"] = connection
    del connection
    with pytest.warns(ResourceWarning):
        assert census.growth() == {}


def test_garbage_collection_goes_on_as_before() -> None:
    few = 2_000
    is_frozen_anyway.cache_clear()
    assert gc.get_freeze_count() < few
    census, other = Census(), Census()
    assert gc.get_freeze_count() > few
    other.growth()
    assert gc.get_freeze_count() > few
    census.growth()
    assert gc.get_freeze_count() == 0
    Census().close()
    assert gc.get_freeze_count() == 0


def test_what_is_frozen_for_another_reason_stays_so() -> None:
    gc.freeze()
    is_frozen_anyway.cache_clear()
    try:
        Census().growth()
        assert gc.get_freeze_count() > 2_000
    finally:
        gc.unfreeze()
        is_frozen_anyway.cache_clear()


def test_what_ends_in_a_moment_is_not_open() -> None:
    census = Census()
    pause = threading.Event()
    for _ in range(2):
        threading.Thread(target=lambda: pause.wait(0.01)).start()
    assert census.growth() == {}


KEPT: list[Any] = []


def keeps(path: str) -> str:
    KEPT.append(open(path))  # noqa: PTH123, SIM115 - it is to stay open
    return "kept"


async def polls() -> str:
    KEPT.append(asyncio.create_task(asyncio.sleep(600)))
    return "polls"


async def returns_at_once() -> str:
    return "done"


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner(timeout=5)
    yield made
    made.close()
    while KEPT:
        one = KEPT.pop()
        (one.close if hasattr(one, "close") else one.cancel)()


def resources(
    runner: Runner, function: Callable[..., Any], origin: Any = "faults", **given: Any
) -> Mapping[str, int]:
    def invoke(arguments: Mapping[str, Any]) -> Any:
        found = function(**arguments)
        return _replied(found) if asyncio.iscoroutine(found) else Reply(value=found)

    tool = Tool(
        name="tool", identity="tool", framework="callable", schema=None, invoke=invoke
    )
    return runner.run(tool, Call(arguments=given, origin=origin)).resources


async def _replied(awaitable: Any) -> Reply:
    return Reply(value=await awaitable)


def test_the_outcome_of_a_faulted_call_says_what_stayed(
    runner: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a")
    assert resources(runner, keeps, path=str(path)) == {"files": 1}
    assert resources(runner, keeps, path=str(path)) == {"files": 1}
    assert resources(runner, keeps, "fuzz", path=str(path)) == {}


def test_tasks_are_counted_and_the_loop_itself_is_not(runner: Runner) -> None:
    assert resources(runner, returns_at_once) == {}
    assert resources(runner, polls) == {"tasks": 1}
    assert resources(runner, polls) == {"tasks": 1}
