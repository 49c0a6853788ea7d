"""Remembers what is wrong with a result, so that equal ones need no second look.

A rule is pure, so what it says can hang on nothing but what it looks at. Results are
compared by all that rules can see of them. The arguments differ with every call, so a
verdict is only remembered where no rule has looked at them in reaching it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.digests import digest
from pytest_toolresult.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.interactions import Interaction

    Verdict = tuple[Any, ...]

_MOST: Final = 10_000
_ASIDE: Final = frozenset({"reply", "duration_s", "bound_s"})
"""The reply is looked at by itself; how long a call took, or might have taken, is told
of hangs alone, and they have no reply."""

_SEEN: Final = tuple(each.name for each in fields(Outcome) if each.name not in _ASIDE)
"""What else there is to an outcome, whatever it grows to hold."""


class Verdicts:
    """The verdicts of one tool, under one contract and in one dialect."""

    def __init__(self) -> None:
        self._known: dict[bytes, Verdict] = {}

    def of(
        self, interaction: Interaction, reach: Callable[[Interaction], Verdict]
    ) -> Verdict:
        """Return the verdict on an interaction, the one that is remembered if any.

        Args:
            interaction: What is to be judged.
            reach: Reaches a verdict on an interaction that nothing is known of.
        """
        key = _key(interaction)
        if key is None:
            return reach(interaction)
        if key not in self._known:
            call = _Overheard.of(interaction.call)
            verdict = reach(replace(interaction, call=call))
            if call.asked or len(self._known) >= _MOST:
                return verdict
            self._known[key] = verdict
        return self._known[key]


class _Overheard(Call):
    """A call that notices when somebody asks for its arguments.

    Attributes:
        asked: Whether anybody did.
    """

    __slots__ = ("asked",)

    asked: bool

    @classmethod
    def of(cls, call: Call) -> _Overheard:
        values = {each.name: getattr(call, each.name) for each in fields(call)}
        made = cls(**values)
        object.__setattr__(made, "asked", False)
        return made

    def __getattribute__(self, name: str) -> Any:
        if name == "arguments":
            object.__setattr__(self, "asked", True)
        return super().__getattribute__(name)


def _key(interaction: Interaction) -> bytes | None:
    """Return what equal results share; `None` where that cannot be told."""
    call, outcome = interaction.call, interaction.outcome
    reply = outcome.reply
    if reply is None or reply.exception is not None:
        return None
    if call.case or call.injection or call.relation or call.reference:
        return None
    seen = (getattr(outcome, name) for name in _SEEN)
    return digest(
        call.origin,
        (reply.value, reply.wire, reply.flagged, reply.refused),
        [_apart(each) if each else None for each in seen],
    )


def _apart(value: Any) -> Any:
    """Take apart what is seen of a call, down to what can be compared as it is."""
    if is_dataclass(value):
        return [_apart(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, Mapping):
        return dict(value)
    return [_apart(each) for each in value] if type(value) is tuple else value
