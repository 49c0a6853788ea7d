"""What one call of a tool crosses into its dependencies, and what is broken there.

Seams are installed once for many calls. Whether a boundary call is the tool's, and
what is to happen to it, stands in the recording that the running context carries:
code beside the tool, such as a server in the same process, has none and passes.
"""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from pytest_toolresult.faults import BoundaryCall, Crossing, Fault, Injection
from pytest_toolresult.guard import stop_unless_allowed
from pytest_toolresult.seams.sites import Site, site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.settings import Power

_LONGEST: Final = 120

_CURRENT: Final[ContextVar[Recording | None]] = ContextVar(
    "pytest_toolresult_recording", default=None
)
_INSIDE: Final[ContextVar[bool]] = ContextVar("pytest_toolresult_inside", default=False)


@dataclass(slots=True, kw_only=True, eq=False)
class Passage:
    """One boundary call on its way; a seam tells it what the call came to.

    As a context manager it keeps the seams of lower libraries quiet: what httpx asks
    of sockets is httpx's affair.

    Attributes:
        call: The call.
        fault: The fault to bring about, or `None`.
        failure: See `Crossing.failure`; the fault's name unless the seam knows better.
        rows: See `Crossing.rows`.
        blocks: See `Crossing.blocks`.
    """

    call: BoundaryCall
    fault: Fault | None = None
    failure: str = ""
    rows: int | None = None
    blocks: bool = False
    fired: bool = False

    def fire(self) -> None:
        """Say that the fault has taken effect."""
        self.fired = True
        if not self.failure and self.fault and self.fault.gravity != "soft":
            self.failure = self.fault.name

    @contextmanager
    def below(self) -> Iterator[None]:
        """Keep the seams quiet while the library does its work."""
        token = _INSIDE.set(True)
        try:
            yield
        finally:
            _INSIDE.reset(token)

    def crossing(self) -> Crossing:
        """Return what is to be remembered of it."""
        return Crossing(
            call=self.call,
            fault=self.fault if self.fired else None,
            failure=self.failure,
            rows=self.rows,
            blocks=self.blocks,
        )


@dataclass(slots=True, kw_only=True, eq=False)
class Recording:
    """The boundary calls of one call of a tool.

    Attributes:
        plan: What is to be broken in this run.
        homes: Folders whose code is the project's even where it is installed.
        passages: The calls so far.
    """

    plan: Sequence[Injection] = ()
    homes: tuple[str, ...] = ()
    passages: list[Passage] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def enter(self, call: BoundaryCall, *, blocks: bool) -> Passage:
        """Take note of a boundary call and decide what happens to it."""
        with self._lock:
            equal = sum(
                replace(each.call, occurrence=0) == call for each in self.passages
            )
            numbered = replace(call, occurrence=equal)
            passage = Passage(call=numbered, fault=self._fault(numbered), blocks=blocks)
            self.passages.append(passage)
        return passage

    def _fault(self, call: BoundaryCall) -> Fault | None:
        for injection in self.plan:
            if injection.where == call or self._persists(injection, call):
                return injection.fault
        return None

    def _persists(self, injection: Injection, call: BoundaryCall) -> bool:
        return (
            injection.persistent
            and injection.where.kind == call.kind
            and any(
                each.fired and each.fault is injection.fault for each in self.passages
            )
        )

    @property
    def boundary(self) -> tuple[Crossing, ...]:
        """What was crossed, in order."""
        return tuple(each.crossing() for each in self.passages)

    @property
    def fired(self) -> tuple[Injection, ...]:
        """The injections of the plan that took effect."""
        effective = [each.fault for each in self.passages if each.fired]
        return tuple(
            each
            for each in self.plan
            if any(fault is each.fault for fault in effective)
        )


@contextmanager
def recording(record: Recording) -> Iterator[Recording]:
    """Make the boundary calls of the running context this recording's."""
    token = _CURRENT.set(record)
    try:
        yield record
    finally:
        _CURRENT.reset(token)


def cross(  # noqa: PLR0913 - the parts of a boundary call
    seam: str,
    operation: str,
    *,
    detail: str = "",
    needs: Power | None = None,
    at: Site | None = None,
    suspends: bool = False,
) -> Passage | None:
    """Report a boundary call that is about to be made.

    Args:
        seam: The seam's name.
        operation: What is asked of the library.
        detail: What tells calls of one line apart.
        needs: What a tool has to be allowed to make this call, because it changes
            something outside the process; `None` where it does not.
        at: Where it comes from, where the seam had to know that already.
        suspends: Whether the call awaits, and so does not block an event loop.

    Returns:
        The passage, or `None` where no tool is being observed or the call is made by a
        library whose own seam has reported it: then the call goes on untouched.

    Raises:
        Stopped: If an exploration does not allow what the call needs.
    """
    record = _CURRENT.get()
    if record is None or _INSIDE.get():
        return None
    from_where = at or site(record.homes)
    call = BoundaryCall(
        seam=seam,
        operation=operation,
        site=from_where.text,
        detail=" ".join(detail.split())[:_LONGEST],
        mutates=needs is not None,
    )
    passage = record.enter(call, blocks=not suspends and _loop_is_running())
    if needs is not None:
        stop_unless_allowed(needs, f"{seam} {operation}: {call.detail}")
    return passage


def _loop_is_running() -> bool:
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None  # noqa: SLF001
