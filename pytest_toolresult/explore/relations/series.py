"""A series of calls that differ in one thing, and what makes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from pytest_toolresult.calls import Call, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.spending import Spending
    from pytest_toolresult.interactions import Interaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Calls that belong together.

    Attributes:
        key: What it is called, such as `limits:max_results`. The same key means the
            same calls, made from whatever success.
        cost: How many calls it makes at most.
        play: Makes them.
    """

    key: str
    cost: int
    play: Callable[[Stage], None]


class Relation(Protocol):
    """A statement about several calls; one module of this package each.

    Attributes:
        name: What it is called.
    """

    name: str

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:
        """Give the series that show whether it holds; none where it does not apply.

        Args:
            ground: The success to start from.
            reasons: Is told where the relation applies and cannot be tried.
        """
        ...


@dataclass(slots=True)
class Reasons:
    """Why some relation could not be tried, by its name.

    Attributes:
        told: The reasons.
    """

    told: dict[str, str] = field(default_factory=dict)

    def add(self, relation: str, why: str) -> None:
        """Remember the first reason of a relation."""
        self.told.setdefault(relation, why)


class Stage:
    """Makes the calls of one series.

    Args:
        spending: Makes the calls.
        ground: The success that the series starts from.
        relation: The relation's name.
        key: The key of the series.

    Attributes:
        ground: The success that the series starts from.
        seen: What its calls came to, in order.
    """

    def __init__(
        self, spending: Spending, ground: Ground, relation: str, key: str
    ) -> None:
        self._spending = spending
        self._relation = relation
        self._key = key
        self.ground = ground
        self.seen: list[Interaction] = []

    def call(
        self,
        arguments: Arguments | None = None,
        *,
        role: str,
        told: str = "",
        **setting: Any,
    ) -> Interaction | None:
        """Make a call of the series; `None` where there have been enough.

        Args:
            arguments: The arguments; those of the success by default.
            role: What the call is for, by which a rule knows it.
            told: How it differs from the success, in words.
            **setting: Further fields of `Part`.
        """
        if arguments is None:
            arguments = self.ground.base.call.arguments
        interaction = self._spending.make(
            Call(
                arguments=arguments,
                origin="relations",
                relation=self._relation,
                part=Part(series=self._key, role=role, told=told, **setting),
                reference=self.ground.base.call,
            )
        )
        if interaction is not None:
            self.seen.append(interaction)
        return interaction
