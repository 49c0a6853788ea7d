"""Seams: where a tool's calls to what it depends on are seen and broken.

One module intercepts one library. It is installed only while tools are explored, and
only where its library is loaded already. What it sees it reports to the recording of
the call in progress (`seams.recording.cross`), which tells it the fault to bring
about; how that fault looks in its library, the seam alone knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches

ENTRY_POINTS: Final = "toolresult.seams"
"""The entry-point group through which other packages add seams."""


class Seam(Protocol):
    """What each seam offers.

    Attributes:
        name: What its calls are reported under, such as `httpx`.
        library: The module that has to be loaded for it to be installed.
    """

    name: str
    library: str

    def install(self, patches: Patches) -> None:
        """Put the interception in place; `patches` takes it out again.

        What raises here is reported and leaves the seam out; the rest goes on.

        Composes with what is there: what another tool has put in place of the
        library's own is called, never skipped.
        """
        ...

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a call of this seam, worst first."""
        ...


SEAMS: Final[Mapping[str, str]] = {
    "httpx": "pytest_toolresult.seams.httpx_:HTTPX",
    "httpx2": "pytest_toolresult.seams.httpx_:HTTPX2",
    "requests": "pytest_toolresult.seams.requests_:REQUESTS",
    "aiohttp": "pytest_toolresult.seams.aiohttp_:AIOHTTP",
    "http.client": "pytest_toolresult.seams.http_client:HTTP_CLIENT",
    "socket": "pytest_toolresult.seams.sockets:SOCKETS",
    "threads": "pytest_toolresult.seams.threads:THREADS",
    "clock": "pytest_toolresult.seams.clock:CLOCK",
    "asyncio": "pytest_toolresult.seams.loop_clock:LOOP_CLOCK",
    "asyncio.subprocess": "pytest_toolresult.seams.processes:ASYNC_PROCESSES",
    "subprocess": "pytest_toolresult.seams.processes:PROCESSES",
    "files": "pytest_toolresult.seams.files:FILES",
    "redis": "pytest_toolresult.seams.redis_:REDIS",
    "sqlalchemy": "pytest_toolresult.seams.sqlalchemy_:SQLALCHEMY",
    "psycopg_pool": "pytest_toolresult.seams.psycopg_pool_:PSYCOPG_POOL",
    "psycopg": "pytest_toolresult.seams.psycopg_:PSYCOPG",
    "aiosqlite": "pytest_toolresult.seams.aiosqlite_:AIOSQLITE",
    "sqlite3": "pytest_toolresult.seams.sqlite_:SQLITE",
}
"""The seams of this package by name, as `module:attribute`, outermost library first.

Their modules are all loaded where one is needed, so none imports its library before
it is installed.
"""
