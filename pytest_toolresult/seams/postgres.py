"""What a PostgreSQL server says when something goes wrong.

A server raises any error on request. So the errors of statements are raised by the
real one: they come as the driver makes them, whichever it is, and leave the transaction
as errors do. Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.canaries import dsn, noted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ERRORS: Final[Mapping[str, tuple[str, str, str]]] = {
    "timeout": ("57014", "canceling statement due to statement timeout", ""),
    "reset": ("57P01", "terminating connection due to administrator command", ""),
    "locked": ("55P03", "canceling statement due to lock timeout", ""),
    "undefined": ("42703", 'column "{secret}" does not exist', ""),
    "no_permission": ("42501", "permission denied for table orders", ""),
    "integrity": (
        "23505",
        'duplicate key value violates unique constraint "orders_pkey"',
        "Key (source)=({secret}) already exists.",
    ),
    "disk_full": (
        "53100",
        'could not extend file "base/16384/16397": No space left on device',
        "",
    ),
}
READING: Final[Sequence[str]] = (
    "timeout",
    "reset",
    "locked",
    "undefined",
    "no_permission",
)
"""What can go wrong at a statement that reads."""

WRITING: Final[Sequence[str]] = ("integrity", *READING, "disk_full")
"""What can go wrong at a statement that writes rows."""


def provoking(name: str) -> str:
    """Return a statement that makes the server raise an error, and does nothing else.

    Args:
        name: A fault of `READING` or `WRITING`.
    """
    code, message, detail = _ERRORS[name]
    secret = dsn(f"postgresql {name}")
    using = f"ERRCODE = '{code}', MESSAGE = {_literal(message.format(secret=secret))}"
    if detail:
        using += f", DETAIL = {_literal(detail.format(secret=secret))}"
    return f"DO $toolresult$BEGIN RAISE EXCEPTION USING {using}; END$toolresult$"


def without_context(error: BaseException) -> BaseException:
    """Take the lines out of a message that tell how it was provoked.

    What the server says is fixed for the most part, so that a note tells the secret.
    """
    error.args = tuple(
        each.partition("\nCONTEXT:")[0] if isinstance(each, str) else each
        for each in error.args
    )
    return noted(error, "postgresql")


def _literal(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
