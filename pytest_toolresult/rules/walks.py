"""A walk through pages, as the rules about pages look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_toolresult.listing import continuation_of, id_field, identity_of
from pytest_toolresult.rules.trials import rows_in, trial_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.listing import Continuation, Listing
    from pytest_toolresult.rules.exhibit import Exhibit, Series


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a walk.

    Attributes:
        index: The index of its call.
        place: Where its rows stand.
        told: How it was asked for, in words.
        names: What its rows are told apart by.
        says: What it says about the rows that it does not hold.
    """

    index: int
    place: str
    told: str
    names: Sequence[str]
    says: Continuation


@dataclass(frozen=True, slots=True)
class Walk:
    """Pages in the order they were asked for, beside all rows at once.

    Attributes:
        pages: The pages that hold rows.
        full: The call for all rows at once, or `None`.
        has_ended: Whether the walk came to its end, and was not cut off.
        tells_rows_apart: Whether equal names mean the same row.
    """

    pages: Sequence[Page]
    full: Page | None
    has_ended: bool
    tells_rows_apart: bool

    @property
    def count(self) -> int:
        """How many rows the pages hold together."""
        return sum(len(page.names) for page in self.pages)

    @property
    def falls_short(self) -> int | None:
        """The total that the pages do not come up to; `None` where they do."""
        totals = {page.says.total for page in self.pages}
        total = totals.pop() if len(totals) == 1 else None
        short = self.has_ended and total is not None and self.count < total
        return total if short else None

    def stuck_at(self) -> int | None:
        """Return the page that is the same as the one before, if any."""
        for number, page in enumerate(self.pages[1:], start=1):
            if page.names and list(page.names) == list(self.pages[number - 1].names):
                return number
        return None

    def skipped(self) -> list[str]:
        """Return the rows that stand on no page, of those the walk has passed by."""
        if self.full is None:
            return []
        seen = {name for page in self.pages for name in page.names}
        everything = list(self.full.names)
        passed = [place for place, name in enumerate(everything) if name in seen]
        in_order = [name for page in self.pages for name in page.names]
        known = [name for name in in_order if name in set(everything)]
        if known != [everything[place] for place in passed]:
            return []  # the order is another one, or rows were seen twice
        end = len(everything) if self._reaches_the_end() else max(passed, default=-1)
        return [name for name in everything[:end] if name not in seen]

    def _reaches_the_end(self) -> bool:
        complete = self.full is not None and self.full.says.says_more is not True
        return self.has_ended and complete


def walk_of(series: Series) -> Walk | None:
    """Return a walk of two pages at least; `None` where the series is none."""
    trial = trial_of(series, "paging")
    if trial is None:
        return None
    walked = [
        (index, found, part.told, rows_in(found))
        for index, found, part in trial.of("page")
    ]
    asked = [
        (index, found, part.told, rows_in(found))
        for index, found, part in trial.of("full")
    ]
    # A tool that counts its pages wrongly has no rows where all were asked for.
    full = next((each for each in asked if each[3] and each[3].rows), None)
    rows = [row for *_, listing in walked if listing for row in listing.rows]
    every = full[3].rows if full and full[3] else rows
    name = id_field(list(every))
    pages = [_page(*each, name) for each in walked]
    kept = [each for each in pages if each is not None and each.names]
    whole = _page(*full, name) if full else None
    if len(kept) < 2:  # noqa: PLR2004 - two pages make a walk
        return None
    names = list(whole.names) if whole else []
    apart = name is not None or (bool(names) and len(set(names)) == len(names))
    longest = max(len(each.names) for each in kept)
    return Walk(kept, whole, _has_ended(walked[-1], kept[-1], longest), apart)


def _page(
    index: int, found: Exhibit, told: str, listing: Listing | None, name: str | None
) -> Page | None:
    if listing is None:
        return None
    return Page(
        index=index,
        place=listing.place,
        told=told,
        names=[identity_of(row, name) for row in listing.rows],
        says=continuation_of(found.data, found.meta_fields),
    )


def _has_ended(
    last: tuple[int, Exhibit, str, Listing | None], page: Page, longest: int
) -> bool:
    """Tell whether nothing led on from the last page, or nothing was left there."""
    _, found, _, listing = last
    if listing is None or not listing.rows:
        return found.path in ("success", "empty", "partial")
    if page.says.says_more is not None:
        return not page.says.says_more
    return len(page.names) < longest  # as the walk has taken it as well
