"""An argument that the tool does not have is not silently dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

NAME: Final = "only_the_newest"
"""Something a model might make up, and nobody would mean something else by."""


class Invented:
    """Adds an argument that nobody has declared."""

    name = "invented"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give the one series, where the argument reaches the tool itself."""
        asked = {**ground.arguments, NAME: True}
        if NAME in (ground.converted(asked) or {}) and _is_taken(ground):
            yield Series(key=self.name, cost=1, play=_play)


def _is_taken(ground: Ground) -> bool:
    """Tell whether the tool takes what its schema does not name, by itself."""
    return not ground.tool.validates or ground.tool.convert is not None


def _play(stage: Stage) -> None:
    asked = {**stage.ground.arguments, NAME: True}
    stage.call(asked, role="invented", told=f"with {NAME}=true", about=NAME)


INVENTED: Final = Invented()
