"""What has to come to the same: repeated, respelled, elsewhere, at the same time."""

from __future__ import annotations

import asyncio
import copy
import datetime as dt
import itertools
import os
import random
import sqlite3
import threading
import time
import uuid
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Tool = Callable[..., Any]


def answer(status: str, data: Any = None, error: Any = None, **meta: Any) -> Any:
    return {"status": status, "data": data, "error": error, "meta": meta}


def refusal(message: str) -> Any:
    error = {"code": "BAD_ARGUMENT", "message": message, "retryable": False}
    return answer("error", error=error)


# --- repeating, and what others do to a result --------------------------------------

FORECASTS = {
    "Oslo": [{"day": "Monday", "sky": "snow"}, {"day": "Tuesday", "sky": "sun"}]
}
HISTORY: list[str] = []


def cached_object(city: Literal["Oslo"] = "Oslo") -> Any:
    return answer("success", FORECASTS[city])


def grows(item: str = "a", items: list[str] = []) -> Any:  # noqa: B006 - that is the fault
    items.append(item)
    return answer("success", items)


def grows_unseen(item: str = "a", items: list[str] = []) -> Any:  # noqa: B006 - that is the fault
    items.append(item)
    return answer("success", [{"item": each} for each in items])


def remembers(city: str = "Oslo", known: dict[str, int] = {}) -> Any:  # noqa: B006 - harmless
    known.setdefault(city, len(city))
    return answer("success", {"letters": known[city]})


def cached_rows(city: Literal["Oslo"] = "Oslo") -> Any:
    return answer("success", list(FORECASTS[city]))


def copied(city: Literal["Oslo"] = "Oslo") -> Any:
    return answer("success", copy.deepcopy(FORECASTS[city]))


def counter(_numbers: Any = None) -> Any:
    """Count the calls: another number each time, and right."""
    HISTORY.append("called")
    return answer("success", {"call_number": len(HISTORY), "name": "counter"})


@pytest.mark.parametrize("tool", [cached_object, grows, grows_unseen, cached_rows])
def test_a_result_that_is_shared_is_told(relate: Any, tool: Tool) -> None:
    assert "TR808" in relate.rules(tool)


