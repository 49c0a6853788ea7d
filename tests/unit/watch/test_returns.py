from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pytest_toolresult.watch.returns import ReturnWatch, can_watch_returns


def find(number: int) -> str:
    if number < 0:
        raise ValueError(number)
    if number == 0:
        return "none"
    return "some"


async def fetch(number: int) -> str:
    await asyncio.sleep(0)
    if number == 0:
        return "none"
    return "some"


def reached(watch: ReturnWatch) -> list[int]:
    first = find.__code__.co_firstlineno
    return sorted(int(each.rpartition(":")[2]) - first for each in watch.reached)


def test_returns_are_seen_as_they_are_reached() -> None:
    with ReturnWatch(find, slowly=True) as watch:
        assert len(watch.reachable) == 2
        assert reached(watch) == []
        find(3)
        assert reached(watch) == [5]
        find(0)
    assert reached(watch) == [4, 5]
    assert watch.reached == watch.reachable


def test_an_exception_is_no_return() -> None:
    with ReturnWatch(find, slowly=True) as watch, pytest.raises(ValueError, match="-1"):
        find(-1)
    assert watch.reached == frozenset()


def test_what_happens_before_and_after_is_not_seen() -> None:
    find(3)
    watch = ReturnWatch(find, slowly=True)
    with watch:
        pass
    find(3)
    assert watch.reached == frozenset()
    with watch:
        find(3)
    assert reached(watch) == [5]


def test_async_tools_and_other_threads_are_seen() -> None:
    with ReturnWatch(fetch, slowly=True) as watch:
        asyncio.run(fetch(0))
    assert len(watch.reached) == 1
    with ReturnWatch(find, slowly=True) as watch, ThreadPoolExecutor() as pool:
        pool.submit(find, 3).result()
    assert len(watch.reached) == 1


def test_a_tool_out_of_reach_has_nothing_to_reach() -> None:
    for function in (None, len):
        with ReturnWatch(function, slowly=True) as watch:
            pass
        assert watch.reachable == watch.reached == frozenset()


def test_without_events_only_on_request() -> None:
    with ReturnWatch(find) as watch:
        find(3)
    assert bool(watch.reachable) is can_watch_returns()
    assert bool(watch.reached) is can_watch_returns()


def test_two_tools_can_be_watched_at_a_time() -> None:
    with ReturnWatch(find, slowly=True) as one, ReturnWatch(fetch) as other:
        find(3)
        asyncio.run(fetch(3))
    assert len(one.reached) == 1
    assert len(other.reached) == int(can_watch_returns())


def test_who_profiles_is_left_alone() -> None:
    seen: list[Any] = []
    before = sys.getprofile()
    sys.setprofile(lambda *event: seen.append(event))
    try:
        with ReturnWatch(find, slowly=True) as watch:
            find(3)
    finally:
        sys.setprofile(before)
    assert any(frame.f_code is find.__code__ for frame, *_ in seen)
    assert len(watch.reached) == int(can_watch_returns())
    assert ("a profile function of another tool" in watch.why_not) is not (
        can_watch_returns()
    )


def test_who_traces_goes_on_tracing() -> None:
    seen: list[Any] = []
    before = sys.gettrace()
    sys.settrace(lambda *event: seen.append(event))
    try:
        with ReturnWatch(find, slowly=True) as watch:
            find(3)
    finally:
        sys.settrace(before)
    assert any(frame.f_code is find.__code__ for frame, *_ in seen)
    assert reached(watch) == [5]
    assert watch.why_not == ""
