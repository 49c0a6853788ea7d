from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.outcomes import Blocked

Stop = Callable[[Callable[[], Any]], Blocked]


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A folder that nothing may change, checked after the test."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "notes.txt").write_text("keep me")
    (folder / "full").mkdir()
    (folder / "full" / "inner.txt").write_text("me too")
    before = _everything(folder)
    yield folder
    assert _everything(folder) == before


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    before = _children()
    yield
    assert _children() == before


@pytest.fixture
def stop() -> Stop:
    """Make a call that must be stopped; return what was stopped."""

    def run(call: Callable[[], Any]) -> Blocked:
        with guarded(frozenset()) as report, pytest.raises(Stopped) as caught:
            call()
        assert report.blocked == caught.value.blocked
        return caught.value.blocked

    return run


def _everything(folder: Path) -> dict[str, tuple[Any, ...]]:
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        state = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (
            content,
            state.st_mode,
            state.st_uid,
            state.st_mtime_ns,
            state.st_nlink,
        )
    return found


def _children() -> set[str]:
    """The processes that threads of this one have started."""
    found: set[str] = set()
    for task in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended
            found.update(task.read_text().split())
    return found


@pytest.fixture
def quiet_threads(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What ended threads, instead of pytest's warning about it."""
    ended: list[BaseException] = []

    def remember(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            ended.append(args.exc_value)

    monkeypatch.setattr(threading, "excepthook", remember)
    return ended
