from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.seams.shapes import (
    MANY,
    count,
    emptied,
    goes_on,
    inflated,
    reshaped,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)

PAGE = {
    "rows": [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": []}],
    "total": 7,
    "meta": {"count": 2, "next_cursor": "c-2", "has_more": True, "took": 3},
}


@pytest.mark.parametrize(
    ("value", "without"),
    [
        ([1, 2], []),
        ((1, 2), ()),
        ({1, 2}, set()),
        (frozenset({1}), frozenset()),
        (deque([1]), deque()),
        ("text", ""),
        (b"text", b""),
        (None, None),
        (5, 5),
        ({"EUR": 1.1, "GBP": 1.3}, {}),
        ({"rates": {"EUR": 1.1}, "base": "USD"}, {"rates": {}, "base": "USD"}),
        (
            {"items": [1], "total": 9, "next": 2},
            {"items": [], "total": 0, "next": None},
        ),
        ({"city": "Oslo", "at": {"lat": 59.9, "lon": 10.7}}, None),
        ({"name": "Ann", "total": 12}, None),
    ],
)
def test_what_is_left_of_a_value_without_entries(value: Any, without: Any) -> None:
    left = emptied(value)
    assert left == (value if without is None else without)
    assert type(left) is type(value)


def test_counts_and_cursors_agree_with_an_empty_page() -> None:
    assert emptied(PAGE) == {
        "rows": [],
        "total": 0,
        "meta": {"count": 0, "next_cursor": None, "has_more": False, "took": 3},
    }


def test_a_long_page_has_entries_of_their_own_and_counts_that_agree() -> None:
    page = inflated(PAGE)
    assert len(page["rows"]) == MANY
    assert len({row["id"] for row in page["rows"]}) == MANY
    assert page["total"] == 7 - 2 + MANY
    assert page["meta"]["count"] == MANY
    assert page["rows"][-1]["tags"] in (["a"], [])
    assert page["meta"]["next_cursor"] == "c-2"


def test_rows_of_a_database_get_ids_of_their_own() -> None:
    rows = inflated([(1, "ann"), (2, "bob")])
    assert len(rows) == len({number for number, _ in rows}) == MANY


@pytest.mark.parametrize("value", [[], {"items": []}, None, 5, {"name": "Ann"}])
def test_nothing_is_invented_where_no_entry_shows_how_one_looks(value: Any) -> None:
    assert inflated(value) == value


def test_text_grows_where_there_is_no_list() -> None:
    page = {"title": "Short", "text": "hello world " * 5}
    longer = inflated(page)
    assert longer["title"] == "Short"
    assert len(longer["text"]) > 1_000 * len(longer["title"])
    assert longer["text"].startswith(page["text"] * 2)


def test_the_value_itself_stays_as_it_is() -> None:
    page = {"rows": [{"id": 1}], "total": 1}
    emptied(page)
    inflated(page)
    reshaped(page)
    assert page == {"rows": [{"id": 1}], "total": 1}


def test_a_type_keeps_what_its_constructor_was_given() -> None:
    groups: defaultdict[str, list[int]] = defaultdict(list, {"open": [1]})
    left = emptied(groups)
    assert left == {"open": []}
    assert left["closed"] == []
    assert isinstance(inflated(OrderedDict(a=[1])), OrderedDict)


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        ([1, 2], 2),
        ([], 0),
        (PAGE, 2),
        ({"short": [1], "data": {"long": [1, 2, 3]}}, 3),
        ({"name": "Ann"}, None),
        ("text", None),
        (None, None),
    ],
)
def test_how_many_entries_a_value_holds(value: Any, entries: int | None) -> None:
    assert count(value) == entries


@given(JSON)
def test_an_unexpected_form_is_never_the_expected_one(value: Any) -> None:
    assert isinstance(reshaped(value), dict) != isinstance(value, dict)


@given(JSON)
def test_any_json_can_be_emptied_and_inflated(value: Any) -> None:
    assert count(emptied(value)) in {0, None}
    assert emptied(emptied(value)) == emptied(value)
    entries = count(inflated(value))
    assert entries == count(value) or entries == MANY


@pytest.mark.parametrize(
    ("data", "more"),
    [
        ({"rows": [1], "next": 2}, True),
        ({"rows": [1], "next": None}, False),
        ({"rows": [1], "nextPageToken": "abc"}, True),
        ({"rows": [1], "has_more": True}, True),
        ({"rows": [1], "has_more": False, "next_cursor": "abc"}, False),
        ({"rows": [1], "pagination": {"next_url": "/orders?page=2"}}, True),
        ({"edges": [1], "page_info": {"hasNextPage": False, "endCursor": "x"}}, False),
        ({"subscriptions": [1], "next_billing_date": "2031-01-01"}, False),
        ({"next": "abc"}, False),
        ([1, 2], False),
    ],
)
def test_what_says_that_more_follows(data: Any, *, more: bool) -> None:
    assert goes_on(data) is more
