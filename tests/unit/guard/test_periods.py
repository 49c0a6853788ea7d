from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_toolresult.guard import Stopped, guarded


def test_the_first_thing_stopped_is_reported(outside: Path) -> None:
    with guarded(frozenset()) as report:
        for name in ("notes.txt", "full/inner.txt"):
            with pytest.raises(Stopped):
                (outside / name).unlink()
    assert report.blocked is not None
    assert report.blocked.action.endswith("notes.txt")


def test_swallowing_our_exception_does_not_hide_it(outside: Path) -> None:
    with guarded(frozenset()) as report, suppress(BaseException):
        (outside / "notes.txt").unlink()
    assert report.blocked is not None


def test_an_ordinary_handler_does_not_catch_it() -> None:
    assert not issubclass(Stopped, Exception)


def test_what_belongs_to_the_process_is_put_back(tmp_path: Path) -> None:
    folder, path = Path.cwd(), os.environ.get("PATH")
    with guarded(frozenset()) as report:
        os.chdir(tmp_path)
        os.environ["GUARD_TEST"] = "1"
        del os.environ["PATH"]
    assert report.blocked is None
    assert Path.cwd() == folder
    assert "GUARD_TEST" not in os.environ
    assert os.environ.get("PATH") == path
    assert not sys.dont_write_bytecode or os.environ.get("PYTHONDONTWRITEBYTECODE")


def test_another_environment_in_place_of_the_first_is_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = os.environ
    with guarded(frozenset()):
        os.environ["GUARD_TEST"] = "1"
        monkeypatch.setattr(os, "environ", {"PATH": "/nowhere"})
    assert os.environ is own
    assert "GUARD_TEST" not in os.environ
    assert os.getenv("GUARD_TEST") is None


def test_a_mapping_of_text_as_environment_is_put_back_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "environ", {"PATH": "/nowhere"})
    with guarded(frozenset()):
        os.environ["GUARD_TEST"] = "1"
    assert os.environ == {"PATH": "/nowhere"}


def test_everything_is_put_back_after_an_exception(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), guarded(frozenset()):
        _ = 1 / 0
    (tmp_path / "a").write_text("x")
    assert (tmp_path / "a").read_text() == "x"


def test_what_cannot_be_judged_is_stopped() -> None:
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        sys.audit("os.kill", "only one argument")
    assert report.blocked is not None
    assert "cannot judge" in report.blocked.action


def test_the_guard_costs_an_idle_open_next_to_nothing() -> None:
    code = (
        "import timeit, sys\n"
        "from pytest_toolresult.guard import guarded\n"
        "def cost(): return min(timeit.repeat("
        "lambda: sys.audit('open', 'a', 'r', 0), number=2000, repeat=5)) / 2000\n"
        "none = cost()\n"
        "with guarded(frozenset()): armed = cost()\n"
        "print(cost() - none, armed - none)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    idle, armed = map(float, found.stdout.split())
    assert idle < 2e-6
    assert armed < 20e-6
