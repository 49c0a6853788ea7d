"""A mapping that was set and reads no result is told, with the fields there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

TOOL = """
    def plain(name: str) -> str:
        return f"hello {name}"[:40]

    def own(name: str) -> dict:
        return {"outcome": "fine", "answer": len(name), "fault": None}
    """
TEST = """
    import pytest
    from tools import own

    @pytest.mark.toolresult(
        tool=own, success={"name": "x"}, fuzz=False, faults=False, relations=False,
        dialect="map: status=ok data=result",
    )
    def test_own(tool_case):
        tool_case.run()
    """
SET = "--toolresult-dialect=map: status=ok data=result error=err"


@pytest.mark.parametrize(
    ("tool", "there"),
    [("own", "there are outcome, answer, fault"), ("plain", "no named fields at all")],
)
def test_a_mapping_that_reads_nothing_fails_the_item(
    write: Write, run: Run, tool: str, there: str
) -> None:
    write("tools.py", TOOL)
    ran = run("--toolresult", f"tools:{tool}", SET)
    assert ran.exit == pytest.ExitCode.TESTS_FAILED
    told = " ".join(ran.stdout.split())
    assert "no field is called ok, result, err" in told
    assert there in told
    assert "Traceback" not in told


def test_a_declared_case_is_told_the_same(write: Write, run: Run) -> None:
    write("tools.py", TOOL)
    write("test_own.py", TEST)
    ran = run("test_own.py")
    assert ran.short == {"test_own[success]": "failed"}
    assert "there are outcome, answer, fault" in " ".join(ran.stdout.split())


def test_a_mapping_that_reads_is_used(write: Write, run: Run) -> None:
    write("tools.py", TOOL)
    dialect = "--toolresult-dialect=map: status=outcome data=answer error=fault"
    assert run("--toolresult", "tools:own", dialect).rules <= {"TR102"}
