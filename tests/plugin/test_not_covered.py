"""Tools whose arguments nobody can make are told, and the others go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

TOOLS = """
    from collections.abc import Callable
    from typing import Annotated
    from pydantic import Field

    def good(name: str) -> str:
        return f"hello {name}"[:40]

    def narrow(number: Annotated[int, Field(ge=5, le=3)]) -> str:
        return "never"

    def partly(name: str, share: Annotated[float, Field(gt=1, lt=0)] = 0.5) -> str:
        return f"hello {name}"[:40]

    def calls_back(notify: Callable[[str], None]) -> str:
        return "never"

    TOOLS = [good, narrow, partly, calls_back, iter]
    """


def test_what_cannot_be_called_is_told_and_the_rest_goes_on(
    write: Write, spawn: Run
) -> None:
    write("several.py", TOOLS)
    ran = spawn("--toolresult", "several:TOOLS", "-rs")
    assert "4 passed, 11 skipped" in ran.stdout
    told = (each for each in ran.report["not_covered"] if each["what"] == "fuzz")
    why = {each["tool"]: each["why"] for each in told}
    assert "argument 'number': no value is valid" in why["narrow"]
    assert "argument 'share': no value is valid" in why["partly"]
    assert "a model cannot send" in why["calls_back"]
    assert "its signature cannot be read" in why["iter"]
    assert "good" not in why
    assert ran.tool("partly")["calls"] >= 20


OTHER_THREADS = """
    import sqlite3
    import threading

    KEPT, READY, DONE = [], threading.Event(), threading.Event()

    def keep():
        KEPT.append(sqlite3.connect(":memory:"))
        READY.set()
        DONE.wait()
        KEPT.pop().close()

    def pytest_sessionstart():
        threading.Thread(target=keep).start()
        READY.wait()

    def pytest_sessionfinish():
        DONE.set()
    """
TOOL = """
    def greet(name: str) -> str:
        return f"hello {name}"[:40]
    """


def test_what_the_guard_cannot_see_is_told(write: Write, run: Run) -> None:
    write("conftest.py", OTHER_THREADS)
    write("greeting.py", TOOL)
    ran = run("--toolresult", "greeting:greet")
    assert ran.short == {"fuzz": "passed"}
    told = "a SQLite connection belongs to another thread"
    (entry,) = (e for e in ran.report["not_covered"] if e["what"] == "guard")
    assert told in entry["why"]
    assert f"greet: guard: {told}" in " ".join(ran.stdout.split())
