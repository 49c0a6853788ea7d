"""Makes personal data of nobody: numbers with right check digits, names by Faker.

Faker is right about names, addresses and phone numbers; its national numbers fall back
to those of other countries or lack check digits, so these are made here.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.redaction import checksums, payments
from pytest_toolresult.redaction.canaries.canary import Canary, chance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from pytest_toolresult.settings import Personal

T = TypeVar("T")

_CARDS: Final = {
    "visa": ("4", 16),
    "mastercard": ("53", 16),
    "amex": ("37", 15),
    "discover": ("6011", 16),
    "jcb": ("3530", 16),
    "unionpay": ("6226", 16),
}
_ACCOUNTS: Final = {
    "DE": ("", 18),
    "FR": ("", 23),
    "GB": ("NWBK", 14),
    "ES": ("", 20),
    "IT": ("X", 22),
    "NL": ("INGB", 10),
    "CH": ("", 17),
    "BR": ("", 23),
}
_ENOUGH: Final = 10
"""How many letters and digits do not turn up by chance."""


def card(name: str, brand: str = "visa") -> Canary:
    """Make a payment card's number; a mask may show the first six and last four.

    Raises:
        ContractError: If the brand is not known.
    """
    head, length = _known("brand of a card", brand, _CARDS)
    source = chance("card", brand, name)
    value = _until(lambda: head + _digits(source, length - len(head)), payments.luhn)
    return _personal("card-number", value, value, "card", shown=(6, 4))


def iban(name: str, country: str = "DE") -> Canary:
    """Make an account's number; a mask may show the first and last four.

    Raises:
        ContractError: If the country is not known.
    """
    head, length = _known("country of an IBAN", country, _ACCOUNTS)
    source = chance("iban", country, name)
    rest = head + _digits(source, length)
    tail = "A1" if country == "BR" else ""
    value = next(
        whole
        for check in range(2, 99)
        if payments.iban(whole := f"{country}{check:02}{rest}{tail}")
    )
    return _personal("iban", value, value[2:], "bank_account", shown=(4, 4))


def national_id(name: str, country: str = "US") -> Canary:
    """Make a national number with right check digits.

    Raises:
        ContractError: If the country is not known.
    """
    make, check = _known("country of a national id", country, _NATIONAL)
    source = chance("national_id", country, name)
    value = _written(country, _until(lambda: make(source), check))
    kind = f"{country.lower()}-id"
    return _personal(kind, value, value, "national_id", shown=(6, 4))


def passport(name: str) -> Canary:
    """Make a passport's number: a letter and eight digits."""
    source = chance("passport", name)
    value = source.choice("CEGKLNPX") + _digits(source, 8)
    return _personal("passport-number", value, value, "passport", shown=(0, 3))


def phone(name: str, locale: str = "en_US") -> Canary:
    """Make a phone number of a country; a mask may show the first and last digits.

    Raises:
        ContractError: If the locale is not known.
    """
    faker = _faker(locale, chance("phone", locale, name))
    value = _until(faker.phone_number, lambda made: _is_long(_without_extension(made)))
    secret = _without_extension(value)
    return _personal("phone-number", value, secret, "phone", shown=(3, 4))


def email(name: str, locale: str = "en_US") -> Canary:
    """Make an e-mail address; its secret is what stands before the `@`.

    Raises:
        ContractError: If the locale is not known.
    """
    source = chance("email", locale, name)
    faker = _faker(locale, source)
    user = "".join(filter(str.isalnum, faker.ascii_email().partition("@")[0]))
    secret = f"{user[:16]}.{source.randrange(10**5, 10**6)}"
    value = f"{secret}@{faker.safe_domain_name()}"
    return _personal("e-mail", value, secret, "email", shown=(2, 1))


def address(name: str, locale: str = "en_US") -> Canary:
    """Make a postal address in one line.

    Raises:
        ContractError: If the locale is not known.
    """
    made = _until(_faker(locale, chance("address", locale, name)).address, _is_long)
    value = ", ".join(made.split("\n"))
    return _personal("address", value, value, "address", shown=(4, 5))


