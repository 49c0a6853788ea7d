from __future__ import annotations

import re

import pytest

from pytest_toolresult.strategies.patterns import (
    compiled,
    looks_like_pattern,
    matching,
)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^INV-\d{4,6}$",
        r"^[a-z]+(-[a-z]+)*$",
        r"(foo|bar)?baz",
        r"^(\w)\1[^a-z]$",
        r"^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$",
        r"^\S+@\S+\.com$",
        r"^[^\x00-\x7f]+$",
        r"^(?P<year>\d{4})-(?:0[1-9]|1[0-2])$",
        r"^a.c\W$",
        "",
    ],
)
def test_texts_that_match_are_found(pattern: str) -> None:
    found = matching(pattern)
    assert found
    assert all(re.search(pattern, text) for text in found)


def test_the_dialect_of_json_schema_is_understood() -> None:
    assert matching(r"^\p{L}+$")[0].isalpha()
    assert matching(r"^(?<n>\d)$")[0].isdigit()


@pytest.mark.parametrize("pattern", ["(", "[a-", r"\p{Klingon}", "^a{99999999999999}$"])
def test_what_is_no_pattern_gives_nothing(pattern: str) -> None:
    assert compiled(pattern) is None
    assert matching(pattern) == ()


def test_what_nothing_matches_gives_nothing() -> None:
    assert matching(r"^(?!)$") == ()


def test_patterns_are_told_from_texts() -> None:
    assert looks_like_pattern(r"^\d+$")
    assert looks_like_pattern("[0-9]+")
    assert not looks_like_pattern("notes.txt")
    assert not looks_like_pattern("Is it so?")
    assert not looks_like_pattern("[x]*(")
