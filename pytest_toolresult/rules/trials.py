"""A series of related calls, as the rules about relations look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.listing import listing_of
from pytest_toolresult.steadiness import Steadiness, content_of, equal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.calls import Part
    from pytest_toolresult.listing import Listing
    from pytest_toolresult.rules.exhibit import Exhibit, Series
    from pytest_toolresult.steadiness import Same

_EQUAL_CALLS: Final = ("base", "again")
_ANSWERED: Final = ("success", "partial")


@dataclass(frozen=True, slots=True)
class Trial:
    """The calls of one relation, and the equal ones that they start from.

    Attributes:
        exhibits: All calls, in the order they were made.
        alike: The indices of the calls that are equal.
        steadiness: What of their results stays the same.
    """

    exhibits: Sequence[Exhibit]
    alike: Sequence[int]
    steadiness: Steadiness

    @property
    def base(self) -> int:
        """The index of the call that the others are held against."""
        return self.alike[0]

    def of(self, *roles: str) -> Iterator[tuple[int, Exhibit, Part]]:
        """Give the calls that are made for something, with index and part."""
        for index, found in enumerate(self.exhibits):
            part = found.call.part
            if part is not None and part.role in roles:
                yield index, found, part

    def differences(self, one: int, other: int, same: Same = equal) -> list[str]:
        """Return where two results differ beside what varies anyway."""
        return self.steadiness.differences(
            content_of(self.exhibits[one]), content_of(self.exhibits[other]), same
        )


def trial_of(series: Series, relation: str) -> Trial | None:
    """Return the calls of a relation; `None` where the series is of another one.

    Where equal calls do not answer alike there is nothing to hold others against.

    Args:
        series: The calls.
        relation: The relation's name.
    """
    exhibits = series.exhibits
    if not any(each.call.relation == relation for each in exhibits):
        return None
    equal = [
        index
        for index, each in enumerate(exhibits)
        if each.call.part and each.call.part.role in _EQUAL_CALLS
    ]
    steadiness = Steadiness.of(content_of(exhibits[index]) for index in equal)
    if not equal or not steadiness.is_telling:
        return None
    return Trial(exhibits, equal, steadiness)


def has_answered(found: Exhibit) -> bool:
    """Tell whether a call came to data, all of it or a part."""
    return found.path in _ANSWERED and found.outcome.ending == "returned"


def rows_in(found: Exhibit) -> Listing | None:
    """Return the rows that a call came to; `None` where its data is no list."""
    return listing_of(found.data) if has_answered(found) else None
