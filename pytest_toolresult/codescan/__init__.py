"""What a tool's own code objects give away: constants, statuses, error codes.

Nothing is run and no source file is needed: the code objects that are reachable
from the tool are read, with the module-level tables, classes and enum members
that they name.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pytest_toolresult.codescan.bytecode import DECIDES, FIELD, Found, ordered
from pytest_toolresult.codescan.naming import CODE_KEYS, NOT_CODES, STATUS_KEYS
from pytest_toolresult.codescan.walk import read
from pytest_toolresult.envelope import FIELDS, STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Constant: TypeAlias = str | int | float

_MOST_CONSTANTS: Final = 96
_LONGEST: Final = 120
"""Texts above this length are prose, SQL or templates, not what is compared with."""
_CODE: Final = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_NAMED_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)*")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_+/=.-]+")
_URL_WITH_CREDENTIALS: Final = re.compile(r"://[^/\s]*@")
_SHORTEST_SECRET: Final = 16
_SHORTEST_CODE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Produced:
    """What the code of a tool can answer with.

    Attributes:
        statuses: The statuses of `STATUSES` that its code can produce. Empty
            where the code was read but names none.
        codes: The error codes that its code can produce.
        raises: Whether its code raises an exception on purpose, which is how tools
            that know no envelope report an error.
    """

    statuses: frozenset[str]
    codes: frozenset[str]
    raises: bool = False


def own_constants(function: Callable[..., Any]) -> tuple[Constant, ...]:
    """List the constants in the code of a tool, those that decide something first.

    Args:
        function: Any callable; one without Python code has no constants.

    Returns:
        Texts and numbers, each once: first what is compared with something or is
        a key of a table that the code reads, then other constants, last names of
        fields and messages. At most 96, in the same order on every run.
    """
    ranked: dict[tuple[str, Constant], int] = {}
    for found in read(function).constants:
        for constant in _scalars(found.value):
            key = (type(constant).__name__, constant)
            rank = max(found.rank, _rank_of_value(constant))
            ranked[key] = min(rank, ranked.get(key, rank))
    in_order = sorted(ranked, key=ranked.__getitem__)
    return tuple(constant for _, constant in in_order[:_MOST_CONSTANTS])


def statuses_and_codes(function: Callable[..., Any]) -> Produced | None:
    """Tell which statuses and error codes the code of a tool can produce.

    Whatever is reachable counts, so the answer is sooner too wide than too
    narrow; a code that is put together at run time is not seen.

    Args:
        function: Any callable.

    Returns:
        What was found, or `None` where there is no Python code to read.
    """
    reading = read(function)
    if not reading.has_code:
        return None
    made = [found for found in reading.constants if found.made]
    statuses = {s for found in made for s in _statuses(found)} | reading.constructed
    return Produced(
        statuses=frozenset(statuses or reading.hinted),
        codes=frozenset(code for found in made for code in _codes(found)),
        raises=reading.raises,
    )


def _scalars(value: object) -> Iterator[Constant]:
    """Take a constant apart into texts and numbers that can stand in JSON."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, tuple | list | frozenset | set):
        for element in ordered(value):
            yield from _scalars(element)
    elif isinstance(value, bool):
        return
    elif isinstance(value, str):
        if 0 < len(value) <= _LONGEST and not _looks_secret(value):
            yield str(value)
    elif isinstance(value, int):
        yield int(value)
    elif isinstance(value, float) and value - value == 0:  # neither infinite nor NaN
        yield float(value)


def _looks_secret(text: str) -> bool:
    """Tell what may be a credential.

    As an argument it would come back in results, and stand in reports.
    """
    if _URL_WITH_CREDENTIALS.search(text):
        return True
    token = len(text) >= _SHORTEST_SECRET and _TOKEN.fullmatch(text)
    return bool(token) and any(c.isdigit() for c in text) and text.lower() != text


def _rank_of_value(constant: Constant) -> int:
    """Put back what is a message or a word of the envelope rather than data."""
    if not isinstance(constant, str):
        return DECIDES
    if constant in STATUSES or constant in FIELDS:
        return FIELD
    prose = constant != constant.strip() or constant.count(" ") > 3  # noqa: PLR2004
    return FIELD if prose else DECIDES


def _statuses(found: Found) -> Iterator[str]:
    if found.key is None or found.key in STATUS_KEYS:
        yield from (each for each in _scalars(found.value) if each in STATUSES)


def _codes(found: Found) -> Iterator[str]:
    for each in _scalars(found.value):
        if not isinstance(each, str) or each in STATUSES:
            continue
        if found.key in CODE_KEYS:
            if _NAMED_CODE.fullmatch(each) and each not in NOT_CODES:
                yield each
        elif found.key is None and found.coded and _looks_like_code(each):
            yield each


def _looks_like_code(text: str) -> bool:
    return (
        len(text) >= _SHORTEST_CODE
        and text not in NOT_CODES
        and _CODE.fullmatch(text) is not None
    )
