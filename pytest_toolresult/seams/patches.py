"""Attributes that are replaced for a while and put back as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ABSENT: Final = object()


class Patches:
    """What the seams have put in place, to be undone in reverse order."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def replace(self, owner: Any, name: str, value: object) -> None:
        """Replace an attribute of a class, a module or an object.

        What a class merely inherits is removed again, not written into it.
        """
        before = vars(owner).get(name, _ABSENT)
        setattr(owner, name, value)
        if before is _ABSENT:
            self.on_restore(lambda: delattr(owner, name))
        else:
            self.on_restore(lambda: setattr(owner, name, before))

    def on_restore(self, undo: Callable[[], object]) -> None:
        """Have something done when the patches are taken out."""
        self._undo.append(undo)

    def restore(self) -> None:
        """Put everything back, the latest first."""
        while self._undo:
            self._undo.pop()()
