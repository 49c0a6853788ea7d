"""TR8 and TR9, seen over several calls: what has to come to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.rules.rule import series_rule
from pytest_toolresult.rules.trials import trial_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Series


@series_rule("TR808", "shares-state", Severity.ERROR)
def shares_state(shown: Series, _: Contract) -> Iterator[Breach]:
    """What is done to one result shows in another one.

    Why: runtimes cut, mask and annotate results in place; the next call hands the
    changed one out as if it were the data.
    Fix: return a copy of what is kept: `copy.deepcopy(cached)`, or build the result
    anew each time.
    Bad: `return success(CACHE[key])`
    Bad: `def add(item, items=[]): items.append(item); return success(items)`
    Good: `return success(copy.deepcopy(CACHE[key]))`
    Good: `return success([dict(row) for row in rows])`
    """
    trial = trial_of(shown, "repeat")
    if trial is None:
        return
    for index, found in enumerate(trial.exhibits):
        if found.outcome.altered:
            place = found.outcome.altered[0]
            detail = f"this call changed {place} in a result that was handed out before"
            yield Breach(place=place, detail=detail, index=index, beside=trial.base)
            return
    for index, _found, part in trial.of("after"):
        for place in trial.differences(trial.base, index)[:1]:
            detail = f"{part.told}, the same call came back with another {place}"
            yield Breach(place=place, detail=detail, index=index, beside=trial.base)
