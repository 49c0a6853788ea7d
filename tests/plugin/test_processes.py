"""What takes processes of its own: xdist's workers, interrupts, and other bounds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Write = Callable[..., None]

ALL = {
    "shop:TOOLS::add::fuzz": "passed",
    "shop:TOOLS::find_orders::fuzz": "passed",
    "shop:TOOLS::first_word::fuzz": "failed",
}
MARKED = """
    import pytest
    from shop import find_orders

    @pytest.mark.toolresult(tool=find_orders, empty={"customer_id": "x"}, fuzz=False)
    class TestIt:
        def test_one(self, tool_case):
            tool_case.run()

        def test_two(self): ...
    """
CASES = {
    "test_it.py::TestIt::test_one[empty]": "passed",
    "test_it.py::TestIt::test_two[empty]": "passed",
}


@pytest.mark.parametrize(
    "options",
    [("-n", "2"), ("-p", "xdist", "-n", "0")],
    ids=" ".join,
)
def test_workers_find_what_one_process_finds(
    write: Write, run: Run, options: tuple[str, ...]
) -> None:
    write("test_it.py", MARKED)
    alone = run("--toolresult", "shop:TOOLS", "test_it.py")
    ran = run("--toolresult", "shop:TOOLS", "test_it.py", *options)
    assert ran.outcomes == alone.outcomes == ALL | CASES
    assert ran.exit == 1
    for seen in (ran, alone):
        for each in (*seen.report["tools"], *seen.report["evidence"].values()):
            each.pop("duration_s")
    assert ran.report == alone.report
    assert "traceback entries are hidden" not in ran.stdout


def test_workers_that_all_run_everything_count_it_once(run: Run) -> None:
    alone = run("--toolresult", "shop:add")
    ran = run("--toolresult", "shop:add", "--dist", "each", "--tx", "2*popen")
    assert ran.exit == 0
    assert ran.tool("add")["calls"] == alone.tool("add")["calls"]


def test_node_ids_reach_the_workers(run: Run) -> None:
    ran = run("-n", "2", "--dist", "loadscope", *list(ALL)[1:])
    assert ran.outcomes == dict(list(ALL.items())[1:])


STUCK = """
    import time
    from pathlib import Path

    def stay(text: str) -> str:
        Path({aside!r}).touch()
        while True:
            time.sleep(0.01)

    async def wait(text: str) -> str:
        import asyncio
        Path({aside!r}).touch()
        while True:
            await asyncio.sleep(0.01)
    """
ASYNC_TEST = """
    import pytest
    from stuck import wait

    @pytest.mark.asyncio
    @pytest.mark.toolresult(tool=wait, repeatable=True, faults=False)
    async def test_it(tool_case): ...

    def test_never(): ...
    """


@pytest.mark.parametrize(
    "arguments",
    [
        ["--toolresult", "stuck:stay"],
        ["--toolresult", "stuck:wait"],
        ["test_async.py"],
    ],
    ids=["sync", "async", "the-tests-loop"],
)
def test_a_real_interrupt_ends_the_run(
    write: Write, project: Path, arguments: list[str]
) -> None:
    aside = project / "called"
    write("stuck.py", STUCK.format(aside=str(aside)))
    write("test_async.py", ASYNC_TEST)
    command = [sys.executable, "-m", "pytest", "-p", "no:randomly", *arguments]
    command += ["--toolresult-timeout=60", "-o", "toolresult_allow=files"]
    with subprocess.Popen(
        command,
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        until = time.monotonic() + 20
        while (
            not aside.exists() and process.poll() is None and time.monotonic() < until
        ):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        try:
            told, _ = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert process.returncode == pytest.ExitCode.INTERRUPTED, told
    assert "KeyboardInterrupt" in told
    assert "TR802" not in told
    assert "TR803" not in told


@pytest.mark.parametrize("method", ["signal", "thread"])
def test_an_outer_timeout_ends_the_item(write: Write, spawn: Run, method: str) -> None:
    write("stuck.py", STUCK.format(aside=os.devnull))
    ran = spawn(
        "--toolresult",
        "stuck:stay",
        "--toolresult-timeout=60",
        "--timeout=0.4",
        f"--timeout-method={method}",
        "-o",
        "toolresult_allow=files",
    )
    assert ran.exit == 1
    assert "Timeout" in ran.stdout + ran.stderr
    assert "TR803" not in ran.stdout


def test_an_outer_timeout_ends_an_exploration_on_the_loop_of_the_test(
    write: Write, spawn: Run
) -> None:
    write("stuck.py", STUCK.format(aside=os.devnull))
    write("test_async.py", ASYNC_TEST)
    options = ("--toolresult-timeout=60", "--timeout=0.4", "--timeout-method=signal")
    ran = spawn("test_async.py", *options)
    assert "1 passed" in ran.stdout  # `test_never`, which comes after it
    assert "Timeout" in ran.stdout + ran.stderr
    assert "TR803" not in ran.stdout


def test_an_outer_timeout_that_is_not_met_is_kept(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import signal
        import pytest
        from shop import add

        @pytest.mark.timeout(20, method="signal")
        @pytest.mark.toolresult(tool=add, success={"a": 1, "b": 2}, fuzz=False)
        def test_it(tool_case):
            tool_case.run()
            assert 1 < signal.getitimer(signal.ITIMER_REAL)[0] <= 20
        """,
    )
    assert run("test_it.py").short == {"test_it[success]": "passed"}


