"""Coverage of a tool's status paths, computed from the evidence of all items."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Final

from pytest_toolresult.envelope import STATUSES, Status
from pytest_toolresult.ledger.evidence import (
    ORIGINS,
    Evidence,
    Subject,
    added,
    joined_subjects,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_toolresult.calls import Origin
    from pytest_toolresult.findings import Finding

_ALL: Final = 100.0
"""Everything, in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathSeen:
    """One status path of a tool.

    Attributes:
        expected: Whether the tool can answer on it. Not so where the path is
            declared impossible, where nothing in the tool produces it, and where
            the dialect cannot express it.
        never: The reason why it is declared impossible, or `None`.
        seen: How many calls ended on it without an error finding.
        by: What made those calls.
    """

    expected: bool
    never: str | None
    seen: int
    by: tuple[Origin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSeen:
    """One error code of a tool.

    Attributes:
        expected: Whether the tool declares it or its source holds it.
        seen: How many calls ended with it without an error finding.
    """

    expected: bool
    seen: int


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class NotCovered:
    """Something that could not be explored, which is never shown as passed.

    Attributes:
        tool: The tool's name.
        what: What it is, such as `faults`.
        why: The reason.
    """

    tool: str
    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCoverage:
    """What was seen of one tool in all items.

    Attributes:
        subject: The tool; its dialect is the one most calls were read in.
        statuses: The four paths, in their order.
        codes: The error codes by name, expected or seen.
        total: All evidence summed up. Its findings are one per rule and place.
        home: What tells it from another tool of the same name: its module or its
            target. Empty where the name is its own.
    """

    subject: Subject
    statuses: Mapping[Status, PathSeen]
    codes: Mapping[str, CodeSeen]
    total: Evidence
    home: str = ""

    @property
    def label(self) -> str:
        """The tool's name, with its home where another tool is called the same."""
        return f"{self.name} ({self.home})" if self.home else self.name

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.subject.name

    @property
    def identity(self) -> str:
        """What makes it one row."""
        return self.subject.identity

    @property
    def target(self) -> str:
        """What the user pointed at, or an empty text for marked tests."""
        return self.subject.target

    @property
    def calls(self) -> int:
        """How many calls reached the tool, those that crashed or hung as well."""
        return self.total.calls

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, the worst first."""
        return self.total.findings

    @property
    def codes_expected(self) -> int:
        """How many codes the tool can produce."""
        return sum(code.expected for code in self.codes.values())

    @property
    def codes_seen(self) -> int:
        """How many of the expected codes were seen."""
        return sum(code.expected and code.seen > 0 for code in self.codes.values())

    @property
    def planned(self) -> frozenset[str]:
        """The keys of the faults that were planned, and of those that fired."""
        return self.total.planned | self.total.fired

    @property
    def unfired(self) -> tuple[str, ...]:
        """The keys of planned faults that never took effect, sorted."""
        return tuple(sorted(self.planned - self.total.fired))

    @property
    def returns(self) -> frozenset[str]:
        """The return statements of the tool, reached or not."""
        return self.subject.returns | self.total.returns

    @property
    def returns_missing(self) -> tuple[str, ...]:
        """The return statements that were never reached, in the order of the file."""
        return tuple(sorted(self.returns - self.total.returns, key=_line_key))

    @property
    def not_covered(self) -> tuple[NotCovered, ...]:
        """What could not be explored."""
        return tuple(
            NotCovered(tool=self.label, what=what, why=why)
            for what, why in sorted(self.total.not_covered.items())
        )

    @property
    def points(self) -> Fraction:
        """One for each expected status that was seen; error's is its share of codes."""
        return sum(map(self._point, self._expected), Fraction(0))

    @property
    def possible(self) -> int:
        """How many points there are: one for each expected status."""
        return len(self._expected)

    @property
    def percent(self) -> float:
        """Points over possible points in percent; 100 where nothing is expected."""
        return percent([self])

    @property
    def missing(self) -> tuple[str, ...]:
        """The statuses never seen, and for a seen error the codes never seen."""
        unseen = [each for each in self._expected if not self.statuses[each].seen]
        codes = [] if "error" in unseen else self._codes_missing()
        return (*unseen, *codes)

    @property
    def _expected(self) -> tuple[Status, ...]:
        return tuple(each for each in STATUSES if self.statuses[each].expected)

    def _point(self, status: Status) -> Fraction:
        if status == "error" and self.codes_expected:
            return Fraction(self.codes_seen, self.codes_expected)
        return Fraction(self.statuses[status].seen > 0)

    def _codes_missing(self) -> list[str]:
        if not self.statuses["error"].expected:
            return []
        return sorted(
            name for name, code in self.codes.items() if code.expected and not code.seen
        )


def told_apart(rows: Sequence[ToolCoverage]) -> list[ToolCoverage]:
    """Give tools that share their name the home that tells them apart."""
    twins: dict[str, list[ToolCoverage]] = {}
    for row in rows:
        twins.setdefault(row.name, []).append(row)
    homes = {
        row.identity: home
        for several in twins.values()
        if len(several) > 1
        for row, home in zip(several, _homes(several), strict=True)
    }
    return [replace(row, home=homes.get(row.identity, "")) for row in rows]


def _homes(twins: Sequence[ToolCoverage]) -> list[str]:
    """Name the modules of tools, or their targets, or all that is known of them."""
    modules = [row.identity.partition(":")[0] for row in twins]
    targets = [row.target for row in twins]
    for homes in (modules, targets):
        if all(homes) and len(set(homes)) == len(homes):
            return homes
    return [row.identity for row in twins]


def percent(rows: Iterable[ToolCoverage]) -> float:
    """Return points over possible points of some tools, in percent, not rounded.

    Where nothing is expected, everything expected was seen: 100.
    """
    counted = list(rows)
    possible = sum(row.possible for row in counted)
    if not possible:
        return _ALL
    points = sum((row.points for row in counted), Fraction(0))
    return float(100 * points / possible)


def rounded(share: float, digits: int) -> float:
    """Round a percentage, but never to a full hundred or to nothing.

    Args:
        share: A percentage.
        digits: How many decimals to keep.
    """
    step = 10.0**-digits
    inner = round(min(max(share, step), _ALL - step), digits)
    return inner if 0 < share < _ALL else share


def coverage_of(evidence: Sequence[Evidence]) -> ToolCoverage:
    """Compute the row of one tool.

    Args:
        evidence: All evidence of the tool, at least one piece.
    """
    subject = _subject_of(evidence)
    total = reduce(added, evidence)
    return ToolCoverage(
        subject=subject,
        statuses={each: _path(each, subject, evidence) for each in STATUSES},
        codes={
            name: CodeSeen(
                expected=name in subject.codes, seen=total.codes.get(name, 0)
            )
            for name in sorted(subject.codes | total.codes.keys())
        },
        total=total,
    )


def _path(status: Status, subject: Subject, evidence: Sequence[Evidence]) -> PathSeen:
    sights = [each for each in evidence if each.statuses.get(status)]
    by = {each.origin for each in sights}
    return PathSeen(
        expected=status in subject.expected and status not in subject.never,
        never=subject.never.get(status),
        seen=sum(each.statuses[status] for each in sights),
        by=tuple(each for each in ORIGINS if each in by),
    )


def _subject_of(evidence: Sequence[Evidence]) -> Subject:
    """Describe a tool as most of its calls saw it.

    The dialect is decided item by item. What the other dialects can express says
    nothing about this tool; what was declared holds whatever the dialect.
    """
    weight: Counter[str] = Counter()
    for each in evidence:
        weight[each.subject.dialect] += each.calls
    dialect = min(weight, key=lambda name: (-weight[name], name))
    everywhere = reduce(joined_subjects, (each.subject for each in evidence))
    speaking = [each for each in evidence if each.subject.dialect == dialect]
    there = reduce(joined_subjects, (each.subject for each in speaking))
    return Subject(
        name=there.name,
        identity=there.identity,
        target=everywhere.target,
        framework=there.framework,
        dialect=dialect,
        dialect_reason=_reason(speaking),
        dialect_hint=there.dialect_hint,
        validate_arguments=there.validate_arguments,
        kind=everywhere.kind,
        expected=there.expected,
        never=everywhere.never,
        codes=there.codes,
        returns=everywhere.returns,
    )


def _reason(evidence: Sequence[Evidence]) -> str:
    """Say why the dialect was chosen, in the words of the item with most calls.

    Where items counted envelopes, their counts are summed up.
    """
    reasons = {each.subject.dialect_reason for each in evidence}
    results = sum(each.results for each in evidence)
    if len(reasons) == 1 or not results:
        return max(evidence, key=lambda each: each.calls).subject.dialect_reason
    envelopes = sum(each.envelopes for each in evidence)
    mapped = any(each.subject.dialect_hint for each in evidence)
    return counted_results(results, envelopes=envelopes, mapped=mapped)


def counted_results(results: int, *, envelopes: int, mapped: bool) -> str:
    """Say what results that were seen at several times have in common.

    Args:
        results: How many there are.
        envelopes: How many of them are envelopes.
        mapped: Whether a mapping was read from the fields they share.
    """
    if mapped:
        return f"{results} results share these fields"
    return f"{envelopes} of {results} results are envelopes"


def _line_key(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return (file, int(line)) if line.isdecimal() else (place, 0)
