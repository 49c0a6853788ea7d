"""Finds numbers of cards, accounts and people that prove themselves by check digits.

A number that proves little (nine digits, one of which is a check digit) counts only
where a name beside it says what it is; `pairs` sees to that. What stands here is
written in a way, or checks in a way, that chance does not bring about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction import checksums, payments
from pytest_toolresult.redaction.detectors.known_numbers import is_known
from pytest_toolresult.redaction.detectors.silhouettes import has_groups
from pytest_toolresult.redaction.spans import Family, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_toolresult.settings import Personal

# Each pattern begins with the characters it may begin with, and looks back from there:
# so the regular expression engine skips quickly what it cannot begin with.
_DIGITS: Final = re.compile(
    r"\d(?<![\w.+#$\u20ac\u00a3\u00a5/-].)(?:[ .\u00a0/-]?\d){7,80}(?:[ -]?[Xx]"
    r"(?![A-Za-z0-9]))?(?![\w%]|[.,/-]\d)",
    re.ASCII,
)
_IBAN: Final = re.compile(
    r"[A-Z](?<![A-Za-z0-9].)[A-Z]\d\d(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?"
    r"(?![A-Za-z0-9])",
    re.ASCII,
)
_LETTER_FIRST: Final = re.compile(
    r"[A-Z](?<![\w-].)(?:"
    r"(?P<it>[A-Z]{5}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z])"
    r"|(?P<mx>[A-Z]{3}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d)"
    r"|(?P<sg>(?<=[STFGM])\d{7}[A-Z])"
    r"|(?P<hk>[A-Z]?\d{6}\([0-9A]\))"
    r"|(?P<gb>[A-Z] \d{2} \d{2} \d{2} [A-D])"
    r"|(?P<es>(?<=[XYZ])(?:\d{7}[A-Z]|-?\d{7}-[A-Z]))"
    r"|(?P<inp>[A-Z]{2}P[A-Z]\d{4}[A-Z])"
    r")(?![\w-])",
    re.ASCII,
)
_DIGIT_FIRST: Final = re.compile(
    r"\d(?<![\w-].)(?:"
    r"(?P<de>\d[0-7]\d[01]\d{3}[A-Z]\d{3}|\d [0-7]\d[01]\d{3} [A-Z] \d{3})"
    r"|(?P<fi>(?<=[0-3])\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-Y])"
    r"|(?P<es>\d{7}-[A-Z])"
    r"|(?P<fr>(?<=[12]) ?\d{2} ?\d{2} ?2[AB] ?\d{3} ?\d{3} ?\d{2})"
    r")(?![\w-])",
    re.ASCII,
)
_IBAN_HEAD: Final = re.compile(r"[A-Z]{2}\d\d[ -]", re.ASCII)
"""What stands before digits that belong to an account's number."""

_NO_SEPARATORS: Final = str.maketrans("", "", " ./-")
_COUNTED: Final = re.compile("1234567|2345678|3456789|4567890|9876543|8765432|7654321")
"""What invented numbers have in them."""

