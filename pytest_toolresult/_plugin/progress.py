"""Says under `-v` how far a long exploration has come."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.reporters.layout import plural, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from pytest_toolresult.engine.probing import Progress


def progress_to(config: pytest.Config) -> Callable[[Progress], None] | None:
    """Return what writes progress to the terminal, or `None` where none is wanted.

    A worker of pytest-xdist has no terminal. Whole lines are written and nothing is
    overwritten, so that logs of a CI server and simple terminals show them as well.
    """
    reporter: pytest.TerminalReporter | None = config.pluginmanager.getplugin(
        "terminalreporter"
    )
    if reporter is None or config.get_verbosity() < 1:
        return None
    capture = config.pluginmanager.getplugin("capturemanager")

    def write(progress: Progress) -> None:
        shown = capture.global_and_fixture_disabled() if capture else nullcontext()
        with shown:
            reporter.write_line(progress_line(progress))

    return write


def progress_line(progress: Progress) -> str:
    """Say how far an exploration has come, in a line."""
    seen = [
        f"{status} {progress.statuses[status]}"
        for status in STATUSES
        if progress.statuses.get(status)
    ]
    told = f"; seen: {', '.join(seen)}" if seen else ""
    calls = plural(progress.calls, "call")
    name = printable(progress.tool).replace("\n", "\\n")
    return f"  {name}: {calls} so far{told}"
