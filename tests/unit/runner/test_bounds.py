from __future__ import annotations

import contextlib
import gc
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.runner.alarm import Alarm
from pytest_toolresult.runner.answers import Overdue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.runner import Runner

    Calls = Callable[..., Outcome]

BOUND = 0.1


def busy() -> None:
    while True:
        pass


def sleeping() -> None:
    time.sleep(30)


def waiting_for_a_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.accept()


def waiting_for_a_lock() -> None:
    lock = threading.Lock()
    with lock:
        lock.acquire()


def waiting_for_a_process() -> None:
    subprocess.run([sys.executable, "-c", "import time; time.sleep(30)"], check=False)


def matching_without_end() -> None:
    re.match(r"(a+)+$", "a" * 40 + "b")


def swallowing_exceptions() -> None:
    while True:
        with contextlib.suppress(Exception):
            time.sleep(30)


def swallowing_everything() -> None:
    while True:
        try:
            time.sleep(30)
        except BaseException:  # noqa: BLE001, S112  what is to be tried
            continue


def suppressing_everything() -> None:
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(30)


def answering_after_all() -> str:
    try:
        time.sleep(30)
    except BaseException:  # noqa: BLE001  what is to be tried
        return "an answer, but too late"
    return "never"


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    handler = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) == handler
    assert sys.gettrace() is None or "coverage" in sys.modules


@pytest.mark.parametrize(
    "function",
    [
        busy,
        sleeping,
        waiting_for_a_socket,
        waiting_for_a_lock,
        waiting_for_a_process,
        matching_without_end,
        swallowing_exceptions,
        swallowing_everything,
        suppressing_everything,
        answering_after_all,
    ],
)
def test_a_call_that_does_not_end_is_given_up(
    call: Calls, function: Callable[..., Any]
) -> None:
    outcome = call(function)
    assert outcome.ending == "hung"
    assert outcome.reply is None
    assert outcome.bound_s == BOUND
    assert BOUND - 0.001 <= outcome.duration_s < BOUND + 0.8


def test_nothing_is_raised_in_finalisers(call: Calls) -> None:
    complaints: list[object] = []

    class Slow:
        def __del__(self) -> None:
            time.sleep(BOUND * 3)

    def collecting() -> None:
        Slow()
        time.sleep(30)

    before, sys.unraisablehook = sys.unraisablehook, complaints.append
    try:
        outcome = call(collecting)
    finally:
        sys.unraisablehook = before
    assert outcome.ending == "hung"
    assert outcome.duration_s < BOUND * 3 + 0.5
    assert complaints == []


