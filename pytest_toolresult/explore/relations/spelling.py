"""Equal meanings come to the same, however they are spelled."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.parameters import Argument
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_MOST: Final = 4
_LONGEST: Final = 40
_WORD: Final = re.compile(r"[\w.@:+/-]+")
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]00:00)"
)
_WRITTEN_OUT: Final = re.compile(
    r"\b(?:text|content|contents|body|message|prompt|code|sql|command|comment|html"
    r"|markdown|template|pattern|regex|expression|password|token|key|path|file|value"
    r"|string|input|sentence|word|phrase|separator|delimiter|prefix|suffix)\b"
)
"""Arguments whose every character counts, so that a space is a difference."""

_FILTER: Final = re.compile(r"\b(?:filters?|where|category|status|state|tags?|type)\b")


class Spelling:
    """Writes one argument in another way."""

    name = "spelling"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give one series for each argument that can be written in several ways."""
        for name, argument in ground.takes_by_name.items():
            spelled = list(_spelled(ground, argument))
            if spelled:
                yield Series(
                    key=f"{self.name}:{name}",
                    cost=len(spelled),
                    play=partial(_play, argument=argument, spelled=spelled),
                )
            if _may_be_blank(ground, argument):
                yield Series(
                    key=f"blank:{name}",
                    cost=3,
                    play=partial(_play_blank, argument=argument),
                )


def _spelled(ground: Ground, argument: Argument) -> Iterator[tuple[str, Any]]:
    """Give other ways to write an argument, with the role of the call."""
    value = ground.arguments.get(argument.name)
    for role, other in _ways(argument, value):
        if ground.sees_a_difference({**ground.arguments, argument.name: other}):
            yield role, other


def _ways(argument: Argument, value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield "spelled", str(value)
    if isinstance(value, (list, dict)) and value:
        yield "spelled", json.dumps(value)
    if not isinstance(value, str):
        return
    if value in argument.choices:
        for other in (value.upper(), value.capitalize()):
            if other not in argument.choices:
                yield "cased", other
    moment = _MOMENT.fullmatch(value)
    if moment:
        stem = value[: moment.start(1)]
        yield "spelled", stem + ("+00:00" if moment[1] == "Z" else "Z")
    elif _is_a_name(argument, value):
        yield "spaced", f" {value} "


def _is_a_name(argument: Argument, value: str) -> bool:
    """Tell whether a text names something, and is no text for its own sake."""
    short = 0 < len(value) <= _LONGEST and bool(_WORD.fullmatch(value))
    return short and not _WRITTEN_OUT.search(argument.words)


def _may_be_blank(ground: Ground, argument: Argument) -> bool:
    """Tell whether an argument is a filter that can be left out, and nothing else."""
    if argument.is_required or not argument.may_be("string") or argument.choices:
        return False
    if argument.default not in (None, "") or _WRITTEN_OUT.search(argument.words):
        return False
    return ground.sees_a_difference({**ground.arguments, argument.name: ""})


def _play(stage: Stage, argument: Argument, spelled: list[tuple[str, Any]]) -> None:
    for role, other in spelled[:_MOST]:
        asked = {**stage.ground.arguments, argument.name: other}
        told = f"with {argument.name}={other!r}"
        stage.call(asked, role=role, told=told, about=argument.name)


def _play_blank(stage: Stage, argument: Argument) -> None:
    without = stage.ground.arguments
    without.pop(argument.name, None)
    stage.call(without, role="without", told=f"without {argument.name}")
    role = "blank filter" if _FILTER.search(argument.words) else "blank"
    blanks: list[Any] = ["", None] if argument.may_be("null") else [""]
    for blank in blanks:
        asked = {**without, argument.name: blank}
        if stage.ground.takes(asked):
            told = f"with {argument.name}={blank!r}"
            stage.call(asked, role=role, told=told, about=argument.name)


SPELLING: Final = Spelling()
