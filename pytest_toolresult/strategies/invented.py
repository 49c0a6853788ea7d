"""Values that have to look real and need not exist: Faker makes them.

What has to exist in the world, such as a city, is in `vocabulary`. Faker is only
loaded where a parameter asks for such a value, and gives the same ones every time.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from pytest_toolresult.strategies.vocabulary import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faker import Faker

_LOCALES: Final = ("en_US", "de_DE", "ja_JP")
"""Plain letters, letters with marks, and another script."""

_SEED: Final = 20
_MOST: Final = 9

_PROVIDERS: Final[tuple[tuple[str, str], ...]] = (
    ("fullname person author contact guest patient passenger signer holder", "name"),
    ("firstname forename", "first_name"),
    ("lastname surname", "last_name"),
    ("username login handle nickname", "user_name"),
    ("company vendor supplier employer manufacturer merchant brand", "company"),
    ("address street addr", "address"),
    ("phone mobile telephone fax", "phone_number"),
    ("email mail", "email"),
    ("postcode zip zipcode postal", "postcode"),
    ("job occupation profession position", "job"),
    ("iban account", "iban"),
    ("bic swift", "swift"),
    ("isbn", "isbn13"),
    ("ean barcode gtin", "ean13"),
    ("plate registration", "license_plate"),
    ("mac", "mac_address"),
    ("useragent agent", "user_agent"),
    ("card", "credit_card_number"),
    ("slogan", "catch_phrase"),
)
_BY_WORD: Final = {word: made for words, made in _PROVIDERS for word in words.split()}
_OF_PEOPLE: Final = frozenset(
    {"customer", "employee", "user", "client", "owner", "member", "full", "recipient"}
)
_PARTS: Final = {"first": "first_name", "given": "first_name", "last": "last_name"}


def provider_for(name: str) -> str | None:
    """Name the provider of Faker that a parameter asks for, or `None`."""
    words = words_of(name)
    whole = "".join(words)
    if whole in _BY_WORD or words[-1:] != ["name"]:
        found = (word for word in (whole, *reversed(words)) if word in _BY_WORD)
        return next((_BY_WORD[word] for word in found), None)
    whose = words[-2] if len(words) > 1 else "full"
    if whose in _PARTS:
        return _PARTS[whose]
    return _BY_WORD.get(whose, "name" if whose in _OF_PEOPLE else None)


def invented(name: str) -> Iterator[str]:
    """Give values that look real for a parameter; none where none are called for."""
    provider = provider_for(name)
    if provider is None:
        return
    made = (str(getattr(_faker(place), provider)()) for place in _LOCALES * _MOST)
    for faker in map(_faker, _LOCALES):
        faker.seed_instance(_SEED)
    yield from islice(dict.fromkeys(islice(made, 2 * _MOST)), _MOST)


@cache
def _faker(locale: str) -> Faker:
    from faker import Faker

    return Faker(locale)
