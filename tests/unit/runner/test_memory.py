"""Memory is bounded while tools are explored, and given back as it was."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.runner import memory
from pytest_toolresult.runner.memory import MIB, bounded_memory

if TYPE_CHECKING:
    from pathlib import Path

LARGE = 600 * MIB


def test_what_is_too_much_fails() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with bounded_memory(200):
        assert len(bytearray(100 * MIB)) == 100 * MIB
        with pytest.raises(MemoryError):
            bytearray(LARGE)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert len(bytearray(LARGE)) == LARGE


def test_the_limit_is_put_back_whatever_happens() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(LookupError), bounded_memory(200):
        raise LookupError
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_an_inner_bound_does_not_loosen_an_outer_one() -> None:
    with bounded_memory(200), bounded_memory(4000), pytest.raises(MemoryError):
        bytearray(LARGE)


def test_without_a_bound_nothing_is_touched() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with bounded_memory(None):
        assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_programs_that_are_started_have_room_of_their_own() -> None:
    command = [sys.executable, "-c", "print(len(bytearray(100 << 20)))"]
    with bounded_memory(400):
        told = subprocess.run(command, capture_output=True, check=True, text=True)
    assert told.stdout.strip() == str(100 * MIB)


def test_a_container_has_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.max").write_text(f"{500 * MIB}\n")
    (tmp_path / "memory.current").write_text(f"{100 * MIB}\n")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    monkeypatch.delenv("PYTEST_XDIST_WORKER_COUNT", raising=False)
    with bounded_memory(4000), pytest.raises(MemoryError):
        bytearray(LARGE)


def test_workers_share_what_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text(f"{1000 * MIB}\n")
    (tmp_path / "memory.current").write_text("0\n")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", "9")
    with bounded_memory(4000), pytest.raises(MemoryError):
        bytearray(200 * MIB)


def test_where_the_system_tells_nothing_nothing_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_SYSTEM", tmp_path)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with bounded_memory(200):
        assert resource.getrlimit(resource.RLIMIT_DATA) == before
