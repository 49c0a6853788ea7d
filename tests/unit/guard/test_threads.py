from __future__ import annotations

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.guard import Stopped, guarded, unguarded
from pytest_toolresult.settings import POWERS, Power

if TYPE_CHECKING:
    from pathlib import Path


def test_a_thread_of_the_call_is_stopped(
    outside: Path, quiet_threads: list[BaseException]
) -> None:
    with guarded(frozenset()) as report:
        thread = threading.Thread(target=(outside / "notes.txt").unlink)
        thread.start()
        thread.join()
    assert report.blocked is not None
    assert "running before" not in report.blocked.action
    assert isinstance(quiet_threads[0], Stopped)


def test_a_pool_that_is_older_than_the_call_is_stopped(outside: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        with guarded(frozenset()) as report, pytest.raises(Stopped):
            pool.submit((outside / "notes.txt").unlink).result()
    assert report.blocked is not None
    assert report.blocked.action.endswith(
        "(in a thread that was running before the call)"
    )


def test_tasks_and_executors_are_stopped(outside: Path) -> None:
    async def tool() -> tuple[object, ...]:
        place = outside / "notes.txt"
        loop = asyncio.get_running_loop()
        return await asyncio.gather(
            asyncio.create_task(asyncio.to_thread(place.unlink)),
            loop.run_in_executor(None, place.unlink),
            return_exceptions=True,
        )

    with guarded(frozenset()) as report:
        ended = asyncio.run(tool())
    assert [type(one) for one in ended] == [Stopped, Stopped]
    assert report.blocked is not None


def test_a_thread_that_outlives_the_call_stays_bound(
    outside: Path, quiet_threads: list[BaseException]
) -> None:
    over = threading.Event()

    def busy() -> None:
        over.wait()
        (outside / "notes.txt").unlink()

    with guarded(frozenset()) as report:
        late = threading.Thread(target=busy)
        late.start()
    assert report.blocked is None
    over.set()
    late.join()
    assert isinstance(quiet_threads[0], Stopped)
    assert report.blocked is not None


def test_a_task_that_outlives_the_call_stays_bound(outside: Path) -> None:
    async def later(over: asyncio.Event) -> None:
        await over.wait()
        (outside / "notes.txt").unlink()

    async def run() -> None:
        over = asyncio.Event()
        with guarded(frozenset()) as report:
            task = asyncio.create_task(later(over))
            await asyncio.sleep(0)
        over.set()
        with pytest.raises(Stopped):
            await task
        assert report.blocked is not None

    asyncio.run(run())


def test_a_pool_made_during_the_call_is_free_afterwards(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        with guarded(frozenset()):
            pool.submit(int).result()
        pool.submit((tmp_path / "mine").write_text, "x").result()
    assert (tmp_path / "mine").read_text() == "x"


if sys.version_info >= (3, 12):  # Python 3.11 raises no event for a new thread

    def test_a_thread_that_a_late_thread_starts_is_bound_as_well(
        outside: Path, quiet_threads: list[BaseException]
    ) -> None:
        over = threading.Event()
        child = threading.Thread(target=(outside / "notes.txt").unlink)

        def go_on() -> None:
            over.wait()
            child.start()
            child.join()

        with guarded(frozenset()) as report:
            late = threading.Thread(target=go_on)
            late.start()
        over.set()
        late.join()
        assert (outside / "notes.txt").exists()
        assert report.blocked is not None
        assert [type(each) for each in quiet_threads] == [Stopped]


def test_a_pool_is_free_once_it_was_seen_at_rest(tmp_path: Path) -> None:
    over = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        with guarded(frozenset()):
            busy = pool.submit(over.wait)
        over.set()
        busy.result()
        while pool._work_queue.qsize():  # noqa: SLF001 - no public way to see it at rest
            pass
        with guarded(frozenset(POWERS)):
            pass
        pool.submit((tmp_path / "mine").write_text, "x").result()
    assert (tmp_path / "mine").read_text() == "x"


def test_the_thread_is_free_after_the_call(tmp_path: Path) -> None:
    with guarded(frozenset()):
        pass
    (tmp_path / "mine").write_text("x")
    assert (tmp_path / "mine").read_text() == "x"


def test_two_calls_at_once_are_told_apart(tmp_path: Path, outside: Path) -> None:
    both = threading.Barrier(2)

    def call(place: Path, *powers: Power) -> str | None:
        with guarded(frozenset(powers)) as report:
            both.wait()
            with suppress(Stopped):
                place.write_text("x")
            both.wait()
        return report.blocked.action if report.blocked else None

    with ThreadPoolExecutor(2) as pool:
        free = pool.submit(call, tmp_path / "free", "files")
        bound = pool.submit(call, outside / "notes.txt")
        assert free.result() is None
        assert bound.result() is not None
    assert (tmp_path / "free").read_text() == "x"


def test_nested_periods_forbid_what_either_forbids(outside: Path) -> None:
    with guarded(frozenset()) as outer:
        with guarded(frozenset({"files"})) as inner, pytest.raises(Stopped):
            (outside / "notes.txt").unlink()
        assert inner.blocked is None
        assert outer.blocked is not None
        assert "running before" not in outer.blocked.action
        with pytest.raises(Stopped):
            (outside / "full" / "inner.txt").unlink()


def test_our_own_code_may_write(tmp_path: Path, outside: Path) -> None:
    with guarded(frozenset()) as report:
        with unguarded():
            (tmp_path / "crash.txt").write_text("x")
        assert report.blocked is None
        with pytest.raises(Stopped):
            (outside / "notes.txt").unlink()


def test_a_thread_is_not_taken_for_an_ended_one_whose_number_it_got(
    outside: Path, quiet_threads: list[BaseException]
) -> None:
    def reused() -> bool:
        """Stop a thread in a second period: did it get the number of the first's?"""
        over = threading.Event()

        def busy() -> None:
            over.wait()

        with guarded(frozenset()) as first:
            old = threading.Thread(target=busy)
            old.start()
        with guarded(frozenset()) as second:
            over.set()
            old.join()
            thread = threading.Thread(target=(outside / "notes.txt").unlink)
            thread.start()
            thread.join()
        assert first.blocked is None
        assert second.blocked is not None
        return thread.ident == old.ident

    # Mostly at once; it is the system that hands out the numbers.
    assert any(reused() for _ in range(200))
    assert all(isinstance(each, Stopped) for each in quiet_threads)
