"""Bounds the memory that tools take while they are explored.

A tool that makes a list as long as its argument says asks for gigabytes when that is a
billion, and the system ends whatever process it likes best. Under a bound the
allocation fails instead, with a `MemoryError` that is a finding like any other.

Only what is really taken is bounded, by the soft limit on private writable memory
that Linux has (`RLIMIT_DATA`); address space that programs reserve without using it is
not. Elsewhere there is no such limit, and nothing is bounded.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB: Final = 1024 * 1024

_DATA_FIELD: Final = 5
"""Where `/proc/self/statm` has the pages of data and stack, see proc_pid_statm(5)."""

_GROUP: Final = Path("/sys/fs/cgroup")
_SYSTEM: Final = Path("/proc")


@contextmanager
def bounded_memory(most: int | None) -> Iterator[None]:
    """Let this process take no more memory than so much beyond what it has.

    Args:
        most: How many MiB more, and never more than half of what is free for this
            process; `None` for no bound.
    """
    limit = _limit(most) if most is not None else None
    if limit is None:
        yield
        return
    import resource

    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [each for each in (before, hard) if each != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([limit, *known]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))


def _limit(most: int) -> int | None:
    """Return the limit in bytes, `None` where the system tells nothing."""
    try:
        pages = int((_SYSTEM / "self/statm").read_text("ascii").split()[_DATA_FIELD])
        free = _free_in_system()
    except (OSError, ValueError, IndexError, KeyError):
        return None
    shared_by = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) + 1
    room = min(most * MIB, min([free, *_free_in_group()]) // shared_by)
    return pages * os.sysconf("SC_PAGE_SIZE") + room


def _free_in_system() -> int:
    lines = (_SYSTEM / "meminfo").read_text("ascii").splitlines()
    told = dict(line.split(":", 1) for line in lines)
    return int(told["MemAvailable"].split()[0]) * 1024


def _free_in_group() -> list[int]:
    """Return what a container has left, where it has a limit of its own."""
    with suppress(OSError, ValueError):
        most = int((_GROUP / "memory.max").read_text("ascii"))
        taken = int((_GROUP / "memory.current").read_text("ascii"))
        return [max(most - taken, 0)]
    return []