PASSING = """
    import pytest
    from pytest_toolresult import Contract

    def skips(n: int) -> int:
        pytest.skip("not on this machine")

    def fails(n: int) -> int:
        pytest.fail("a helper of the test's own said no")

    def known(n: int) -> int:
        pytest.xfail("a known fault")

    def leaves(n: int) -> int:
        pytest.exit("enough", returncode=7)

    async def askips(n: int) -> int:
        pytest.skip("not on this machine")

    TOOLS = [fails, known, skips]
    """


def test_what_pytest_raises_on_purpose_passes_through(write: Write, run: Run) -> None:
    write("passing.py", PASSING)
    write(
        "test_it.py",
        """
        import pytest
        from passing import askips, fails, known, skips

        @pytest.mark.toolresult(tool=[fails, known, skips, askips])
        def test_it(): ...

        @pytest.mark.asyncio
        @pytest.mark.toolresult(tool=askips, success={"n": 1})
        async def test_async(tool_case):
            await tool_case.arun()

        def test_by_hand(call_tool):
            call_tool(skips, n=1)
        """,
    )
    ran = run("--toolresult", "passing:TOOLS", "test_it.py")
    assert ran.outcomes == {
        "passing:TOOLS::fails::fuzz": "failed",
        "passing:TOOLS::fails::faults": "failed",
        "passing:TOOLS::fails::relations": "failed",
        "passing:TOOLS::known::relations": "xfailed",
        "passing:TOOLS::known::faults": "xfailed",
        "passing:TOOLS::known::fuzz": "xfailed",
        "passing:TOOLS::skips::fuzz": "skipped",
        "test_it.py::test_it[fails-fuzz]": "failed",
        "test_it.py::test_it[fails-faults]": "failed",
        "test_it.py::test_it[fails-relations]": "failed",
        "test_it.py::test_it[known-relations]": "xfailed",
        "test_it.py::test_it[known-faults]": "xfailed",
        "test_it.py::test_it[known-fuzz]": "xfailed",
        "test_it.py::test_it[skips-fuzz]": "skipped",
        "test_it.py::test_it[askips-fuzz]": "skipped",
        "test_it.py::test_async[success]": "skipped",
        "test_it.py::test_async[fuzz]": "skipped",
        "test_it.py::test_by_hand": "skipped",
    }
    assert ran.findings == []
    assert "a helper of the test's own said no" in ran.stdout


def test_pytest_exit_ends_the_run(write: Write, run: Run) -> None:
    write("passing.py", PASSING)
    ran = run("--toolresult", "passing:leaves", "--toolresult", "shop:add")
    assert ran.exit == 7
    assert "enough" in ran.stdout
    assert ran.outcomes == {}


def test_an_exit_of_the_tool_itself_is_a_finding(write: Write, run: Run) -> None:
    write("exits.py", "import sys\n\ndef stop(n: int) -> None:\n    sys.exit(n)\n")
    ran = run("--toolresult", "exits:stop", "--toolresult", "shop:add")
    assert ran.exit == 1
    assert ran.rules == {"TR802"}
    assert ran.outcomes["shop:add::add::fuzz"] == "passed"
