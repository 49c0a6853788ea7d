"""No text makes a detector slow: the cost is linear, whatever is repeated in it."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult.redaction.canaries.credentials import password
from pytest_toolresult.redaction.canaries.search import Index
from pytest_toolresult.redaction.scan import secrets_in

if TYPE_CHECKING:
    from collections.abc import Callable

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


def cost(work: Callable[[str], object], text: str) -> float:
    """Return the processor time of the faster of two tries, in seconds."""
    tries = []
    for _ in range(2):
        started = process_time()
        work(text)
        tries.append(process_time() - started)
    return min(tries)


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_twice_the_text_costs_twice_the_time(piece: str) -> None:
    text = (piece * LENGTH)[:LENGTH]
    once, four_times = cost(secrets_in, text), cost(secrets_in, text * 4)
    # A quadratic cost would be sixteen times as high; what is too short to measure
    # is short enough.
    assert four_times < max(9 * once, 0.1)


def test_many_canaries_cost_as_much_as_one() -> None:
    text = "The order o-1 was updated, and the customer asked for a copy. " * 2_000
    one, many = Index(), Index()
    one.add(password("0"))
    for number in range(300):
        many.add(password(str(number)))
    assert cost(many.find, text) < max(4 * cost(one.find, text), 0.05)
    assert cost(many.find, text * 4) < max(9 * cost(many.find, text), 0.1)
