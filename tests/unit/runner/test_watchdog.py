from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.runner.watchdog import Watchdog

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import ctypes, faulthandler, itertools, os, signal, sys, threading, time
from pathlib import Path
from pytest_toolresult.calls import Call
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.runner import Runner
from pytest_toolresult.tools import Tool

def holding_the_lock(a):
    return all(itertools.repeat(a))  # C code that never looks around

def dead_locked(a):
    mutex = ctypes.create_string_buffer(128)
    for _ in range(2):  # as an extension that keeps the interpreter's lock meanwhile
        ctypes.PyDLL(None).pthread_mutex_lock(mutex)

def ignoring_signals(a):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    while True:
        time.sleep(1)

def fine(a):
    return a

def call(runner, name):
    function = globals()[name]
    tool = Tool(
        name=name, identity=name, framework="callable", schema=None,
        invoke=lambda arguments: Reply(value=function(**arguments)),
    )
    return runner.run(tool, Call(arguments={"a": "s3cret"}, origin="fuzz"))

runner = Runner(timeout=0.2, grace=0.3, crash_file=Path("crash.txt"))
"""

HANGS = ["holding_the_lock", "dead_locked", "ignoring_signals"]


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = PROGRAM + textwrap.dedent(code)
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize("name", HANGS)
def test_a_call_that_cannot_be_ended_ends_the_process_and_is_named(
    name: str, tmp_path: Path
) -> None:
    done = run(f"call(runner, 'fine'); call(runner, {name!r})", tmp_path)
    assert done.returncode == -signal.SIGABRT
    said = f"{name}(a) did not come back: 0.2 s were its bound, and 0.3 s more"
    assert said in done.stderr
    kept = (tmp_path / "crash.txt").read_text()
    assert said in kept
    assert "s3cret" not in done.stderr + kept


def test_the_stack_is_shown_where_faulthandler_is_on(tmp_path: Path) -> None:
    code = "faulthandler.enable()\ncall(runner, 'holding_the_lock')"
    done = run(code, tmp_path)
    assert "Fatal Python error: Aborted" in done.stderr
    assert "in holding_the_lock" in done.stderr


def test_a_process_that_survives_the_first_signal_is_killed(tmp_path: Path) -> None:
    code = """
        signal.signal(signal.SIGABRT, signal.SIG_IGN)
        call(runner, "ignoring_signals")
    """
    assert run(code, tmp_path).returncode == -signal.SIGKILL


def test_calls_from_other_threads_are_watched_over(tmp_path: Path) -> None:
    code = """
        thread = threading.Thread(target=call, args=(runner, "holding_the_lock"))
        thread.start()
        thread.join()
    """
    done = run(code, tmp_path)
    assert done.returncode == -signal.SIGABRT
    assert "holding_the_lock(a)" in done.stderr


def test_calls_that_end_are_let_alone_and_nothing_is_left(tmp_path: Path) -> None:
    code = """
        for _ in range(3):
            assert call(runner, "fine").ending == "returned"
            time.sleep(0.5)
        assert call(runner, "fine").ending == "returned"
    """
    done = run(code, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "crash.txt").exists()


def test_a_fork_has_a_watchdog_of_its_own(tmp_path: Path) -> None:
    code = """
        call(runner, "fine")
        child = os.fork()
        if not child:
            call(runner, "holding_the_lock")
        assert os.waitpid(child, 0)[1] == signal.SIGABRT
        assert call(runner, "fine").ending == "returned"
        time.sleep(0.8)
        assert call(runner, "fine").ending == "returned"
    """
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_timer_of_faulthandler_is_left_to_others(tmp_path: Path) -> None:
    code = """
        faulthandler.dump_traceback_later(0.3, exit=False)
        call(runner, "fine")
        time.sleep(0.5)
        runner.close()
    """
    done = run(code, tmp_path)
    assert done.returncode == 0
    assert "Timeout (0:00:00.300000)!" in done.stderr


def test_where_no_process_can_be_started_calls_go_unwatched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/at/all")
    watchdog = Watchdog(crash_file=None)
    with watchdog.over("tool(a)", 1):
        pass
    watchdog.close()


CLOSED = """
import os
from pytest_toolresult.runner.watchdog import Watchdog

watchdog = Watchdog(crash_file=None)
with watchdog.over("tool(a)", 1):
    pass
watchdog.close()
with watchdog.over("tool(a)", 1):
    pass
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no child")
"""


def test_no_process_is_left_after_closing() -> None:
    # In a process of its own: this one may have servers of other tests as children.
    done = subprocess.run(
        [sys.executable, "-c", CLOSED], capture_output=True, text=True, check=True
    )
    assert done.stdout == "no child\n"
