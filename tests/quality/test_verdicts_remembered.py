"""An exploration judges what a tool answers, and not each of its answers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore.fuzz import FUZZ
from pytest_toolresult.rules.exhibit import exhibit
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    import pytest

CALLS = 400
RESULTS = 9
MOST_JUDGED = 40
"""Nine are enough. Without the memory there are four hundred."""


def search_orders(
    query: str, status: Literal["open", "paid", "sent"] = "open", limit: int = 10
) -> dict[str, Any]:
    total = 2 + (len(query) + limit) % (RESULTS // 3)
    truncated = total > 2
    meta = {"total": total, "returned": 2, "truncated": truncated, "cursor": "c-2"}
    rows = [{"order_id": f"o-{total}", "paid": status == "paid", "as": status}] * 2
    kind = "partial" if truncated else "success"
    return {"status": kind, "data": rows, "error": None, "meta": meta}


def test_few_results_are_few_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: Counter[str] = Counter()

    def counted(interaction: Any, *rest: Any) -> Any:
        judged["results"] += 1
        return exhibit(interaction, *rest)

    monkeypatch.setattr("pytest_toolresult.rules.judge.exhibit", counted)
    (tool,) = tools_of(search_orders, validate=True)
    runner = Runner()
    engine = Engine(Settings(max_calls=CALLS), runner)
    assignment = Assignment(item="here", tool=tool, contract=Contract(search_orders))
    try:
        explored = engine.explore(assignment, FUZZ)
    finally:
        runner.close()
    assert explored.evidence.findings == ()
    assert explored.evidence.calls >= CALLS // 2
    assert RESULTS <= judged["results"] <= MOST_JUDGED
