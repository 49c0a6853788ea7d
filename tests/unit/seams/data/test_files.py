from __future__ import annotations

import asyncio
import csv
import errno
import importlib
import json
import linecache
import os
import shutil
from os import listdir as by_name
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyfakefs.fake_filesystem_unittest import Patcher

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.seams.files import FILES
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.shapes import MANY
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Bench, Benches

TEXT = "first line\nsecond line\nthird: naïve café\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "orders.json").write_text('{"orders": [{"id": 1}], "total": 1}')
    (tmp_path / "orders.csv").write_text("id,name\n1,ann\n2,bob\n")
    return tmp_path


@pytest.fixture
def at(bench: Benches) -> Bench:
    return bench(FILES)


def _reading(path: Path) -> dict[str, Callable[[], str]]:
    """The ways to the same text."""

    def opened(*args: Any, **kwargs: Any) -> Callable[[], str]:
        def tool() -> str:
            with open(path, *args, **kwargs) as file:  # noqa: PTH123 - tried here
                content = file.read()
            return content if isinstance(content, str) else content.decode()

        return tool

    def by_lines() -> str:
        with path.open(encoding="utf-8") as file:
            return "".join(line for line in file)

    return {
        "open": opened(encoding="utf-8"),
        "binary": opened("rb"),
        "unbuffered": opened("rb", 0),
        "read_text": lambda: path.read_text(encoding="utf-8"),
        "read_bytes": lambda: path.read_bytes().decode(),
        "by lines": by_lines,
    }


WAYS = list(_reading(Path()))


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_text_is_seen(way: str, folder: Path, at: Bench) -> None:
    tool = _reading(folder / "notes.txt")[way]
    assert at.run(tool) == TEXT
    assert [each.call.operation for each in at.crossings] == ["read"]
    assert at.crossings[0].call.detail == "notes.txt"
    assert at.crossings[0].call.site.startswith("test_files.py:")
    assert not at.crossings[0].call.mutates
    for name, kind in {
        "missing_file": FileNotFoundError,
        "no_permission": PermissionError,
        "is_a_directory": IsADirectoryError,
        "io_error": OSError,
        "undecodable": UnicodeDecodeError,
    }.items():
        raised = at.raised(tool, name, "read")
        assert type(raised) is kind, name
        assert at.crossings[0].failure == name
    assert at.broken(tool, "emptied") == ""
    many = at.broken(tool, "inflated")
    assert many.startswith(TEXT)
    assert len(many.splitlines()) == MANY
    assert tool() == TEXT


def _provoked(folder: Path) -> dict[str, Callable[[], Any]]:
    """How to meet each error for real."""
    return {
        "missing_file": (folder / "none.txt").read_text,
        "is_a_directory": folder.read_text,
        "disk_full": lambda: Path("/dev/full").write_text("x"),
    }


@pytest.mark.parametrize("name", ["missing_file", "is_a_directory", "disk_full"])
def test_an_error_is_like_the_real_one(name: str, folder: Path, at: Bench) -> None:
    with pytest.raises(OSError) as real:  # noqa: PT011 - any kind is looked at
        _provoked(folder)[name]()
    path = folder / "notes.txt"
    tool = (lambda: path.write_text(TEXT)) if name == "disk_full" else path.read_text
    made = at.raised(tool, name)
    assert isinstance(made, OSError)
    assert carries_a_canary(made)
    assert (type(made), made.errno, made.strerror) == (
        type(real.value),
        real.value.errno,
        real.value.strerror,
    )
    assert (made.filename is None) == (real.value.filename is None)


