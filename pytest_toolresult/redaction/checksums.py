"""The check digits of numbers that states give to people.

Each function takes the number without separators and tells whether it is well formed
and its check digits are right. Source: for each number the rules its authority
publishes, as the Wikipedia article "National identification number" collects them.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.payments import luhn

if TYPE_CHECKING:
    from collections.abc import Iterable

_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VERHOEFF_D: Final = (
    "0123456789123406789523401789563401289567401239567859876043216598710432"
    "765982104387659321049876543210"
)
_VERHOEFF_P: Final = (
    "01234567891576283094580379614289160435279453126870428657390127938064157046913258"
)
_CN_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ODD: Final = dict(
    zip(
        _LETTERS,
        map(
            int,
            str.split(
                "1 0 5 7 9 13 15 17 19 21 1 0 5 7 9 13 15 17"
                " 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23"
            ),
        ),
        strict=True,
    )
)


def us_ssn(number: str) -> bool:
    """Check a social security number, which has ranges and no check digit."""
    area, group, serial = number[:3], number[3:5], number[5:]
    return (
        area not in ("000", "666")
        and area < "900"
        and group != "00"
        and serial != "0000"
    )


def us_itin(number: str) -> bool:
    """Check a taxpayer number of the United States: 9, and ranges in the middle."""
    middle = int(number[3:5])
    return (
        number[0] == "9"
        and (50 <= middle <= 99)
        and middle not in (66, 67, 68, 69, 89, 93)
    )


def cn_id(number: str) -> bool:
    """Check a Chinese citizen's number: province, date of birth, ISO 7064 MOD 11-2."""
    if not re.fullmatch(r"[1-9]\d{16}[\dX]", number) or not "11" <= number[:2] <= "91":
        return False
    total = _weighted(number[:17], _CN_WEIGHTS)
    return is_date(number[6:14]) and "10X98765432"[total % 11] == number[17]


def br_cpf(number: str) -> bool:
    """Check a Brazilian person's tax number: two digits modulo 11."""
    return len(set(number)) > 1 and all(
        _br_digit(number[:end], range(end + 1, 1, -1)) == number[end] for end in (9, 10)
    )


def br_cnpj(number: str) -> bool:
    """Check a Brazilian company's tax number: two digits modulo 11."""
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    return len(set(number)) > 1 and all(
        _br_digit(number[:end], weights[13 - end :]) == number[end] for end in (12, 13)
    )


