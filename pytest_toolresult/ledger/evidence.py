"""What one item saw of one tool, and what two such sights come to together."""

from __future__ import annotations

import json
import operator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar, get_args

from pytest_toolresult.calls import Origin
from pytest_toolresult.ledger.json_data import plain
from pytest_toolresult.shapes import joined as joined_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from pytest_toolresult.envelope import Status
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.shapes import Shape

    Count = Callable[[int, int], int]
    """How the counts of two sights come together: `max` or a sum."""

Name = TypeVar("Name", bound=str)

ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
"""What makes calls, in the order in which it is shown."""

_GRAVITY: Final = "698231754"
"""The hundreds of the rules among findings of one severity, the worst first: a
secret that is out, a fault that was hidden, a crash or a hang, a wrong status; how
the result is built comes last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is known about a tool before it is called.

    Attributes:
        name: The tool's name.
        identity: What makes it one row however it was reached.
        target: What the user pointed at, or an empty text for a marked test.
        framework: The adapter's name.
        dialect: The dialect its results were read in.
        dialect_reason: Why that one, in words.
        dialect_hint: The line that pins a mapping read from the results.
        validate_arguments: Whether arguments were validated first.
        kind: The declared kind, or `None`.
        expected: The statuses the tool can produce.
        never: The paths declared impossible, with their reasons.
        codes: The error codes the tool can produce or declares.
        returns: The return statements that can be reached from it, as `file:line`.
    """

    name: str
    identity: str
    target: str = ""
    framework: str = "callable"
    dialect: str = "native"
    dialect_reason: str = ""
    dialect_hint: str = ""
    validate_arguments: bool = True
    kind: str | None = None
    expected: frozenset[Status] = frozenset()
    never: Mapping[Status, str] = field(default_factory=dict)
    codes: frozenset[str] = frozenset()
    returns: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one item saw of one tool.

    Attributes:
        item: The node id.
        subject: The tool.
        origin: What made the calls.
        calls: How many calls reached the tool.
        refused: How many were turned down before the tool saw them.
        statuses: How often each status was seen without an error finding.
        codes: How often each error code was seen likewise.
        planned: The keys of the faults that were planned.
        fired: The keys of the faults that took effect.
        returns: The return statements that were reached, as `file:line`.
        not_covered: What could not be explored (`what`), with the reason.
        findings: What is wrong.
        duration_s: How long the item took, in seconds.
        results: How many results were looked at to decide on the dialect.
        envelopes: How many of those are envelopes.
        found: The simplest arguments that led to each status, without a fault or
            other help, masked and shortened.
        locked: Whether the lock file knows the tool, so that results were held to it.
        tokens: How many tokens the largest result took, 0 where none was text.
        shapes: What the lock file is made of: for each format version (an empty text
            for none) and status the shape of the data, for errors their codes. Gathered
            only where the lock file is to be updated.
    """

    item: str
    subject: Subject
    origin: Origin
    calls: int = 0
    refused: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[str, int] = field(default_factory=dict)
    planned: frozenset[str] = frozenset()
    fired: frozenset[str] = frozenset()
    returns: frozenset[str] = frozenset()
    not_covered: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    duration_s: float = 0.0
    results: int = 0
    envelopes: int = 0
    found: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    locked: bool = False
    tokens: int = 0
    shapes: Mapping[str, Mapping[str, Shape]] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it one piece of evidence: item, tool and origin.

        An item of our own has one tool and one origin; an observed test can call
        many tools.
        """
        return self.item, self.subject.identity, self.origin


def joined(first: Evidence, second: Evidence) -> Evidence:
    """Return what two sights of the same calls come to: a union.

    Counts are the larger ones, so that merging the same evidence again changes
    nothing, in whatever order it is done.

    Args:
        first: Evidence of an item.
        second: Evidence with the same key.
    """
    return _together(first, second, max)


