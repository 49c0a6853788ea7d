"""Canaries: made-up secrets that are planted where tools look, and must not come back.

Whoever raises errors in the place of a dependency gives them a credential with
`dsn(name)`: a connection string whose password is remembered. A result, an error, a
log record or a line of output that shows it is finding TR601, whatever the form.

    OperationalError(f"could not connect to {dsn('sqlite3.execute timeout')}")

The same name gives the same string in every run, on every worker and on every replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.redaction.canaries.registry import REGISTRY

if TYPE_CHECKING:
    from pytest_toolresult.redaction.canaries.canary import Canary


def dsn(name: str, scheme: str = "postgresql") -> str:
    """Return a connection string with a password that is remembered.

    Args:
        name: What tells one from another, such as the seam, the site and the fault.
        scheme: The kind of database, as addresses begin with it.
    """
    from pytest_toolresult.redaction.canaries.credentials import connection

    return plant(connection(name, scheme)).value


def plant(canary: Canary) -> Canary:
    """Remember a canary for the rest of the process."""
    REGISTRY.add(canary)
    return canary
