"""TR5, seen over several calls: limits that are kept, and pages that lead on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.listing import continuation_of
from pytest_toolresult.rules.exhibit import plain_int
from pytest_toolresult.rules.rule import series_rule
from pytest_toolresult.rules.trials import rows_in, trial_of
from pytest_toolresult.rules.walks import walk_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Series
    from pytest_toolresult.rules.walks import Page


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


@series_rule("TR505", "pages-never-end", Severity.ERROR)
def pages_never_end(shown: Series, _: Contract) -> Iterator[Breach]:
    """Following the pages leads to a page that was there before.

    Why: the model asks for page after page, gets the same rows again and again, and
    stops when its context is full.
    Fix: move the cursor past the last row that was sent, and send none after the end.
    Bad: `meta={"next_cursor": cursor}` with the cursor that was asked for
    Bad: `def list_orders(limit, offset=0): return rows[:limit]`
    Good: `next_cursor = str(end) if end < len(rows) else None`
    Good: `rows[offset:offset + limit]`
    """
    walk = walk_of(shown)
    stuck = walk.stuck_at() if walk else None
    if walk is not None and stuck is not None:
        page, before = walk.pages[stuck], walk.pages[stuck - 1]
        detail = (
            f"{page.told} brought the same {len(page.names)} rows as the one before"
        )
        yield Breach(
            place=page.place, detail=detail, index=page.index, beside=before.index
        )


@series_rule("TR503", "pages-overlap", Severity.ERROR, yields_to=("TR505",))
def pages_overlap(shown: Series, _: Contract) -> Iterator[Breach]:
    """A row stands on two pages.

    Why: the model counts it twice, and sums it twice.
    Fix: begin each page after the last row of the one before, in an order that
    does not change: `ORDER BY id`.
    Bad: `rows[offset:offset + limit + 1]`
    Bad: `SELECT ... LIMIT ? OFFSET ?` without `ORDER BY`
    Good: `rows[offset:offset + limit]`
    Good: `SELECT ... WHERE id > ? ORDER BY id LIMIT ?`
    """
    walk = walk_of(shown)
    if walk is None or not walk.tells_rows_apart:
        return
    seen: dict[str, Page] = {}
    for page in walk.pages:
        for name in page.names:
            before = seen.setdefault(name, page)
            if before is not page:
                detail = f"the row {name} came {before.told}, and again {page.told}"
                yield Breach(
                    place=page.place,
                    detail=detail,
                    index=page.index,
                    beside=before.index,
                )
                return


@series_rule("TR504", "pages-skip", Severity.ERROR, yields_to=("TR505", "TR503"))
def pages_skip(shown: Series, _: Contract) -> Iterator[Breach]:
    """A row stands on no page.

    Why: the model has read all pages, and takes for complete what is not.
    Fix: begin each page with the first row that was not sent yet.
    Bad: `offset = page * limit + 1`
    Bad: `SELECT ... WHERE id > ? + 1 ORDER BY id LIMIT ?`
    Good: `offset = (page - 1) * limit`
    Good: `SELECT ... WHERE id > ? ORDER BY id LIMIT ?`
    """
    walk = walk_of(shown)
    if walk is None or not walk.tells_rows_apart:
        return
    skipped = walk.skipped()
    if skipped and walk.full is not None:
        last = walk.pages[-1]
        detail = f"the row {skipped[0]} stands on none of {len(walk.pages)} pages"
        yield Breach(
            place=last.place, detail=detail, index=last.index, beside=walk.full.index
        )
    elif walk.falls_short is not None:
        last, total = walk.pages[-1], walk.falls_short
        detail = (
            f"all {len(walk.pages)} pages hold {walk.count} rows, and total is {total}"
        )
        yield Breach(place="meta", detail=detail, index=last.index)


@series_rule("TR506", "total-varies", Severity.ERROR)
def total_varies(shown: Series, _: Contract) -> Iterator[Breach]:
    """The total hangs on how many rows were asked for.

    Why: the model tells the user that there are 10 tickets, because it asked for 10.
    Fix: count what there is, and not what is sent: `total=len(rows)` before the cut.
    Bad: `page = rows[:limit]; return success(page, total=len(page))`
    Bad: `SELECT count(*) FROM (SELECT ... LIMIT ?)`
    Good: `return partial(rows[:limit], total=len(rows))`
    Good: `SELECT count(*) FROM orders WHERE customer_id = ?`
    """
    trial = trial_of(shown, "limits")
    if trial is None:
        return
    first: tuple[int, int] | None = None
    for index, found, part in trial.of("limited"):
        listing, limit = rows_in(found), plain_int(found.call.arguments[part.about])
        total = continuation_of(found.data, found.meta_fields).total
        if listing is None or total is None or len(listing.rows) != limit:
            continue  # only a page that is full hides what there is beside it
        if first is not None and total != first[1]:
            detail = f"total is {total} with {part.told}, and {first[1]} with another"
            yield Breach(place="meta", detail=detail, index=index, beside=first[0])
            return
        first = first or (index, total)
