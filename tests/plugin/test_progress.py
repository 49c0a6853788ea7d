"""What `-v` shows of explorations, while they run and at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., Any]

SLOW = """
import time

def wait(name: str) -> str:
    time.sleep(0.01)
    return name
"""


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_toolresult.engine.probing._PROGRESS_S", 0.05)


@pytest.mark.usefixtures("often")
def test_long_explorations_show_how_far_they_are(write: Write, run: Run) -> None:
    write("slow.py", SLOW)
    ran = run("--toolresult", "slow:wait", "-v")
    shown = ran.stdout
    lines = [line for line in shown.splitlines() if "so far" in line]
    assert 1 < len(lines) < ran.tool("wait")["calls"]
    assert lines[-1].startswith("  wait: ")
    assert "success" in lines[-1]
    assert "slow:wait::wait::fuzz PASSED" in shown
    assert "Arguments found for each path:" in shown
    assert "  wait: success with {" in shown


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("options", [(), ("-q",), ("-v", "-n", "1")])
def test_progress_stays_away_where_it_is_not_wanted(
    write: Write, run: Run, options: tuple[str, ...]
) -> None:
    write("slow.py", SLOW)
    shown = run("--toolresult", "slow:wait", *options).stdout
    assert "so far" not in shown
    assert "2 passed" in shown


@pytest.mark.usefixtures("often")
def test_progress_is_shown_beside_what_is_not_captured(write: Write, run: Run) -> None:
    write("slow.py", SLOW)
    shown = run("--toolresult", "slow:wait", "-v", "-s").stdout
    assert "  wait: " in shown
    assert "2 passed" in shown