def test_nothing_is_raised_in_what_the_garbage_collector_calls(
    call: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[object] = []

    def measured(phase: str, _: object) -> None:
        if phase == "start":
            time.sleep(BOUND * 3)

    def collecting() -> None:
        gc.callbacks.append(measured)
        try:
            gc.collect()
        finally:
            gc.callbacks.remove(measured)
        time.sleep(30)

    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    assert call(collecting).ending == "hung"
    assert complaints == []


def test_nothing_is_raised_in_callbacks_of_weak_references(
    call: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[object] = []

    class Kept:
        def __init__(self) -> None:
            self.itself = self

    def collecting() -> None:
        kept = Kept()
        dying = weakref.ref(kept, lambda _: time.sleep(BOUND * 3))
        del kept
        gc.collect()
        assert dying() is None
        time.sleep(30)

    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    assert call(collecting).ending == "hung"
    assert complaints == []


def test_a_traced_caller_is_not_held_up_by_a_thread_that_was_given_up(
    call: Calls,
) -> None:
    thread = threading.Thread(target=lambda: call(sleeping))
    thread.start()
    thread.join(timeout=5)
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        start = time.monotonic()
        call(list)
        assert time.monotonic() - start < 1
    finally:
        sys.settrace(before)


def test_the_next_call_is_not_touched(call: Calls) -> None:
    call(busy)
    outcome = call(lambda a, b: a + b, a=1, b=2)
    assert outcome.ending == "returned"
    assert outcome.reply is not None
    assert outcome.reply.value == 3
    assert outcome.duration_s < BOUND


def test_a_call_may_have_a_bound_of_its_own(
    runner: Runner, tool_of: Any, call_of: Any
) -> None:
    outcome = runner.run(tool_of(sleeping), call_of(), timeout=0.05)
    assert outcome.ending == "hung"
    assert outcome.bound_s == 0.05
    assert outcome.duration_s < BOUND


def test_nothing_is_raised_outside_a_call_that_ends_near_its_bound() -> None:
    bound = 0.0003
    kinds = set()
    for number in range(4000):
        end = time.perf_counter() + bound - 20e-6 + (number % 40) * 1e-6
        answer = Alarm(end - time.perf_counter()).call(_spin_until, end)
        kinds.add(answer.hung)
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert kinds == {False, True}


def _spin_until(end: float) -> None:
    while time.perf_counter() < end:
        pass


def test_an_outer_timer_keeps_its_time_and_its_handler() -> None:
    rung: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        due = time.monotonic() + 0.3
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        assert Alarm(0.1).call(time.sleep, 30).hung
        assert not rung
        assert signal.getitimer(signal.ITIMER_REAL)[0] == pytest.approx(0.2, abs=0.05)
        time.sleep(0.25)
        assert rung == [pytest.approx(due, abs=0.05)]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_an_outer_timer_that_is_due_first_rings_first_and_the_bound_still_holds() -> (
    None
):
    rung: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.04)
        start = time.monotonic()
        assert Alarm(0.2).call(time.sleep, 30).hung
        assert 0.199 <= time.monotonic() - start < 1
        assert len(rung) >= 3
        assert signal.getitimer(signal.ITIMER_REAL)[1] == pytest.approx(0.04)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_an_outer_handler_raises_goes_through() -> None:
    class OutOfTime(Exception):  # noqa: N818  as a user would name it
        pass

    def ring(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        answer = Alarm(5).call(time.sleep, 30)
        assert isinstance(answer.exception, OutOfTime)
        assert not answer.hung
    finally:
        signal.signal(signal.SIGALRM, before)


def test_alarms_nest_whichever_is_due_first() -> None:
    def inner(bound: float) -> Any:
        return Alarm(bound).call(time.sleep, 30)

    answer = Alarm(5).call(inner, 0.05)
    assert not answer.hung
    assert answer.value.hung

    start = time.monotonic()
    answer = Alarm(0.05).call(inner, 5)
    assert answer.hung
    assert time.monotonic() - start < 1


def test_the_alarm_of_an_outer_call_goes_through_an_inner_one(
    runner: Runner, tool_of: Any, call_of: Any
) -> None:
    def outer() -> object:
        return runner.run(tool_of(sleeping), call_of(), timeout=5)

    outcome = runner.run(tool_of(outer), call_of())
    assert outcome.ending == "hung"
    assert outcome.duration_s < 1


def test_an_alarm_is_not_raised_into_code_beside_the_call() -> None:
    alarm = Alarm(0.01)
    alarm._arm()  # noqa: SLF001  as it is between arming and calling
    try:
        time.sleep(0.1)
    except Overdue:
        pytest.fail("the alarm went off outside its call")
    finally:
        alarm._disarm()  # noqa: SLF001


class TestElsewhere:
    """Calls from a thread that is not the main one."""

    @pytest.mark.parametrize("function", [busy, sleeping, swallowing_exceptions])
    def test_a_call_that_does_not_end_is_given_up(
        self, call: Calls, function: Callable[..., Any]
    ) -> None:
        outcomes: list[Outcome] = []

        def calls() -> None:
            outcomes.append(call(function))
            outcomes.append(call(lambda: threading.current_thread().name))

        thread = threading.Thread(target=calls)
        thread.start()
        thread.join(timeout=5)
        hung, fine = outcomes
        assert hung.ending == "hung"
        assert BOUND <= hung.duration_s < BOUND + 0.5
        assert fine.reply is not None
        assert fine.reply.value == "toolresult-call"

    def test_a_busy_call_does_not_spin_on(self, call: Calls) -> None:
        rounds, others = [0], _workers()

        def counting() -> None:
            while True:
                rounds[0] += 1

        thread = threading.Thread(target=lambda: call(counting))
        thread.start()
        thread.join(timeout=5)
        _until(lambda: _workers() <= others)
        before = rounds[0]
        time.sleep(0.05)
        assert rounds[0] == before

    def test_the_thread_ends_with_its_caller(
        self, runner: Runner, tool_of: Any, call_of: Any
    ) -> None:
        run, others = runner.run, _workers()
        thread = threading.Thread(target=lambda: run(tool_of(list), call_of()))
        thread.start()
        thread.join(timeout=5)
        _until(lambda: _workers() <= others)

    def test_several_threads_call_at_the_same_time(
        self, runner: Runner, tool_of: Any, call_of: Any
    ) -> None:
        together = threading.Barrier(2, timeout=5)
        results: list[Any] = []

        def meeting(number: int) -> int:
            together.wait()
            return number

        def calls(number: int) -> None:
            outcome = runner.run(tool_of(meeting), call_of(number=number), timeout=5)
            results.append(outcome.reply and outcome.reply.value)

        threads = [threading.Thread(target=calls, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=5)
        assert sorted(results) == [0, 1]


def _workers() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if one.name == "toolresult-call"}


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 3
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
