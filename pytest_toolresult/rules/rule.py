"""What a rule is, and the decorators that make one of a function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

from pytest_toolresult.rules.cards import Card, parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.findings import Breach, Severity
    from pytest_toolresult.rules.exhibit import Contrast, Exhibit, Series

    Check: TypeAlias = Callable[[Exhibit, Contract], Iterable[Breach]]
    """Judges one call. Pure and total: it raises nothing, whatever came back."""

    Compare: TypeAlias = Callable[[Contrast, Contract], Iterable[Breach]]
    """Judges a call beside its reference, likewise."""

    Relate: TypeAlias = Callable[[Series, Contract], Iterable[Breach]]
    """Judges several calls together, likewise; `Breach.index` says which is meant."""


def nothing(_: object, __: Contract) -> Iterable[Breach]:
    """Find nothing wrong: what a rule does about what it does not look at."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One thing a result is held to.

    What a rule needs to see decides where it speaks: one call, a call beside its
    reference, several calls, or more than one of these.

    Attributes:
        id: The fixed id, such as `TR104`.
        name: The fixed name, such as `unexpected-field`.
        severity: How bad a breach is, where the breach itself does not say.
        card: What is said about the rule.
        needs_envelope: Whether it is inactive in dialects without the four fields.
        yields_to: The rules whose findings at the same place, around it or within
            it make this one's superfluous.
        check: Judges one call.
        compare: Judges a call beside its reference.
        relate: Judges several calls together.
    """

    id: str
    name: str
    severity: Severity
    card: Card = field(repr=False)
    needs_envelope: bool = False
    yields_to: tuple[str, ...] = ()
    check: Check = field(default=nothing, repr=False, compare=False)
    compare: Compare = field(default=nothing, repr=False, compare=False)
    relate: Relate = field(default=nothing, repr=False, compare=False)

    @property
    def waiver(self) -> str:
        """What a user writes to waive the rule for one tool."""
        return f'ignore={{"{self.id}": "why it is right here"}}'


class Options(TypedDict, total=False):
    """What may be said of a rule beside its id, name and severity; see `Rule`."""

    needs_envelope: bool
    yields_to: tuple[str, ...]


def rule(
    id: str,  # noqa: A002 - the name users know it by
    name: str,
    severity: Severity,
    *,
    compare: Compare = nothing,
    relate: Relate = nothing,
    **options: Unpack[Options],
) -> Callable[[Check], Rule]:
    """Make a rule about one call of a function; its docstring is the card.

    The function is handed an `Exhibit`: the interaction with what every rule asks
    of it worked out once. A rule that sees more beside a reference, or in several
    calls, names the functions for that in `compare` and `relate`.
    """

    def made(check: Check) -> Rule:
        told = _told(check, id, name, severity, **options)
        return replace(told, check=check, compare=compare, relate=relate)

    return made


def comparison_rule(
    id: str,  # noqa: A002 - the name users know it by
    name: str,
    severity: Severity,
    **options: Unpack[Options],
) -> Callable[[Compare], Rule]:
    """Make a rule about a call beside its reference; its docstring is the card.

    The places of its breaches stand in the result of the call that is judged.
    """

    def made(compare: Compare) -> Rule:
        told = _told(compare, id, name, severity, **options)
        return replace(told, compare=compare)

    return made


def series_rule(
    id: str,  # noqa: A002 - the name users know it by
    name: str,
    severity: Severity,
    **options: Unpack[Options],
) -> Callable[[Relate], Rule]:
    """Make a rule about several calls; its docstring is the card.

    A breach says which of the calls it is about (`Breach.index`), the last by default.
    """

    def made(relate: Relate) -> Rule:
        return replace(_told(relate, id, name, severity, **options), relate=relate)

    return made


def _told(
    function: Callable[..., object],
    id_: str,
    name: str,
    severity: Severity,
    **options: Unpack[Options],
) -> Rule:
    """Return a rule that looks at nothing yet, with the card that a function bears."""
    card = parsed(function.__doc__ or "")
    return Rule(id=id_, name=name, severity=severity, card=card, **options)
