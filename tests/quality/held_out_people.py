"""Made-up numbers and addresses of people, of other kinds than `redaction_values` has.

Check digits are worked out here, and not with the package's own checks.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from tests.quality.held_out_values import luhn_digit
from tests.quality.redaction_values import DIGITS, Chance

if TYPE_CHECKING:
    from collections.abc import Iterator

    Sample = tuple[str, str]

CAPITALS: Final = string.ascii_uppercase
SMALL: Final = string.ascii_lowercase


def identities(c: Chance) -> Iterator[Sample]:
    for made in (*_american_ids(c), *_european_ids(c), *_asian_ids(c)):
        yield made, made


def _born(c: Chance, order: str = "ymd") -> str:
    r = c.random
    parts = {
        "y": f"{r.randrange(50, 99):02}",
        "m": f"{r.randrange(1, 13):02}",
        "d": f"{r.randrange(1, 29):02}",
    }
    return "".join(parts[each] for each in order)


def _american_ids(c: Chance) -> Iterator[str]:
    r = c.random
    yield f"9{c.number(2)}-{r.randrange(70, 88)}-{c.number(4)}"
    yield f"{r.randrange(120, 660)}-{r.randrange(11, 98)}-{r.randrange(1001, 9999)}"
    name = c.run(4, "BCDFGLMPRST")
    tail = c.run(3, "BCDFGLMNPRST")
    yield f"{name}{_born(c)}{r.choice('HM')}DF{tail}0{c.run(1, DIGITS)}"
    head = "20" + c.number(8)
    weighted = sum(
        int(each) * by
        for each, by in zip(head, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2), strict=True)
    )
    check = {11: "0", 10: "9"}.get(11 - weighted % 11, str(11 - weighted % 11))
    yield f"{head[:2]}-{head[2:]}-{check}"
    rut = c.number(8)
    factors = (2, 3, 4, 5, 6, 7, 2, 3)
    left = (
        11 - sum(int(a) * b for a, b in zip(reversed(rut), factors, strict=True)) % 11
    )
    digit = {11: "0", 10: "K"}.get(left, str(left))
    yield f"{rut[:2]}.{rut[2:5]}.{rut[5:]}-{digit}"


def _european_ids(c: Chance) -> Iterator[str]:
    personal = _born(c) + c.number(3)
    yield f"{personal[:6]}-{personal[6:]}{luhn_digit(personal)}"
    yield f"{_born(c, 'dmy')}-{c.number(4)}"
    yield _born(c, "dmy") + c.number(5)
    body = "756" + c.number(9)
    total = sum(int(each) * (3 if at % 2 else 1) for at, each in enumerate(body))
    full = body + str(-total % 10)
    yield f"{full[:3]}.{full[3:7]}.{full[7:11]}.{full[11:]}"
    nine = [int(each) for each in c.number(9)]
    tenth = (sum(nine[::2]) * 7 - sum(nine[1::2])) % 10
    last = (sum(nine) + tenth) % 10
    yield "".join(map(str, (*nine, tenth, last)))
    yield f"{_born(c)}/{c.number(4)}"
    number = c.number(7)
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    yield f"X{number}{letters[int(number) % 23]}"
    yield "1" + _born(c) + c.number(6)
    snils = c.number(9)
    rest = sum(int(each) * (9 - at) for at, each in enumerate(snils)) % 101 % 100
    yield f"{snils[:3]}-{snils[3:6]}-{snils[6:]} {rest:02}"


def _asian_ids(c: Chance) -> Iterator[str]:
    place = c.random.choice(["310104", "510107", "330106", "420111"])
    body = f"{place}19{_born(c)}{c.number(3)}"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    rest = sum(int(a) * b for a, b in zip(body, weights, strict=True)) % 11
    yield body + "10X98765432"[rest]
    yield body + "10X98765432"[rest]
    yield f"{c.run(1, CAPITALS)}{c.number(6)}({c.run(1, DIGITS)})"
    yield c.run(1, CAPITALS) + "1" + c.number(8)
    yield f"{c.run(3, CAPITALS)}P{c.run(1, CAPITALS)}{c.number(4)}{c.run(1, CAPITALS)}"
    yield f"{_born(c)}-{c.number(2)}-{c.number(4)}"
    yield _born(c) + c.number(4) + "08" + c.run(1, DIGITS)
    thai = c.number(12)
    total = sum(int(each) * (13 - at) for at, each in enumerate(thai))
    yield f"{thai[0]} {thai[1:5]} {thai[5:10]} {thai[10:]} {(11 - total % 11) % 10}"
    yield "32" + c.number(4) + _born(c, "dmy") + c.number(4)
    yield "0" + c.number(11)


def phones(c: Chance) -> Iterator[Sample]:
    r = c.random
    for made in (
        f"+33 6 {c.number(2)} {c.number(2)} {c.number(2)} {c.number(2)}",
        f"+39 3{c.number(2)} {c.number(3)} {c.number(4)}",
        f"+34 6{c.number(2)} {c.number(3)} {c.number(3)}",
        f"+31 6 {c.number(8)}",
        f"+7 (495) {c.number(3)}-{c.number(2)}-{c.number(2)}",
        f"+82-10-{c.number(4)}-{c.number(4)}",
        f"+81-90-{c.number(4)}-{c.number(4)}",
        f"+65 8{c.number(3)} {c.number(4)}",
        f"+852 9{c.number(3)} {c.number(4)}",
        f"+61 4{c.number(2)} {c.number(3)} {c.number(3)}",
        f"+52 1 55 {c.number(4)} {c.number(4)}",
        f"0049 17{c.run(1, DIGITS)} {c.number(7)}",
        f"({r.randrange(201, 799)}){r.randrange(201, 554)}-{c.number(4)}",
        f"1-{r.randrange(201, 799)}-{r.randrange(201, 554)}-{c.number(4)}",
        f"{r.randrange(201, 799)}.{r.randrange(201, 554)}.{c.number(4)}",
        f"{r.randrange(201, 799)}{r.randrange(201, 554)}{c.number(4)}",
        f"86-13{c.run(1, DIGITS)}{c.number(8)}",
        f"19{c.number(9)}",
        f"17{c.run(1, DIGITS)} {c.number(4)} {c.number(4)}",
        f"010-6{c.number(7)}",
        f"0755-8{c.number(7)} 转 {c.number(3)}",
        f"(11) 9{c.number(4)}-{c.number(4)}",
        f"0171/{c.number(7)}",
        f"06-{c.number(8)}",
        f"03-{c.number(4)}-{c.number(4)}",
        f"+49 (0)89 {c.number(6)}-{c.number(2)}",
    ):
        yield made, made


def emails(c: Chance) -> Iterator[Sample]:
    first = c.random.choice(["anne-marie", "wei", "tomas", "Ines", "noor", "Paul"])
    last = c.random.choice(["dupont", "zhang", "novak", "O'Brien", "khan", "Weber"])
    host = c.random.choice(
        [
            "orange.fr",
            "163.com",
            "outlook.com",
            "proton.me",
            "cs.uni-wien.ac.at",
            "shop-berlin.de",
            "mail.nhs.uk",
        ]
    )
    for made in (
        f"{first}.{last}@{host}",
        f"{last.lower()}{c.random.randrange(1960, 2008)}@{host}",
        f"{first[0]}.{last}+orders@{host}",
        f"{last}.{first}.ext@{host}",
        f"{first}{c.run(1, DIGITS)}@{host}",
        f"{c.run(4, SMALL)}_{c.number(3)}@{host}",
    ):
        yield made, made
