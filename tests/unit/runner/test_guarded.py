from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.runner import Runner

    Run = Callable[..., Outcome]

NOTHING: frozenset[Any] = frozenset()


@pytest.fixture
def run(runner: Runner, tool_of: Any, call_of: Any) -> Run:
    def make(function: Callable[..., Any], powers: Any, **arguments: Any) -> Outcome:
        return runner.run(tool_of(function), call_of(**arguments), powers=powers)

    return make


def test_a_change_is_stopped_before_it_happens(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.touch()
    outcome = run(file.unlink, NOTHING)
    assert outcome.ending == "blocked"
    assert outcome.reply is None
    assert outcome.blocked is not None
    assert outcome.blocked.power == "files"
    assert file.exists()


def test_it_is_known_even_where_the_tool_caught_our_exception(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "kept"
    file.touch()

    def removing() -> str:
        with contextlib.suppress(BaseException):
            file.unlink()
        return "removed"

    outcome = run(removing, NOTHING)
    assert outcome.ending == "returned"
    assert outcome.blocked is not None
    assert file.exists()


def test_what_is_allowed_happens(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "gone"
    file.touch()
    assert run(file.unlink, frozenset({"files"})).ending == "returned"
    assert not file.exists()
    file.touch()
    assert run(file.unlink, None).blocked is None
    assert not file.exists()


def test_async_tools_are_guarded(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.touch()

    async def removing() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.to_thread(file.unlink))

    assert run(removing, NOTHING).ending == "blocked"
    assert file.exists()


@pytest.mark.asyncio
async def test_async_callers_are_guarded(
    runner: Runner, tool_of: Any, call_of: Any, tmp_path: Path
) -> None:
    file = tmp_path / "kept"
    file.touch()

    async def removing() -> None:
        await asyncio.sleep(0)
        file.unlink()

    outcome = await runner.arun(tool_of(removing), call_of(), powers=NOTHING)
    assert outcome.ending == "blocked"
    assert file.exists()


def test_calls_from_other_threads_are_guarded(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.touch()
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(run(file.unlink, NOTHING)))
    thread.start()
    thread.join(timeout=5)
    assert [one.ending for one in outcomes] == ["blocked"]
    assert file.exists()


def test_a_guarded_call_is_bounded_and_watched(run: Run) -> None:
    def busy() -> None:
        print("still busy")  # noqa: T201  what is to be tried
        while True:
            pass

    outcome = run(busy, NOTHING)
    assert outcome.ending == "hung"
    assert outcome.stdout == "still busy\n"
    assert run(print, NOTHING).stdout == "\n"
