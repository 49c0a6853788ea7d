"""A line break in an argument goes into nothing that has to fit on one line."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_LINE: Final = "X-Planted: yes"
_BREAKS: Final = (f"\r\n{_LINE}", f"\n{_LINE}", "\n")
"""What is put behind an argument. A pattern that ends in `$` lets the last one pass:
https://docs.python.org/3/library/re.html#regular-expression-syntax"""

_MOST: Final = 4
_OF_SEVERAL_LINES: Final = re.compile(
    r"\b(?:text|content|contents|body|message|prompt|code|sql|comment|html|markdown"
    r"|description|notes?)\b"
)


class LineBreaks:
    """Adds a line to texts that are meant to be of one line."""

    name = "line-breaks"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give one series for each argument that is a text of one line."""
        if not ground.is_first:
            return
        texts = [
            name
            for name, argument in ground.takes_by_name.items()
            if isinstance(ground.arguments.get(name), str)
            and ground.arguments[name].strip()
            and ground.arguments[name].isprintable()
            and not argument.choices
            and not _OF_SEVERAL_LINES.search(argument.words)
        ]
        for name in texts[:_MOST]:
            key = f"{self.name}:{name}"
            yield Series(key=key, cost=len(_BREAKS), play=partial(_play, name=name))


def _play(stage: Stage, name: str) -> None:
    for added in _BREAKS:
        broken = stage.ground.arguments[name] + added
        asked = {**stage.ground.arguments, name: broken}
        if stage.ground.takes(asked):
            told = f"with a line break in {name}"
            canary = added if added.strip() else broken
            stage.call(asked, role="broken", told=told, about=name, canary=canary)


LINE_BREAKS: Final = LineBreaks()
