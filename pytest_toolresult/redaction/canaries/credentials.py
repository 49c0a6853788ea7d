"""Makes credentials that look like real ones and open nothing."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.canaries.canary import Canary, chance

if TYPE_CHECKING:
    from random import Random

ALNUM: Final = string.ascii_letters + string.digits
_PORTS: Final = {
    "postgresql": 5432,
    "mysql": 3306,
    "mongodb": 27017,
    "redis": 6379,
    "amqp": 5672,
    "mssql": 1433,
    "clickhouse": 9000,
}


def characters(source: Random, length: int, alphabet: str = ALNUM) -> str:
    """Return that many characters of an alphabet."""
    return "".join(source.choices(alphabet, k=length))


def connection(name: str, scheme: str = "postgresql") -> Canary:
    """Make a connection string; its secret is the password in it."""
    source = chance("dsn", scheme, name)
    secret = characters(source, 20)
    base = scheme.partition("+")[0]
    port = _PORTS.get("postgresql" if base == "postgres" else base, 5432)
    host = f"db-{characters(source, 4, string.ascii_lowercase)}.internal"
    value = f"{scheme}://svc_orders:{secret}@{host}:{port}/orders"
    return Canary(kind="dsn", value=value, secret=secret)
