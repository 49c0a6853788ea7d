"""An idle run pays next to nothing for the plugin.

Modules are counted, not milliseconds: counts do not depend on the machine. They are
counted at the end of the run, because a plugin that is frugal at the start can still
load everything for its closing words.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MOST_MODULES = 12
HEAVY = {"asyncio", "faker", "hypothesis", "jinja2", "mcp", "pydantic"}

WITNESS = """
import json
import sys
from pathlib import Path

import pytest

@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    Path("modules.json").write_text(json.dumps(sorted(sys.modules)))
"""


def modules_at_the_end(folder: Path, *options: str) -> set[str]:
    """Run one trivial test in a process of its own; tell what it had loaded."""
    folder.mkdir()
    (folder / "witness.py").write_text(WITNESS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_trivial.py").write_text("def test_nothing():\n    pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "witness", *options]
    # Without the plugins of hypothesis, faker and others, which would load them.
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "COVERAGE_PROCESS_START"):
        environment.pop(name, None)
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return set(json.loads((folder / "modules.json").read_text()))


@pytest.fixture
def added(tmp_path: Path) -> set[str]:
    """What is loaded with the plugin and not without it."""
    idle = modules_at_the_end(tmp_path / "with", "-p", "pytest_toolresult.plugin")
    return idle - modules_at_the_end(tmp_path / "without")


def test_an_idle_run_loads_few_modules(added: set[str]) -> None:
    assert "pytest_toolresult.plugin" in added
    assert len(added) <= MOST_MODULES, sorted(added)


def test_an_idle_run_loads_nothing_heavy(added: set[str]) -> None:
    assert {name.partition(".")[0] for name in added} & HEAVY == set()
