"""The canaries of this process: what was planted stays remembered to its end.

It is the one state that judging depends on, and it only grows: a secret that was
planted in one test may come back in the log of a later one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import ContractError

if TYPE_CHECKING:
    from pytest_toolresult.redaction.canaries.canary import Canary
    from pytest_toolresult.redaction.canaries.search import Index, Sighting

_LEAST: Final = 8
"""How many letters and digits a secret must have, lest chance brings it back."""


class Registry:
    """What was planted, each value once."""

    def __init__(self) -> None:
        self._planted: dict[str, Canary] = {}
        self._index: Index | None = None

    def add(self, canary: Canary) -> Canary:
        """Remember a canary.

        Raises:
            ContractError: If its secret part is too short to be told from chance.
        """
        if sum(map(str.isalnum, canary.secret)) < _LEAST:
            raise ContractError(
                f"a canary of kind {canary.kind!r} needs a secret of at least {_LEAST}"
                " letters and digits: a shorter one turns up by chance"
            )
        known = self._planted.setdefault(canary.value, canary)
        if known is canary:
            self._indexed().add(canary)
        return known

    def __len__(self) -> int:
        return len(self._planted)

    def planted(self) -> tuple[Canary, ...]:
        """Return every canary."""
        return tuple(self._planted.values())

    def find(self, text: str) -> list[Sighting]:
        """Find the canaries in a text, in whatever form."""
        return self._index.find(text) if self._index else []

    def _indexed(self) -> Index:
        if self._index is None:
            from pytest_toolresult.redaction.canaries.search import Index

            self._index = Index()
        return self._index


REGISTRY: Final = Registry()
"""What was planted in this process."""
