"""What injected errors carry and no result may show.

Real errors quote what they were about: the driver its connection string, an error
page the host behind it. A tool that hands such text on leaks it.
"""

from __future__ import annotations

from typing import Final

SECRET: Final = "tr-canary-7Qv2xK9mZ4"  # noqa: S105 - it opens nothing
"""The secret part of the connection string."""

HOST: Final = "db-canary-7.internal"
"""The host in it."""

DSN: Final = f"postgresql://svc_orders:{SECRET}@{HOST}:5432/orders"
"""A connection string with its password."""
