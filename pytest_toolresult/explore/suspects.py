"""Which of several faults a tool has not got over, should it not be itself any more.

Whether it is, is seen once for all faults at a call: a run after each of them would
double the runs, and most tools get over all. A tool that did not looked the same from
some fault on, whatever the next ones were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.interactions import Interaction


def has_failed(interaction: Interaction) -> bool:
    """Tell whether a fault took effect, and the call ended in an error or raised."""
    outcome = interaction.outcome
    raised = outcome.ending == "raised"
    return bool(outcome.fired) and (raised or interaction.status == "error")


def suspect(runs: Sequence[Interaction]) -> Interaction | None:
    """Return the run after which a tool is least likely to be itself.

    That is the one before the tool did not even get as far as the next fault, or
    before it began to answer in the same way to all. Where nothing tells, it is
    the last that failed.

    Args:
        runs: The runs with one fault each, in their order.

    Returns:
        A run that failed, or `None` where none has.
    """
    failed = [number for number, run in enumerate(runs) if has_failed(run)]
    if not failed:
        return None
    last = _last_as_itself(runs)
    before = [number for number in failed if number <= last]
    return runs[before[-1] if before else failed[0]]


def _last_as_itself(runs: Sequence[Interaction]) -> int:
    """Return the number of the last run that depended on its own fault."""
    numbers = range(1, len(runs))
    end = next((each for each in numbers if not runs[each].outcome.fired), None)
    stuck = _answer(runs[-1 if end is None else end])
    last = len(runs) - 1 if end is None else end - 1
    alike = 0
    while alike < last and _answer(runs[last - alike]) == stuck:
        alike += 1
    # An answer that is kept keeps the next call from reaching the fault.
    return last if end is not None and alike == 1 else last - alike


def _answer(run: Interaction) -> tuple[object, ...]:
    """Return how a call ended, but for words in which the fault may be quoted."""
    code = run.envelope.code if run.envelope else None
    exception = run.outcome.exception
    return run.outcome.ending, run.status, code, type(exception)
