from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import pty
import signal
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from pytest_toolresult.guard import guarded
from pytest_toolresult.outcomes import Blocked

Stop = Callable[[Callable[[], Any]], Blocked]

TRUE = "/bin/true"


async def start_async() -> None:
    await asyncio.create_subprocess_exec(TRUE)


def start_pool() -> None:
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os.getpid).result()


def start_with(method: str) -> None:
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.apply(os.getpid)


STARTS: dict[str, Callable[[], Any]] = {
    "run": lambda: subprocess.run([TRUE], check=False),
    "shell": lambda: subprocess.run("true; true", shell=True, check=False),
    "popen": lambda: os.popen("true"),
    "system": lambda: os.system("true"),
    "exec": lambda: os.execv(TRUE, [TRUE]),
    "posix_spawn": lambda: os.posix_spawn(TRUE, [TRUE], {}),
    "spawn": lambda: os.spawnv(os.P_WAIT, TRUE, [TRUE]),
    "fork": os.fork,
    "forkpty": pty.fork,
    "pty": lambda: pty.spawn([TRUE]),
    "asyncio": lambda: asyncio.run(start_async()),
    "pool": start_pool,
    "multiprocessing fork": lambda: start_with("fork"),
    "multiprocessing spawn": lambda: start_with("spawn"),
    "multiprocessing forkserver": lambda: start_with("forkserver"),
    "browser": lambda: webbrowser.GenericBrowser("true").open("https://example.com"),
}


@pytest.mark.parametrize("name", STARTS)
def test_no_process_starts(name: str, stop: Stop) -> None:
    assert stop(STARTS[name]).power == "subprocess"


def test_the_action_shows_the_command(stop: Stop) -> None:
    blocked = stop(lambda: subprocess.run(["sh", "-c", "rm a b"], check=False))
    assert blocked.action == "starts a process: sh -c 'rm a b'"


def test_a_process_may_be_allowed() -> None:
    with guarded(frozenset({"subprocess"})) as report:
        assert subprocess.run([TRUE], check=True).returncode == 0
    assert report.blocked is None


SIGNALS: dict[str, Callable[[], Any]] = {
    "kill": lambda: os.kill(os.getpid(), signal.SIGUSR1),
    "killpg": lambda: os.killpg(os.getpgid(0), signal.SIGUSR1),
    "thread": lambda: signal.pthread_kill(threading.get_ident(), signal.SIGUSR1),
    "raise": lambda: signal.raise_signal(signal.SIGUSR1),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_no_signal_is_sent(name: str, stop: Stop) -> None:
    received: list[int] = []
    before = signal.signal(
        signal.SIGUSR1, lambda number, _frame: received.append(number)
    )
    try:
        blocked = stop(SIGNALS[name])
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert blocked.power == "subprocess"
    assert blocked.action.startswith(f"sends signal {int(signal.SIGUSR1)} to ")
    assert received == []


def test_asking_whether_a_process_exists_passes() -> None:
    with guarded(frozenset()) as report:
        os.kill(os.getpid(), 0)
    assert report.blocked is None


def test_c_code_is_not_loaded_at_run_time(stop: Stop) -> None:
    blocked = stop(lambda: ctypes.CDLL(None))
    assert blocked.action == "loads C code: of this process"


def test_c_functions_are_not_looked_up(stop: Stop) -> None:
    library = ctypes.CDLL(None)
    assert stop(lambda: library.unlink).action == "calls C code: unlink"


def test_the_interpreters_own_functions_pass() -> None:
    with guarded(frozenset()) as report:
        assert ctypes.pythonapi.Py_IsInitialized() == 1
    assert report.blocked is None


def test_imports_may_load_their_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "ctypes"]:
        monkeypatch.delitem(sys.modules, name)
    with guarded(frozenset()) as report:
        __import__("ctypes.util")
    assert report.blocked is None
