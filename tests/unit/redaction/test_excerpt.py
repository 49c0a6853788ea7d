from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.redaction.excerpt import (
    excerpt,
    excerpt_text,
    masked_arguments,
    shortened,
)

KEY = "ghp_Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsPg6Xe0AuB"

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)  # a longer one may be the number of a card
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('abc äöü "\\/[]{}'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
)


@dataclass
class Order:
    id: int
    tags: set[str]


class Opaque:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"a": [1, None, True, 2.5], "b": ()}, '{"a": [1, null, true, 2.5], "b": []}'),
        ("two\nlines\x1b", '"two\\nlines\\u001b"'),
        ("\ud83d", '"\\ud83d"'),
        (float("nan"), "NaN"),
        ([10**5_000], "[<an integer of 16610 bits>]"),
        (date(2026, 1, 2), "datetime.date(2026, 1, 2)"),
        ([Decimal("1.50")], "[Decimal('1.50')]"),
        (b"\xff", "b'\\xff'"),
        (Opaque(), "<Opaque object>"),
        (Order(id=3, tags={"x"}), 'Order("id": 3, "tags": {"x"})'),
        ({1: 2}, "{1: 2}"),
    ],
)
def test_anything_becomes_one_line(value: object, line: str) -> None:
    assert excerpt(value) == line


@given(JSON)
def test_what_is_json_is_rendered_as_such(value: object) -> None:
    assert json.loads(excerpt(value, 100_000)) == value


@given(st.text(), st.integers(10, 200))
def test_no_line_is_longer_than_asked(text: str, most: int) -> None:
    for line in (excerpt(text, most), excerpt_text(text, most), excerpt([text], most)):
        assert len(line) <= most
        assert line.isprintable()


def test_a_long_line_loses_its_middle() -> None:
    assert shortened("0123456789" * 3, 10) == "012345\u2026789"
    assert excerpt("a" * 500 + "z", 20).endswith('aaz"')


@given(st.integers(0, 400), st.integers(20, 400))
def test_no_half_of_a_secret_stands_at_a_cut(before: int, most: int) -> None:
    for value in ("x" * before + " " + KEY, ["y" * before, {KEY: KEY}]):
        line = excerpt(value, most)
        assert not any(KEY[at : at + 6] in line for at in range(4, 30))


def test_a_container_that_holds_itself_ends() -> None:
    whole: dict[str, Any] = {}
    whole["self"] = [whole]
    assert excerpt(whole) == '{"self": [<the same dict again>]}'


def test_depth_and_size_do_not_matter() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert len(excerpt(deep)) <= 160
    assert len(excerpt({"rows": list(range(1_000_000))})) <= 160


def test_arguments_stay_what_they_are_unless_long_or_secret() -> None:
    arguments = {"n": 0, "q": "", "tags": ["a"], "none": None, "token": KEY}
    arguments |= {"lines": "a\r\nb\t\x1b", "in_a_list": ["a\r\nb"]}
    shown = masked_arguments(arguments)
    assert shown | {"token": ""} == arguments | {"token": ""}
    assert shown["token"].startswith("[github-token, 40 chars")
    assert len(masked_arguments({"text": "x" * 10_000})["text"]) <= 160
    assert len(masked_arguments({"rows": list(range(1_000))})["rows"]) <= 500
    assert masked_arguments({str(n): n for n in range(30)})["\u2026"] == "and 10 more"
