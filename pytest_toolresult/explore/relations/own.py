"""The relations that users declare about their own tools."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.explore.base_calls import how_it_ended
from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage
    from pytest_toolresult.relating import Relation

_HANDED_OVER: Final = frozenset({"success", "partial", "empty"})


class Own:
    """Makes the calls that a declared relation is about."""

    name = "own"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:
        """Give one series for each declared relation.

        Raises:
            ContractError: If one changes an argument that the tool does not have.
        """
        for each in ground.contract.own_relations:
            _check_names(each, ground)
        for each in ground.contract.own_relations:
            yield Series(
                key=f"{self.name}:{each.name}",
                cost=len(each.over),
                play=partial(_play, relation=each, reasons=reasons),
            )


def _check_names(relation: Relation, ground: Ground) -> None:
    known = ground.takes_by_name
    if not known or (ground.tool.schema or {}).get("additionalProperties"):
        return
    for name in (name for changes in relation.over for name in changes):
        if name not in known:
            what = f"argument of {ground.tool.name} in the relation {relation.name!r}:"
            raise ContractError(unknown(what, name, list(known)))


def _play(stage: Stage, relation: Relation, reasons: Reasons) -> None:
    for changes in relation.over:
        asked = {**stage.ground.arguments, **changes}
        found = stage.call(asked, role="asked", told=f"for {relation.name!r},")
        if found is not None and found.status not in _HANDED_OVER:
            why = f"the call with {dict(changes)!r} came to {how_it_ended(found)}"
            reasons.add(f"the relation {relation.name!r}", why)
            return


OWN: Final = Own()
