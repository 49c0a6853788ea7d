"""A bounded and guarded call costs little beside what a tool does in it."""

from __future__ import annotations

import json

from pytest_toolresult.calls import Call
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.tools import Tool
from tests.timing import seconds

CALLS = 100
ROUNDS = 30
MOST_YARDSTICKS = 25
"""About 60 microseconds. A call takes about twelve, one is about 2.5 microseconds."""


def yardstick() -> None:
    json.loads(json.dumps({"customer_id": "c-1", "limit": 5}))


def test_a_trivial_call_costs_little() -> None:
    tool = Tool(
        name="tool",
        identity="tests:tool",
        framework="callable",
        schema=None,
        invoke=lambda _: Reply(value=1),
    )
    call = Call(arguments={"customer_id": "c-1", "limit": 5}, origin="fuzz")
    runner = Runner()

    def called() -> None:
        for _ in range(CALLS):
            runner.run(tool, call)

    def measured() -> None:
        for _ in range(CALLS):
            yardstick()

    try:
        rounds = [
            (seconds(called, tries=1), seconds(measured, tries=1))
            for _ in range(ROUNDS)
        ]
    finally:
        runner.close()
    # What else the machine does can only add, so the fastest rounds tell.
    costs, yardsticks = zip(*rounds, strict=True)
    assert min(costs) / min(yardsticks) < MOST_YARDSTICKS
