"""The line under each finding, typed as it stands, shows this finding and no other."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

TOOLS = Path(__file__).parents[1] / "quality" / "buggy_tools.py"


def test_each_line_shows_its_own_finding_again(write: Write, run: Run) -> None:
    write("buggy_tools.py", TOOLS.read_text("utf-8"))
    explored = run("--toolresult", "buggy_tools:TOOLS", "--toolresult-examples=300")
    failing = [each for each in explored.findings if each["severity"] == "error"]
    assert len(failing) == 25
    assert len({each["replay"] for each in failing}) == 25
    for finding in failing:
        assert finding["replay"] in explored.stdout
        command, *line = shlex.split(finding["replay"])
        assert command == "pytest"
        again = run(*line)
        assert again.exit == pytest.ExitCode.TESTS_FAILED
        (shown,) = (e for e in again.findings if e["severity"] == "error")
        assert shown["message"] == finding["message"]
        assert shown["arguments"] == finding["arguments"]
