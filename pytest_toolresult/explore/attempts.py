"""The calls of one fuzz: counted, not made twice, and read for what they give away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.dialects import decide, is_meant
from pytest_toolresult.digests import digest
from pytest_toolresult.explore.glimpses import Glimpses
from pytest_toolresult.strategies.harvest import Harvest
from pytest_toolresult.strategies.sweep import identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_toolresult.calls import Origin
    from pytest_toolresult.explore import Probe
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.outcomes import Column, Outcome

_REPEATED: Final = frozenset({"returned", "raised"})
_RANKS: Final[Mapping[str, int]] = {"success": 0, "partial": 0, "empty": 1, "error": 2}
"""How far a path leads into a tool: a crash, or a refusal, leads nowhere."""
_MOST_IN_A_ROW: Final[Mapping[str, int]] = {"blocked": 20, "hung": 5, "exited": 20}
"""After so many calls in a row that ended in one of these ways all others would."""

_READ_ENOUGH: Final = 2
"""How often equal results are read: what echoes the arguments of one call is something
the tool has given away in the next."""


class Budget:
    """How many calls were made and how they ended, and whether more may be.

    Refused calls never reached the tool. They have a budget of their own, so that
    a strict validator leaves the calls to arguments that it lets through.

    Attributes:
        calls: How many calls reached the tool.
        refused: How many did not.
        most: How many may.
        left: How many calls may still be made; none where all would end the same.
    """

    def __init__(self, most: int) -> None:
        self.calls = 0
        self.refused = 0
        self.most = most
        self.left = max(most, 0)
        self._last_ending = ""
        self._in_a_row = 0

    @property
    def allows_mistakes(self) -> bool:
        """Whether arguments may be tried that validation will likely refuse."""
        return self.refused < self.most / 2

    def count(self, outcome: Outcome) -> None:
        """Take a call into account."""
        if outcome.ending == "refused":
            self.refused += 1
        else:
            self.calls += 1
            again = outcome.ending == self._last_ending
            self._in_a_row = self._in_a_row + 1 if again else 1
            self._last_ending = outcome.ending
        self.left = self._left()

    def _left(self) -> int:
        in_a_row = _MOST_IN_A_ROW.get(self._last_ending, self.most)
        if self.refused >= self.most or self._in_a_row >= in_a_row:
            return 0
        return max(self.most - self.calls, 0)


class Attempts:
    """Makes the calls of one exploration.

    Args:
        probe: Makes a call.
        budget: How many calls may be made.
        origin: What the calls are made for.

    Attributes:
        budget: How many calls were made, and how many may be.
        harvest: What the calls so far have given away.
        last: What the last call came to, `None` where it could not be made.
        accepted: The arguments that reached the tool and came back, in order.
        paths: What the calls came to, each reading as it speaks by itself.
        is_over: Whether the probe, or the budget, allows no more calls.
    """

    def __init__(self, probe: Probe, budget: Budget, origin: Origin = "fuzz") -> None:
        self.budget = budget
        self.last: Interaction | None = None
        self._origin: Origin = origin
        self.harvest = Harvest()
        self.accepted: list[dict[str, Any]] = []
        self.paths: set[str] = set()
        self._glimpses = Glimpses()
        self._probe = probe
        self._made: set[str] = set()
        self._ranks: dict[str, int] = {}
        self._read: dict[bytes, int] = {}
        self._path_of: dict[bytes, str] = {}
        self._ended = False

    def rank(self, arguments: Mapping[str, Any]) -> int:
        """Tell how far these arguments have led, the less the further."""
        return self._ranks.get(identity(arguments), len(_RANKS))

    @property
    def is_over(self) -> bool:
        """Whether the probe, or the budget, allows no more calls."""
        return self._ended or self.budget.left == 0

    def make(self, arguments: dict[str, Any]) -> bool:
        """Call with arguments that were not tried before; tell whether to go on."""
        key = identity(arguments)
        if key not in self._made:
            self._made.add(key)
            return self._attempt(arguments, key)
        return not self.is_over

    def repeat(self, arguments: dict[str, Any]) -> bool:
        """Call with these arguments, tried before or not; tell whether to go on."""
        return self._attempt(arguments, identity(arguments))

    def _attempt(self, arguments: dict[str, Any], key: str) -> bool:
        self.last = None
        if self.is_over:
            return False
        call = Call(arguments=arguments, origin=self._origin)
        self.last = interaction = self._probe(call)
        if interaction is None:
            self._ended = True
            return False
        outcome = interaction.outcome
        self.budget.count(outcome)
        if outcome.ending in _REPEATED:
            self.accepted.append(arguments)
            self._ranks[key] = self._learn(arguments, interaction)
            if outcome.columns:
                self._look_into(outcome.columns)
        return not self.is_over

    def _look_into(self, columns: Sequence[Column]) -> None:
        for name, value in self._glimpses.take(columns):
            self.harvest.learn(name, value)

    def _learn(self, arguments: dict[str, Any], interaction: Interaction) -> int:
        """Take what a call gives away, unless calls have come to the same before.

        Returns:
            How far these arguments have led, the less the further.
        """
        told = _told(interaction.outcome)
        known = digest(told)
        path = self._path(interaction, known)
        self.paths.add(path)
        times = 0
        if known is not None:
            self._read[known] = times = self._read.get(known, 0) + 1
        if times <= _READ_ENOUGH:
            self.harvest.take(arguments, *told)
        return _RANKS.get(path, len(_RANKS))

    def _path(self, interaction: Interaction, known: bytes | None) -> str:
        """Name the path that a call took, as the first did that came to the same."""
        if known is None or interaction.outcome.exception is not None:
            return _path(interaction)
        if known not in self._path_of:
            self._path_of[known] = _path(interaction)
        return self._path_of[known]


def _path(interaction: Interaction) -> str:
    """Name the path that a call took, as far as it can be told from it alone."""
    envelope, outcome = interaction.envelope, interaction.outcome
    is_read = interaction.dialect == "envelope" and outcome.ending == "returned"
    if not is_read or envelope is None or not is_meant(envelope):
        envelope = decide([outcome], None).dialect.read(outcome)
    status = envelope.status if envelope else None
    return status if isinstance(status, str) else ""


def _told(outcome: Outcome) -> tuple[object, ...]:
    """Give what a caller gets to see, without asking objects to describe themselves."""
    reply = outcome.reply
    if reply is None:
        return ()
    exception = reply.exception
    said = exception.args if exception else None
    return (reply.value, reply.wire, reply.flagged, said)
