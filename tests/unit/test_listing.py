"""Rows, what tells them apart, and what a result says of those it does not hold."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_toolresult.listing import (
    continuation_of,
    id_field,
    identity_of,
    listing_of,
)


@pytest.mark.parametrize(
    ("data", "place", "count"),
    [
        ([1, 2], "data", 2),
        ({"orders": [1], "name": "x"}, "data.orders", 1),
        ({"facets": [1], "items": [1, 2, 3]}, "data.items", 3),
        ({"page": {"rows": [1, 2]}}, "data.page.rows", 2),
        ('[{"a": 1}]', "data", 1),
        ([{"type": "text", "text": '{"hits": [1, 2]}'}], "data.hits", 2),
    ],
)
def test_rows_are_found(data: Any, place: str, count: int) -> None:
    listing = listing_of(data)
    assert listing is not None
    assert (listing.place, len(listing.rows)) == (place, count)


@pytest.mark.parametrize(
    "data", [None, "text", 3, {"a": 1}, {"left": [1], "right": []}]
)
def test_where_there_are_none_there_are_none(data: Any) -> None:
    assert listing_of(data) is None


def test_rows_are_told_apart_by_an_id_or_as_a_whole() -> None:
    rows = [{"state": "a", "order_id": 1}, {"state": "a", "order_id": 2}]
    assert id_field(rows) == "order_id"
    assert identity_of(rows[0], "order_id") == "order_id 1"
    assert id_field([{"id": 1}, {"id": 1}]) is None
    assert id_field([1, 2]) is None
    assert identity_of({"b": 1, "a": 2}, None) == '{"a": 2, "b": 1}'


@pytest.mark.parametrize(
    ("meta", "more", "following", "total"),
    [
        ({}, None, {}, None),
        ({"next_cursor": "p2", "total": 9}, True, {"next cursor": "p2"}, 9),
        ({"nextPageToken": ""}, False, {}, None),
        ({"has_more": False}, False, {}, None),
        ({"truncated": True, "result_id": "r1"}, True, {"result id": "r1"}, None),
        ({"result_id": "r1"}, None, {}, None),
        ({"pagination": {"next": 3}, "total_count": 7}, True, {"next": 3}, 7),
        ({"total": True}, None, {}, None),
    ],
)
def test_what_leads_on_is_read(
    meta: Any, more: object, following: Any, total: int | None
) -> None:
    found = continuation_of([1], meta)
    assert found.says_more is more
    assert found.following == following
    assert found.total == total
