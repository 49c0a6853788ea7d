"""Walking through the pages covers every row once, and comes to an end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.ground import rows_in
from pytest_toolresult.explore.relations.series import Series
from pytest_toolresult.listing import continuation_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.parameters import Argument
    from pytest_toolresult.explore.relations.series import Reasons, Stage
    from pytest_toolresult.interactions import Interaction

_MOST_PAGES: Final = 8
_BOTH: Final = 2
_FEW_PAGES: Final = 4
"""Into so many pages the rows are cut where the tool lets us choose."""

_LARGE: Final = (1000, 100, 50, 20)
"""Limits under which all rows may fit, where the schema does not say the largest."""


class Paging:
    """Follows cursors, offsets and page numbers from the first page to the last."""

    name = "paging"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give one walk for each argument that leads through pages."""
        arguments = ground.takes_by_name
        limit = next((each for each in arguments.values() if each.is_limit), None)
        for name, argument in arguments.items():
            if argument.paging and rows_in(ground.base):
                yield Series(
                    key=f"{self.name}:{name}",
                    cost=_MOST_PAGES + 4,
                    play=partial(_play, leads=argument, limit=limit),
                )


def _play(stage: Stage, leads: Argument, limit: Argument | None) -> None:
    arguments = stage.ground.arguments
    arguments.pop(leads.name, None)
    if limit is not None:
        full = _full(stage, arguments, limit)
        rows = rows_in(full) if full else 0
        size = max(1, -(-rows // _FEW_PAGES))
        least = limit.number("minimum")
        if rows > 1:
            arguments[limit.name] = max(size, int(least or 1))
    _Walk(stage, leads, arguments, arguments.get(limit.name) if limit else None).go()


def _full(
    stage: Stage, arguments: dict[str, object], limit: Argument
) -> Interaction | None:
    """Ask for as many rows as there may be at once."""
    most = limit.number("maximum")
    for large in _LARGE if most is None else (int(most),):
        asked = {**arguments, limit.name: large}
        if not stage.ground.takes(asked):
            continue
        told = f"all rows at once, {limit.name}={large}"
        found = stage.call(asked, role="full", told=told, about=limit.name)
        if found is None or rows_in(found):
            return found
    return None


class _Walk:
    """One walk from page to page."""

    def __init__(
        self,
        stage: Stage,
        leads: Argument,
        arguments: dict[str, object],
        size: object,
    ) -> None:
        self._stage = stage
        self._leads = leads
        self._arguments = arguments
        self._size = size if isinstance(size, int) else None
        self._count = 0

    def go(self) -> None:
        """Make the calls, until nothing leads on or there have been enough."""
        value = self._first()
        for _ in range(_MOST_PAGES):
            page = self._page(value)
            if page is None or not rows_in(page):
                return
            following = self._following(page, value)
            if following is None:
                return
            if following == value:  # asked again, it would be the same page
                self._page(value)
                return
            value = following

    def _page(self, value: object) -> Interaction | None:
        name = self._leads.name
        asked = (
            dict(self._arguments) if value is None else {**self._arguments, name: value}
        )
        if not self._stage.ground.takes(asked):
            return None
        self._count += 1
        shown = f"{name}={value}" if value is not None else "the first"
        told = f"as page {self._count} ({shown})"
        return self._stage.call(asked, role="page", told=told, about=name)

    def _first(self) -> object:
        if self._leads.paging == "cursor":
            return None
        start = self._leads.default
        if isinstance(start, int) and not isinstance(start, bool):
            return start
        least = self._leads.number("minimum")
        if least is not None:
            return int(least)
        return 0 if self._leads.paging == "offset" or self._counts_from_zero() else 1

    def _counts_from_zero(self) -> bool:
        """Tell whether page 0 and page 1 both hold rows, and not the same ones."""
        found = [self._probed(number) for number in (0, 1)]
        data = [each.envelope.data for each in found if each and each.envelope]
        rows = [rows_in(each) for each in found if each]
        return len(data) == _BOTH and all(rows) and data[0] != data[1]

    def _probed(self, number: int) -> Interaction | None:
        asked = {**self._arguments, self._leads.name: number}
        if not self._stage.ground.takes(asked):
            return None
        return self._stage.call(asked, role="probe", told="to see where pages begin")

    def _following(self, page: Interaction, value: object) -> object:
        """Return what leads to the page after one; `None` where that was the last."""
        envelope = page.envelope
        if envelope is None:
            return None
        told = continuation_of(envelope.data, envelope.meta)
        if self._leads.paging == "cursor":
            return _cursor_in(dict(told.following), self._leads)
        if told.says_more is False or not isinstance(value, int):
            return None
        rows = rows_in(page)
        if told.says_more is None and (self._size is None or rows < self._size):
            return None
        return value + (rows if self._leads.paging == "offset" else 1)


def _cursor_in(following: dict[str, str | int], leads: Argument) -> object:
    """Choose among what may lead on what fits the argument best by its name."""
    for name in (f"next {leads.words}", leads.words, *following):
        if name in following and (name != "result id" or leads.words == "result id"):
            value = following[name]
            if isinstance(value, int) and not leads.may_be("integer"):
                return str(value)
            return value
    return None


PAGING: Final = Paging()
