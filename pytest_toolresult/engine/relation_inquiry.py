"""What relations between calls brought to light about a tool."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pytest_toolresult.calls import RELATION_KEY
from pytest_toolresult.engine.assignment import Judged
from pytest_toolresult.engine.inquiry import Explored, Inquiry
from pytest_toolresult.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_toolresult.calls import Arguments, Call
    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.probing import Probe
    from pytest_toolresult.engine.reading import Reader
    from pytest_toolresult.engine.triage import Fingerprint
    from pytest_toolresult.explore import Exploration, Summary
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Interaction

_OF_ANY_CALLS: Final = frozenset({"TR702", "TR701", "TR311", "TR806"})
"""Rules about several calls of any kind: they are for `[fuzz]` and `[faults]`."""

_BY_CHANCE: Final = frozenset({"parallel"})
"""Relations whose findings need not show again: threads meet as they like."""

_AS_DECLARED: Final = frozenset({"own"})
"""Relations that are about the arguments of a success: others break them otherwise."""


@dataclass(slots=True, kw_only=True)
class _Shown:
    """A finding about a series, and the series that shows it."""

    finding: Finding
    series: Sequence[Interaction]
    count: int = 1

    @property
    def base(self) -> Interaction:
        """The success that the series starts from."""
        return self.series[0]

    @property
    def last(self) -> Call:
        """A call that belongs to the series alone."""
        return self.series[-1].call


class RelationInquiry(Inquiry):
    """An inquiry in which the calls of each series are held against each other.

    A finding that does not show when the series is made again is dropped: data that
    changes meanwhile is no fault of the tool.
    """

    def __init__(
        self, assignment: Assignment, reader: Reader, probe: Probe, summary: Summary
    ) -> None:
        super().__init__(assignment, reader, probe, summary, origin="relations")
        self._interesting = self._interesting or probe.seen
        self._shown: dict[Fingerprint, _Shown] = {}
        self._problems: dict[str, None] = {}
        calls = [each.interaction for each in self._judged]
        for series in grouped(calls):
            for mark, finding in self._found_in(series).items():
                known = self._shown.get(mark)
                if known is not None:
                    known.count += 1
                else:
                    self._shown[mark] = _Shown(finding=finding, series=series)
        self.failing = []  # the same series are tried next time anyway

    def _of_interest(self, probe: Probe) -> list[Interaction]:
        """Leave out the calls that only looked for a success to start from."""
        bases = {id(each.call.reference) for each in probe.seen if each.call.reference}
        return [
            each for each in probe.seen if each.call.reference or id(each.call) in bases
        ]

    def _judge(self, interaction: Interaction) -> Judged:
        """Read a call again; what is wrong with it alone, other items tell.

        It is judged all the same: no status or code counts of a call that is wrong.
        """
        again = self._reader.read(interaction.call, interaction.outcome)
        findings = self._reader.judge(again)
        if interaction.call.relation == "paging":  # `[fuzz]` walks through no pages
            self._triage.add(again, findings)
        return Judged(interaction=again, findings=findings)

    def _found_in(self, series: Sequence[Interaction]) -> Mapping[Fingerprint, Finding]:
        if not series:
            return {}
        key = _key_of(series[-1].call)
        return {
            (each.rule, each.place, key): replace(each, cause=key)
            for each in self._related(series)
            if each.rule not in _OF_ANY_CALLS
        }

    def _related(self, series: Sequence[Interaction]) -> list[Finding]:
        """Judge a series; a relation of the user's that breaks hides nothing else."""
        try:
            return self._reader.relate(series)
        except ContractError as error:
            self._problems.setdefault(str(error))
            return []

    def explored(self, duration_s: float) -> Explored:
        """Return what the exploration came to, and which declarations are wrong."""
        problem = "\n".join(self._problems)
        return replace(super().explored(duration_s), problem=problem)

    def simplify(self, exploration: Exploration) -> None:
        """Keep what shows again, with the simplest arguments that show it."""
        for mark, shown in list(self._shown.items()):
            if shown.last.relation in _BY_CHANCE:
                continue
            again = self._again_as(exploration, shown, shown.base.call.arguments)
            if mark not in again:
                del self._shown[mark]
                continue
            if shown.last.relation not in _AS_DECLARED:
                self._make_simpler(exploration, mark, shown)

    def _make_simpler(
        self, exploration: Exploration, mark: Fingerprint, shown: _Shown
    ) -> None:
        def holds(arguments: Arguments) -> bool:
            return mark in self._again_as(exploration, shown, arguments)

        before = shown.base.call.arguments
        most = self._assignment.contract.examples or self._reader.settings.max_calls
        simplest = exploration.shrink(
            self._assignment.tool, before, holds, max_calls=most
        )
        if simplest != before:
            found = self._again_as(exploration, shown, simplest).get(mark)
            shown.finding = found or shown.finding

    def _again_as(
        self, exploration: Exploration, shown: _Shown, arguments: Arguments
    ) -> Mapping[Fingerprint, Finding]:
        """Make a series again, from these arguments, and judge it with all equal calls.

        What varies is learnt from the first time as well, where the arguments are
        the same.
        """
        before = len(self._probe.seen)
        asked = {**arguments, RELATION_KEY: _key_of(shown.last)}
        exploration.replay(
            self._assignment.tool, self._assignment.contract, self._probe, asked
        )
        made = [
            self._reader.read(each.call, each.outcome)
            for each in self._probe.seen[before:]
        ]
        same = arguments == shown.base.call.arguments
        earlier = [each for each in shown.series if _is_equal(each)] if same else []
        if not made or made[0].outcome.ending == "refused":
            return {}
        found = self._found_in([*earlier, *made])
        key = _key_of(shown.last)
        return {
            (rule, place, key): replace(
                finding,
                cause=key,
                replay=self._assignment.replay(asked, ""),
            )
            for (rule, place, _), finding in found.items()
        }

    def _findings(self) -> list[Finding]:
        told = [
            replace(
                each.finding,
                count=each.count,
                replay=each.finding.replay or self._line_for(each),
            )
            for each in self._shown.values()
        ]
        return [*super()._findings(), *told]

    def _together(self) -> list[Finding]:
        """Return nothing: series by series, all has been told."""
        return []

    def _line_for(self, shown: _Shown) -> str:
        asked = {**shown.base.call.arguments, RELATION_KEY: _key_of(shown.last)}
        return self._assignment.replay(asked, "")


def grouped(calls: Sequence[Interaction]) -> list[list[Interaction]]:
    """Put the calls of each series together, after the equal calls it starts from.

    Args:
        calls: The calls of an item, in the order they were made.
    """
    equal: dict[int, list[Interaction]] = {}
    series: dict[tuple[int, str], list[Interaction]] = {}
    for each in calls:
        call = each.call
        if call.part is None:
            continue
        ground = id(call.reference or call)
        if _is_equal(each):
            equal.setdefault(ground, []).append(each)
        else:
            series.setdefault((ground, call.part.series), []).append(each)
    return [[*equal.get(ground, []), *made] for (ground, _), made in series.items()]


def _is_equal(interaction: Interaction) -> bool:
    part = interaction.call.part
    return part is not None and not part.series


def _key_of(call: Call) -> str:
    return call.part.series if call.part else ""
