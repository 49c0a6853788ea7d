"""What an example costs beside a bare `@given` on the same tool.

Two arms draw from one strategy, in turn and in one process. In the bare one Hypothesis
calls the function itself. In the other the engine explores it, as an item does: each
example becomes a bounded, watched and guarded call, which is what it has come to when
the exploration has made its last call, and then every result is held to the rules.
What counts is the ratio of the processor's time. What else the machine does can only
add to it, so the fastest round of each tells.

Run it with `tox -e benchmark`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from datetime import date  # noqa: TC003 - an annotation of a tool
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from hypothesis import HealthCheck, given, settings
from pydantic import BaseModel, Field

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore import Summary
from pytest_toolresult.explore.attempts import Attempts, Budget
from pytest_toolresult.explore.drawing import draw
from pytest_toolresult.explore.fuzz import FUZZ
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.strategies.from_schema import from_schema
from pytest_toolresult.strategies.ingredients import Ingredients
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_toolresult.calls import Arguments
    from pytest_toolresult.explore import Probe as MakesCalls
    from pytest_toolresult.strategies.from_schema import Pool
    from pytest_toolresult.tools import Tool

EXAMPLES: Final = 200
ROUNDS: Final = 15
BOUNDS: Final = {"called": 1.3, "judged": 2.5}
"""How many times as much as a bare example each arm may cost."""


class Line(BaseModel):
    """A line of an order."""

    sku: str
    amount: Annotated[int, Field(ge=1, le=99)]
    note: str | None = None


def answer(rows: int, *, paid: bool = True) -> dict[str, Any]:
    """Return an envelope of about 200 bytes, one of a few."""
    total = 2 + rows % 3
    partial = total > 2  # noqa: PLR2004 - two rows are sent
    return {
        "status": "partial" if partial else "success",
        "data": [{"order_id": f"o-{total}", "paid": paid}] * 2,
        "error": None,
        "meta": {
            "total": total,
            "returned": 2,
            "truncated": partial,
            "next_cursor": f"c-{total}",
        },
    }


def get_customer(customer_id: str) -> dict[str, Any]:
    """Look a customer's orders up."""
    return answer(len(customer_id))


def search_orders(  # noqa: PLR0913, PLR0917 - as many as a search has
    query: str,
    status: Literal["open", "paid", "sent"] = "open",
    since: date | None = None,
    tags: list[str] | None = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
    include_closed: bool = False,  # noqa: FBT001, FBT002 - what a model sends
) -> dict[str, Any]:
    """Search orders."""
    del since, tags, include_closed
    return answer(len(query) + limit, paid=status == "paid")


def place_order(
    customer_id: str,
    lines: list[Line],
    express: bool = False,  # noqa: FBT001, FBT002 - what a model sends
) -> dict[str, Any]:
    """Place an order."""
    return answer(len(customer_id) + len(lines), paid=express)


def describe_order(
    order_id: str, note: str = "", limit: Annotated[int, Field(ge=1, le=50)] = 10
) -> dict[str, Any]:
    """Describe an order, and quote every argument: hardly two results are equal."""
    data = {"order_id": order_id, "note": note, "limit": limit, "lines": 3}
    meta = {"source": "orders", "checked": "2026-01-31T10:00:00Z", "version": 7}
    return {"status": "success", "data": data, "error": None, "meta": meta}


TOOLS: Final = (get_customer, search_orders, place_order, describe_order)
"""Each result of the last one has to be read and judged for itself."""


class Drawn:
    """An exploration that makes the calls of the draw alone, and counts the examples.

    Attributes:
        examples: How many were drawn.
        called: The processor's time at which the last call had been made.
    """

    name = FUZZ.name

    def __init__(self) -> None:
        self.examples = 0
        self.called = 0.0

    def run(
        self,
        tool: Tool,
        contract: Contract,
        probe: MakesCalls,
        *,
        max_calls: int,
        remembered: Sequence[Arguments] = (),
    ) -> Summary:
        """Make a call of every example."""
        del contract, remembered
        attempts = Attempts(probe, Budget(max_calls))

        def attempt(arguments: dict[str, Any], _: object) -> bool:
            self.examples += 1
            attempts.repeat(arguments)
            return True

        draw(
            tool.schema or {},
            attempt,
            pool=pool_of(tool),
            max_examples=max_calls,
            key=tool.identity,
        )
        self.called = time.process_time()
        return Summary(calls=attempts.budget.calls)

    def shrink(self, *_: object, **__: object) -> Arguments:
        """Never be asked to: the tools are sound."""
        raise AssertionError("a sound tool has a finding")


class Arms:
    """The two ways of drawing for one tool."""

    def __init__(self, function: Callable[..., Any]) -> None:
        (self._tool,) = tools_of(function, validate=True)
        self._function = function
        self._runner = Runner()
        self._engine = Engine(Settings(max_calls=EXAMPLES), self._runner)
        self._assignment = Assignment(
            item="overhead", tool=self._tool, contract=Contract(function)
        )

    def costs(self) -> tuple[float, ...]:
        """Tell how much of the processor's time an example takes, in seconds.

        Returns:
            Bare; bounded, watched and guarded; and judged as well.
        """
        gc.collect()
        begun = time.process_time()
        bare = self._bare()
        middle = time.process_time()
        gc.collect()
        again = time.process_time()
        drawn = Drawn()
        self._engine.explore(self._assignment, drawn)
        judged = time.process_time() - again
        called = drawn.called - again
        return (middle - begun) / bare, called / drawn.examples, judged / drawn.examples

    def close(self) -> None:
        """Let go of what makes the calls."""
        self._runner.close()

    def _bare(self) -> int:
        """Let Hypothesis call the function itself; return how often it did."""
        examples = 0

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(from_schema(self._tool.schema or {}, pool=pool_of(self._tool)))
        def call(arguments: dict[str, Any]) -> None:
            nonlocal examples
            examples += 1
            self._function(**arguments)

        call()
        return examples


def pool_of(tool: Tool) -> Pool:
    """Return what the draw prefers for a tool."""
    return Ingredients(tool.schema or {}, description=tool.description).pool


def measure(function: Callable[..., Any], rounds: int) -> list[float]:
    """Give the least that an example took in each way, in seconds."""
    arms = Arms(function)
    try:
        arms.costs()  # a round that does not count
        found = [arms.costs() for _ in range(rounds)]
    finally:
        arms.close()
    return [min(costs) for costs in zip(*found, strict=True)]


def ratios(found: Sequence[float]) -> dict[str, float]:
    """Return how many times as much as a bare example the others cost."""
    bare, *others = found
    return {name: cost / bare for name, cost in zip(BOUNDS, others, strict=True)}


def row(name: str, found: Sequence[float]) -> str:
    """Lay the figures of one tool out as a row of a Markdown table."""
    cells = [f"{cost * 1e6:.0f} us" for cost in found]
    cells += [f"{ratio:.2f}" for ratio in ratios(found).values()]
    return f"| `{name}` | {' | '.join(cells)} |"


def main() -> int:
    """Measure and print; fails where a bound does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    settings.register_profile("measured", database=None, derandomize=False)
    settings.load_profile("measured")
    print(f"Hypothesis {version('hypothesis')}, {rounds} rounds of {EXAMPLES}\n")
    print("| tool | bare | called | judged | called : bare | judged : bare |")
    print("| --- | --- | --- | --- | --- | --- |")
    held = True
    for function in TOOLS:
        found = measure(function, rounds)
        held &= all(ratios(found)[name] <= most for name, most in BOUNDS.items())
        print(row(function.__name__, found))
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
