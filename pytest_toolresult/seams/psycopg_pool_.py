"""The seam of psycopg's connection pool.

Its connections are made by threads of its own, for nobody's call. What a tool meets
when the server is away is that it gets none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.redaction.canaries import noted
from pytest_toolresult.seams.recording import cross
from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage

NAME: Final = "psycopg_pool"


class PoolSeam:
    """Sees connections being taken from a pool."""

    name = NAME
    library = "psycopg_pool"

    def install(self, patches: Patches) -> None:
        """Lead the pools' `getconn` through here."""
        import psycopg_pool

        lead_through(patches, _function(psycopg_pool.ConnectionPool), _take)
        lead_through(patches, _function(psycopg_pool.AsyncConnectionPool), _take_later)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:  # noqa: ARG002 - see Seam
        """Return the one thing that a pool says when the server is away."""
        return (CATALOGUE["timeout"],)


def _function(pool: type) -> FunctionType:
    found: FunctionType = vars(pool)["getconn"]
    return found


def _take(original: FunctionType, pool: Any, *args: Any, **kwargs: Any) -> Any:
    passage = cross(NAME, "getconn", detail=str(pool.name).rstrip("0123456789"))
    if passage is None:
        return original(pool, *args, **kwargs)
    _wait_in_vain(passage, pool, *args, **kwargs)
    with passage.below():
        return original(pool, *args, **kwargs)


async def _take_later(
    original: FunctionType, pool: Any, *args: Any, **kwargs: Any
) -> Any:
    detail = str(pool.name).rstrip("0123456789")
    passage = cross(NAME, "getconn", detail=detail, suspends=True)
    if passage is None:
        return await original(pool, *args, **kwargs)
    await passage.reached()
    _wait_in_vain(passage, pool, *args, **kwargs)
    with passage.below():
        return await original(pool, *args, **kwargs)


def _wait_in_vain(passage: Passage, pool: Any, timeout: float | None = None) -> None:
    if passage.fault is None or passage.fault.name != "timeout":
        return
    from psycopg_pool import PoolTimeout

    passage.fire()
    seconds = pool.timeout if timeout is None else timeout
    late = PoolTimeout(f"couldn't get a connection after {seconds:.2f} sec")
    raise noted(late, f"{NAME} timeout")


PSYCOPG_POOL: Final = PoolSeam()
