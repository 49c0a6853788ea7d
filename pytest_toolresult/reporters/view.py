"""How a person wants to see a run, and where the words about rules come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from pytest_toolresult.findings import Severity
from pytest_toolresult.reporters.layout import WIDTH

if TYPE_CHECKING:
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.settings import Show

_LEAST: Final[dict[Show, Severity]] = {
    "errors": Severity.ERROR,
    "warnings": Severity.WARNING,
    "all": Severity.ADVICE,
}


class Card(Protocol):
    """What a rule says of itself."""

    @property
    def what(self) -> str:
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
        is_known: Tells of which findings the user knows: they are not shown.
        found: Whether the arguments that led to each status are shown.
    """

    cards: Cards
    show: Show = "errors"
    width: int = WIDTH
    is_known: Callable[[Finding], bool] = lambda _: False
    found: bool = False

    def shows(self, finding: Finding) -> bool:
        """Tell whether a finding is shown in full."""
        return finding.severity >= _LEAST[self.show] and not self.is_known(finding)

    def counts(self, finding: Finding) -> bool:
        """Tell whether a finding is only counted."""
        return finding.severity < _LEAST[self.show] and not self.is_known(finding)
