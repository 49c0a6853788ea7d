"""Holds calls to the rules and turns breaches into findings without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Finding, Severity
from pytest_toolresult.redaction.excerpt import (
    LONG,
    SHORT,
    excerpt,
    excerpt_text,
    masked_arguments,
    shortened,
)
from pytest_toolresult.redaction.masks import mask
from pytest_toolresult.redaction.repeated import named_secrets, without
from pytest_toolresult.rules.catalogue import rules, selects
from pytest_toolresult.rules.exhibit import contrast, exhibit, series

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.dialects import Dialect
    from pytest_toolresult.faults import Injection
    from pytest_toolresult.interactions import Comparison, Interaction
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.rules.rule import Rule
    from pytest_toolresult.rules.verdicts import Verdicts
    from pytest_toolresult.settings import Settings

_MOST_BREACHES: Final = 1_000
_LONGEST_MESSAGE: Final = 600
_CANARY_LEAK: Final = "TR601"
_WITHHELD: Final = "(not shown: a planted secret stands in it)"
_INDEX: Final = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class _Charge:
    """A breach with the rule it breaks."""

    rule: Rule
    breach: Breach
    more: int = 0


def judge(
    interaction: Interaction,
    contract: Contract,
    *,
    dialect: Dialect,
    settings: Settings,
    verdicts: Verdicts | None = None,
) -> list[Finding]:
    """Hold one call and what it came to, to every rule that applies.

    Calls whose arguments were refused and calls that the guard stopped say nothing
    about the tool and are never judged. Of overlapping rules only the first of its
    chain reports, and that is decided before waivers: a waiver uncovers nothing.

    Args:
        interaction: The call, its outcome and its reading.
        contract: What the user declares; an empty one for a result by itself.
        dialect: How results are read, and so which rules apply.
        settings: What holds for the whole run.
        verdicts: What is remembered of earlier results of this very tool, contract
            and dialect; by default nothing is.

    Returns:
        The findings, worst first, with everything in them masked and shortened.
    """
    if not _is_telling(interaction):
        return []
    bench = _Bench(contract, dialect, settings)
    verdict = (
        verdicts.of(interaction, bench.verdict)
        if verdicts is not None
        else bench.verdict(interaction)
    )
    return bench.findings(verdict, [interaction])


def judge_comparison(
    comparison: Comparison,
    contract: Contract,
    *,
    dialect: Dialect,
    settings: Settings,
) -> list[Finding]:
    """Hold a call to every rule that applies, and to those about its reference.

    The findings are about the subject, in place of what `judge` says about it: the
    chains go through both kinds of rules.

    Args:
        comparison: A call, and one that tells about it: the same call without the
            fault, or in another spelling. To tell whether a tool recovers, the
            subject is made without a fault and its call names the faulted one as its
            `reference`, while the comparison's reference is the first success.
        contract: See `judge`, as for the other arguments and the findings.
        dialect: See `judge`.
        settings: See `judge`.
    """
    subject = exhibit(comparison.subject, dialect, settings)
    if not _is_telling(subject):
        return []
    bench = _Bench(contract, dialect, settings)
    charges = bench.charges((rule, rule.check(subject, contract)) for rule in rules())
    if _is_telling(comparison.reference):
        pair = contrast(replace(comparison, subject=subject), dialect, settings)
        charges += bench.charges(
            (rule, rule.compare(pair, contract)) for rule in rules()
        )
    return bench.findings(bench.upheld(charges), [subject])


def judge_series(
    interactions: Sequence[Interaction],
    contract: Contract,
    *,
    dialect: Dialect,
    settings: Settings,
) -> list[Finding]:
    """Hold several calls of a tool to the rules that look at more than one.

    What `judge` says about each of them is not said again.

    Args:
        interactions: The calls in the order they were made, such as all faulted calls
            of an item, the pages of one walk, or one call repeated.
        contract: See `judge`, as for the other arguments and the findings.
        dialect: See `judge`.
        settings: See `judge`.
    """
    telling = [each for each in interactions if _is_telling(each)]
    if not telling:
        return []
    bench = _Bench(contract, dialect, settings)
    shown = series(telling, dialect, settings)
    charges = bench.charges((rule, rule.relate(shown, contract)) for rule in rules())
    return bench.findings(bench.upheld(charges), shown.exhibits)


def _is_telling(interaction: Interaction) -> bool:
    outcome = interaction.outcome
    return outcome.ending not in ("refused", "blocked") and outcome.blocked is None


@dataclass(frozen=True, slots=True)
class _Bench:
    """What is judged by, whatever is judged."""

    contract: Contract
    dialect: Dialect
    settings: Settings

    def charges(
        self, breaches: Iterable[tuple[Rule, Iterable[Breach]]]
    ) -> list[_Charge]:
        """Return the breaches of the rules that are active in the dialect."""
        return [
            _Charge(rule, breach)
            for rule, found in breaches
            if self.dialect.has_envelope or not rule.needs_envelope
            for breach in islice(found, _MOST_BREACHES)
        ]

    def upheld(self, charges: list[_Charge]) -> tuple[_Charge, ...]:
        """Return what is left of the charges after chains and waivers."""
        if not charges:
            return ()
        waived = (*self.settings.ignore, *self.contract.ignore)
        return tuple(
            _graded(charge, self.settings.severities)
            for charge in _grouped(_uncovered(charges))
            if _is_active(charge.rule.id, self.settings.select, waived)
        )

    def verdict(self, interaction: Interaction) -> tuple[_Charge, ...]:
        """Hold one call to the rules, and leave out what is not to be told."""
        found = exhibit(interaction, self.dialect, self.settings)
        charges = ((rule, rule.check(found, self.contract)) for rule in rules())
        return self.upheld(self.charges(charges))

    def findings(
        self, upheld: Sequence[_Charge], calls: Sequence[Interaction]
    ) -> list[Finding]:
        """Return what is told of charges, worst first.

        Args:
            upheld: The charges of one of the views.
            calls: The calls that the indices of the breaches mean.
        """
        found = _findings(upheld, calls) if upheld else ()
        return sorted(found, key=lambda each: (-each.severity, each.rule, each.place))


def _is_active(id_: str, selected: Collection[str], waived: Iterable[str]) -> bool:
    if selected and not any(selects(selector, id_) for selector in selected):
        return False
    return not any(selects(selector, id_) for selector in waived)


def _graded(charge: _Charge, severities: Mapping[str, str]) -> _Charge:
    """Give a breach the severity that the user wants; the longest prefix decides."""
    chosen = [each for each in severities if selects(each, charge.rule.id)]
    if not chosen:
        return charge
    severity = Severity[severities[max(chosen, key=len)].upper()]
    return replace(charge, breach=replace(charge.breach, severity=severity))


def _uncovered(charges: list[_Charge]) -> list[_Charge]:
    """Leave out what an earlier rule of the chain says there, around or within it."""
    places: dict[str, list[str]] = {}
    for charge in charges:
        places.setdefault(charge.rule.id, []).append(charge.breach.place)
    return [
        charge
        for charge in charges
        if not any(
            _overlap(charge.breach.place, place)
            for earlier in charge.rule.yields_to
            for place in places.get(earlier, ())
        )
    ]


def _overlap(one: str, other: str) -> bool:
    return _is_within(one, other) or _is_within(other, one)


def _is_within(place: str, parent: str) -> bool:
    if not parent or place == parent:
        return True
    return place.startswith(parent) and place[len(parent)] in ".["


def _grouped(charges: list[_Charge]) -> list[_Charge]:
    """Take one rule's breaches at places that differ in indices only as one."""
    groups: dict[tuple[str, str, int], _Charge] = {}
    for charge in charges:
        place = _INDEX.sub("[]", charge.breach.place)
        key = charge.rule.id, place, charge.breach.index
        first = groups.setdefault(key, charge)
        if first is not charge:
            groups[key] = replace(first, more=groups[key].more + 1)
    return list(groups.values())


