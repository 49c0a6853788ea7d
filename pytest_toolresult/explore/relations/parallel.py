"""Calls at the same time give what they give one after the other."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.explore.base_calls import answered
from pytest_toolresult.explore.relations.series import Series
from pytest_toolresult.explore.relations.variants import variants
from pytest_toolresult.steadiness import Steadiness, content_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_ROUNDS: Final = 3
_MOST_TRIED: Final = 5


class Parallel:
    """Makes two calls by themselves, then both at once, several times over."""

    name = "parallel"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give the one series, from the first success of a tool."""
        if ground.is_first:
            cost = _MOST_TRIED + _ROUNDS + 2
            yield Series(key=self.name, cost=cost, play=_play)


def _play(stage: Stage) -> None:
    mine = stage.ground.arguments
    others = _others(stage)
    for _ in range(_ROUNDS):
        beside = (*others, mine, *others)
        stage.call(role="together", told="at the same time as others,", beside=beside)
    for arguments in (mine, *others):
        stage.call(arguments, role="alone", told="by itself,")


def _others(stage: Stage) -> list[dict[str, Any]]:
    """Return other arguments with which the tool answers something else."""
    second_best: list[dict[str, Any]] = []
    usual = content_of(stage.ground.base)
    for arguments in islice(variants(stage.ground), _MOST_TRIED):
        found = stage.call(arguments, role="alone", told="by itself,")
        if found is None or found.outcome.ending != "returned":
            continue
        if answered(found) and Steadiness.of(()).differences(content_of(found), usual):
            return [arguments]
        second_best = second_best or [arguments]
    return second_best


PARALLEL: Final = Parallel()
