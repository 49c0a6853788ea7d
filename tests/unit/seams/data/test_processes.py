from __future__ import annotations

import asyncio
import errno
import json
import signal
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.processes import ASYNC_PROCESSES, PROCESSES
from pytest_toolresult.seams.shapes import MANY
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Bench, Benches

PRINTING = [sys.executable, "-S", "-c", "print('first'); print('second')"]
SAID = "first\nsecond\n"


@pytest.fixture
def at(bench: Benches) -> Bench:
    return bench(PROCESSES, ASYNC_PROCESSES)


def _run() -> str:
    done = subprocess.run(
        PRINTING, capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout


def _by_hand() -> str:
    with subprocess.Popen(
        PRINTING, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said, complaint = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(
            process.returncode, PRINTING, said, complaint
        )
    return said


async def _later() -> str:
    process = await asyncio.create_subprocess_exec(
        *PRINTING, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    said, complaint = await process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(
            process.returncode, PRINTING, said, complaint
        )
    return said.decode()


TOOLS: dict[str, Callable[[], str]] = {
    "run": _run,
    "check_output": lambda: subprocess.check_output(
        PRINTING, text=True, stderr=subprocess.PIPE
    ),
    "Popen": _by_hand,
    "asyncio": lambda: asyncio.run(_later()),
}


@pytest.mark.parametrize("way", list(TOOLS))
def test_every_way_to_output_is_seen(way: str, at: Bench) -> None:
    tool = TOOLS[way]
    assert at.run(tool) == SAID
    (crossing,) = at.crossings
    assert " -S -c " in crossing.call.detail
    assert not crossing.call.detail.startswith("/")
    assert crossing.call.mutates
    assert not crossing.blocks
    assert at.broken(tool, "emptied") == ""
    many = at.broken(tool, "inflated")
    assert len(many.splitlines()) == MANY
    assert isinstance(at.raised(tool, "undecodable"), UnicodeDecodeError)
    missing = at.raised(tool, "missing_program")
    assert isinstance(missing, FileNotFoundError)
    assert missing.filename == sys.executable
    assert isinstance(at.raised(tool, "no_permission"), PermissionError)
    failed = at.raised(tool, "exit_status")
    assert isinstance(failed, subprocess.CalledProcessError)
    assert failed.returncode == 1
    told = failed.stderr if isinstance(failed.stderr, str) else failed.stderr.decode()
    assert any(each.value in told for each in REGISTRY.planted())
    killed = at.raised(tool, "killed")
    assert isinstance(killed, subprocess.CalledProcessError)
    assert killed.returncode == -signal.SIGKILL
    assert at.crossings[0].failure == "killed"
    assert tool() == SAID


@pytest.mark.parametrize("way", ["run", "Popen"])
def test_waiting_in_vain_takes_no_time(way: str, at: Bench) -> None:
    started = time.monotonic()
    raised = at.raised(TOOLS[way], "timeout")
    assert isinstance(raised, subprocess.TimeoutExpired)
    assert raised.timeout == 30
    assert carries_a_canary(raised)
    assert raised.cmd == PRINTING
    assert time.monotonic() - started < 15
    assert at.crossings[0].failure == "timeout"


def test_nobody_waits_in_vain_who_waits_for_ever(at: Bench) -> None:
    at.run(TOOLS["check_output"])
    assert "timeout" not in at.offered()["start"]


def test_errors_are_like_the_real_ones(tmp_path: Path, at: Bench) -> None:
    plain = tmp_path / "plain"
    plain.write_text("no program")
    for program, name in (
        (tmp_path / "none", "missing_program"),
        (plain, "no_permission"),
    ):
        with pytest.raises(OSError) as real:  # noqa: PT011 - any kind is looked at
            subprocess.run([program], check=True)
        made = at.raised(_run, name)
        assert isinstance(made, OSError)
        assert carries_a_canary(made)
        assert (type(made), made.errno, made.strerror) == (
            type(real.value),
            real.value.errno,
            real.value.strerror,
        )
        assert made.errno in {errno.ENOENT, errno.EACCES}


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("missing_program", 127, "not found"),
        ("no_permission", 126, "Permission denied"),
    ],
)
def test_a_shell_tells_by_its_exit_code(
    name: str, code: int, words: str, at: Bench
) -> None:
    def tool() -> Any:
        done = subprocess.run(  # noqa: S602 - tried here
            "echo hello",  # noqa: S607
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr, done.args

    returned, complaint, args = at.broken(tool, name)
    assert returned == code
    assert words in complaint
    assert args == "echo hello"


def test_data_keeps_its_form(at: Bench) -> None:
    command = [sys.executable, "-S", "-c", """print('[{"id": 1}]')"""]

    def tool() -> Any:
        return json.loads(subprocess.check_output(command))

    assert at.broken(tool, "emptied") == []
    assert len(at.broken(tool, "inflated")) == MANY


def test_how_a_process_ended_by_itself_is_noted(at: Bench) -> None:
    for code, failure in {
        "raise SystemExit(3)": "exit 3",
        "import os; os.kill(os.getpid(), 15)": "signal 15",
        "pass": "",
    }.items():
        command = [sys.executable, "-c", code]
        at.run(partial(subprocess.run, command, check=False))
        assert at.crossings[0].failure == failure

    async def later() -> None:
        process = await asyncio.create_subprocess_shell("exit 4")
        await process.wait()

    at.run(lambda: asyncio.run(later()))
    assert at.crossings[0].failure == "exit 4"


def test_blocking_a_loop_is_told(at: Bench) -> None:
    async def tool() -> str:
        return _run()

    at.run(lambda: asyncio.run(tool()))
    assert at.crossings[0].blocks


def test_exploring_still_stops_processes(at: Bench) -> None:
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        at.run(_run)
    assert report.blocked is not None
    assert report.blocked.action.startswith("starts a process: ")


def test_what_is_allowed_can_be_broken(at: Bench) -> None:
    with guarded(frozenset({"subprocess"})):
        assert isinstance(at.raised(_run, "exit_status"), subprocess.CalledProcessError)
        assert at.broken(_run, "emptied") == ""


def test_nothing_of_it_is_left() -> None:
    before = subprocess.Popen.__init__.__code__
    patches = Patches()
    PROCESSES.install(patches)
    assert subprocess.Popen.__init__.__code__ is not before
    patches.restore()
    assert subprocess.Popen.__init__.__code__ is before