def _findings(
    charges: Sequence[_Charge], calls: Sequence[Interaction]
) -> Iterator[Finding]:
    leaking = {each.breach.index for each in charges if each.rule.id == _CANARY_LEAK}
    told: dict[tuple[int, int | None], tuple[Finding, Mapping[str, str]]] = {}
    for charge in charges:
        index, among = charge.breach.index, charge.breach.among
        if (index, among) not in told:
            about_it = _one_of(calls[index], among)
            told[index, among] = _about(about_it, leaks=index in leaking)
        about, secrets = told[index, among]
        yield replace(
            _held_against(about, charge.breach, calls),
            rule=charge.rule.id,
            name=charge.rule.name,
            severity=charge.breach.severity or charge.rule.severity,
            place=shortened(_masked_place(charge.breach.place), SHORT),
            message=without(_message(charge), secrets),
            remedy=_remedy(charge),
        )


def _one_of(interaction: Interaction, among: int | None) -> Interaction:
    """Return a call that was made at the same time as another one, as one by itself."""
    call, outcome = interaction.call, interaction.outcome
    if among is None or call.part is None or among >= len(outcome.beside):
        return interaction
    return replace(
        interaction,
        call=replace(call, arguments=call.part.beside[among]),
        outcome=replace(outcome, reply=outcome.beside[among]),
    )