@pytest.mark.parametrize("tool", [copied, counter, remembers])
def test_one_that_is_not_is_fine(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()


def test_what_was_spoilt_is_mended(relate: Any) -> None:
    before = copy.deepcopy(FORECASTS)
    relate.rules(cached_object)
    assert before == FORECASTS


# --- what varies by itself ----------------------------------------------------------


def all_new() -> Any:
    return answer("success", {"token": str(uuid.uuid4()), "at": time.time()})


def some_new(city: str = "Oslo") -> Any:
    when = dt.datetime.now(dt.UTC).isoformat()
    rows = [
        {"city": city, "read_at": when, "sky": "snow"},
        {"city": city, "sky": "sun"},
    ]
    return answer(
        "success", rows, request_id=str(uuid.uuid4()), duration_ms=time.time()
    )


def shuffled(limit: int = 3) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    rows = [{"id": number} for number in random.sample(range(9), limit)]
    return answer("success", rows)


def in_lines(city: str = "Oslo") -> str:
    return f"Weather for {city}\nread at {time.time()}\nsnow"


def test_where_all_varies_nothing_is_compared_and_it_is_said(relate: Any) -> None:
    evidence = relate.evidence(all_new)
    assert evidence.findings == ()
    assert "differ from one equal call to the next" in str(evidence.not_covered)


@pytest.mark.parametrize("tool", [some_new, shuffled, in_lines])
def test_what_varies_is_left_out(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()


STEPS = itertools.count()


def changes_now_and_then(limit: int = 2) -> Any:
    """Read data that somebody else adds to: once in a while there is more."""
    if limit < 1:
        return refusal("limit must be 1 or more")
    size = 5 + next(STEPS) // 9
    return answer("success", {"size": size, "name": "shelf", "floor": 1})


def test_data_that_changes_meanwhile_is_no_fault(relate: Any) -> None:
    assert relate.rules(changes_now_and_then) == set()


# --- spelling -----------------------------------------------------------------------

PARTS = [
    {"part_id": 5, "state": "open", "made_at": "2024-02-29T12:00:00Z"},
    {"part_id": 6, "state": "open", "made_at": "2024-03-01T12:00:00Z"},
    {"part_id": 7, "state": "sold", "made_at": "2024-03-02T12:00:00Z"},
]


def _found(rows: list[Any]) -> Any:
    return answer("success", copy.deepcopy(rows)) if rows else answer("empty", [])


def number_as_text(part_id: int) -> Any:
    return _found([row for row in PARTS if row["part_id"] != part_id])


def choice_in_capitals(state: Literal["open", "sold"]) -> Any:
    return _found([row for row in PARTS if row["state"] == state])


def blank_filter(floor: str | None = None) -> Any:
    return _found([row for row in PARTS if floor is None or row["state"] == floor])


def moments_as_text(since: str) -> Any:
    return _found([row for row in PARTS if str(row["made_at"]) > since])


def list_as_text(parts: list[str]) -> Any:
    return answer("success", {"parts": sorted(parts)})


BY_STATE = {"open": PARTS[:2], "sold": PARTS[2:]}


def unknown_is_all(state: str) -> Any:
    return _found(BY_STATE.get(state, PARTS))


def made_of_the_name(state: str) -> Any:
    rows = [{"row_id": f"{state!r}-{number}", "number": number} for number in range(2)]
    return answer("success", rows)


def number_is_converted(part_id: int) -> Any:
    try:
        wanted = int(part_id)
    except (TypeError, ValueError):
        return refusal("part_id must be a number")
    return _found([row for row in PARTS if row["part_id"] != wanted])


def choice_is_lowered(state: Literal["open", "sold"]) -> Any:
    wanted = str(state).strip().lower()
    if wanted not in ("open", "sold"):
        return refusal("state must be open or sold")
    return _found([row for row in PARTS if row["state"] == wanted])


def choice_is_refused(state: Literal["open", "sold"]) -> Any:
    if state not in ("open", "sold"):
        return refusal("state must be open or sold")
    return _found([row for row in PARTS if row["state"] == state])


def blank_is_nothing(floor: str | None = None) -> Any:
    return _found([row for row in PARTS if not floor or row["state"] == floor])


def moments_are_read(since: str) -> Any:
    try:
        begin = dt.datetime.fromisoformat(since)
    except ValueError:
        return refusal("since must be a moment, such as 2024-02-29T12:00:00Z")
    begin = begin if begin.tzinfo else begin.replace(tzinfo=dt.UTC)
    made = [(dt.datetime.fromisoformat(str(row["made_at"])), row) for row in PARTS]
    return _found([row for when, row in made if when >= begin])


def echoes(part_id: int, since: str = "2024-02-29T12:00:00Z") -> Any:
    return answer("success", {"asked_for": part_id, "since": since, "parts": 3})


def counts_letters(city: str) -> Any:
    return answer("success", {"city": city, "letters": len(city)})


MOMENT = {"since": "2024-03-01T12:00:00Z"}
OPEN = {"state": "open"}


@pytest.mark.parametrize(
    ("tool", "success"),
    [
        (number_as_text, {"part_id": 5}),
        (choice_in_capitals, OPEN),
        (blank_filter, {}),
        (moments_as_text, MOMENT),
        (list_as_text, {"parts": ["a", "b"]}),
        (unknown_is_all, OPEN),
    ],
)
def test_another_spelling_that_gives_another_result_is_told(
    relate: Any, tool: Tool, success: Any
) -> None:
    assert relate.rules(tool, validate=False, success=success) == {"TR908"}


@pytest.mark.parametrize(
    ("tool", "success"),
    [
        (number_is_converted, {"part_id": 5}),
        (choice_is_lowered, OPEN),
        (choice_is_refused, OPEN),
        (blank_is_nothing, {}),
        (moments_are_read, MOMENT),
        (echoes, {"part_id": 5}),
        (counts_letters, {"city": "Oslo"}),
        (made_of_the_name, OPEN),
    ],
)
@pytest.mark.parametrize("validate", [True, False])
def test_one_that_gives_the_same_or_is_refused_is_fine(
    relate: Any, tool: Tool, success: Any, *, validate: bool
) -> None:
    assert relate.rules(tool, validate=validate, success=success) == set()


def test_what_validation_makes_one_is_not_called_twice(relate: Any) -> None:
    evidence = relate.evidence(number_as_text, success={"part_id": 5})
    assert evidence.findings == ()


# --- time zones ---------------------------------------------------------------------

STAMP = 1_709_208_000


def local_stamp() -> Any:
    return answer("success", {"created": dt.datetime.fromtimestamp(STAMP).isoformat()})  # noqa: DTZ006 - that is the fault


def local_now() -> Any:
    return answer("success", {"now": dt.datetime.now().isoformat(), "place": "here"})  # noqa: DTZ005 - that is the fault


def local_day() -> Any:
    return answer("success", {"today": dt.date.today().isoformat()})  # noqa: DTZ011 - that is the fault


def in_a_sentence() -> str:
    return "Created " + time.strftime("%d %B %Y, %H:%M", time.localtime(STAMP))


def in_utc() -> Any:
    created = dt.datetime.fromtimestamp(STAMP, dt.UTC).isoformat()
    return answer("success", {"created": created})


def with_offset() -> Any:
    local = dt.datetime.fromtimestamp(STAMP, dt.UTC).astimezone()
    return answer("success", {"created": local.isoformat(), "text": f"on {local}"})


def now_in_utc() -> Any:
    return answer("success", {"now": dt.datetime.now(dt.UTC).isoformat(), "place": "x"})


def names_its_zone() -> str:
    return "Created " + time.strftime("%H:%M %Z", time.localtime(STAMP))


@pytest.mark.parametrize("tool", [local_stamp, local_now, local_day, in_a_sentence])
def test_the_host_s_zone_in_a_result_is_told(relate: Any, tool: Tool) -> None:
    assert "TR909" in relate.rules(tool)


@pytest.mark.parametrize("tool", [in_utc, with_offset, now_in_utc, names_its_zone])
def test_a_moment_that_says_its_zone_is_fine(relate: Any, tool: Tool) -> None:
    assert "TR909" not in relate.rules(tool)


def test_the_zone_is_put_back(relate: Any) -> None:
    before = (os.environ.get("TZ"), time.tzname)
    relate.rules(local_stamp)
    assert before == (os.environ.get("TZ"), time.tzname)


# --- at the same time ---------------------------------------------------------------

CURRENT: dict[str, str] = {}
BUFFER: list[str] = []
INSIDE: list[str] = []
CITIES = {"Oslo": "snow", "Rome": "sun", "Cairo": "heat"}
LOCAL = threading.local()


def global_state(city: str = "Oslo") -> Any:
    if city not in CITIES:
        return answer("empty", [])
    CURRENT["city"] = city
    time.sleep(0.002)
    return answer("success", {"sky": CITIES[CURRENT["city"]]})


def shared_buffer(city: str = "Oslo") -> Any:
    if city not in CITIES:
        return answer("empty", [])
    BUFFER.clear()
    for letter in CITIES[city]:
        BUFFER.append(letter)
        time.sleep(0.0005)
    return answer("success", {"sky": "".join(BUFFER)})


async def async_global(city: str = "Oslo") -> Any:
    if city not in CITIES:
        return answer("empty", [])
    CURRENT["city"] = city
    await asyncio.sleep(0.001)
    return answer("success", {"sky": CITIES[CURRENT["city"]]})


async def answers_the_first(city: str = "Oslo") -> Any:
    """Tell all who ask at the same time what the first of them wanted to know."""
    if city not in CITIES:
        return answer("empty", [])
    INSIDE.append(city)
    await asyncio.sleep(0.001)
    sky = CITIES[INSIDE[0]]
    await asyncio.sleep(0.001)
    INSIDE.pop()
    return answer("success", {"sky": sky})


def local_state(city: str = "Oslo") -> Any:
    if city not in CITIES:
        return answer("empty", [])
    LOCAL.city = city
    time.sleep(0.002)
    return answer("success", {"sky": CITIES[LOCAL.city]})


LOCK = threading.Lock()


def with_a_lock(city: str = "Oslo") -> Any:
    if city not in CITIES:
        return answer("empty", [])
    with LOCK:
        CURRENT["city"] = city
        time.sleep(0.001)
        return answer("success", {"sky": CITIES[CURRENT["city"]]})


async def async_local(city: str = "Oslo") -> Any:
    if city not in CITIES:
        return answer("empty", [])
    await asyncio.sleep(0.001)
    return answer("success", {"sky": CITIES[city]})


@pytest.mark.parametrize("tool", [global_state, shared_buffer, async_global])
def test_calls_that_meet_are_told(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == {"TR912"}


@pytest.mark.parametrize("tool", [global_state, async_global, answers_the_first])
def test_what_came_back_is_shown_with_what_was_asked(relate: Any, tool: Tool) -> None:
    found = relate.evidence(tool).findings[0]
    right = CITIES[found.arguments.get("city", "Oslo")]
    assert right not in found.returned
    assert right in found.otherwise


@pytest.mark.parametrize("tool", [local_state, with_a_lock, async_local])
def test_calls_that_do_not_are_fine(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool) == set()


def test_a_database_may_be_read_by_several_at_once(relate: Any, tmp_path: Path) -> None:
    file = tmp_path / "skies.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("create table skies (city text, sky text)")
        connection.executemany("insert into skies values (?, ?)", CITIES.items())
        connection.commit()

    def sky_of(city: str = "Oslo") -> Any:
        with closing(sqlite3.connect(file)) as reading:
            found = reading.execute("select sky from skies where city = ?", (city,))
            rows = [{"sky": sky} for (sky,) in found]
        return answer("success", rows) if rows else answer("empty", [])

    assert relate.rules(sky_of) == set()


def test_what_the_guard_stops_is_not_judged(relate: Any, tmp_path: Path) -> None:
    def write(name: str = "x") -> Any:
        (tmp_path / "log.txt").write_text(name, encoding="utf-8")
        return answer("success", {"written": name})

    explored = relate.explored(write)
    assert explored.evidence.findings == ()
    assert "log.txt" in explored.why_nothing
    assert not (tmp_path / "log.txt").exists()
