"""How a person wants to see a run, and where the words about rules come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from pytest_toolresult.reporters.layout import WIDTH

if TYPE_CHECKING:
    from pytest_toolresult.settings import Show


class Card(Protocol):
    """What a rule says of itself."""

    @property
    def summary(self) -> str:
        """What is wrong, in one sentence."""
        ...

    @property
    def why(self) -> str:
        """Why a model is hurt by it."""
        ...


Cards: TypeAlias = Callable[[str], Card | None]
"""Gives the card of a rule by its id, or `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How findings are shown.

    Attributes:
        cards: The cards of the rules.
        show: Which findings are shown in full.
        width: How many columns there are.
    """

    cards: Cards
    show: Show = "errors"
    width: int = WIDTH
