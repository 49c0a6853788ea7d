from __future__ import annotations

import asyncio
import gc
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.loops import ReusedLoop
from pytest_toolresult.watch import Watch, lasting
from pytest_toolresult.watch.awaits import handed_out

if TYPE_CHECKING:
    from collections.abc import Iterator


async def sending() -> int:
    return 1


async def wrapping(inner: Any) -> Any:
    return await inner


def drop() -> None:
    coroutine = sending()
    del coroutine


def test_between_calls_that_follow_each_other_the_interpreter_warns_as_ever() -> None:
    with lasting():
        with Watch() as first:
            drop()
        with pytest.warns(RuntimeWarning, match="never awaited"):
            drop()
        with Watch() as second:
            drop()
    assert (first.dropped, second.dropped) == (["sending"], ["sending"])


def test_a_dropped_coroutine_is_named_and_warns_nobody() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with Watch() as watch:
            drop()
            drop()
    assert watch.dropped == ["sending", "sending"]
    assert caught == []


def test_afterwards_the_interpreter_warns_again() -> None:
    with Watch():
        pass
    with pytest.warns(RuntimeWarning, match="'sending' was never awaited"):
        drop()


def test_what_is_awaited_is_no_news() -> None:
    loop = ReusedLoop()
    with Watch() as watch:
        assert loop.run(wrapping(sending())) == 1
    loop.close()
    assert watch.dropped == []


def test_a_coroutine_in_a_result_is_named_and_ended() -> None:
    result = {"orders": [1, (sending(),)], "next": sending(), "name": "x"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sorted(handed_out(result)) == ["sending", "sending"]
        del result
        gc.collect()


def test_a_coroutine_inside_a_coroutine_is_seen_at_once() -> None:
    with Watch() as watch:
        assert handed_out(wrapping(sending())) == ("wrapping",)
        assert watch.dropped == ["sending"]


def test_other_awaitables_are_named_by_their_class() -> None:
    loop = asyncio.new_event_loop()
    assert handed_out([loop.create_future()]) == ("Future",)
    loop.close()


def test_a_coroutine_that_runs_is_left_alone() -> None:
    coroutine = wrapping(asyncio.sleep(0))
    coroutine.send(None)
    assert handed_out(coroutine) == ("wrapping",)
    with pytest.raises(StopIteration):
        coroutine.send(None)


def test_cycles_and_other_objects_end() -> None:
    @dataclass
    class Order:
        number: int

    result: list[Any] = [Order(1), object(), None]
    result.append(result)
    assert handed_out(result) == ()


def test_a_containers_own_code_does_not_run() -> None:
    class Odd(list[object]):
        def __iter__(self) -> Iterator[object]:
            raise RuntimeError

    class OddMapping(dict[str, object]):
        def values(self) -> Any:
            raise RuntimeError

    coroutine = asyncio.sleep(0)
    assert handed_out(Odd([OddMapping(answer=coroutine)])) == ("sleep",)
