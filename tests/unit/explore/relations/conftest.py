from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.engine.inquiry import Explored
    from pytest_toolresult.ledger import Evidence

RELATIONS = exploration_named("relations")


class Relate:
    """Drives tools through `[relations]`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def explored(
        self, tool: Any, *, validate: bool = True, **declared: Any
    ) -> Explored:
        return self.engine.explore(
            _assignment(tool, declared, validate=validate), RELATIONS
        )

    def evidence(self, tool: Any, **options: Any) -> Evidence:
        return self.explored(tool, **options).evidence

    def rules(self, tool: Any, **options: Any) -> set[str]:
        """Name the rules that speak up, advice aside."""
        found = self.evidence(tool, **options).findings
        return {each.rule for each in found if each.severity > 1}

    def again(
        self,
        tool: Any,
        asked: dict[str, Any],
        *,
        validate: bool = True,
        **declared: Any,
    ) -> Evidence:
        """Replay a series."""
        assignment = _assignment(tool, declared, validate=validate)
        return self.engine.replay(assignment, RELATIONS, asked).evidence


def _assignment(tool: Any, declared: dict[str, Any], *, validate: bool) -> Assignment:
    return Assignment(
        item="item",
        tool=tools_of(tool, validate=validate)[0],
        contract=Contract(tool, **declared),
        replay=lambda arguments, _: str(dict(arguments)),
    )


@pytest.fixture
def relate() -> Iterator[Relate]:
    runner = Runner()
    yield Relate(Engine(Settings(), runner))
    runner.close()
