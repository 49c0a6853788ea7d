"""A planted secret is seen in every form, and never where it is not."""

from __future__ import annotations

import base64
import html
import json
import random
import string
import subprocess
import sys
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import pytest

from pytest_toolresult.errors import ContractError
from pytest_toolresult.redaction.canaries import credentials, dsn, people
from pytest_toolresult.redaction.canaries.registry import REGISTRY, Registry
from pytest_toolresult.redaction.canaries.search import Index
from tests.quality.redaction_shapes import LOOK_ALIKES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.redaction.canaries.canary import Canary

MAKERS: Final = {**credentials.MAKERS, **people.MAKERS}


def padded(text: str, before: int) -> bytes:
    return b"x" * before + text.encode() + b"and more"


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def grouped(text: str, separator: str) -> str:
    return separator.join(text[at : at + 4] for at in range(0, len(text), 4))


FORMS: Final[dict[str, Callable[[str], str]]] = {
    "as it is": lambda text: text,
    "upper case": str.upper,
    "lower case": str.lower,
    "without separators": lambda text: "".join(filter(str.isalnum, text)),
    "in groups": lambda text: grouped(text, " "),
    "with dashes": lambda text: grouped(text, "-"),
    "over lines": lambda text: grouped(text, "\n"),
    "base64": lambda text: base64.b64encode(padded(text, 0)).decode(),
    "base64, one later": lambda text: base64.b64encode(padded(text, 1)).decode(),
    "base64, two later": lambda text: base64.b64encode(padded(text, 2)).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(padded(text, 0)).decode(),
    "base32": lambda text: base64.b32encode(padded(text, 3)).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "HEXADECIMAL": lambda text: text.encode().hex(" ").upper(),
    "URL": lambda text: quote(text, safe=""),
    "URL twice": lambda text: quote(quote(text, safe=""), safe=""),
    "HTML": html.escape,
    "JSON": lambda text: json.dumps({"a": text}),
    "JSON in JSON": lambda text: json.dumps(json.dumps([text])),
    "JSON in JSON in JSON": lambda text: json.dumps(json.dumps(json.dumps(text))),
    "repr": lambda text: repr([text]),
    "reversed": lambda text: text[::-1],
    "full width": full_width,
}


@pytest.fixture(scope="module")
def planted() -> tuple[Index, list[Canary]]:
    index = Index()
    canaries = [make(f"{n}") for make in MAKERS.values() for n in range(40)]
    for canary in canaries:
        index.add(canary)
    return index, canaries


@pytest.mark.parametrize("form", FORMS)
def test_every_kind_is_seen_in_every_form(
    planted: tuple[Index, list[Canary]], form: str
) -> None:
    index, canaries = planted
    for canary in canaries:
        text = f"the answer was {FORMS[form](canary.value)} as far as we know"
        assert canary in [each.canary for each in index.find(text)], canary


def test_a_secret_in_two_fields_or_in_a_list_is_seen(
    planted: tuple[Index, list[Canary]],
) -> None:
    index, canaries = planted
    for canary in canaries:
        middle = len(canary.value) // 2
        pieces = [canary.value[:middle], canary.value[middle:]]
        assert canary in [each.canary for each in index.find("\0".join(pieces))]


def test_a_mask_may_show_what_the_policy_says_and_no_more(
    planted: tuple[Index, list[Canary]],
) -> None:
    index, canaries = planted
    for canary in canaries:
        secret = canary.secret
        if secret not in canary.value:  # it runs over lines
            continue
        tail = secret[len(secret) - canary.tail :]
        for mask in ("****", "\u2022\u2022\u2022\u2022", "********"):
            masked = canary.value.replace(secret, secret[: canary.head] + mask + tail)
            assert index.find(masked) == [], canary
        if sum(map(str.isalnum, secret)) > 14:
            assert index.find(f"x {secret[: len(secret) * 3 // 4]} x"), canary


def test_no_alarm_where_nothing_was_planted(
    planted: tuple[Index, list[Canary]],
) -> None:
    index, _ = planted
    source = random.Random(20_261_201)  # noqa: S311 - no secret
    for number in range(10_000):
        texts = source.sample(LOOK_ALIKES, 4)
        length = source.randrange(8, 60)
        noise = "".join(source.choices(string.ascii_letters + string.digits, k=length))
        digits = f"{source.getrandbits(80)} 2026-{number % 12:02}-11 10:{number % 60}:3"
        assert index.find("\0".join([*texts, noise, digits])) == []


def test_the_same_names_give_the_same_values_in_another_process() -> None:
    code = (
        "from pytest_toolresult.redaction.canaries import credentials, people\n"
        "makers = {**credentials.MAKERS, **people.MAKERS}\n"
        "values = (make('x').value for make in makers.values())\n"
        "print('|'.join(value.replace('\\n', '') for value in values))"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={"PYTHONHASHSEED": "17", "PYTHONPATH": ":".join(sys.path)},
    )
    here = "|".join(make("x").value.replace("\n", "") for make in MAKERS.values())
    assert done.stdout.strip() == here


@pytest.mark.parametrize("name", MAKERS)
def test_other_names_give_other_values(name: str) -> None:
    values = {MAKERS[name](str(number)).value for number in range(50)}
    assert len(values) == 50


@pytest.mark.parametrize(
    "country", ["US", "CN", "BR", "DE", "JP", "IN", "FR", "GB", "KR"]
)
def test_a_national_number_is_one_of_the_country(country: str) -> None:
    canary = people.national_id("x", country)
    assert canary.kind == f"{country.lower()}-id"
    assert canary.personal == "national_id"


def test_what_is_not_known_is_named_with_the_nearest() -> None:
    with pytest.raises(ContractError, match="did you mean 'stripe'"):
        credentials.api_key("x", "strype")
    with pytest.raises(ContractError, match="unknown country of a national id 'XX'"):
        people.national_id("x", "XX")
    with pytest.raises(ContractError, match="did you mean 'zh_CN'"):
        people.phone("x", "zh_CM")


def test_an_injected_credential_is_remembered() -> None:
    address = dsn("sqlite3.execute shop/db.py:41 timeout", "mysql")
    assert address == dsn("sqlite3.execute shop/db.py:41 timeout", "mysql")
    assert address != dsn("sqlite3.execute shop/db.py:42 timeout", "mysql")
    assert address.startswith("mysql://")
    seen = REGISTRY.find(f"could not connect to {address}: timed out")
    assert [each.canary.value for each in seen] == [address]


def test_a_short_secret_is_refused() -> None:
    from pytest_toolresult.redaction.canaries.canary import Canary

    with pytest.raises(ContractError, match="at least 8 letters and digits"):
        Registry().add(Canary(kind="pin", value="1234", secret="1234"))  # noqa: S106 - nobody's


def test_nothing_planted_is_nothing_found() -> None:
    assert Registry().find("anything") == []
    assert len(Registry()) == 0
