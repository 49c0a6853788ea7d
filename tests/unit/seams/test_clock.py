from __future__ import annotations

import asyncio
import itertools
import queue
import re
import threading
import time
from asyncio import sleep as sleep_by_another_name
from contextlib import contextmanager, suppress
from time import monotonic as seconds_by_another_name
from time import perf_counter as real_seconds
from time import sleep as wait_by_another_name
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.seams import clock
from pytest_toolresult.seams.arming import armed
from pytest_toolresult.seams.recording import Recording, recording
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

BACKOFF = (1, 2, 4, 8, 16)
"""31 seconds in all."""

SOON_S = 2.0
"""Far less than the waits of these tests, and plenty for a busy machine."""


@contextmanager
def explored() -> Iterator[Recording]:
    with armed(), recording(Recording(virtual=True)) as record:
        yield record


@pytest.fixture(autouse=True)
def takes_no_time() -> Iterator[None]:
    begun = real_seconds()
    yield
    assert real_seconds() - begun < SOON_S


@pytest.mark.parametrize("sleep", ["time.sleep", "by another name"])
def test_backoff_takes_no_time(sleep: str) -> None:
    with explored() as record:
        before = time.monotonic(), time.time(), time.perf_counter(), time.monotonic_ns()
        for seconds in BACKOFF:
            (time.sleep if sleep == "time.sleep" else wait_by_another_name)(seconds)
        after = time.monotonic(), time.time(), time.perf_counter(), time.monotonic_ns()
    assert record.elapsed == 31
    assert after[0] - before[0] == pytest.approx(31, abs=1)
    assert after[1] - before[1] == pytest.approx(31, abs=1)
    assert after[2] - before[2] == pytest.approx(31, abs=1)
    assert after[3] - before[3] == pytest.approx(31e9, abs=1e9)


def _in_vain(wait: str, seconds: float) -> object:
    """Wait for what nobody brings about."""
    if wait == "event":
        return threading.Event().wait(seconds)
    if wait == "semaphore":
        return threading.Semaphore(0).acquire(timeout=seconds)
    if wait == "queue":
        with suppress(queue.Empty):
            return queue.Queue[int]().get(timeout=seconds)
        return False
    condition = threading.Condition()
    with condition:
        return condition.wait_for(lambda: False, timeout=seconds)


@pytest.mark.parametrize("wait", ["event", "semaphore", "queue", "condition"])
def test_what_only_time_can_end_takes_no_time(
    wait: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Threads that other tests have left behind are no business of this one.
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    with explored() as record:
        assert not any(_in_vain(wait, seconds) for seconds in BACKOFF)
    assert record.elapsed == pytest.approx(31, abs=0.1)


def test_what_another_thread_may_end_is_waited_for() -> None:
    answered = threading.Event()

    def answer() -> None:
        passed.wait(SOON_S)
        answered.set()

    passed = threading.Event()
    thread = threading.Thread(target=answer)
    thread.start()
    with explored() as record:
        passed.set()
        assert answered.wait(30)
    thread.join()
    assert record.elapsed == 0


def test_a_condition_has_to_be_held() -> None:
    with explored(), pytest.raises(RuntimeError, match="un-acquired"):
        threading.Condition().wait(1)


def test_a_clock_that_is_held_by_name_agrees() -> None:
    with explored():
        before = seconds_by_another_name()
        time.sleep(60)
        assert seconds_by_another_name() - before == pytest.approx(60, abs=1)


@pytest.mark.parametrize("virtual", [True, False])
def test_outside_a_call_time_is_real(virtual: bool) -> None:  # noqa: FBT001
    before = time.monotonic()
    with armed():
        time.sleep(0.02)
        with recording(Recording(virtual=virtual)):
            clock.elapse(100)
        assert 0.02 <= time.monotonic() - before < SOON_S


def test_a_recording_that_is_not_virtual_waits() -> None:
    with armed(), recording(Recording()) as record:
        before = time.monotonic()
        time.sleep(0.02)
        asyncio.run(asyncio.sleep(0.02))
        assert time.monotonic() - before >= 0.04
    assert record.elapsed == 0


def test_everything_is_as_before_afterwards() -> None:
    loops: Any = asyncio.BaseEventLoop

    def held() -> tuple[object, ...]:
        by_name = sleep_by_another_name, wait_by_another_name
        plain = time.sleep, time.time, time.perf_counter_ns, asyncio.sleep
        return (*plain, *by_name, loops.time, loops.call_at)

    before = held()
    with armed():
        assert all(a is not b for a, b in zip(held(), before, strict=True))
    assert held() == before


def test_other_threads_see_real_time() -> None:
    seen = []
    ready, done = threading.Event(), threading.Event()

    def beside() -> None:
        ready.wait()
        seen.append(time.monotonic())
        done.set()

    thread = threading.Thread(target=beside)
    thread.start()
    with explored():
        time.sleep(1_000)
        inside = time.monotonic()
        ready.set()
        done.wait()
    thread.join()
    assert inside - seen[0] > 900


def test_threads_of_the_call_share_its_time() -> None:
    with explored() as record:
        thread = threading.Thread(target=time.sleep, args=(30,))
        thread.start()
        thread.join()
    assert record.elapsed == 30


@pytest.mark.parametrize("seconds", [-1, float("nan"), "1", None])
def test_what_is_wrong_stays_wrong(seconds: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as real:
        time.sleep(seconds)
    with explored(), pytest.raises(type(real.value), match=re.escape(str(real.value))):
        time.sleep(seconds)


def test_blocking_a_loop_is_seen() -> None:
    def wait() -> None:
        time.sleep(3)

    async def blocks() -> None:
        wait()

    with explored() as record:
        time.sleep(1)
        asyncio.run(blocks())
    (crossing,) = record.boundary
    assert crossing.blocks
    assert crossing.call.detail == "3 s"
    assert crossing.call.site.startswith("test_clock.py:")


def test_polling_others_gives_them_real_time() -> None:
    def work() -> None:
        with pytest.raises(ValueError, match="invalid"):
            [int("x") for _ in range(10)]
        done.append(True)

    done: list[bool] = []
    with explored():
        thread = threading.Thread(target=work)
        deadline = time.monotonic() + 60
        thread.start()
        while not done and time.monotonic() < deadline:
            time.sleep(0.5)
        thread.join()
        assert time.monotonic() < deadline


# asyncio


async def backoff(sleep: Callable[[float], Awaitable[object]]) -> float:
    before = asyncio.get_running_loop().time()
    for seconds in BACKOFF:
        await sleep(seconds)
    return asyncio.get_running_loop().time() - before


@pytest.mark.parametrize(
    "sleep",
    [
        pytest.param(lambda: asyncio.sleep, id="asyncio"),
        pytest.param(lambda: sleep_by_another_name, id="by-name"),
        pytest.param(lambda: anyio.sleep, id="anyio"),
    ],
)
def test_async_backoff_takes_no_time(
    sleep: Callable[[], Callable[[float], Awaitable[object]]],
) -> None:
    with explored() as record:
        assert asyncio.run(backoff(sleep())) == pytest.approx(31, abs=1)
    assert record.elapsed == pytest.approx(31, abs=1)


def test_a_timeout_around_a_sleep_goes_off_first() -> None:
    async def impatient() -> float:
        before = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10):
                await asyncio.sleep(31)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.sleep(31), 10)
        with pytest.raises(TimeoutError), anyio.fail_after(10):
            await anyio.sleep(31)
        return time.monotonic() - before

    with explored():
        assert asyncio.run(impatient()) == pytest.approx(30, abs=1.5)


