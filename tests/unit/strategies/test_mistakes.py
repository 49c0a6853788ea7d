from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_toolresult.strategies import mistakes


@pytest.mark.parametrize(
    ("mistake", "value", "expected"),
    [
        (mistakes.json_as_text, ["a"], '["a"]'),
        (mistakes.number_as_text, 1200, "1,200"),
        (mistakes.truth_as_text, True, "false"),
        (mistakes.null, "x", None),
        (mistakes.null_as_text, "x", "null"),
        (mistakes.unwrapped_list, ["a", "b"], "a, b"),
        (mistakes.wrapped_in_list, 3, [3]),
        (mistakes.names_for_objects, [{"name": "x"}], ["a", "b"]),
        (mistakes.odd_list, [1], []),
        (mistakes.odd_object, {"a": 1}, {"a": 1, "extra": 1}),
        (mistakes.wrong_case, "in_progress", "IN_PROGRESS"),
        (mistakes.date_as_people_write, "2024-01-31", "02/03/2024"),
        (mistakes.fraction_for_whole, 2, 2.0),
        (mistakes.text_as_number, "42", 42),
        (mistakes.decorated_text, "a", "```\na\n```"),
        (mistakes.broken_text, "ab", "ab\x00"),
        (mistakes.broken_text, "ab", "ab\ud83d"),
        (mistakes.placeholder, "u-1", "<user_id>"),
        (mistakes.other_scale, 8, 0.08),
        (mistakes.other_name, "JPY", "Japanese Yen"),
        (mistakes.scientific, 1500, "1.500000e+03"),
        (mistakes.encoded_text, "a/b c", "a%2Fb%20c"),
        (mistakes.encoded_text, "<", "&#60;"),
        (mistakes.decorated_text, "a/b", "a\\/b"),
        (
            mistakes.decorated_text,
            "A1",
            "\N{FULLWIDTH LATIN CAPITAL LETTER A}\N{FULLWIDTH DIGIT ONE}",
        ),
        (mistakes.look_alike, "ace", "\u0430\u0441\u0435"),
        (mistakes.look_alike, "x", "\u201cx\u201d"),
        (mistakes.wrong_case, "notes", "note"),
        (mistakes.wrong_case, "note", "notes"),
        (mistakes.date_as_people_write, "2024-02-29", "29/02/2024"),
        (mistakes.date_as_people_write, "2024-02-29", "2023-02-29"),
    ],
)
def test_a_mistake_makes_what_models_make(
    mistake: mistakes.ValueMistake, value: Any, expected: Any
) -> None:
    assert expected in list(mistake(value, "user_id"))


def test_paths_and_dates_are_known_by_their_names() -> None:
    assert "../a" in list(mistakes.path_habits("a", "filePath"))
    assert "'a'" in list(mistakes.path_habits("a", "filePath"))
    assert list(mistakes.path_habits("a", "title")) == []
    assert "Paris, CA" in list(mistakes.place_with_region("Paris, France", "city"))
    assert list(mistakes.place_with_region("Paris", "title")) == []
    assert "tomorrow" in list(mistakes.date_as_people_write("x", "due_date"))
    assert list(mistakes.date_as_people_write("x", "title")) == []


def test_mistakes_of_a_whole_call() -> None:
    right = {"user_id": 1, "maxRows": 2}
    made = [each for mistake in mistakes.CALL_MISTAKES for each in mistake(right)]
    assert {"user_id": 1} in made
    assert {} in made
    assert {"userId": 1, "maxRows": 2} in made
    assert {"user_id": 1, "max_rows": 2} in made
    assert {**right, "explanation": "because"} in made
    assert {"arguments": right} in made
    assert {"arguments": json.dumps(right)} in made
    assert {"user_id": 2, "maxRows": 1} in made
    assert right == {"user_id": 1, "maxRows": 2}


def test_all_mistakes_can_be_sent_as_json_for_any_value() -> None:
    for value in (None, True, 3, 2.5, 10**30, "x", "", [], ["a"], {}, {"a": [1]}):
        for mistake in (*mistakes.VALUE_MISTAKES, *mistakes.RARE_MISTAKES):
            for made in mistake(value, "name"):
                json.dumps(made, allow_nan=False)
