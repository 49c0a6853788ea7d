from __future__ import annotations

import subprocess
import sys

from pytest_toolresult.adapters.registry import adapter_for, adapters

PROBE = """
import sys
from pytest_toolresult.adapters.registry import adapter_for
assert adapter_for(len).name == "callable"
assert adapter_for(3) is None
roots = {name.partition(".")[0] for name in sys.modules}
print(sorted(roots & {"mcp", "anyio", "pydantic", "asyncio", "hypothesis"}))
"""


def test_callables_are_asked_last() -> None:
    names = [each.name for each in adapters()]
    assert names[-1] == "callable"
    assert len(names) == len(set(names))


def test_what_nobody_recognises_has_no_adapter() -> None:
    assert adapter_for("text") is None


def test_asking_imports_no_framework() -> None:
    probe = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True
    )
    assert probe.stdout.strip() == "[]"
