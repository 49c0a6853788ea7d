"""What one call of a tool crosses into its dependencies, and what is broken there.

Seams are installed once for many calls. Whether a boundary call is the tool's, and
what is to happen to it, stands in the recording that the running context carries:
code beside the tool, such as a server in the same process, has none and passes.

A seam reports a call with `cross` and treats the passage it gets back like this:

    passage = cross("httpx", request.method, detail=request.url.path)
    if passage is None:
        return original(request)
    if passage.fault is not None:
        ...  # bring it about, and say `passage.fire()` as it takes effect
    answer = passage.recorded  # of an earlier run, where the backend is kept quiet
    if answer is None:
        with passage.below():
            answer = plain(original(request))
        passage.keep(answer)

Around an async call it awaits `passage.reached()` first, where a call is cancelled.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.digests import shortened
from pytest_toolresult.faults import BoundaryCall, Crossing, Fault, Injection
from pytest_toolresult.guard import stop_unless_allowed
from pytest_toolresult.loops import running_loop
from pytest_toolresult.runner.asides import is_aside
from pytest_toolresult.runner.steps import cancel_call
from pytest_toolresult.seams.sites import Site, site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from contextvars import Token

    from pytest_toolresult.seams.cassette import Cassette
    from pytest_toolresult.settings import Power

_LONGEST: Final = 120

CANCELLED: Final = "cancelled"
"""The fault that strikes the tool's call as a whole, and no library."""

_TICKS: Final = 10
"""How many turns of the event loop a cancelled call gets to hear of it."""

_CURRENT: Final[ContextVar[Recording | None]] = ContextVar(
    "pytest_toolresult_recording", default=None
)
_STANDING: Final[ContextVar[tuple[Standing, ...]]] = ContextVar(
    "pytest_toolresult_standing", default=()
)
_INSIDE: Final[ContextVar[bool]] = ContextVar("pytest_toolresult_inside", default=False)


@dataclass(slots=True, kw_only=True, eq=False)
class Passage:
    """One boundary call on its way; a seam tells it what the call came to.

    As a context manager it keeps the seams of lower libraries quiet: what httpx asks
    of sockets is httpx's affair.

    Attributes:
        call: The call.
        fault: The fault to bring about, or `None`. Cancelling is no seam's affair,
            and done by `reached`.
        failure: See `Crossing.failure`; the fault's name unless the seam knows better.
        rows: See `Crossing.rows`.
        goes_on: See `Crossing.goes_on`.
        blocks: See `Crossing.blocks`.
        suspends: See `Crossing.suspends`.
        idempotent: See `Crossing.idempotent`.
        sent: See `Crossing.sent`.
        fired: Whether the fault has taken effect.
        injection: What put the fault here, or `None`.
        standing: The standing fault that it stems from, or `None`.
        cassette: What answers instead of the backend, or `None`.
    """

    call: BoundaryCall
    fault: Fault | None = None
    failure: str = ""
    rows: int | None = None
    goes_on: bool = False
    blocks: bool = False
    suspends: bool = False
    idempotent: bool = False
    sent: str = ""
    fired: bool = False
    injection: Injection | None = None
    standing: Standing | None = field(default=None, repr=False)
    cassette: Cassette | None = field(default=None, repr=False)

    @property
    def recorded(self) -> Any:
        """What the backend answered to this call earlier, as the seam kept it.

        `None` where it was not asked yet, or where it is to be asked each time.
        """
        return self.cassette.answer_to(self.call) if self.cassette else None

    def keep(self, answer: object) -> None:
        """Remember the backend's own answer: something plain that can be replayed.

        Answers that a fault has changed are not the backend's, and are not kept.
        """
        if self.cassette is not None:
            self.cassette.keep(self.call, answer)

    def fire(self) -> None:
        """Say that the fault has taken effect."""
        if self.standing is not None and not self.fired and self.injection:
            self.standing.fired.append(self.injection)
        self.fired = True
        fault = self.injection.fault if self.injection else self.fault
        if not self.failure and fault and fault.gravity != "soft":
            self.failure = fault.name

    async def reached(self) -> None:
        """Cancel the tool's call as a whole, where that is the fault.

        The cancellation arrives here, as it would while the library waits. A task
        that the tool has shielded from it goes on.
        """
        if not self._cancels or not cancel_call():
            return
        self.fire()
        import asyncio

        loop = asyncio.get_running_loop()
        for _ in range(_TICKS):
            turn = loop.create_future()
            loop.call_soon(_end, turn)
            await turn

    @property
    def _cancels(self) -> bool:
        return self.injection is not None and self.injection.fault.name == CANCELLED

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
        fault = self.injection.fault if self.injection else self.fault
        return Crossing(
            call=self.call,
            fault=fault if self.fired else None,
            failure=self.failure,
            rows=self.rows,
            goes_on=self.goes_on,
            blocks=self.blocks,
            suspends=self.suspends,
            idempotent=self.idempotent,
            sent=self.sent,
        )


@dataclass(slots=True, kw_only=True, eq=False)
class Standing:
    """A fault that strikes every call of one seam, wherever the call comes from.

    Attributes:
        seam: The seam's name.
        fits: Returns the fault to bring about at a call of it, or `None`.
        met: The calls of the seam so far.
        fired: Where it took effect.
    """

    seam: str
    fits: Callable[[BoundaryCall], Fault | None]
    met: list[BoundaryCall] = field(default_factory=list)
    fired: list[Injection] = field(default_factory=list)

    def at(self, call: BoundaryCall) -> Injection | None:
        """Return what is to be put at a call."""
        if call.seam != self.seam:
            return None
        self.met.append(call)
        fault = self.fits(call)
        if fault is None:
            return None
        return Injection(fault=fault, where=call, persistent=True)


