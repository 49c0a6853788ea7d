"""What names tell: which fields, parameters and tables hold error codes."""

from __future__ import annotations

import contextlib
import inspect
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

CODE_KEYS: Final = frozenset({"code", "error_code", "errorCode"})
STATUS_KEYS: Final = frozenset({"status", "state", "outcome", "result"})

_OTHER_WORDS: Final = (
    "name key var variable env setting option field column header level logger"
    " method currency unit sql query statement url path message msg text detail"
    " details hint value default"
)
_OTHER_PARAMETERS: Final = frozenset(_OTHER_WORDS.split())
"""Parameters of a project's own functions that take something else than a code."""

_ABOUT_ERRORS: Final = re.compile(
    r"err|fail|code|reason|problem|fault|except|reject|denied", re.IGNORECASE
)
_OTHER_CODES: Final = re.compile(
    r"(currency|country|language|lang|locale|postal|zip|area|colou?r|promo|coupon"
    r"|discount|airport|product|bar|q?r|source|air(line)?|state|region|dial)_?codes?",
    re.IGNORECASE,
)
_FAILING_HTTP: Final = range(400, 600)

_METHODS: Final = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT"
_SQL: Final = (
    "SELECT INSERT UPDATE REPLACE FROM WHERE ORDER GROUP HAVING LIMIT OFFSET JOIN AND"
    " NOT NULL ASC DESC BEGIN COMMIT ROLLBACK DEFERRED IMMEDIATE EXCLUSIVE PRAGMA"
    " CREATE DROP ALTER TABLE INDEX TEXT INTEGER REAL BLOB NUMERIC"
)
_FORMATS: Final = "JSON HTML HTTP HTTPS XML CSV PDF PNG JPEG SQL UTC GMT UTF ASCII"
_LEVELS: Final = "TRUE FALSE NONE DEBUG INFO WARN WARNING CRITICAL"
_CURRENCIES: Final = (  # ISO 4217, those in wide use
    "AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR"
    " ILS INR ISK JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR"
    " PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VES VND ZAR XAU XAG"
    " XXX BTC ETH"
)
NOT_CODES: Final = frozenset(
    f"{_METHODS} {_SQL} {_FORMATS} {_LEVELS} {_CURRENCIES}".split()
)
"""Words in capitals that are no error codes wherever they stand."""


def is_about_errors(name: str) -> bool:
    """Tell whether a table, an enum or a variable of this name holds error codes."""
    return _ABOUT_ERRORS.search(_OTHER_CODES.sub("", name)) is not None


def is_keyed_by_failures(table: object) -> bool:
    """Tell whether the keys of a table are exceptions or failing HTTP statuses."""
    if not isinstance(table, dict) or not table:
        return False
    return all(
        (isinstance(key, type) and issubclass(key, BaseException))
        or (type(key) is int and key in _FAILING_HTTP)
        for key in table
    )


def parameters_of(function: object, *, bound: bool, ours: bool) -> tuple[str, ...]:
    """Name the parameters that arguments by position are for.

    Args:
        function: A function or a class.
        bound: Whether its first parameter is given already.
        ours: Whether it is the project's: then only names that tell codes from
            other things are given, and empty texts for the others. What a library
            is given is never a code, whatever its parameter is called.

    Returns:
        Nothing where its signature cannot be read.
    """
    parameters: Mapping[str, inspect.Parameter] = {}
    with contextlib.suppress(Exception):
        signed: Any = function
        parameters = inspect.signature(signed).parameters
    kinds = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    names = tuple(name for name, each in parameters.items() if each.kind in kinds)
    names = names[1:] if bound else names
    if not ours:
        return names
    telling = CODE_KEYS | STATUS_KEYS | _OTHER_PARAMETERS
    return tuple(name if name in telling else "" for name in names)
