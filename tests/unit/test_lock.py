from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_toolresult.errors import LockError
from pytest_toolresult.lock import Change, Seen, changes, load, render, updated
from pytest_toolresult.shapes import shape_of

TOOL = "shop.tools:find_orders"
ROW = {"order_id": "o-1", "total": "9.50"}
SHAPES = {"1.0": {"success": shape_of([ROW]), "error": {"NO_ID": "code"}}}


def locked(**seen: Any) -> Any:
    options = {"identity": TOOL, "shapes": SHAPES} | seen
    return updated({}, [Seen(**options)])


def test_what_is_written_can_be_read() -> None:
    assert load(render(locked(), plugin="1.0"), plugin="1.0") == locked()


def test_the_file_has_a_line_for_each_field() -> None:
    lines = render(locked(), plugin="1.0").decode().splitlines()
    assert '      "data[].order_id": "string",' in lines
    assert '      "data[].total": "string"' in lines
    again = render(locked(), plugin="1.0").decode().splitlines()
    assert lines == again


def test_other_tools_stay_as_they_are() -> None:
    more = updated(locked(), [Seen(identity="shop:other", shapes=SHAPES)])
    assert more[TOOL] == locked()[TOOL]
    assert set(more) == {TOOL, "shop:other"}
    assert updated(locked(), [Seen(identity=TOOL, shapes={})]) == locked()


def test_a_path_that_was_not_seen_stays_under_its_version() -> None:
    only = {"1.0": {"empty": shape_of([])}}
    after = updated(locked(), [Seen(identity=TOOL, shapes=only)])[TOOL]["1.0"]
    assert after["statuses"] == ["empty", "error", "success"]
    assert after["codes"] == ["NO_ID"]


def test_a_new_version_takes_the_place_of_the_old_one() -> None:
    after = updated(locked(), [Seen(identity=TOOL, shapes={"2.0": SHAPES["1.0"]})])
    assert list(after[TOOL]) == ["2.0"]


def test_a_code_that_cannot_be_made_any_more_goes() -> None:
    other = {"1.0": {"error": {"BLANK": "code"}}}
    seen = Seen(identity=TOOL, shapes=other, codes=frozenset({"BLANK"}))
    assert updated(locked(), [seen])[TOOL]["1.0"]["codes"] == ["BLANK"]


def told(before: object, after: object) -> list[tuple[str, bool]]:
    sides = [
        updated({}, [Seen(identity=TOOL, shapes={"1.0": {"success": shape_of(data)}})])
        for data in (before, after)
    ]
    found = changes(*sides)
    assert all(each.tool == TOOL for each in found)
    return [(each.text.removeprefix("version 1.0: "), each.breaks) for each in found]


@pytest.mark.parametrize(
    ("before", "after", "text", "breaks"),
    [
        ({"a": 1}, {}, "success: data.a (number) is gone", True),
        ({"a": 1}, {"a": 1, "b": 2}, "success: data.b (number) is new", False),
        ({"a": 1}, {"a": "1"}, "success: data.a was number and is string", True),
        (
            [{"a": 1}, {"a": None}],
            [{"a": 1}],
            "success: data[].a was number or null and is number",
            False,
        ),
        (
            [{"a": 1}, {"a": 2}],
            [{"a": 1}, {}],
            "success: data[].a was number and is optional number",
            True,
        ),
    ],
)
def test_breaks_are_told_from_harmless_changes(
    before: object,
    after: object,
    text: str,
    breaks: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    assert told(before, after) == [(text, breaks)]


def test_breaks_come_first() -> None:
    found = told({"a": 1, "b": 1}, {"a": 1, "aa": 1})
    assert [breaks for _, breaks in found] == [True, False]


def test_new_tools_versions_and_paths_are_told() -> None:
    more = updated({}, [Seen(identity=TOOL, shapes={"2.0": SHAPES["1.0"]})])
    partial = {"1.0": {**SHAPES["1.0"], "partial": shape_of([ROW])}}
    wider = updated(locked(), [Seen(identity=TOOL, shapes=partial)])
    assert changes({}, more) == [Change(TOOL, "is new", breaks=False)]
    assert [each.text for each in changes(locked(), more)] == [
        "version 1.0 is gone",
        "version 2.0 is new",
    ]
    assert changes(locked(), wider) == [
        Change(TOOL, "version 1.0: the status partial is new", breaks=True)
    ]


GOOD = json.loads(render(locked(), plugin="1.0"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", "merge conflict"),
        (b"{", "cannot read"),
        (b"", "cannot read"),
        (b"[]", "an object"),
        (b"{}", "format"),
        (b"\xff\xfe", "cannot read"),
        (json.dumps(GOOD | {"format": 2}).encode(), "format 2"),
        (json.dumps(GOOD | {"plugin": "9.1.0"}).encode(), "9.1.0, and this is 1.0.2"),
        (json.dumps(GOOD | {"tools": []}).encode(), "tools should be an object"),
        (
            json.dumps(GOOD | {"tools": {TOOL: {"1.0": {"statuses": "x"}}}}).encode(),
            "statuses should be a list",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named(content: bytes, told: str) -> None:
    with pytest.raises(LockError, match=r"toolresult\.lock\.json") as caught:
        load(content, plugin="1.0.2")
    assert told in str(caught.value)


def test_a_file_of_an_older_version_is_fine() -> None:
    assert load(render(locked(), plugin="0.9.9"), plugin="1.0") == locked()
