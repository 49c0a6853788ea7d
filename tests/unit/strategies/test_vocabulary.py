from __future__ import annotations

import pytest

from pytest_toolresult.strategies import vocabulary


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("city", "Paris"),
        ("destinationCity", "Paris"),
        ("start_date", "2024-02-29"),
        ("email-address", "1 Main Street"),
        ("userEmail", "ann@example.com"),
        ("currencies", "USD"),
        ("file_path", "README.md"),
        ("zones", "UTC"),
    ],
)
def test_the_last_word_of_a_name_decides(name: str, expected: str) -> None:
    assert vocabulary.texts(name)[0] == expected


def test_options_and_examples_in_a_description_come_first() -> None:
    assert vocabulary.texts("u", "Options are: metric, imperial.")[:2] == (
        "metric",
        "imperial",
    )
    assert "kelvin" in vocabulary.texts("u", "Any of 'kelvin' or 'rankine'")
    assert "Lisbon" in vocabulary.texts("x", "Where to go, e.g. Lisbon")
    assert vocabulary.texts("x", "The email of the customer")[0] == "ann@example.com"


def test_numbers_by_name_and_description() -> None:
    assert vocabulary.numbers("max_results")[0] == 10
    assert 91 in vocabulary.numbers("lat")
    assert 250 in vocabulary.numbers("x", "At most 250 rows")
    assert vocabulary.numbers("zzz") == ()
