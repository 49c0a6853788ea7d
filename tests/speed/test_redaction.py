"""No text makes a detector slow: the cost is linear, whatever is repeated in it."""

from __future__ import annotations

import json
from itertools import cycle, islice
from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult.redaction.canaries.credentials import password
from pytest_toolresult.redaction.canaries.search import Index
from pytest_toolresult.redaction.scan import (
    forget_texts,
    secrets_in,
    secrets_in_each,
)
from tests.quality.redaction_shapes import LOOK_ALIKES
from tests.quality.test_redaction import CLASSES, samples
from tests.timing import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH: Final = 12_000
PIECES: Final = [
    *(
        "ghp_",
        "sk-",
        "xoxb-",
        "glpat-",
        "SG.",
        "key-",
        "eyJ.",
        "eyJaaaaaaaaaaaa.",
        "a.",
    ),
    *(
        "$2b$",
        "$6$",
        "$",
        "{SSHA}",
        "md5",
        "*",
        "::",
        "pbkdf2",
        "scrypt:",
        "S:",
        "0x0200",
    ),
    *("-----BEGIN PRIVATE KEY-----", "LS0tLS1CRUdJTi", "PuTTY-User-Key-File-2: "),
    *("://", "a://b:", "http://a:", "x:y@", "a@", "a@b.", "a/b@c:1", "a:b@tcp("),
    *("password: ", "password", 'password:"', "token=", "a=b&", "key value ", "a: a: "),
    *("--a ", "- ", "-p ", "mysql ", "curl -u a:", "machine a login b password "),
    *("name: a\nvalue: ", "token is ", "the api key was ", "Server=", "a;", '\\"', '"'),
    *("<password>", "<a ", 'name="x', "<td>phone</td>", "|a|b|\n", "a,b\n", "a\tb\n"),
    *(
        "insert into t (a) values (",
        "('",
        "12",
        "1 ",
        "1-",
        "+1 ",
        "(1) ",
        "AB12 ",
        "A1",
    ),
    *(
        "P<",
        "<<",
        "\u5bc6\u7801",
        "\u5bc6\u7801\uff1a",
        "\uff1a",
        "\u624b\u673a1",
        "\0",
    ),
    *(
        " ",
        "\n",
        "A" * 60 + ".",
        "a b ",
        "is ",
        "{{",
        "[",
        "(",
        "\\",
        "'",
        "`",
        "=",
        "-",
    ),
]


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_twice_the_text_costs_twice_the_time(piece: str) -> None:
    text = (piece * LENGTH)[:LENGTH]
    once = seconds(lambda: secrets_in(text), tries=2)
    four_times = seconds(lambda: secrets_in(text * 4), tries=2)
    # A quadratic cost would be sixteen times as high; what is too short to measure
    # is short enough.
    assert four_times < max(9 * once, 0.1)


def test_many_canaries_cost_as_much_as_one() -> None:
    text = "The order o-1 was updated, and the customer asked for a copy. " * 2_000
    one, many = Index(), Index()
    one.add(password("0"))
    for number in range(300):
        many.add(password(str(number)))
    usual = seconds(lambda: many.find(text))
    assert usual < max(4 * seconds(lambda: one.find(text)), 0.05)
    assert seconds(lambda: many.find(text * 4)) < max(9 * usual, 0.1)


def test_ordinary_texts_that_look_like_secrets_cost_as_their_length() -> None:
    text = "\n".join(islice(cycle(LOOK_ALIKES), 8_000))
    half = text[: len(text) // 2]
    whole = seconds(lambda: secrets_in(text))
    assert whole < 3 * seconds(lambda: secrets_in(half))


def test_looking_costs_little_more_than_writing_json() -> None:
    texts = [text for name in CLASSES for text, _ in samples(name)[::4]]
    notes = [*texts, *LOOK_ALIKES]
    documents = [
        {"status": "success", "data": {"id": number, "note": note, "tags": ["a", "b"]}}
        for number, note in enumerate(notes)
    ]
    looked = seconds(lambda: [secrets_in(note) for note in notes])
    # Nearly every one of these texts holds a secret, which is what costs.
    assert looked < 40 * seconds(lambda: [json.dumps(each) for each in documents])


def test_looking_through_a_run_of_results_costs_as_writing_them_some_times() -> None:
    texts = [text for name in CLASSES for text, _ in samples(name)[::9]]
    results = [
        {
            "status": "success",
            "data": {
                "record": f"r-{at}",
                "state": "open",
                "tags": ["eu"],
                "note": note,
            },
            "error": None,
            "meta": {"tool": "orders.get", "format_version": "1", "count": str(at)},
        }
        for at, note in enumerate([*texts, *LOOK_ALIKES])
    ]
    leaves = [list(leaves_of(result)) for result in results]

    def look() -> None:
        forget_texts()
        for each in leaves:
            secrets_in_each(each)

    assert seconds(look) < 25 * seconds(lambda: [json.dumps(each) for each in results])


def leaves_of(value: object) -> Iterator[str]:
    """Give every key and text of a result."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves_of(inner)
    elif isinstance(value, str):
        yield value
