"""The calls of one exploration: bounded, guarded, never twice into the same hang."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_toolresult.calls import Arguments, Call
    from pytest_toolresult.engine.reading import Reader
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.tools import Tool

    Invoke = Callable[[Call, float], Outcome]
    """Makes one guarded call under a bound in seconds."""

    OnProgress = Callable[["Progress"], object]
    """Is told how far an exploration has come, every few seconds."""

_HANGS_ENOUGH: Final = 4
"""How many hangs are run into before a tool is given up, for the whole session."""

_LEAST_BOUND_S: Final = 1.0
_SLOWEST_TIMES: Final = 10

_DECIDING: Final = 10
"""How many calls decide on the dialect in which calls are read meanwhile."""

_PROGRESS_S: Final = 2.0
"""How often it is told how far a long exploration has come, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an exploration has come.

    Attributes:
        tool: The tool's name.
        calls: How many calls have reached the tool.
        statuses: How many of them ended in each status, as far as can be told yet.
    """

    tool: str
    calls: int
    statuses: Mapping[str, int]


class HangMemory:
    """The arguments that are known to hang, for the whole session.

    Where arguments hang that differ in one value only from others that do not, this
    value is to blame: no further call is made with it, whatever stands beside it.
    """

    def __init__(self) -> None:
        self._known: dict[str, list[Any]] = {}
        self._blamed: dict[str, list[tuple[str, Any]]] = {}

    def count(self, tool: Tool) -> int:
        """Return how many arguments of a tool are known to hang."""
        return len(self._known.get(tool.identity, []))

    def add(
        self, tool: Tool, arguments: Arguments, sound: Iterable[Arguments] = ()
    ) -> None:
        """Remember that a tool hangs with these arguments.

        Args:
            tool: The tool.
            arguments: The arguments.
            sound: Arguments that did not hang.
        """
        hung = _converted(tool, arguments)
        self._known.setdefault(tool.identity, []).append(hung)
        others = (_converted(tool, each) for each in sound)
        differing = (_differing(hung, each) for each in others)
        names = dict.fromkeys(each[0] for each in differing if len(each) == 1)
        blamed = self._blamed.setdefault(tool.identity, [])
        blamed += [(name, hung[name]) for name in names if name in hung]

    def __contains__(self, question: tuple[Tool, Arguments]) -> bool:
        """Tell whether a tool is known to hang with arguments such as these."""
        tool, arguments = question
        known = self._known.get(tool.identity)
        if not known:
            return False
        asked = _converted(tool, arguments)
        return any(_same(each, asked) for each in known) or any(
            name in asked and _same(asked[name], value)
            for name, value in self._blamed[tool.identity]
        )


class Probe:
    """Makes the calls of one exploration and keeps what they came to.

    Attributes:
        seen: Every interaction, read provisionally.
        endings: How many calls ended in which way.
        known_hangs: How many calls were not made, because they are known to hang.
        over: Why no more calls are made, or an empty text.
        on_progress: Is told every few seconds how far the exploration has come.
    """

    def __init__(
        self,
        reader: Reader,
        invoke: Invoke,
        hangs: HangMemory,
        *,
        bound: float,
        seconds: float,
    ) -> None:
        self._reader = reader
        self._invoke = invoke
        self._hangs = hangs
        self._bound = bound
        self._slowest = 0.0
        self._deadline = time.monotonic() + seconds
        self._seconds = seconds
        self.on_progress: OnProgress | None = None
        self._told = time.monotonic()
        self.seen: list[Interaction] = []
        self.endings: Counter[str] = Counter()
        self.known_hangs = 0
        self._faulted_hangs = 0
        self.over = ""

    def __call__(self, call: Call) -> Interaction | None:
        """Make a call, or return `None` where the exploration is over.

        Arguments that are known to hang are not tried again: nothing is kept of
        the call, and it looks as if it had been refused.
        """
        if self._is_over():
            return None
        if self._is_known_to_hang(call):
            return self._known_hang(call)
        outcome = self._invoke(call, self._bound)
        self._note(call, outcome)
        interaction = self._read(call, outcome)
        self.seen.append(interaction)
        self._tell()
        return interaction

    def _read(self, call: Call, outcome: Outcome) -> Interaction:
        """Read an outcome as the first calls speak; the last word comes later."""
        if len(self.seen) < _DECIDING:
            outcomes = [each.outcome for each in self.seen]
            self._reader = self._reader.deciding([*outcomes, outcome])
        return self._reader.read(call, outcome)

    def _tell(self) -> None:
        """Tell how far the exploration has come, if that is due."""
        if self.on_progress is None or time.monotonic() - self._told < _PROGRESS_S:
            return
        reader = self._reader.deciding([each.outcome for each in self.seen])
        read = (reader.read(each.call, each.outcome).status for each in self.seen)
        self.on_progress(
            Progress(
                tool=self._reader.tool.name,
                calls=self.calls,
                statuses=Counter(status for status in read if status),
            )
        )
        self._told = time.monotonic()

    @property
    def calls(self) -> int:
        """How many calls reached the tool."""
        return self.endings.total() - self.endings["refused"]

    def _is_over(self) -> bool:
        if not self.over and time.monotonic() > self._deadline:
            self.over = f"the safety cut of {self._seconds:g} s was reached"
        known = self._hangs.count(self._reader.tool) + self._faulted_hangs
        if not self.over and known >= _HANGS_ENOUGH:
            self.over = f"{_HANGS_ENOUGH} calls hung"
        return self.over != ""

    def _is_known_to_hang(self, call: Call) -> bool:
        if call.injection is not None:
            return False
        return (self._reader.tool, call.arguments) in self._hangs

    def _note(self, call: Call, outcome: Outcome) -> None:
        self.endings[outcome.ending] += 1
        if outcome.ending == "hung":
            self._remember_hang(call)
            shrunk = max(_LEAST_BOUND_S, _SLOWEST_TIMES * self._slowest)
            self._bound = min(self._bound, shrunk)
        else:
            self._slowest = max(self._slowest, outcome.duration_s)

    def _remember_hang(self, call: Call) -> None:
        if call.injection is not None:  # the arguments are not to blame
            self._faulted_hangs += 1
            return
        ended = [each for each in self.seen if each.outcome.ending != "hung"]
        sound = [each.call.arguments for each in ended]
        self._hangs.add(self._reader.tool, call.arguments, sound)

    def _known_hang(self, call: Call) -> Interaction:
        from pytest_toolresult.outcomes import Outcome

        self.known_hangs += 1
        return self._reader.read(call, Outcome(ending="refused"))


def _differing(one: Arguments, other: Arguments) -> list[str]:
    """Return the names under which two calls differ."""
    return [
        name
        for name in {**one, **other}
        if name not in one or name not in other or not _same(one[name], other[name])
    ]


def _same(one: object, other: object) -> bool:
    """Compare arguments, of which converted ones may be objects of any class."""
    try:
        return type(one) is type(other) and bool(one == other)
    except Exception:  # noqa: BLE001 - whatever a comparison of the user's raises
        return False


def _converted(tool: Tool, arguments: Arguments) -> Any:
    """Return the arguments as the tool sees them, so that `"0"` and `0` are one."""
    if tool.convert is not None:
        try:
            return tool.convert(arguments)
        except ValueError:
            return arguments
    return json.loads(json.dumps(arguments))
