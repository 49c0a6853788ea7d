from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.plugin.conftest import Ran

LEDGER = """
import sqlite3

CONNECTION = sqlite3.connect(":memory:")


def count(name: str) -> int:
    return CONNECTION.execute("SELECT length(?)", (name,)).fetchone()[0]


TOOLS = [count]
"""

KINDS = """
from ledger import CONNECTION


def kinds():
    return [each.__name__ for each in type(CONNECTION).__mro__]
"""

CLOSING = """
def pytest_unconfigure():
    from ledger import CONNECTION

    CONNECTION.close()
"""


@pytest.fixture(autouse=True)
def _project(write: Callable[..., None]) -> None:
    write("ledger.py", LEDGER)
    write("kinds.py", KINDS)
    # The module ends with the inner run, and not with the process as it usually does.
    write("conftest.py", CLOSING)


def test_a_connection_made_by_a_module_of_tools_can_be_watched(
    write: Callable[..., None], run: Callable[..., Ran]
) -> None:
    write(
        "test_tools.py",
        """
        import pytest

        from kinds import kinds
        from ledger import count


        @pytest.mark.toolresult(
            tool=count, success={"name": "ann"}, fuzz=False, faults=False
        )
        def test_count(tool_case):
            assert tool_case.run().data == 3
            assert "WatchedConnection" in kinds()
        """,
    )
    assert run("test_tools.py").exit == 0


def test_a_target_is_imported_when_all_is_ready(
    write: Callable[..., None], run: Callable[..., Ran]
) -> None:
    write(
        "test_ordinary.py",
        """
        from kinds import kinds

        def test_kinds():
            assert "WatchedConnection" in kinds()
        """,
    )
    # That it lets errors of its database through is right, and not what is tested.
    ran = run("--toolresult", "ledger:TOOLS", "test_ordinary.py", "-k", "not faults")
    assert ran.exit == 0, ran.stdout