def added(first: Evidence, second: Evidence) -> Evidence:
    """Return what different calls come to: a sum.

    Args:
        first: Evidence of some calls; item and origin are taken from it.
        second: Evidence of other calls of the same tool.
    """
    return _together(first, second, operator.add)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings: the worst first, then by rule and place."""
    return sorted(findings, key=_badness)


def _badness(finding: Finding) -> tuple[object, ...]:
    gravity = _GRAVITY.find(finding.rule[2:3])
    return (
        -finding.severity,
        gravity if gravity >= 0 else len(_GRAVITY),
        finding.rule,
        finding.tool,
        finding.place,
        _fault_key(finding),
        finding.cause,
    )


def _together(first: Evidence, second: Evidence, count: Count) -> Evidence:
    return replace(
        first,
        subject=joined_subjects(first.subject, second.subject),
        calls=count(first.calls, second.calls),
        refused=count(first.refused, second.refused),
        statuses=_counts(first.statuses, second.statuses, count),
        codes=_counts(first.codes, second.codes, count),
        planned=first.planned | second.planned,
        fired=first.fired | second.fired,
        returns=first.returns | second.returns,
        not_covered=_reasons(first.not_covered, second.not_covered),
        findings=merged_findings((*first.findings, *second.findings), count),
        duration_s=_duration(first, second, count),
        results=count(first.results, second.results),
        envelopes=count(first.envelopes, second.envelopes),
        found=_simplest_of(first.found, second.found),
        locked=first.locked or second.locked,
        tokens=max(first.tokens, second.tokens),
        shapes=joined_shapes(first.shapes, second.shapes),
    )


def joined_subjects(first: Subject, second: Subject) -> Subject:
    """Return what two descriptions of one tool come to, whatever their order."""
    if first == second:
        return first
    read = min(first, second, key=_reading)
    return Subject(
        name=_one_text(first.name, second.name),
        identity=_one_text(first.identity, second.identity),
        target=_one_text(first.target, second.target),
        framework=_one_text(first.framework, second.framework),
        dialect=read.dialect,
        dialect_reason=read.dialect_reason,
        dialect_hint=read.dialect_hint,
        validate_arguments=first.validate_arguments and second.validate_arguments,
        kind=_one_text(first.kind or "", second.kind or "") or None,
        expected=first.expected | second.expected,
        never=_reasons(first.never, second.never),
        codes=first.codes | second.codes,
        returns=first.returns | second.returns,
    )


def _reading(subject: Subject) -> tuple[str, str, str]:
    return subject.dialect, subject.dialect_reason, subject.dialect_hint


def merged_findings(findings: Iterable[Finding], count: Count) -> tuple[Finding, ...]:
    """Make the same fault at the same place one finding, the worst first.

    What is kept of several is the one with the shortest arguments.

    Args:
        findings: Findings about one tool.
        count: How their counts come together.
    """
    merged: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        place = (finding.place, finding.cause, _fault_key(finding))
        key = (finding.tool, finding.rule, *place)
        known = merged.get(key)
        merged[key] = _simplest(known, finding, count) if known else finding
    return tuple(worst_first(merged.values()))


def _simplest(first: Finding, second: Finding, count: Count) -> Finding:
    simplest = min(first, second, key=_complexity)
    return replace(simplest, count=count(first.count, second.count))


def _simplest_of(
    first: Mapping[str, Mapping[str, Any]], second: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    simplest = dict(first)
    for status, arguments in second.items():
        known = simplest.get(status, arguments)
        simplest[status] = min(known, arguments, key=simplicity)
    return simplest


def joined_shapes(
    first: Mapping[str, Mapping[str, Shape]], second: Mapping[str, Mapping[str, Shape]]
) -> dict[str, dict[str, Shape]]:
    """Return what two sights allow, by format version and status."""
    together: dict[str, dict[str, Shape]] = {}
    for shapes in (first, second):
        for version, by_status in shapes.items():
            known = together.setdefault(version, {})
            for status, shape in by_status.items():
                both = joined_shape(known[status], shape) if status in known else shape
                known[status] = both
    return together


def simplicity(arguments: Mapping[str, Any]) -> tuple[int, str]:
    """Order arguments: the shortest come first, and none are equal but the same."""
    written = json.dumps(plain(arguments), sort_keys=True)
    return len(written), written


def _complexity(finding: Finding) -> tuple[object, ...]:
    """Order findings that differ in nothing but what shows them."""
    return (
        -finding.severity,
        *simplicity(finding.arguments),
        ORIGINS.index(finding.origin),
        finding.name,
        finding.message,
        finding.remedy,
        finding.replay,
        finding.returned,
        finding.circumstances,
        finding.otherwise,
    )


def _fault_key(finding: Finding) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(finding.fault.items())) if finding.fault else ()


def _counts(
    first: Mapping[str, int], second: Mapping[str, int], count: Count
) -> dict[str, int]:
    names = first.keys() | second.keys()
    return {name: count(first.get(name, 0), second.get(name, 0)) for name in names}


def _reasons(first: Mapping[Name, str], second: Mapping[Name, str]) -> dict[Name, str]:
    """Unite what each name is explained with; of two reasons any will do."""
    names = first.keys() | second.keys()
    return {
        name: _one_text(first.get(name, ""), second.get(name, "")) for name in names
    }


def _one_text(first: str, second: str) -> str:
    """Choose one of two texts, the same whatever their order; an empty one loses."""
    return min(first, second) if first and second else first or second


def _duration(first: Evidence, second: Evidence, count: Count) -> float:
    if count is max:
        return max(first.duration_s, second.duration_s)
    return first.duration_s + second.duration_s