@dataclass(slots=True, kw_only=True, eq=False)
class Recording:
    """The boundary calls of one call of a tool.

    Attributes:
        plan: What is to be broken in this run.
        homes: Folders whose code is the project's even where it is installed.
        cassette: What answers instead of backends, or `None`.
        virtual: Whether waiting takes no time: sleeps end at once, and clocks show
            the time as if they had not.
        elapsed: How far its clocks are ahead of the real ones, in seconds.
        standing: Faults that a user has put somewhere beside the plan.
        passages: The calls so far.
        over: Whether the call has ended. Threads of it that still work are not
            listened to any more.
    """

    plan: Sequence[Injection] = ()
    homes: tuple[str, ...] = ()
    cassette: Cassette | None = None
    virtual: bool = False
    elapsed: float = 0.0
    standing: tuple[Standing, ...] = field(default_factory=_STANDING.get)
    passages: list[Passage] = field(default_factory=list)
    over: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _seen: dict[BoundaryCall, int] = field(default_factory=dict, repr=False)
    _turns: Counter[str] = field(default_factory=Counter, repr=False)

    def enter(
        self, call: BoundaryCall, *, blocks: bool, suspends: bool = False
    ) -> Passage:
        """Take note of a boundary call and decide what happens to it."""
        with self._lock:
            equal = self._seen.get(call, 0)
            self._seen[call] = equal + 1
            turn, step = self._turns[call.name], self._turns[call.course]
            self._turns.update((call.name, call.course))
            numbered = replace(call, occurrence=equal, turn=turn, step=step)
            injection, standing = self._injection_at(numbered)
            fault = injection.fault if injection else None
            passage = Passage(
                call=numbered,
                fault=None if fault and fault.name == CANCELLED else fault,
                blocks=blocks,
                suspends=suspends,
                injection=injection,
                standing=standing,
                cassette=self.cassette,
            )
            self.passages.append(passage)
        return passage

    def _injection_at(
        self, call: BoundaryCall
    ) -> tuple[Injection | None, Standing | None]:
        for injection in self.plan:
            if injection.strikes(call) or self._persists(injection, call):
                return injection, None
        put = [(each.at(call), each) for each in self.standing]
        return next((each for each in put if each[0] is not None), (None, None))

    def _persists(self, injection: Injection, call: BoundaryCall) -> bool:
        return (
            injection.persistent
            and injection.where.kind == call.kind
            and any(
                each.fired and each.injection is injection for each in self.passages
            )
        )

    @property
    def boundary(self) -> tuple[Crossing, ...]:
        """What was crossed, in order."""
        return tuple(each.crossing() for each in self.passages)

    @property
    def fired(self) -> tuple[Injection, ...]:
        """The injections that took effect, each once."""
        fired = (each.injection for each in self.passages if each.fired)
        return tuple(dict.fromkeys(each for each in fired if each is not None))


def current() -> Recording | None:
    """Return the recording of the tool's call that runs here, or `None`."""
    record = _CURRENT.get()
    return None if record is None or record.over or is_aside() else record


def recording(record: Recording) -> AbstractContextManager[Recording]:
    """Make the boundary calls of the running context this recording's."""
    return _Recorded(record)


class _Recorded:
    __slots__ = ("_record", "_token")

    def __init__(self, record: Recording) -> None:
        self._record = record
        self._token: Token[Recording | None] | None = None

    def __enter__(self) -> Recording:
        self._token = _CURRENT.set(self._record)
        return self._record

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _CURRENT.reset(self._token)
        self._record.over = True


@contextmanager
def standing(fault: Standing) -> Iterator[Standing]:
    """Let a fault strike in every recording that begins within the block."""
    token = _STANDING.set((*_STANDING.get(), fault))
    try:
        yield fault
    finally:
        _STANDING.reset(token)


def carried(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that crosses boundaries for the call that made it.

    It is what a thread is given to do. Without a call it is the function itself.
    """
    record, inside = _CURRENT.get(), _INSIDE.get()
    if record is None or is_aside():
        return function

    def run(*args: Any, **kwargs: Any) -> Any:
        tokens = (_CURRENT.set(record), _INSIDE.set(inside))
        try:
            return function(*args, **kwargs)
        finally:
            _CURRENT.reset(tokens[0])
            _INSIDE.reset(tokens[1])

    return run


def cross(  # noqa: PLR0913 - the parts of a boundary call
    seam: str,
    operation: str,
    *,
    detail: str = "",
    needs: Power | None = None,
    mutates: bool = False,
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
        mutates: Whether it changes something in a way that the guard itself sees and
            stops, so that it needs nothing more.
        at: Where it comes from, where the seam had to know that already.
        suspends: Whether the call awaits, and so does not block an event loop.

    Returns:
        The passage, or `None` where no tool is being observed or the call is made by a
        library whose own seam has reported it: then the call goes on untouched.

    Raises:
        Stopped: If an exploration does not allow what the call needs.
    """
    record = _CURRENT.get()
    if record is None or _INSIDE.get() or is_aside():
        return None
    shown = shortened(" ".join(detail.split()), _LONGEST)
    passage = None
    if not record.over:
        place = at or site(record.homes)
        call = BoundaryCall(
            seam=seam,
            operation=operation,
            site=place.text,
            detail=shown,
            mutates=mutates or needs is not None,
            function=place.function,
        )
        blocks = not suspends and running_loop() is not None
        passage = record.enter(call, blocks=blocks, suspends=suspends)
    if needs is not None:
        stop_unless_allowed(needs, f"{seam} {operation}: {shown}")
    return passage


def _end(turn: Any) -> None:
    if not turn.done():
        turn.set_result(None)
