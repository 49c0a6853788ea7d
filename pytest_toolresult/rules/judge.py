"""Holds one call to the rules and turns breaches into findings without secrets."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Finding
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
from pytest_toolresult.rules.exhibit import exhibit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.dialects import Dialect
    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.rules.rule import Rule
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

    Returns:
        The findings, worst first, with everything in them masked and shortened.
    """
    outcome = interaction.outcome
    if outcome.ending in ("refused", "blocked") or outcome.blocked is not None:
        return []
    found = exhibit(interaction, dialect, settings.allowances)
    charges = [
        _Charge(rule, breach)
        for rule in rules()
        if dialect.has_envelope or not rule.needs_envelope
        for breach in islice(rule.check(found, contract), _MOST_BREACHES)
    ]
    if not charges:
        return []
    waived = (*settings.ignore, *contract.ignore)
    kept = [
        charge
        for charge in _grouped(_uncovered(charges))
        if _is_active(charge.rule.id, settings.select, waived)
    ]
    return _findings(kept, interaction)


def _is_active(id_: str, selected: Collection[str], waived: Iterable[str]) -> bool:
    if selected and not any(selects(selector, id_) for selector in selected):
        return False
    return not any(selects(selector, id_) for selector in waived)


def _uncovered(charges: list[_Charge]) -> list[_Charge]:
    """Leave out what an earlier rule of the chain says at that place or around it."""
    places: dict[str, list[str]] = {}
    for charge in charges:
        places.setdefault(charge.rule.id, []).append(charge.breach.place)
    return [
        charge
        for charge in charges
        if not any(
            _is_within(charge.breach.place, place)
            for earlier in charge.rule.yields_to
            for place in places.get(earlier, ())
        )
    ]


def _is_within(place: str, parent: str) -> bool:
    if not parent or place == parent:
        return True
    return place.startswith(parent) and place[len(parent)] in ".["


def _grouped(charges: list[_Charge]) -> list[_Charge]:
    """Take one rule's breaches at places that differ in indices only as one."""
    groups: dict[tuple[str, str], _Charge] = {}
    for charge in charges:
        key = charge.rule.id, _INDEX.sub("[]", charge.breach.place)
        first = groups.setdefault(key, charge)
        if first is not charge:
            groups[key] = replace(first, more=groups[key].more + 1)
    return list(groups.values())


def _findings(charges: list[_Charge], interaction: Interaction) -> list[Finding]:
    arguments = masked_arguments(interaction.call.arguments)
    reply = interaction.outcome.reply
    secrets = named_secrets(interaction.call.arguments, reply.value if reply else None)
    returned = without(_returned(interaction.outcome), secrets)
    if any(charge.rule.id == _CANARY_LEAK for charge in charges):
        returned = _WITHHELD  # it may stand there in pieces, which no mask finds
    fault = _fault(interaction)
    findings = [
        Finding(
            rule=charge.rule.id,
            name=charge.rule.name,
            severity=charge.breach.severity or charge.rule.severity,
            tool=excerpt_text(interaction.tool.name),
            place=shortened(mask(charge.breach.place), SHORT),
            message=without(_message(charge), secrets),
            remedy=_remedy(charge),
            arguments=arguments,
            origin=interaction.call.origin,
            fault=fault,
            returned=returned,
        )
        for charge in charges
    ]
    return sorted(findings, key=lambda each: (-each.severity, each.rule, each.place))


def _message(charge: _Charge) -> str:
    detail = excerpt_text(charge.breach.detail, _LONGEST_MESSAGE)
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


def _fault(interaction: Interaction) -> dict[str, str] | None:
    injection = interaction.call.injection
    if injection is None:
        return None
    return {
        "name": excerpt_text(injection.fault.name),
        "seam": excerpt_text(injection.where.seam),
        "site": excerpt_text(injection.where.site),
    }
