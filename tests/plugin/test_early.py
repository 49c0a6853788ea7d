from __future__ import annotations

from typing import TYPE_CHECKING

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


def test_a_connection_made_by_a_module_of_tools_can_be_watched(
    write: Callable[..., None], run: Callable[..., Ran]
) -> None:
    write("ledger.py", LEDGER)
    write("kinds.py", KINDS)
    write(
        "test_tools.py",
        """
        import pytest

        from kinds import kinds
        from ledger import count


        @pytest.mark.toolresult(tool=count, success={"name": "ann"}, fuzz=False)
        def test_count(tool_case):
            assert tool_case.run().data == 3
            assert "WatchedConnection" in kinds()
        """,
    )
    assert run("test_tools.py").exit == 0


def test_a_target_is_imported_when_all_is_ready(
    write: Callable[..., None], run: Callable[..., Ran]
) -> None:
    write("ledger.py", LEDGER)
    write("kinds.py", KINDS)
    write(
        "test_ordinary.py",
        """
        from kinds import kinds

        def test_kinds():
            assert "WatchedConnection" in kinds()
        """,
    )
    ran = run("--toolresult", "ledger:TOOLS", "test_ordinary.py")
    assert ran.exit == 0, ran.stdout
