"""One row comes in the form in which several do."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.explore.relations.ground import rows_in
from pytest_toolresult.explore.relations.series import Series
from pytest_toolresult.explore.relations.variants import variants
from pytest_toolresult.listing import listing_of
from pytest_toolresult.walk import fields_of, is_a

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_MOST: Final = 8
_MOST_NAMED: Final = 3
_LONGEST: Final = 60
_TWO: Final = 2


class Counts:
    """Asks for something else, of which there may be one only."""

    name = "counts"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give the one series, where the success has several rows."""
        if rows_in(ground.base) >= _TWO:
            yield Series(key=self.name, cost=_MOST, play=_play)


def _play(stage: Stage) -> None:
    named = islice(_naming_one_row(stage.ground), _MOST_NAMED)
    for arguments in islice(chain(named, variants(stage.ground)), _MOST):
        stage.call(arguments, role="other", told="other arguments,")


def _naming_one_row(ground: Ground) -> Iterator[dict[str, Any]]:
    """Give the arguments of the success with what one of its rows is called.

    An argument that is left out stays so, unless there is a text that stands for it:
    asked for nothing, a tool may well answer in another form.
    """
    row = _last_row(ground)
    for name, argument in ground.takes_by_name.items():
        usual = ground.arguments.get(name, argument.default)
        if not isinstance(usual, str) or not usual.strip() or argument.choices:
            continue
        same_name_first = sorted(row, key=lambda field: field != name)
        for value in dict.fromkeys(row[field] for field in same_name_first):
            asked = {**ground.arguments, name: value}
            if value != usual and ground.takes(asked):
                yield asked


def _last_row(ground: Ground) -> dict[str, str]:
    """Return the texts of a row; it is the last one, which others rarely begin like."""
    envelope = ground.base.envelope
    listing = listing_of(envelope.data) if envelope else None
    row = fields_of(listing.rows[-1]) if listing and listing.rows else {}
    return {
        name: str.__str__(value)
        for name, value in row.items()
        if is_a(value, str) and 0 < len(value) <= _LONGEST
    }


COUNTS: Final = Counts()