def test_data_keeps_its_form(folder: Path, at: Bench) -> None:
    def parsed() -> Any:
        return json.loads((folder / "orders.json").read_text())

    assert at.run(parsed) == {"orders": [{"id": 1}], "total": 1}
    assert at.crossings[0].rows == 1
    assert at.broken(parsed, "emptied") == {"orders": [], "total": 0}
    assert at.broken(parsed, "inflated")["total"] == MANY

    def table() -> Any:
        with (folder / "orders.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    assert at.broken(table, "emptied") == []
    assert len(at.broken(table, "inflated")) == MANY


@pytest.mark.parametrize("mode", ["w", "a", "wb", "x", "r+"])
def test_writing(mode: str, folder: Path, at: Bench) -> None:
    path = folder / ("new.txt" if mode == "x" else "notes.txt")

    def tool() -> None:
        with path.open(mode) as file:
            file.write(b"new" if "b" in mode else "new")
        if mode == "x":
            path.unlink()

    at.run(tool)
    assert at.offered()["write"] == ["missing_file", "no_permission", "disk_full"]
    assert at.crossings[0].call.mutates
    kept = (folder / "notes.txt").read_text()
    for name, number in {
        "missing_file": errno.ENOENT,
        "no_permission": errno.EACCES,
        "disk_full": errno.ENOSPC,
    }.items():
        injection = at.injection(tool, name)
        kept = (folder / "notes.txt").read_text()
        with pytest.raises(OSError) as raised:  # noqa: PT011 - its number is looked at
            at.run(tool, injection)
        assert raised.value.errno == number
        assert (folder / "notes.txt").read_text() == kept


def _listing(folder: Path) -> dict[str, Callable[[], list[str]]]:
    def scanned() -> list[str]:
        with os.scandir(folder) as found:
            return sorted(each.name for each in found if each.is_file())

    def walked() -> list[str]:
        return sorted(name for _, _, names in os.walk(folder) for name in names)

    return {
        "listdir": lambda: sorted(os.listdir(folder)),  # noqa: PTH208 - tried here
        "by name": lambda: sorted(by_name(folder)),  # noqa: PTH208
        "scandir": scanned,
        "iterdir": lambda: sorted(each.name for each in folder.iterdir()),
        "walk": walked,
    }


@pytest.mark.parametrize("way", list(_listing(Path())))
def test_every_way_to_a_folder_is_seen(way: str, folder: Path, at: Bench) -> None:
    tool = _listing(folder)[way]
    names = ["notes.txt", "orders.csv", "orders.json"]
    assert at.run(tool) == names
    assert at.crossings[0].rows == 3
    assert at.broken(tool, "emptied", "list") == []
    many = at.broken(tool, "inflated", "list")
    assert len(set(many)) == len(many) == MANY
    if way != "walk":  # it passes over what it cannot list
        assert isinstance(at.raised(tool, "missing_file", "list"), FileNotFoundError)
        assert isinstance(at.raised(tool, "no_permission", "list"), PermissionError)
    assert tool() == names


def test_each_entry_of_a_long_folder_can_be_opened(folder: Path, at: Bench) -> None:
    def tool() -> int:
        texts = {
            each.read_text(encoding="utf-8")
            for each in folder.iterdir()
            if each.suffix == ".txt" and each.stat().st_size
        }
        return len(texts)

    assert at.broken(tool, "inflated", "list") == 1
    assert len(at.crossings) > MANY / 3


def test_asking_about_a_file(folder: Path, at: Bench) -> None:
    path = folder / "notes.txt"
    assert at.broken(path.exists, "missing_file", "stat") is False
    assert at.broken(lambda: os.path.isfile(path), "missing_file") is False  # noqa: PTH113 - tried here
    raised = at.raised(lambda: os.path.getsize(path), "missing_file")  # noqa: PTH202
    assert isinstance(raised, FileNotFoundError)


def test_the_standard_library_on_behalf_of_the_project(folder: Path, at: Bench) -> None:
    def tool() -> None:
        shutil.copyfile(folder / "notes.txt", folder / "copy.txt")

    at.run(tool)
    operations = {each.call.operation for each in at.crossings}
    assert {"read", "write"} <= operations
    assert {each.call.site.partition(":")[0] for each in at.crossings} == {
        "test_files.py"
    }


def test_what_the_library_does_for_itself_is_no_boundary(at: Bench) -> None:
    def tool() -> None:
        linecache.clearcache()
        assert linecache.getline(__file__, 1)

    at.run(tool)
    assert at.crossings == ()


def test_packages_read_their_own_files(at: Bench) -> None:
    metadata = importlib.import_module("jsonschema_specifications._core")
    assert at.run(lambda: list(metadata._schemas()))  # noqa: SLF001 - it reads files
    assert at.crossings == ()


def test_what_a_tool_meets_by_itself_is_noted(folder: Path, at: Bench) -> None:
    with pytest.raises(FileNotFoundError):
        at.run((folder / "none.txt").read_text)
    assert at.crossings[0].failure == "FileNotFoundError"


def test_exploring_still_stops_what_writes(folder: Path, at: Bench) -> None:
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        at.run(lambda: (folder / "notes.txt").write_text("x"))
    assert report.blocked is not None
    assert report.blocked.action.startswith("writes a file: ")
    assert (folder / "notes.txt").read_text(encoding="utf-8") == TEXT
    assert at.crossings[0].call.mutates


def test_a_pipe_is_not_read_twice(folder: Path, at: Bench) -> None:
    os.mkfifo(folder / "pipe")
    with open(os.open(folder / "pipe", os.O_RDWR), "r+b", 0) as both:  # noqa: PTH123
        both.write(b"x")

        def tool() -> bytes:
            with (folder / "pipe").open("rb", 0) as pipe:
                return pipe.read(1)

        assert at.run(tool) == b"x"


def test_reading_in_async_code_is_not_said_to_block(folder: Path, at: Bench) -> None:
    async def tool() -> str:
        return (folder / "notes.txt").read_text(encoding="utf-8")

    at.run(lambda: asyncio.run(tool()))
    assert not at.crossings[0].blocks


def test_a_faked_file_system_is_seen_through() -> None:
    with Patcher() as patcher:
        assert patcher.fs is not None
        patcher.fs.create_file("/shop/notes.txt", contents="faked\nfile\n")
        patches = Patches()
        FILES.install(patches)
        try:
            _check_faked()
        finally:
            patches.restore()
    assert not Path("/shop").exists()


def _check_faked() -> None:
    from pytest_toolresult.faults import Injection
    from pytest_toolresult.seams.recording import Recording, recording

    def tool() -> Any:
        with open("/shop/notes.txt") as file:  # noqa: PTH123 - tried here
            return file.read(), os.listdir("/shop")  # noqa: PTH208

    with recording(Recording()) as record:
        assert tool() == ("faked\nfile\n", ["notes.txt"])
    assert [each.call.operation for each in record.boundary] == ["read", "list"]
    for crossing, name, expected in (
        (record.boundary[0], "emptied", ("", ["notes.txt"])),
        (record.boundary[1], "emptied", ("faked\nfile\n", [])),
    ):
        fault = next(each for each in FILES.faults(crossing.call) if each.name == name)
        with recording(Recording(plan=[Injection(fault=fault, where=crossing.call)])):
            assert tool() == expected


def test_nothing_of_it_is_left() -> None:
    before = open, os.listdir, os.scandir, os.stat, by_name
    patches = Patches()
    FILES.install(patches)
    assert os.stat is not before[3]
    patches.restore()
    assert (open, os.listdir, os.scandir, os.stat, by_name) == before
