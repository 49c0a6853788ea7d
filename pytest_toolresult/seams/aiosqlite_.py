"""Lets the thread of an aiosqlite connection work for the call that asked it.

Its statements are sqlite3's and are seen there. They run in a thread which may be
older than the call, and which no line of the project has called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.seams.recording import carried, current
from pytest_toolresult.seams.sites import asked_from, site
from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches


class AiosqliteSeam:
    """Hands the recording of a call to the thread, with each function it is to run."""

    name = "aiosqlite"
    library = "aiosqlite"

    def install(self, patches: Patches) -> None:
        """Wrap what the thread is given to do."""
        from aiosqlite import Connection

        connect: Any = Connection._connect  # noqa: SLF001 - there is no public way in
        execute: Any = Connection._execute  # noqa: SLF001
        lead_through(patches, connect, _connecting)
        lead_through(patches, execute, _executing)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:  # noqa: ARG002 - see Seam
        """Return nothing: what can go wrong, sqlite3 knows."""
        return ()


async def _connecting(original: FunctionType, connection: Any) -> Any:
    connection._connector = _from_here(connection._connector)  # noqa: SLF001
    return await original(connection)


async def _executing(
    original: FunctionType,
    connection: Any,
    function: Callable[..., Any],
    *args: Any,
    **kwargs: Any,
) -> Any:
    return await original(connection, _from_here(function), *args, **kwargs)


def _from_here(function: Callable[..., Any]) -> Callable[..., Any]:
    record = current()
    if record is None:
        return function
    place, run = site(record.homes), carried(function)

    def run_from_here(*args: Any, **kwargs: Any) -> Any:
        with asked_from(place):
            return run(*args, **kwargs)

    return run_from_here


AIOSQLITE: Final = AiosqliteSeam()