def test_a_longer_timeout_does_not() -> None:
    async def patient() -> str:
        async with asyncio.timeout(40):
            return await asyncio.sleep(31, "slept")

    with explored():
        assert asyncio.run(patient()) == "slept"


def test_sleeps_end_in_the_order_of_their_lengths() -> None:
    order: list[int] = []

    async def one(seconds: int) -> None:
        await asyncio.sleep(seconds)
        order.append(seconds)

    async def many() -> None:
        await asyncio.gather(*map(one, (30, 10, 20)))

    with explored() as record:
        asyncio.run(many())
    assert order == [10, 20, 30]
    assert record.elapsed == pytest.approx(30, abs=1)


def test_a_call_that_is_cancelled_leaves_no_time_behind() -> None:
    async def cancelled() -> None:
        task = asyncio.create_task(asyncio.sleep(3_600))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(5)

    with explored() as record:
        asyncio.run(cancelled())
    assert record.elapsed == pytest.approx(5, abs=1)


def test_real_answers_have_the_time_they_need() -> None:
    async def answer(_reader: object, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.02)
        writer.write(b"answer\n")
        await writer.drain()
        writer.close()

    async def ask(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        async with asyncio.timeout(5):
            line = await reader.readline()
        writer.close()
        return line

    async def both(port: int) -> bytes:
        line, _ = await asyncio.gather(ask(port), asyncio.sleep(60))
        return line

    async def main() -> bytes:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            with recording(Recording(virtual=True)):
                return await asyncio.create_task(both(port))

    with armed():
        assert asyncio.run(main()) == b"answer\n"


def test_the_bound_of_a_call_is_real(takes_no_time: None) -> None:
    def answer(_arguments: object) -> Any:
        async def slow() -> Reply:
            await asyncio.sleep(3_600)
            return Reply(value=time.monotonic())

        return slow()

    assert takes_no_time is None
    tool = Tool(name="slow", identity="t:slow", framework="", schema={}, invoke=answer)
    runner = Runner(timeout=1.0)
    with explored():
        outcome = runner.run(tool, Call(arguments={}, origin="faults"))
    runner.close()
    assert outcome.ending == "returned"
    assert outcome.duration_s < 1.0


def test_a_hang_is_still_a_hang() -> None:
    def answer(_arguments: object) -> Any:
        async def endless() -> Reply:
            for seconds in itertools.cycle(BACKOFF):
                await asyncio.sleep(seconds)
            raise AssertionError

        return endless()

    tool = Tool(name="slow", identity="t:slow", framework="", schema={}, invoke=answer)
    runner = Runner(timeout=0.1)
    with explored():
        outcome = runner.run(tool, Call(arguments={}, origin="faults"))
    runner.close()
    assert outcome.ending == "hung"
