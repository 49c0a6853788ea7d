"""The check digits of cards and accounts.

Each function takes the number without separators. Sources: ISO 7812 for cards,
ISO 13616 and its registry for accounts.
"""

from __future__ import annotations

import re
from typing import Final

_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IBAN_LENGTHS: Final = {
    country: int(length)
    for country, length in re.findall(
        r"([A-Z]{2})(\d\d)",
        "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20"
        "EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30"
        "KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24"
        "PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22"
        "VG24XK20",
    )
}
_ISSUERS: Final = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14}(?:\d{3})?"
    r"|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|220[0-4]\d{12}"
)


def luhn(number: str) -> bool:
    """Check the digit that ISO 7812 puts at the end of a card's number."""
    total = 0
    for place, each in enumerate(reversed(number)):
        doubled = int(each) << (place & 1)
        total += doubled - 9 * (doubled > 9)
    return total % 10 == 0


def card(number: str) -> bool:
    """Check a payment card: the issuer's range, the length and the last digit."""
    return bool(_ISSUERS.fullmatch(number)) and luhn(number)


def iban(number: str) -> bool:
    """Check an international account number (ISO 13616)."""
    if len(number) != _IBAN_LENGTHS.get(number[:2]):
        return False
    turned = "".join(str(_LETTERS.index(each)) for each in number[4:] + number[:4])
    return int(turned) % 97 == 1


def iban_length(country: str) -> int:
    """Return how long the account numbers of a country are, 0 for an unknown one."""
    return _IBAN_LENGTHS.get(country, 0)
