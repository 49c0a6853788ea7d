"""An action on what cannot exist does not succeed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_NO_TEXT: Final = "no-such-id-7c1f40e2"
_NO_NUMBER: Final = 987_654_321

_ACTS_ON: Final = re.compile(
    r"^(?:cancel|delete|remove|update|close|refund|approve|reject|archive|complete"
    r"|finish|move|rename|edit|modify|mark|assign|ship|restore|stop|pause|resume"
    r"|disable|enable|retry|reopen|resolve)(?:_|[A-Z]|$)"
)
"""Names of tools that act on what there is; others may make what they are told."""


class MissingIds:
    """Puts an id in the place of one that exists, under which there is nothing."""

    name = "missing-ids"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:  # noqa: ARG002 - see Relation
        """Give one series for each id of an action."""
        if ground.contract.kind != "action" or not _ACTS_ON.search(ground.tool.name):
            return
        for name, argument in ground.takes_by_name.items():
            value = ground.arguments.get(name)
            is_id = argument.words.split()[-1:] == ["id"]
            if is_id and isinstance(value, (str, int)) and not isinstance(value, bool):
                key = f"{self.name}:{name}"
                yield Series(key=key, cost=1, play=partial(_play, name=name))


def _play(stage: Stage, name: str) -> None:
    is_text = isinstance(stage.ground.arguments[name], str)
    missing = _NO_TEXT if is_text else _NO_NUMBER
    asked = {**stage.ground.arguments, name: missing}
    if stage.ground.takes(asked):
        told = f"with {name}={missing!r}, which does not exist,"
        stage.call(asked, role="missing", told=told, about=name)


MISSING_IDS: Final = MissingIds()