_PART: Final = re.compile("[^ ]+")
_PASSPORT: Final = re.compile(
    r"(?<![A-Z0-9<])[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[0-9<]\d"
    r"(?![A-Z0-9<])",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one number is written, with how many characters, and how it checks."""

    kind: str
    lengths: Iterable[int]
    written: str
    check: Callable[[str], bool]
    family: Family = "identity"
    personal: Personal = "national_id"


_CARD: Final = _Shape(
    "card-number",
    range(14, 20),
    r"\d{14,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}(?:\1\d{1,3})?|\d{4}([ -])"
    r"\d{6}\2\d{4,5}|\d{6} \d{13}",
    payments.card,
    "bank",
    "card",
)
_SHAPES: Final = (
    _CARD,
    _Shape(
        "cn-id", (18,), r"\d{17}[\dXx]|\d{6}[ -]\d{8}[ -]\d{3}[\dXx]", checksums.cn_id
    ),
    _Shape("us-ssn", (9,), r"\d{3}-\d{2}-\d{4}", checksums.us_ssn),
    _Shape(
        "us-itin", (9,), r"9\d\d-\d{2}-\d{4}", checksums.us_itin, "identity", "tax_id"
    ),
    _Shape(
        "br-cpf",
        (11,),
        r"\d{3}\.\d{3}\.\d{3}-\d{2}",
        checksums.br_cpf,
        "identity",
        "tax_id",
    ),
    _Shape(
        "br-cnpj",
        (14,),
        r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}",
        checksums.br_cnpj,
        "identity",
        "tax_id",
    ),
    _Shape("in-aadhaar", (12,), r"\d{4}([ -])\d{4}\1\d{4}", checksums.in_aadhaar),
    _Shape("jp-my-number", (12,), r"\d{4}([ -])\d{4}\1\d{4}", checksums.jp_my_number),
    _Shape("kr-rrn", (13,), r"\d{6}-[1-8]\d{6}", checksums.kr_rrn),
    _Shape(
        "fr-nir",
        (15,),
        r"\d{15}|\d( ?)\d{2}\1\d{2}\1\d{2}\1\d{3}\1\d{3} ?\d{2}",
        checksums.fr_nir,
    ),
    _Shape("cl-rut", (8, 9), r"\d{1,2}\.\d{3}\.\d{3}-\d", checksums.cl_rut),
    _Shape(
        "ar-cuit", (11,), r"\d{2}-\d{8}-\d", checksums.ar_cuit, "identity", "tax_id"
    ),
    _Shape(
        "be-number", (11,), r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", checksums.be_number
    ),
    _Shape("ru-snils", (11,), r"\d{3}-\d{3}-\d{3}[ -]\d{2}", checksums.ru_snils),
    _Shape("ca-sin", (9,), r"\d{3} \d{3} \d{3}", checksums.ca_sin),
    _Shape(
        "de-tax-id",
        (11,),
        r"\d{2} \d{3} \d{3} \d{3}",
        checksums.de_tax_id,
        "identity",
        "tax_id",
    ),
)
_BY_LENGTH: Final = {
    length: [shape for shape in _SHAPES if length in shape.lengths]
    for length in range(8, 20)
}
_MIXED_CHECKS: Final[dict[str, tuple[str, Callable[[str], bool]]]] = {
    "it": ("it-fiscal-code", checksums.it_fiscal_code),
    "mx": ("mx-curp", checksums.mx_curp),
    "de": ("de-pension-id", checksums.de_pension_id),
    "sg": ("sg-nric", checksums.sg_nric),
    "hk": ("hk-id", checksums.hk_id),
    "gb": ("gb-nino", checksums.gb_nino),
    "fi": ("fi-code", checksums.fi_code),
    "es": ("es-dni", checksums.es_dni),
    "inp": ("in-pan", checksums.in_pan),
    "fr": ("fr-nir", checksums.fr_nir),
}
FEWEST_DIGITS: Final = 4
"""How many digits every text has that holds one of these numbers."""

_MANY_DIGITS: Final = 8
_LETTERED: Final = (
    *(b"000000", b"A0000A", b"A00A00A000A", b"A-00-00-00-A"),
    *(b"0A000000", b"0A-000-000"),
)
"""One of these is in the silhouette of every number with letters in it."""


def numbers(text: str, seen: bytes) -> Iterator[Span]:
    """Find numbers that prove themselves.

    Args:
        text: Any text.
        seen: Its silhouette.

    Yields:
        Their spans.
    """
    if seen.count(b"0") >= _MANY_DIGITS and has_groups(seen):
        for match in _DIGITS.finditer(text):
            yield from _proven(match)
    if b"AA00" in seen:
        yield from _accounts(text)
    if _may_be_lettered(seen):
        for pattern in (_LETTER_FIRST, _DIGIT_FIRST):
            for match in pattern.finditer(text):
                yield from _mixed(match)
    if b"<<" in seen:
        yield from _passports(text)


def _passports(text: str) -> Iterator[Span]:
    for match in _PASSPORT.finditer(text):
        if checksums.passport_line(match[0]):
            yield Span(*match.span(), "passport-line", "identity", "passport")


def _may_be_lettered(seen: bytes) -> bool:
    if b"0A" not in seen and b"0-A" not in seen and b"0(" not in seen:
        return False
    return any(map(seen.__contains__, _LETTERED))


def _accounts(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        found = _account(match[0])
        if found:
            yield Span(
                match.start(), match.start() + found, "iban", "bank", "bank_account"
            )


def _account(written: str) -> int:
    """Return how long the account at the beginning of a text is, 0 where none is."""
    places = [at for at, each in enumerate(written) if each.isalnum()]
    length = min(payments.iban_length(written[:2]), len(places))
    bare = "".join(written[at] for at in places[:length])
    if not payments.iban(bare) or is_known(bare):
        return 0
    return places[length - 1] + 1


def _proven(match: re.Match[str]) -> Iterator[Span]:
    """Prove a group of digits, or what stands between blanks in it."""
    start = match.start()
    if _IBAN_HEAD.fullmatch(match.string[max(0, start - 5) : start]):
        return
    written = match[0].replace("\u00a0", " ")
    shape = _shape_of(written)
    if shape is not None:
        yield Span(*match.span(), shape.kind, shape.family, shape.personal)
    elif " " in written:
        yield from _proven_parts(written, match.start())


def _proven_parts(written: str, offset: int) -> Iterator[Span]:
    """Prove numbers that stand side by side, such as two cards."""
    parts = list(_PART.finditer(written))
    position = 0
    while position < len(parts):
        for count in (5, 4, 3, 1):
            run = parts[position : position + count]
            start, end = run[0].start(), run[-1].end()
            shape = _shape_of(written[start:end]) if len(run) == count else None
            if shape is not None and (count == 1 or shape is _CARD):
                yield Span(
                    offset + start,
                    offset + end,
                    shape.kind,
                    shape.family,
                    shape.personal,
                )
                position += count - 1
                break
        position += 1


def _shape_of(written: str) -> _Shape | None:
    bare = written.translate(_NO_SEPARATORS).upper()
    shapes = _BY_LENGTH.get(len(bare))
    if not shapes or is_known(bare) or _COUNTED.search(bare) or len(set(bare)) < 4:
        return None
    for shape in shapes:
        if _written(shape.written).fullmatch(written) and shape.check(bare):
            return None if _is_series(written) else shape
    return None


def _is_series(written: str) -> bool:
    """Tell three or more numbers in order, such as of lines or years, from one."""
    parts = [int(each) for each in re.findall(r"\d+", written)]
    if len(parts) != 3 or max(parts) - min(parts) > 2_000:
        return False
    return parts in (sorted(parts), sorted(parts, reverse=True))


@cache
def _written(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _mixed(match: re.Match[str]) -> Iterator[Span]:
    group = str(match.lastgroup)
    kind, check = _MIXED_CHECKS[group]
    bare = re.sub("[ -]" if group != "fi" else "$^", "", match[0])
    bare = bare.replace("(", "").replace(")", "")
    if not is_known(bare) and check(bare):
        yield Span(*match.span(), kind, "identity", "national_id")
