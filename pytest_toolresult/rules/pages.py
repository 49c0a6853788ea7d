"""TR5, seen over several calls: limits that are kept, and pages that lead on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.rules.exhibit import plain_int
from pytest_toolresult.rules.rule import series_rule
from pytest_toolresult.rules.trials import rows_in, trial_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Series


@series_rule("TR509", "limit-ignored", Severity.ERROR)
def limit_ignored(shown: Series, _: Contract) -> Iterator[Breach]:
    """More rows come back than were asked for.

    Why: the model asked for a few rows to save its context, and gets all of them.
    Fix: cut at the limit; refuse a negative one with an error that names the range.
    Bad: `rows[:limit]` for `limit=-1`, which leaves out the last row alone
    Bad: `def search(query, limit=10): return find_all(query)`
    Good: `if limit < 1: return error("BAD_LIMIT", "limit must be 1 or more")`
    Good: `return success(rows[:min(limit, 100)])`
    """
    trial = trial_of(shown, "limits")
    if trial is None:
        return
    for index, found, part in trial.of("limited"):
        listing, limit = rows_in(found), plain_int(found.call.arguments[part.about])
        if listing is None or limit is None or limit == 0:
            continue  # in many places 0 stands for no limit
        if len(listing.rows) > max(limit, 0):
            detail = f"{part.told} was asked for, and {len(listing.rows)} rows came"
            yield Breach(
                place=listing.place, detail=detail, index=index, beside=trial.base
            )
            return
