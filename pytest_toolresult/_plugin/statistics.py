"""What Hypothesis tells of its draws, for `--hypothesis-show-statistics`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


@contextmanager
def noted_statistics(item: pytest.Item) -> Iterator[None]:
    """Give an item the statistics of what is drawn meanwhile, where they are asked for.

    Hypothesis' plugin notes them for tests that carry `@given`; it prints them for
    every item that has them.
    """
    if not item.config.getoption("--hypothesis-show-statistics", default=False):
        yield
        return
    from hypothesis.statistics import collector, describe_statistics

    def note(statistics: Any) -> None:
        statistics["nodeid"] = item.nodeid
        item.hypothesis_statistics = describe_statistics(statistics)  # type: ignore[attr-defined]

    with collector.with_value(note):  # type: ignore[arg-type]
        yield