def _about(
    interaction: Interaction, *, leaks: bool
) -> tuple[Finding, Mapping[str, str]]:
    """Return what all findings about one call have in common, and what none may show.

    Args:
        interaction: The call.
        leaks: Whether a planted secret stands in the result. It may stand there in
            pieces, which no mask finds, so nothing of the result is shown.
    """
    reply = interaction.outcome.reply
    secrets = named_secrets(interaction.call.arguments, reply.value if reply else None)
    returned = _WITHHELD if leaks else without(_returned(interaction.outcome), secrets)
    about = Finding(
        rule="",
        name="",
        severity=Severity.ADVICE,
        tool=excerpt_text(interaction.tool.name),
        place="",
        message="",
        remedy="",
        arguments=masked_arguments(interaction.call.arguments),
        origin=interaction.call.origin,
        fault=_fault(interaction.call.injection or _past_fault(interaction)),
        returned=returned,
    )
    return about, secrets


def _held_against(
    about: Finding, breach: Breach, calls: Sequence[Interaction]
) -> Finding:
    """Add the call that a breach was found in comparison with, where there is one."""
    if breach.beside is None:
        return about
    other = calls[breach.beside]
    reply = other.outcome.reply
    secrets = named_secrets(other.call.arguments, reply.value if reply else None)
    part = other.call.part
    told = part.told if part and part.told else "the call as it is, with"
    arguments = excerpt(masked_arguments(other.call.arguments))
    return replace(
        about,
        circumstances=without(f"beside {told} {arguments}", secrets),
        otherwise=without(_returned(other.outcome), secrets),
    )


def _past_fault(interaction: Interaction) -> Injection | None:
    """Return the fault that is over, in a call that asks whether the tool recovers."""
    reference = interaction.call.reference
    return reference.injection if reference else None


def _masked_place(place: str) -> str:
    """Mask a place: a secret that names a field is hidden by the path around it."""
    return mask(".".join(mask(step) for step in place.split(".")))


def _message(charge: _Charge) -> str:
    place = charge.breach.place
    told = charge.breach.detail
    detail = told.replace(place, _masked_place(place)) if place else told
    detail = excerpt_text(detail, _LONGEST_MESSAGE)
    if not charge.more:
        return detail
    places = "place" if charge.more == 1 else "places"
    return f"{detail} (and at {charge.more} more {places} alike)"


def _remedy(charge: _Charge) -> str:
    if charge.breach.remedy:
        return mask(charge.breach.remedy)
    fix = charge.rule.card.fix
    return fix[:1].upper() + fix[1:]


def _returned(outcome: Outcome) -> str:
    if outcome.reply is None or outcome.ending != "returned":
        return ""
    if outcome.reply.value is None and outcome.reply.wire is not None:
        return excerpt_text(outcome.reply.wire, LONG)
    return excerpt(outcome.reply.value, LONG)


def _fault(injection: Injection | None) -> dict[str, str] | None:
    if injection is None:
        return None
    return {
        "name": excerpt_text(injection.fault.name),
        "seam": excerpt_text(injection.where.seam),
        "site": excerpt_text(injection.where.site),
    }