def _personal(
    kind: str, value: str, secret: str, personal: Personal, *, shown: tuple[int, int]
) -> Canary:
    head, tail = shown
    return Canary(
        kind=kind, value=value, secret=secret, head=head, tail=tail, personal=personal
    )


def _faker(locale: str, source: Random) -> Any:
    from faker import Faker
    from faker.config import AVAILABLE_LOCALES

    if locale not in AVAILABLE_LOCALES:
        raise ContractError(unknown("locale", locale, sorted(AVAILABLE_LOCALES)))
    faker = Faker(locale)
    faker.seed_instance(source.getrandbits(64))
    return faker


def _until(make: Callable[[], str], holds: Callable[[str], bool]) -> str:
    """Try until it holds, which takes ten tries or a few hundred."""
    for _ in range(100_000):
        made = make()
        if holds(made):
            return made
    raise AssertionError("a number with a right check digit turns up sooner")


def _known(what: str, name: str, table: Mapping[str, T]) -> T:
    if name not in table:
        raise ContractError(unknown(what, name, table))
    return table[name]


def _digits(source: Random, length: int) -> str:
    return "".join(source.choices("0123456789", k=length))


def _number(length: int) -> Callable[[Random], str]:
    return lambda source: source.choice("2345678") + _digits(source, length - 1)


def _without_extension(value: str) -> str:
    return value.partition("x")[0]


def _is_long(made: str) -> bool:
    return sum(map(str.isalnum, made)) >= _ENOUGH


def _born(source: Random, form: str) -> str:
    day = date(1950, 1, 1) + timedelta(days=source.randrange(18_000))
    return day.strftime(form)


def _british(source: Random) -> str:
    letters = "".join(source.choices("ABCEHJ", k=2))
    return letters + _digits(source, 6) + source.choice("ABCD")


def _italian(source: Random) -> str:
    letters = "".join(source.choices("BCDFGLMNPRST", k=6))
    born = _born(source, "%y") + source.choice("ABCDEHLMPRST") + _born(source, "%d")
    place = source.choice("ABCDEFGHIL") + _digits(source, 3)
    return letters + born + place + source.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


_NATIONAL: Final[
    Mapping[str, tuple[Callable[[Random], str], Callable[[str], bool]]]
] = {
    "US": (_number(9), checksums.us_ssn),
    "CN": (
        lambda source: f"110105{_born(source, '%Y%m%d')}{_digits(source, 4)}",
        checksums.cn_id,
    ),
    "BR": (_number(11), checksums.br_cpf),
    "DE": (_number(11), checksums.de_tax_id),
    "JP": (_number(12), checksums.jp_my_number),
    "IN": (_number(12), checksums.in_aadhaar),
    "FR": (
        lambda source: f"2{_born(source, '%y%m')}75{_digits(source, 8)}",
        checksums.fr_nir,
    ),
    "GB": (_british, checksums.gb_nino),
    "KR": (
        lambda source: _born(source, "%y%m%d") + f"2{_digits(source, 6)}",
        checksums.kr_rrn,
    ),
    "ES": (
        lambda source: _digits(source, 8) + source.choice("TRWAGMYFPDXBNJZSQVHLCKE"),
        checksums.es_dni,
    ),
    "IT": (_italian, checksums.it_fiscal_code),
    "PL": (
        lambda source: _born(source, "%y%m%d") + _digits(source, 5),
        checksums.pl_pesel,
    ),
}
_PARTS: Final = {"US": (3, 5, "-"), "JP": (4, 8, "-"), "IN": (4, 8, " ")}


def _written(country: str, bare: str) -> str:
    """Write a number as the country's authorities do."""
    if country == "BR":
        return f"{bare[:3]}.{bare[3:6]}.{bare[6:9]}-{bare[9:]}"
    if country == "KR":
        return f"{bare[:6]}-{bare[6:]}"
    if country not in _PARTS:
        return bare
    first, second, separator = _PARTS[country]
    return separator.join((bare[:first], bare[first:second], bare[second:]))


MAKERS: Final[Mapping[str, Callable[[str], Canary]]] = {
    "card": card,
    "iban": iban,
    "national_id": national_id,
    "passport": passport,
    "phone": phone,
    "email": email,
    "address": address,
}
"""What may be named where a canary is to be planted, with the usual options."""
