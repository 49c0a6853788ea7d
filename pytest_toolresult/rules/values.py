"""TR4: whether names and values can be understood by whoever never saw the source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.exhibit import plain_int, plain_text
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.units import disagreements, unit_of
from pytest_toolresult.walk import is_a, survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

_LARGEST_CODE: Final = 20
"""Above it a number in a field such as `status` is sooner an HTTP status or an id."""

_NOISE: Final = re.compile(r"\.\d*(?:0{6}|9{6})\d{1,10}$")
"""A digit after a run of six zeros or nines: what binary fractions leave behind."""

_NEAR: Final = 2**52
"""Arguments from here on may be what a large integer was made of."""


@rule("TR402", "cryptic-name", Severity.ADVICE)
def cryptic_name(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A field is named with one letter or with an abbreviation nobody can look up.

    Why: the model never saw the table behind it, and guesses what it means.
    Fix: write the name out: `order_status`, not `st`.
    Bad: {"status": "success", "error": null, "meta": {}, "data": {"flg": true}}
    Bad: returns [{"name": "Ann", "val1": 3}, {"name": "Bob", "val1": 4}]
    Good: {"status": "success", "error": null, "meta": {}, "data": {"is_paid": true}}
    Good: returns {"x": 3, "y": 4, "url": "/orders", "qty": 2}
    """
    seen: set[str] = set()
    for note in found.named.get("cryptic", ()):
        name = str(note[1])
        if name not in seen and not _is_name_sent(name, found):
            seen.add(name)
            place = found.survey.place(note)
            yield Breach(place=place, detail=f"{place} does not say what it holds")


def _is_name_sent(name: str, found: Exhibit) -> bool:
    """Tell whether a field was in the arguments, as such or in JSON as text."""
    sent = survey([("arguments", found.call.arguments)])
    return name in sent.names or f'"{name}"' in sent.everything


@rule("TR403", "coded-value", Severity.WARNING)
def coded_value(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A state is told by a bare number or letter.

    Why: `0` may mean open, paid or unknown; the model picks one.
    Fix: send the word: `"pending"`, not `0`.
    Bad: {"status": "success", "error": null, "meta": {}, "data": {"order_status": 0}}
    Bad: returns [{"order_id": "o-1", "type": "A"}]
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"order_status": "pending"}}
    Good: returns {"http_status": 404, "is_gift_type": true}
    """
    for note in found.named.get("state", ()):
        value = note[2]
        number, text = plain_int(value), plain_text(value)
        small = number is not None and 0 <= number <= _LARGEST_CODE
        letter = text is not None and len(text) == 1 and text.isalpha()
        if small or (letter and text is not None and text.isascii()):
            place = found.survey.place(note)
            detail = f"{place} is {excerpt(value)}, whose meaning is told nowhere"
            yield Breach(place=place, detail=detail)


@rule("TR404", "money-as-float", Severity.WARNING)
def money_as_float(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An amount of money is a binary float.

    Why: floats cannot hold most amounts, and sums of them are off by a cent.
    Fix: send text with all its decimals, `"199.00"`, and the currency beside it.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"total_amount": 199.0, "currency": "EUR"}}
    Bad: returns {"total": 59.980000000000004}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"total_amount": "199.00", "currency": "EUR"}}
    Good: returns {"total": 59.98, "mean": 0.30000000000000004}
    """
    for note in found.named.get("money", ()):
        if is_a(note[2], float):
            place = found.survey.place(note)
            noisy = _is_noisy(note[2])
            detail = f"{place} is the float {excerpt(note[2])}"
            yield Breach(
                place=place,
                detail=f"{detail}, with binary noise" if noisy else detail,
                severity=Severity.ERROR if noisy else None,
            )
    for note in found.named.get("total", ()):
        if is_a(note[2], float) and _is_noisy(note[2]):
            place = found.survey.place(note)
            detail = f"{place} is the float {excerpt(note[2])}, with binary noise"
            yield Breach(place=place, detail=detail, severity=Severity.ERROR)


def _is_noisy(value: float) -> bool:
    return _NOISE.search(float.__repr__(value)) is not None


@rule("TR409", "unsafe-integer", Severity.WARNING, yields_to=("TR809",))
def unsafe_integer(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An integer beyond 2**53 is sent as a number.

    Why: readers that keep numbers as doubles change its last digits, and the id then
    belongs to nobody, or to somebody else.
    Fix: send ids as text.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"note_id": 640118823377100801}}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"note_id": "640118823377100801"}}
    Good: returns {"note_id": 9007199254740992}
    """
    numbers = found.survey.unsafe_numbers
    if not numbers or _may_be_asked_for(found):
        return
    for note in numbers:
        place = found.survey.place(note)
        detail = f"{place} is {excerpt(note[2])}, beyond what a double holds exactly"
        yield Breach(place=place, detail=detail)


def _may_be_asked_for(found: Exhibit) -> bool:
    """Tell whether a large number went in, of which the large one may be made."""
    sent = survey([("arguments", found.call.arguments)])
    if sent.unsafe_numbers or any(_is_huge(note[2]) for note in sent.texts):
        return True
    numbers = _numbers(found.call.arguments.values())
    return any(abs(number) >= _NEAR for number in numbers)


def _is_huge(text: str) -> bool:
    return len(text) >= 16 and text.strip("+-").isdecimal()  # noqa: PLR2004 - 2**53


def _numbers(values: Any) -> Iterator[float]:
    for value in values:
        number = plain_int(value)
        if number is not None:
            yield number
        elif is_a(value, float):
            yield float.__float__(value)


@rule("TR419", "units-disagree", Severity.WARNING)
def units_disagree(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Two fields give one quantity in two units, and do not agree.

    Why: the model takes the first one, which may be the wrong one, ten times off.
    Fix: compute both from one source, or send one of them.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"amount": "31.50", "amount_milliunits": "3150"}}
    Bad: returns {"size_bytes": 2048, "size_kb": 20}
    Good: {"status": "success", "error": null, "meta": {}, "data":
    {"amount": "3.15", "amount_milliunits": "3150"}}
    Good: returns {"size_bytes": 2048, "size_kb": 2.0, "size_human": "2 KB"}
    """
    measured = [unit[0] for name in found.survey.names if (unit := unit_of(name))]
    if len(set(measured)) == len(measured):
        return
    for position, items in found.survey.objects_below("data"):
        for name, other, said, expected in disagreements(items):
            place = found.survey.place((position, name, None))
            detail = (
                f"{place} is {said}, and by {excerpt_text(other)} it should be"
                f" {expected}"
            )
            yield Breach(place=place, detail=detail)
