"""Boundary calls are recorded by what they are, broken as planned, and replayed."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.faults import CATALOGUE, BoundaryCall, Injection
from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.runner.steps import bounded, plain_step
from pytest_toolresult.seams.arming import armed
from pytest_toolresult.seams.cassette import Cassette
from pytest_toolresult.seams.recording import (
    Recording,
    cross,
    current,
    recording,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def ask(detail: str = "", **options: Any) -> Any:
    return cross("shop", "ask", detail=detail, **options)


def test_equal_calls_are_numbered_and_others_are_not() -> None:
    with recording(Recording()) as record:
        for detail in ("a", "b", "a", "a"):
            ask(detail)
    calls = [each.call for each in record.boundary]
    assert [(each.detail, each.occurrence) for each in calls] == [
        ("a", 0),
        ("b", 0),
        ("a", 1),
        ("a", 2),
    ]
    assert {each.site for each in calls} == {calls[0].site}
    assert calls[0].site.startswith("test_recording.py:")


def test_a_call_is_named_by_its_function_and_its_turn_there() -> None:
    def first() -> None:
        cross("shop", "ask")
        cross("shop", "ask")

    def second() -> None:
        cross("shop", "ask", detail="a")
        cross("shop", "ask")

    with recording(Recording()) as record:
        first()
        second()
        first()
    assert [each.call.name for each in record.boundary] == [
        "shop.ask[]@test_recording.py:first#0",
        "shop.ask[]@test_recording.py:first#1",
        "shop.ask[a]@test_recording.py:second#0",
        "shop.ask[]@test_recording.py:second#0",
        "shop.ask[]@test_recording.py:first#2",
        "shop.ask[]@test_recording.py:first#3",
    ]


def test_long_details_stay_apart() -> None:
    with recording(Recording()) as record:
        ask("x" * 500 + "1")
        ask("x" * 500 + "2")
    first, second = (each.call for each in record.boundary)
    assert first.detail != second.detail
    assert (first.occurrence, second.occurrence) == (0, 0)
    assert len(first.detail) <= 120


def broken(record: Recording, times: int) -> list[bool]:
    """Make a call several times; tell each time whether it was broken."""
    seen = []
    with recording(record):
        for _ in range(times):
            passage = ask()
            seen.append(passage.fault is not None)
            if passage.fault:
                passage.fire()
    return seen


def planned(occurrence: int, *, persistent: bool = False) -> Injection:
    with recording(Recording()) as record:
        for _ in range(occurrence + 1):
            ask()
    where = record.boundary[-1].call
    fault = CATALOGUE["timeout"]
    here = BoundaryCall(
        seam=where.seam,
        operation=where.operation,
        site=SITE_OF_BROKEN,
        occurrence=occurrence,
    )
    return Injection(fault=fault, where=here, persistent=persistent)


def _site_of_broken() -> str:
    record = Recording()
    broken(record, 1)
    return record.boundary[0].call.site


SITE_OF_BROKEN = _site_of_broken()


@pytest.mark.parametrize(
    ("persistent", "seen"),
    [(False, [False, True, False]), (True, [False, True, True])],
)
def test_a_fault_strikes_where_it_was_put(
    *, persistent: bool, seen: list[bool]
) -> None:
    injection = planned(1, persistent=persistent)
    record = Recording(plan=[injection])
    assert broken(record, 3) == seen
    assert record.fired == (injection,)
    assert [each.failure for each in record.boundary][:2] == ["", "timeout"]


def test_two_faults_of_one_kind_are_told_apart() -> None:
    first, second = planned(0), planned(5)
    record = Recording(plan=[first, second])
    broken(record, 2)
    assert record.fired == (first,)


@pytest.mark.usefixtures("stock_seam")
def test_backends_are_asked_once(stock: Any) -> None:
    cassette = Cassette()
    answers = []
    with armed():
        for _ in range(3):
            with recording(Recording(cassette=cassette)):
                answers.append([stock.price("A"), stock.price("B")])
    assert answers == [[13.5, 14.5]] * 3
    assert stock.asked == ["A", "B"]


def test_a_repeated_request_is_answered_as_before() -> None:
    cassette = Cassette()
    with recording(Recording(cassette=cassette)):
        ask("page 1").keep("first")
    with recording(Recording(cassette=cassette)):
        assert ask("page 1").recorded == "first"
        assert ask("page 1").recorded == "first"
        assert ask("page 2").recorded is None
    with recording(Recording()):
        assert ask("page 1").recorded is None


def test_what_a_library_asks_of_another_is_its_own_affair() -> None:
    with recording(Recording()) as record, ask("outer").below():
        assert ask("inner") is None
    assert [each.call.detail for each in record.boundary] == ["outer"]


def test_without_a_recording_nothing_is_seen() -> None:
    assert ask() is None
    assert current() is None
    with recording(Recording()) as record:
        assert current() is record


def test_a_call_that_changes_something_is_stopped_and_noted() -> None:
    with (
        guarded(frozenset({"files"})) as guard,
        recording(Recording()) as record,
        pytest.raises(Stopped),
    ):
        ask("order", needs="network")
    assert guard.blocked
    assert guard.blocked.action == "shop ask: order"
    assert [each.call.mutates for each in record.boundary] == [True]


def by_thread(task: Callable[[], object]) -> None:
    thread = threading.Thread(target=task)
    thread.start()
    thread.join()


def by_pool(task: Callable[[], object]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(task).result()


def by_loop(task: Callable[[], object]) -> None:
    async def main() -> None:
        await asyncio.get_running_loop().run_in_executor(None, task)

    asyncio.run(main())


@pytest.mark.parametrize("start", [by_thread, by_pool, by_loop])
def test_threads_of_a_call_cross_for_it(start: Callable[..., None]) -> None:
    with armed(), recording(Recording()) as record:
        start(ask)
    assert [each.call.operation for each in record.boundary] == ["ask"]


def test_a_pool_works_for_the_call_that_submits() -> None:
    with armed(), ThreadPoolExecutor(1) as pool:
        records = []
        for _ in range(2):
            with recording(Recording()) as record:
                pool.submit(ask).result()
            records.append(len(record.boundary))
        assert pool.submit(ask).result() is None
    assert records == [1, 1]


def test_nothing_is_noted_once_the_call_is_over() -> None:
    went_on = threading.Event()
    with armed(), recording(Recording()) as record:
        thread = threading.Thread(target=lambda: went_on.wait(5) and ask())
        thread.start()
    went_on.set()
    thread.join()
    assert record.boundary == ()


def cancelled(tool: Callable[[], Any]) -> tuple[Any, Recording]:
    """Call an async tool; the boundary call it makes is where it is cancelled."""
    injection = Injection(
        fault=CATALOGUE["cancelled"],
        where=BoundaryCall(seam="shop", operation="ask", site=SITE_OF_WAIT),
    )
    with recording(Recording(plan=[injection])) as record:
        answer = asyncio.run(bounded(tool(), 5.0, plain_step))
    return answer, record


async def wait() -> str:
    passage = ask(suspends=True)
    await passage.reached()
    return "went on"


def _site_of_wait() -> str:
    with recording(Recording()) as record:
        asyncio.run(wait())
    return record.boundary[0].call.site


SITE_OF_WAIT = _site_of_wait()


def test_a_call_is_cancelled_as_a_whole() -> None:
    async def tool() -> object:
        return await asyncio.gather(wait(), wait(), return_exceptions=True)

    answer, record = cancelled(tool)
    assert isinstance(answer.exception, asyncio.CancelledError)
    assert [each.fault.name for each in record.fired] == ["cancelled"]


def test_a_call_that_swallows_its_cancellation_goes_on() -> None:
    async def tool() -> str:
        with suppress(asyncio.CancelledError):
            await wait()
        return "went on"

    answer, record = cancelled(tool)
    assert answer.value == "went on"
    assert record.boundary[0].failure == "cancelled"


def test_what_is_shielded_goes_on() -> None:
    ended = []

    async def tool() -> None:
        task = asyncio.ensure_future(wait())
        try:
            await asyncio.shield(task)
        finally:
            ended.append(await task)

    answer, _ = cancelled(tool)
    assert isinstance(answer.exception, asyncio.CancelledError)
    assert ended == ["went on"]
