"""What is published: version, entry point, public names, files of the wheel."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import entry_points, version
from pathlib import Path
from zipfile import ZipFile

import pytest

import pytest_toolresult

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the wheel with the build back end itself, and list what is in it."""
    folder = tmp_path_factory.mktemp("dist")
    build = "import sys; from hatchling.build import build_wheel as b; b(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_version_stands_once() -> None:
    declared = PYPROJECT["project"]["version"]
    assert pytest_toolresult.__version__ == version("pytest-toolresult") == declared


def test_the_entry_point_is_the_plugin() -> None:
    (entry,) = entry_points(group="pytest11", name="toolresult")
    assert entry.value == "pytest_toolresult.plugin"
    assert entry.load().__name__ == "pytest_toolresult.plugin"


def test_public_names_are_sorted() -> None:
    def capitals_first(name: str) -> tuple[bool, str]:
        return (not name[0].isupper(), name)

    names = pytest_toolresult.__all__
    assert names == sorted(names, key=capitals_first)


@pytest.mark.parametrize("name", pytest_toolresult.__all__)
def test_a_public_name_resolves(name: str) -> None:
    assert getattr(pytest_toolresult, name) is not None
    assert name in dir(pytest_toolresult)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        _ = pytest_toolresult.chek  # type: ignore[attr-defined]


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = (
        "import sys, pytest_toolresult\n"
        "print([name for name in sys.modules if name.startswith('pytest_toolresult.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


def test_the_wheel_says_that_it_is_typed(wheel_files: set[str]) -> None:
    assert "pytest_toolresult/py.typed" in wheel_files


def test_the_wheel_holds_every_file_of_the_package(wheel_files: set[str]) -> None:
    package = ROOT / "pytest_toolresult"
    source = {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in wheel_files if ".dist-info/" not in name} == source
