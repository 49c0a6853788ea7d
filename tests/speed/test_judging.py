"""Judging costs little beside writing the result, and grows no faster than it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.dialects import dialect_named
from pytest_toolresult.interactions import Interaction
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.rules.catalogue import rules
from pytest_toolresult.rules.exhibit import exhibit
from pytest_toolresult.tools import Tool
from tests.timing import seconds

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS: Final = 40
TOOL: Final = Tool(
    name="find",
    identity="shop:find",
    framework="callable",
    schema={"type": "object"},
    invoke=lambda _: Reply(),
)
ENVELOPE: Final = dialect_named("envelope")


def orders(count: int) -> dict[str, Any]:
    rows = [
        {
            "order_id": f"o-{number}",
            "customer_name": "Ann Miller",
            "order_status": "paid",
            "total": "199.00",
            "created_at": "2026-01-02T10:00:00Z",
            "item_count": 3 + number,
        }
        for number in range(count)
    ]
    meta = {"count": count, "format_version": "1.0", "source": "orders"}
    return {"status": "success", "data": rows, "error": None, "meta": meta}


def read(value: object) -> Interaction:
    outcome = Outcome(ending="returned", reply=Reply(value=value))
    return Interaction(
        tool=TOOL,
        call=Call(arguments={"query": "x"}, origin="fuzz"),
        outcome=outcome,
        envelope=ENVELOPE.read(outcome),
        dialect="envelope",
    )


def judging(value: object) -> Callable[[], object]:
    """Hold a result to all rules about one, but for secrets and tokens."""
    chosen = [each for each in rules() if each.id[:3] not in ("TR5", "TR6")]
    interaction, contract = read(value), Contract(None)

    def judge() -> object:
        found = exhibit(interaction, ENVELOPE)
        return [breach for each in chosen for breach in each.check(found, contract)]

    assert judge() == []
    return judge


def each(action: Callable[[], object], times: int) -> float:
    """Return the processor time of one of several actions in a row, in seconds."""
    return seconds(lambda: [action() for _ in range(times)], tries=1) / times


def test_an_envelope_costs_little_more_than_writing_it() -> None:
    value = orders(14)
    assert 2_000 < len(json.dumps(value)) < 2_500
    judge = judging(value)
    pairs = [
        (each(judge, 20), each(lambda: json.dumps(value), 200)) for _ in range(ROUNDS)
    ]
    judged, written = (min(costs) for costs in zip(*pairs, strict=True))
    assert judged / written < 25  # 16 on an idle machine


def test_cost_grows_as_the_result_does() -> None:
    few, many = judging(orders(400)), judging(orders(8_000))
    # It is twenty times as large; a quadratic cost would be four hundred times as high.
    assert seconds(many) < 20 * 3 * seconds(few)
