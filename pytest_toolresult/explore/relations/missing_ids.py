"""An action on what cannot exist does not succeed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.parameters import Argument
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_NO_TEXT: Final = "no-such-id-7c1f40e2"
_NO_NUMBER: Final = 987_654_321
_NO_UUID: Final = "7c1f40e2-0b1d-4c7a-9d53-e06a1b2c3d4e"

_UUID: Final = re.compile(r"(?i)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}")
_DIGITS: Final = re.compile(r"\d+(?=\D*$)")
_LEAST_DIGITS: Final = 6
"""Fewer digits are filled up: one of few numbers may well exist."""

_ACTS_ON: Final = re.compile(
    r"^(?:cancel|delete|remove|update|close|refund|approve|reject|archive|complete"
    r"|finish|move|rename|edit|modify|mark|assign|ship|restore|stop|pause|resume"
    r"|disable|enable|retry|reopen|resolve)(?:_|[A-Z]|$)"
)
"""Names of tools that act on what there is; others may make what they are told."""

_IDS: Final = frozenset(("id", "ids", "uuid", "guid"))


class MissingIds:
    """Puts an id in the place of one that exists, under which there is nothing."""

    name = "missing-ids"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give one series for each id of an action."""
        if ground.contract.kind != "action" or not _ACTS_ON.search(ground.tool.name):
            return
        for name, argument in ground.takes_by_name.items():
            missing = list(_missing(argument, ground.arguments.get(name)))
            if missing:
                yield Series(
                    key=f"{self.name}:{name}",
                    cost=len(missing),
                    play=partial(_play, name=name, missing=missing),
                )


def _missing(argument: Argument, value: object) -> Iterator[Any]:
    """Give ids that nothing has, the one that looks most like an id first."""
    if not _IDS.intersection(argument.words.split()[-1:]):
        return
    if isinstance(value, list) and len(value) == 1:
        yield from ([each] for each in _like(value[0]))
    else:
        yield from _like(value)


def _like(value: object) -> Iterator[Any]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield _NO_NUMBER
    if not isinstance(value, str):
        return
    if _UUID.fullmatch(value):
        yield _NO_UUID
    elif found := _DIGITS.search(value):
        digits = str(_NO_NUMBER)[: max(len(found[0]), _LEAST_DIGITS)]
        yield f"{value[: found.start()]}{digits}{value[found.end() :]}"
    yield _NO_TEXT


def _play(stage: Stage, name: str, missing: list[Any]) -> None:
    for value in missing:
        asked = {**stage.ground.arguments, name: value}
        if stage.ground.takes(asked):
            told = f"with {name}={value!r}, which does not exist,"
            stage.call(asked, role="missing", told=told, about=name)


MISSING_IDS: Final = MissingIds()