def de_tax_id(number: str) -> bool:
    """Check a German tax number: a digit that repeats, ISO 7064 MOD 11,10."""
    counts = [number[:10].count(each) for each in set(number[:10])]
    if number[0] == "0" or max(counts) not in (2, 3) or counts.count(1) < 7:
        return False
    product = 10
    for each in number[:10]:
        product = ((int(each) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(number[10])


def de_pension_id(number: str) -> bool:
    """Check a German pension number: date, a letter, and the sum of digits."""
    day = int(number[2:4])
    turned = f"{number[:8]}{_LETTERS.index(number[8]) - 9:02}{number[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    parts = (int(each) * weight for each, weight in zip(turned, weights, strict=True))
    total = sum(part // 10 + part % 10 for part in parts)
    month = int(number[4:6])
    return 1 <= day % 50 <= 31 and 1 <= month <= 12 and total % 10 == int(number[11])


def jp_my_number(number: str) -> bool:
    """Check a Japanese individual's number: one digit modulo 11."""
    rest = _weighted(number[:11], (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return int(number[11]) == (0 if rest <= 1 else 11 - rest)


def in_aadhaar(number: str) -> bool:
    """Check an Indian resident's number: it begins with 2 to 9, Verhoeff's digit."""
    return number[0] not in "01" and _verhoeff(number) and number != number[::-1]


def in_pan(number: str) -> bool:
    """Check an Indian tax number, whose fourth letter says who holds it."""
    return bool(re.fullmatch(r"[A-Z]{3}[ABCFGHJKLPT][A-Z]\d{4}[A-Z]", number))


def fr_nir(number: str) -> bool:
    """Check a French social security number: month, and a key modulo 97."""
    body = number[:13].replace("2A", "19").replace("2B", "18")
    month = int(number[3:5])
    if number[0] not in "1234578" or not (1 <= month <= 12 or 20 <= month <= 42):
        return False
    return body.isdigit() and 97 - int(body) % 97 == int(number[13:])


def gb_nino(number: str) -> bool:
    """Check a British national insurance number by the prefixes that are given out."""
    return bool(
        re.fullmatch(
            r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]",
            number,
        )
    )


def gb_nhs(number: str) -> bool:
    """Check a British health service's number: one digit modulo 11."""
    rest = 11 - _weighted(number[:9], range(10, 1, -1)) % 11
    return rest % 11 == int(number[9]) if rest != 10 else False


def kr_rrn(number: str) -> bool:
    """Check a Korean resident's number: date, and a digit modulo 11 until 2020."""
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    right = (11 - _weighted(number[:12], weights) % 11) % 10 == int(number[12])
    return kr_rrn_shape(number) and right


def kr_rrn_shape(number: str) -> bool:
    """Check the date in a Korean resident's number, newer ones have no more."""
    century = {"9": "18", "0": "18", "3": "20", "4": "20", "7": "20", "8": "20"}
    return is_date(century.get(number[6], "19") + number[:6])


def es_dni(number: str) -> bool:
    """Check a Spanish identity number, resident foreigners' too: a letter modulo 23."""
    digits = number[:-1].translate(str.maketrans("XYZ", "012"))
    return (
        digits.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]
    )


def it_fiscal_code(number: str) -> bool:
    """Check an Italian fiscal code: a letter modulo 26."""
    total = sum(
        _ODD[each]
        if place % 2 == 0
        else (_LETTERS.index(each) if each.isdigit() else _LETTERS.index(each) - 10)
        for place, each in enumerate(number[:15])
    )
    return _LETTERS[10 + total % 26] == number[15]


def pl_pesel(number: str) -> bool:
    """Check a Polish number: month with century, one digit modulo 10."""
    month = int(number[2:4]) % 20
    total = _weighted(number[:10], (1, 3, 7, 9, 1, 3, 7, 9, 1, 3))
    return 1 <= month <= 12 and -total % 10 == int(number[10])


def nl_bsn(number: str) -> bool:
    """Check a Dutch citizen's number: the weighted sum is a multiple of 11."""
    total = _weighted(number[:8], range(9, 1, -1)) - int(number[8])
    return total % 11 == 0 and number.strip("0") != ""


def se_number(number: str) -> bool:
    """Check a Swedish person's number, ten digits: date, Luhn's digit."""
    return is_date("20" + number[:6]) and luhn(number)


def ca_sin(number: str) -> bool:
    """Check a Canadian social insurance number: Luhn's digit."""
    return number[0] not in "08" and luhn(number)


def sg_nric(number: str) -> bool:
    """Check a Singaporean identity number: a letter modulo 11."""
    total = _weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + (
        4 if number[0] in "TG" else 0
    )
    if number[0] == "M":
        return "KLJNPQRTUWX"[10 - (total + 3) % 11] == number[8]
    table = "JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK"
    return table[total % 11] == number[8]


def hk_id(number: str) -> bool:
    """Check an identity number of Hong Kong: one digit modulo 11."""
    values = [
        _LETTERS.index(each) for each in number[:-1].rjust(8, "\0").replace("\0", "")
    ]
    padded = [36] * (8 - len(values)) + values
    total = sum(
        value * weight for value, weight in zip(padded, range(9, 1, -1), strict=True)
    )
    rest = -total % 11
    return ("A" if rest == 10 else str(rest)) == number[-1]


def tw_id(number: str) -> bool:
    """Check a Taiwanese identity number: one digit modulo 10."""
    code = 10 + "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0])
    total = code // 10 + code % 10 * 9 + _weighted(number[1:9], range(8, 0, -1))
    return (total + int(number[9])) % 10 == 0


def cl_rut(number: str) -> bool:
    """Check a Chilean number: one digit modulo 11."""
    total = _weighted(number[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3, 4))
    return "0123456789K"[-total % 11] == number[-1]


def ar_cuit(number: str) -> bool:
    """Check an Argentinian tax number: one digit modulo 11."""
    rest = -_weighted(number[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    kinds = ("20", "23", "24", "25", "26", "27", "30", "33", "34")
    return number[:2] in kinds and str(9 if rest == 10 else rest) == number[10]


def tr_number(number: str) -> bool:
    """Check a Turkish citizen's number: two digits modulo 10."""
    digits = [int(each) for each in number]
    tenth = (7 * sum(digits[:9:2]) - sum(digits[1:8:2])) % 10
    return digits[0] != 0 and digits[9] == tenth and sum(digits[:10]) % 10 == digits[10]


def za_id(number: str) -> bool:
    """Check a South African identity number: date, Luhn's digit."""
    return is_date("19" + number[:6]) and number[10] in "01" and luhn(number)


def fi_code(number: str) -> bool:
    """Check a Finnish personal code: date, a character modulo 31."""
    digits = number[:6] + number[7:10]
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(digits) % 31] == number[
        10
    ] and is_date(f"20{number[4:6]}{number[2:4]}{number[:2]}")


def be_number(number: str) -> bool:
    """Check a Belgian national number: a key modulo 97."""
    key = int(number[9:])
    return any(97 - int(before + number[:9]) % 97 == key for before in ("", "2"))


def ru_snils(number: str) -> bool:
    """Check a Russian insurance number: two digits modulo 101."""
    return _weighted(number[:9], range(9, 0, -1)) % 101 % 100 == int(number[9:])


def mx_curp(number: str) -> bool:
    """Check a Mexican population code: one digit modulo 10."""
    letters = "0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ"
    total = sum(
        letters.index(each) * (18 - place) for place, each in enumerate(number[:17])
    )
    return str(-total % 10) == number[17]


def passport_line(line: str) -> bool:
    """Check the second line of a passport's machine-readable zone (ICAO Doc 9303)."""
    parts = ((line[:9], line[9]), (line[13:19], line[19]), (line[21:27], line[27]))
    return all(_mrz_digit(part) == check for part, check in parts)


def is_date(written: str) -> bool:
    """Tell whether eight digits are a date that somebody may have been born on."""
    try:
        born = date(int(written[:4]), int(written[4:6]), int(written[6:8]))
    except ValueError:
        return False
    return date(1890, 1, 1) <= born


def _weighted(digits: str, weights: Iterable[int]) -> int:
    return sum(
        int(each) * weight for each, weight in zip(digits, weights, strict=False)
    )


def _br_digit(digits: str, weights: Iterable[int]) -> str:
    rest = 11 - _weighted(digits, weights) % 11
    return "0" if rest >= 10 else str(rest)


def _verhoeff(number: str) -> bool:
    state = 0
    for place, each in enumerate(reversed(number)):
        turned = _VERHOEFF_P[place % 8 * 10 + int(each)]
        state = int(_VERHOEFF_D[state * 10 + int(turned)])
    return state == 0


def _mrz_digit(part: str) -> str:
    values = (0 if each == "<" else _LETTERS.index(each) for each in part)
    total = sum(value * (7, 3, 1)[place % 3] for place, value in enumerate(values))
    return str(total % 10)
