"""What a rule is, and the decorator that makes one of a function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from pytest_toolresult.rules.cards import Card, parsed
from pytest_toolresult.rules.exhibit import exhibit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.findings import Breach, Severity
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.rules.exhibit import Exhibit

    Check: TypeAlias = Callable[[Interaction, Contract], Iterable[Breach]]
    """Judges one call. Pure and total: it raises nothing, whatever came back."""

    Judgement: TypeAlias = Callable[[Exhibit, Contract], Iterable[Breach]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing a result is held to.

    Attributes:
        id: The fixed id, such as `TR104`.
        name: The fixed name, such as `unexpected-field`.
        severity: How bad a breach is, where the breach itself does not say.
        needs_envelope: Whether it is inactive in dialects without the four fields.
        yields_to: The rules whose findings at the same place, or around it, make
            this one's superfluous.
        check: Judges one call.
        card: What is said about the rule.
    """

    id: str
    name: str
    severity: Severity
    needs_envelope: bool
    yields_to: tuple[str, ...]
    check: Check = field(repr=False, compare=False)
    card: Card = field(repr=False)

    @property
    def waiver(self) -> str:
        """What a user writes to waive the rule for one tool."""
        return f'ignore={{"{self.id}": "why it is right here"}}'


def rule(
    id: str,  # noqa: A002 - the name users know it by
    name: str,
    severity: Severity,
    *,
    needs_envelope: bool = False,
    yields_to: tuple[str, ...] = (),
) -> Callable[[Judgement], Rule]:
    """Make a rule of a function; its docstring is the card (see `rules`).

    The function is handed an `Exhibit`: the interaction with what every rule asks
    of it worked out once.
    """

    def made(judgement: Judgement) -> Rule:
        def check(interaction: Interaction, contract: Contract) -> Iterable[Breach]:
            return judgement(exhibit(interaction), contract)

        return Rule(
            id=id,
            name=name,
            severity=severity,
            needs_envelope=needs_envelope,
            yields_to=yields_to,
            check=check,
            card=parsed(judgement.__doc__ or ""),
        )

    return made
