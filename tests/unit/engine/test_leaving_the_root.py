"""Paths and links that lead out of a tool's folder, and tools that keep to theirs."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from pytest_toolresult.calls import RELATION_KEY
from pytest_toolresult.explore import exploration_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.session import Engine
    from pytest_toolresult.findings import Finding

    Assign = Callable[..., Assignment]
    Leaving = Callable[..., list[Finding]]

RELATIONS = exploration_named("relations")


class Place:
    """The folder of the tools below."""

    root = Path()


HERE = Place()


def answer(status: str, data: Any = None, error: Any = None) -> Any:
    return {"status": status, "data": data, "error": error, "meta": {}}


def refusal(code: str) -> Any:
    message = "The folder holds guide.md, more.json and sub/deep.md; ask for one."
    return answer("error", error={"code": code, "message": message, "retryable": False})


def reading(path: Path | str) -> Any:
    try:
        return answer("success", {"text": Path(path).read_text()})
    except (OSError, ValueError):
        return refusal("NOT_FOUND")


def joined(path: str) -> Any:
    """Read a page."""
    return reading(os.path.join(HERE.root, path))  # noqa: PTH118 - as they are written


def begins_alike(path: str) -> Any:
    """Read a page."""
    whole = os.path.join(HERE.root, path)  # noqa: PTH118 - as they are written
    return reading(whole) if whole.startswith(str(HERE.root)) else refusal("OUTSIDE")


def begins_alike_resolved(path: str) -> Any:
    """Read a page."""
    whole = str((HERE.root / path).resolve())
    return reading(whole) if whole.startswith(str(HERE.root)) else refusal("OUTSIDE")


def without_dots(path: str) -> Any:
    """Read a page."""
    if ".." in path:
        return refusal("OUTSIDE")
    return reading(HERE.root / path)


def dots_cut(path: str) -> Any:
    """Read a page."""
    return reading(f"{HERE.root}/{path.replace('../', '')}")


def decoded_late(path: str) -> Any:
    """Read a page."""
    if ".." in path or path.startswith("/"):
        return refusal("OUTSIDE")
    return reading(HERE.root / unquote(path))


def links_followed(path: str) -> Any:
    """Read a page."""
    whole = os.path.normpath(HERE.root / path)
    if not Path(whole).is_relative_to(HERE.root):
        return refusal("OUTSIDE")
    return reading(whole)


def ending_added(name: str) -> Any:
    """Read a page by its name."""
    return reading(HERE.root / f"{name}.md")


def words_counted(path: str) -> Any:
    """Count the words of a page."""
    try:
        text = (HERE.root / path).read_text()
    except (OSError, ValueError):
        return refusal("NOT_FOUND")
    return answer("success", {"words": len(text.split())})


def fields_of(path: str) -> Any:
    """Return what a JSON file holds."""
    try:
        return answer("success", json.loads((HERE.root / path).read_text()))
    except (OSError, ValueError):
        return refusal("NOT_FOUND")


def listed(folder: str) -> Any:
    """List a folder."""
    try:
        names = sorted(os.listdir(HERE.root / folder))  # noqa: PTH208 - one way
    except (OSError, ValueError):
        return refusal("NOT_FOUND")
    return answer("success", names)


def told_in_the_error(path: str) -> Any:
    """Return what a JSON file holds."""
    try:
        text = (HERE.root / path).read_text()
    except (OSError, ValueError):
        return refusal("NOT_FOUND")
    if "pages" in text:
        return answer("success", {"pages": 3})
    error = {"code": "BAD", "message": f"No pages in {text!r}.", "retryable": False}
    return answer("error", error=error)


def made_anew(path: str) -> Any:
    """Read a file of the working folder."""
    box = tempfile.mkdtemp()
    try:
        Path(box, "hello.txt").write_text("hello")
        whole = os.path.join(box, path)  # noqa: PTH118 - as they are written
        return reading(whole) if whole.startswith(box) else refusal("OUTSIDE")
    finally:
        shutil.rmtree(box)


@pytest.fixture
def leaving(engine: Engine, assign: Assign, tmp_path: Path) -> Leaving:
    """Explore a tool whose folder holds a few pages, and return its findings."""
    HERE.root = (tmp_path / "docs").resolve()
    (HERE.root / "sub").mkdir(parents=True)
    (HERE.root / "guide.md").write_text("# The guide\nand what it says\n")
    (HERE.root / "sub" / "deep.md").write_text("# Deep\n")
    (HERE.root / "more.json").write_text('{"pages": 3}')

    def explore(tool: Callable[..., Any], **success: str) -> list[Finding]:
        assignment = assign(tool, success=success)
        explored = engine.explore(assignment, RELATIONS)
        return [each for each in explored.evidence.findings if each.rule == "TR910"]

    return explore


@pytest.mark.parametrize(
    ("tool", "success", "way"),
    [
        (joined, {"path": "guide.md"}, "'..'"),
        (joined, {"path": "sub/deep.md"}, "'..' behind a folder"),
        (begins_alike, {"path": "guide.md"}, "'..'"),
        (begins_alike_resolved, {"path": "guide.md"}, "whose name begins as"),
        (without_dots, {"path": "guide.md"}, "an absolute path"),
        (dots_cut, {"path": "guide.md"}, "'....//'"),
        (decoded_late, {"path": "guide.md"}, "an encoded '..'"),
        (links_followed, {"path": "guide.md"}, "a link"),
        (ending_added, {"name": "guide"}, "'..'"),
        (words_counted, {"path": "guide.md"}, "'..'"),
        (fields_of, {"path": "more.json"}, "'..'"),
        (listed, {"folder": "sub"}, "'..'"),
        (listed, {"folder": "."}, "'..'"),
        (told_in_the_error, {"path": "more.json"}, "'..'"),
        (made_anew, {"path": "hello.txt"}, "'..'"),
    ],
)
def test_ways_out_are_found(
    leaving: Leaving, tool: Callable[..., Any], success: dict[str, str], way: str
) -> None:
    (finding,) = leaving(tool, **success)
    assert way in finding.message
    assert RELATION_KEY in finding.replay
    assert finding.place == "data"


def resolved(path: str) -> Any:
    """Read a page."""
    whole = (HERE.root / path).resolve()
    return reading(whole) if whole.is_relative_to(HERE.root) else refusal("OUTSIDE")


def by_its_last_part(path: str) -> Any:
    """Read a page."""
    whole = HERE.root / Path(path).name
    return refusal("LINK") if whole.is_symlink() else reading(whole)


def of_a_table(name: str) -> Any:
    """Read a page."""
    pages = {"guide": "guide.md", "deep": "sub/deep.md"}
    return reading(HERE.root / pages[name]) if name in pages else refusal("NO_PAGE")


def of_a_larger_root(name: str) -> Any:
    """Read a page, of any folder beside the docs as well."""
    whole = (HERE.root / name).resolve()
    return (
        reading(whole) if whole.is_relative_to(HERE.root.parent) else refusal("OUTSIDE")
    )


def of_any_place(path: str) -> Any:
    """Read a file."""
    return reading(path)


def of_the_working_folder(path: str) -> Any:
    """Read a file."""
    return reading(Path(path).resolve())


def told_to_be_absolute(path: str) -> Any:
    """Read a page of the docs, or any file by its absolute path."""
    if Path(path).is_absolute():
        return reading(path)
    return resolved(path)


@pytest.mark.parametrize(
    ("tool", "success"),
    [
        (resolved, {"path": "guide.md"}),
        (resolved, {"path": "sub/deep.md"}),
        (by_its_last_part, {"path": "guide.md"}),
        (of_a_table, {"name": "guide"}),
        (of_a_larger_root, {"name": "guide.md"}),
        (of_any_place, {"path": "docs/guide.md"}),
        (of_the_working_folder, {"path": "docs/guide.md"}),
        (told_to_be_absolute, {"path": "guide.md"}),
    ],
)
def test_tools_that_keep_to_their_folder_stay_quiet(
    leaving: Leaving,
    monkeypatch: pytest.MonkeyPatch,
    tool: Callable[..., Any],
    success: dict[str, str],
) -> None:
    monkeypatch.chdir(HERE.root.parent)
    assert leaving(tool, **success) == []


def test_nothing_is_left_behind(
    leaving: Leaving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its own, since other processes plant files as well.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(tmp_path.rglob("*"))
    assert leaving(joined, path="guide.md")
    assert set(tmp_path.rglob("*")) == before


def test_a_finding_can_be_replayed(
    leaving: Leaving, engine: Engine, assign: Assign
) -> None:
    leaving(resolved, path="guide.md")
    asked = {"path": "guide.md", RELATION_KEY: "outside:path"}
    again = engine.replay(assign(joined), RELATIONS, asked)
    assert "TR910" in {each.rule for each in again.evidence.findings}
    assert again.evidence.calls <= 12


def test_no_link_is_put_into_a_folder_that_is_not_temporary(
    leaving: Leaving,
    engine: Engine,
    assign: Assign,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert leaving(links_followed, path="guide.md")
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    assignment = assign(links_followed, success={"path": "guide.md"})
    explored = engine.explore(assignment, RELATIONS)
    told = " ".join(explored.evidence.not_covered.values())
    assert f"{HERE.root} is not temporary" in told
    assert "TR910" not in {each.rule for each in explored.evidence.findings}
