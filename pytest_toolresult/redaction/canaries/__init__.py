"""Canaries: made-up secrets that are planted where tools look, and must not come back.

Whoever raises errors in the place of a dependency gives them one: in the text, where
real errors of that library quote an address, a key or a host; in a note beside the
text (which only a whole traceback shows) where what a real one says is fixed, for a
tool may go by these words.

    OperationalError(f"could not connect to {dsn('mysql refused')}")
    noted(OperationalError("database is locked"), "sqlite3 locked")

The same name gives the same string in every run, on every worker and on every replay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from pytest_toolresult.redaction.canaries.registry import REGISTRY

if TYPE_CHECKING:
    from pytest_toolresult.redaction.canaries.canary import Canary

_Error = TypeVar("_Error", bound=BaseException)


def dsn(name: str, scheme: str = "postgresql") -> str:
    """Return a connection string with a password that is remembered.

    Args:
        name: What tells one from another, such as the seam, the site and the fault.
        scheme: The kind of database, as addresses begin with it.
    """
    from pytest_toolresult.redaction.canaries.credentials import connection

    return _injected(connection(name, scheme))


def url(name: str) -> str:
    """Return an address with a token in its query that is remembered; see `dsn`."""
    from pytest_toolresult.redaction.canaries.credentials import signed_url

    return _injected(signed_url(name))


def token(name: str) -> str:
    """Return a token that is remembered; see `dsn`."""
    from pytest_toolresult.redaction.canaries.credentials import token as made

    return _injected(made(name))


def host(name: str) -> str:
    """Return the name of a host that is remembered; it is no secret, see `dsn`."""
    from pytest_toolresult.redaction.canaries.credentials import internal_host

    return _injected(internal_host(name))


def noted(error: _Error, name: str) -> _Error:
    """Put a connection string beside what an error says, and return the error.

    Args:
        error: An error whose text is to stay as it is.
        name: See `dsn`.
    """
    error.add_note(f"connected to {dsn(name)}")
    return error


def _injected(canary: Canary) -> str:
    return REGISTRY.add(replace(canary, injected=True)).value
