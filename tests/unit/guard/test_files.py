from __future__ import annotations

import io
import os
import shutil
import socket
import tempfile
from collections.abc import Callable
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

import pytest

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.outcomes import Blocked

Stop = Callable[[Callable[[], Any]], Blocked]
Act = Callable[[Path], Any]


def open_relative_to_folder(folder: Path) -> None:
    start = os.open(folder, os.O_RDONLY)
    try:
        os.open("new.txt", os.O_CREAT | os.O_WRONLY, dir_fd=start)
    finally:
        os.close(start)


def unlink_relative_to_folder(folder: Path) -> None:
    start = os.open(folder, os.O_RDONLY)
    try:
        os.unlink("notes.txt", dir_fd=start)
    finally:
        os.close(start)


def cut_by_descriptor(folder: Path) -> None:
    number = os.open(folder / "notes.txt", os.O_RDONLY)
    try:
        os.truncate(number, 0)
    finally:
        os.close(number)


def bind_local_socket(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "door"))


CHANGES: dict[str, tuple[Act, str]] = {
    "open w": (lambda d: open(d / "notes.txt", "w"), "writes a file"),
    "open a": (lambda d: open(d / "notes.txt", "a"), "writes a file"),
    "open r+": (lambda d: open(d / "notes.txt", "r+"), "writes a file"),
    "open x": (lambda d: open(d / "new.txt", "x"), "writes a file"),
    "open bytes": (lambda d: open(os.fsencode(d / "n"), "wb"), "writes a file"),
    "FileIO": (lambda d: io.FileIO(str(d / "notes.txt"), "w"), "writes a file"),
    "write_text": (lambda d: (d / "notes.txt").write_text("x"), "writes a file"),
    "touch": (lambda d: (d / "new.txt").touch(), "writes a file"),
    "dots": (lambda d: (d / "full" / ".." / "n").write_text(""), "writes a file"),
    "os.open": (lambda d: os.open(d / "n", os.O_CREAT | os.O_WRONLY), "writes a file"),
    "dir_fd open": (open_relative_to_folder, "writes a file"),
    "dir_fd unlink": (unlink_relative_to_folder, "deletes"),
    "truncate fd": (cut_by_descriptor, "cuts a file"),
    "truncate": (lambda d: os.truncate(d / "notes.txt", 1), "cuts a file"),
    "unlink": (lambda d: (d / "notes.txt").unlink(), "deletes"),
    "rmdir": (lambda d: (d / "full").rmdir(), "deletes the folder"),
    "rmtree": (shutil.rmtree, "deletes with all below"),
    "rename": (lambda d: (d / "notes.txt").rename(d / "b"), "moves"),
    "replace": (lambda d: (d / "notes.txt").replace(d / "b"), "moves"),
    "move": (lambda d: shutil.move(d / "notes.txt", d / "b"), "moves"),
    "copy": (lambda d: shutil.copy(d / "notes.txt", d / "b"), "writes a file"),
    "copytree": (lambda d: shutil.copytree(d / "full", d / "b"), "makes a folder"),
    "archive": (lambda d: shutil.make_archive(str(d / "b"), "tar", d), "writes a file"),
    "mkdir": (lambda d: (d / "a" / "b").mkdir(parents=True), "makes a folder"),
    "symlink": (lambda d: (d / "b").symlink_to(d / "notes.txt"), "links"),
    "link": (lambda d: (d / "b").hardlink_to(d / "notes.txt"), "links"),
    "chmod": (lambda d: (d / "notes.txt").chmod(0o600), "changes the permissions"),
    "chown": (lambda d: os.chown(d / "notes.txt", 0, 0), "changes the owner"),
    "utime": (lambda d: os.utime(d / "notes.txt", (1, 1)), "changes the times"),
    "setxattr": (lambda d: os.setxattr(d, "user.a", b"1"), "changes the attributes"),
    "mkfifo": (lambda d: os.mkfifo(d / "b"), "makes a pipe"),
    "mknod": (lambda d: os.mknod(d / "b"), "makes a device"),
    "socket": (bind_local_socket, "makes a socket"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_stopped_before_it_happens(
    name: str, outside: Path, stop: Stop
) -> None:
    act, words = CHANGES[name]
    blocked = stop(lambda: act(outside))
    assert blocked.power == "files"
    assert blocked.action.startswith(words)


def test_the_action_names_the_file(outside: Path, stop: Stop) -> None:
    place = outside / "notes.txt"
    assert stop(lambda: place.write_text("x")).action == f"writes a file: {place}"


def test_a_relative_path_starts_in_the_working_folder(
    outside: Path, stop: Stop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(outside)
    blocked = stop(lambda: open("notes.txt", "w"))
    assert blocked.action.endswith(str(outside / "notes.txt"))


def test_a_long_action_is_shortened(outside: Path, stop: Stop) -> None:
    action = stop(lambda: (outside / ("n" * 200)).write_text("")).action
    assert len(action) == 120
    assert action.endswith("...")


def test_shared_memory_is_stopped(stop: Stop) -> None:
    assert stop(lambda: SharedMemory(create=True, size=8)).power == "files"


def test_reading_passes(outside: Path) -> None:
    with guarded(frozenset()) as report:
        assert (outside / "notes.txt").read_text() == "keep me"
        assert len(list(outside.iterdir())) == 2
        number = os.open(outside / "notes.txt", os.O_RDONLY)
        os.close(number)
    assert report.blocked is None


IMPOSSIBLE: dict[str, tuple[Act, type[Exception]]] = {
    "delete missing": (lambda d: (d / "no").unlink(), FileNotFoundError),
    "delete tree missing": (lambda d: shutil.rmtree(d / "no"), FileNotFoundError),
    "move missing": (lambda d: (d / "no").rename(d / "b"), FileNotFoundError),
    "move to nowhere": (lambda d: (d / "notes.txt").rename(d / "no" / "b"), OSError),
    "write below missing": (lambda d: open(d / "no" / "b", "w"), FileNotFoundError),
    "write a folder": (lambda d: open(d, "w"), IsADirectoryError),
    "write anew": (lambda d: open(d / "notes.txt", "x"), FileExistsError),
    "update missing": (lambda d: open(d / "no", "r+"), FileNotFoundError),
    "empty path": (lambda _: open("", "w"), FileNotFoundError),
    "null byte": (lambda d: open(f"{d}/a\0b", "w"), ValueError),
    "lone surrogate": (lambda d: open(f"{d}/\ud800", "w"), UnicodeEncodeError),
    "make existing": (lambda d: (d / "full").mkdir(), FileExistsError),
    "link existing": (lambda d: (d / "full").symlink_to(d), FileExistsError),
    "link missing": (lambda d: (d / "b").hardlink_to(d / "no"), FileNotFoundError),
    "chmod missing": (lambda d: (d / "no").chmod(0), FileNotFoundError),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_succeed_gets_the_systems_own_error(
    name: str, outside: Path
) -> None:
    act, error = IMPOSSIBLE[name]
    with guarded(frozenset()) as report, pytest.raises(error):
        act(outside)
    assert report.blocked is None


def test_making_a_folder_that_exists_passes(outside: Path) -> None:
    with guarded(frozenset()) as report:
        (outside / "full").mkdir(parents=True, exist_ok=True)
    assert report.blocked is None


def test_temporary_files_go_to_scratch() -> None:
    before = tempfile.gettempdir()
    with guarded(frozenset()) as report:
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("x")
        with tempfile.TemporaryFile() as unnamed:
            unnamed.write(b"x")
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder, "a")
            inner.write_text("x")
            inner.rename(Path(folder, "b"))
            Path(folder, "b").chmod(0o600)
        scratch = tempfile.gettempdir()
    assert report.blocked is None
    assert scratch != before
    assert tempfile.gettempdir() == before


def test_a_given_scratch_folder_is_the_only_one(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    with guarded(frozenset(), scratch=mine) as report:
        (mine / "a").write_text("x")
        with tempfile.NamedTemporaryFile() as file:
            assert Path(file.name).parent == mine
    assert report.blocked is None
    with guarded(frozenset()), pytest.raises(Stopped):
        (mine / "a").write_text("y")
    assert (mine / "a").read_text() == "x"


def test_scratch_itself_cannot_be_deleted(stop: Stop) -> None:
    assert stop(lambda: shutil.rmtree(tempfile.gettempdir())).power == "files"


def test_a_link_in_scratch_that_leads_outside_is_outside(
    outside: Path, tmp_path: Path
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with guarded(frozenset(), scratch=scratch) as report:
        (scratch / "door").symlink_to(outside / "notes.txt")
        (scratch / "gate").symlink_to(outside)
        assert report.blocked is None
        for act in (
            lambda: (scratch / "door").write_text("x"),
            lambda: (scratch / "gate" / "new").write_text("x"),
            (scratch / "gate" / "notes.txt").unlink,
            lambda: (scratch / "door").chmod(0o600),
            lambda: (scratch / ".." / "outside" / "new").write_text("x"),
        ):
            with pytest.raises(Stopped):
                act()
        (scratch / "door").unlink()


def test_a_file_outside_cannot_be_linked_into_scratch(
    outside: Path, stop: Stop
) -> None:
    def link() -> None:
        Path(tempfile.gettempdir(), "twin").hardlink_to(outside / "notes.txt")

    assert stop(link).action.startswith("links")


def test_devices_and_open_descriptors_pass() -> None:
    read, write = os.pipe()
    with guarded(frozenset()) as report:
        with open(os.devnull, "w") as nowhere:
            nowhere.write("x")
        with open(write, "w") as pipe:
            pipe.write("x")
    os.close(read)
    assert report.blocked is None


def test_a_device_may_be_written_but_not_deleted(stop: Stop) -> None:
    assert stop(lambda: os.unlink(os.devnull)).action == f"deletes: {os.devnull}"


def test_no_byte_code_is_written(tmp_path: Path) -> None:
    module = tmp_path / "fresh_module_for_guard.py"
    module.write_text("VALUE = 1\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        with guarded(frozenset()) as report:
            imported = __import__(module.stem)
    assert imported.VALUE == 1
    assert report.blocked is None
    assert not (tmp_path / "__pycache__").exists()


def test_files_may_be_allowed(tmp_path: Path) -> None:
    with guarded(frozenset({"files"})) as report:
        (tmp_path / "a").write_text("x")
        (tmp_path / "a").unlink()
    assert report.blocked is None
