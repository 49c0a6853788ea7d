"""Paths that lead out and line breaks that pass, in a run of a user's project."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Write = Callable[..., None]

PAGES = '''
from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

from shop import answer

DOCS = Path(__file__).parent / "docs"


def missing() -> dict:
    error = {"code": "NOT_FOUND", "message": "There is no such page; ask for guide.md.",
             "retryable": False}
    return answer("error", error=error)


def read_page(path: str) -> dict:
    """Read a page of the docs."""
    try:
        return answer("success", {"text": (DOCS / path).read_text()})
    except (OSError, ValueError):
        return missing()


async def read_later(path: str) -> dict:
    """Read a page of the docs, in a thread."""
    return await asyncio.to_thread(read_page, path)


def read_page_below(path: str) -> dict:
    """Read a page of the docs."""
    if not (DOCS / path).resolve().is_relative_to(DOCS.resolve()):
        return missing()
    return read_page(path)


def count_lines(path: str) -> dict:
    """Count the lines of a page."""
    done = subprocess.run(f"wc -l docs/{path}", shell=True, capture_output=True)
    return answer("success", {"printed": done.stdout.decode()})


TOOLS = [read_page, read_later, read_page_below, count_lines]
'''
FILE = """
    tools = "pages:TOOLS"

    [tool.read_page]
    success = { path = "guide.md" }

    [tool.read_later]
    success = { path = "guide.md" }

    [tool.read_page_below]
    success = { path = "guide.md" }

    [tool.count_lines]
    success = { path = "guide.md" }
    kind = "code"
    """


def files_below(folder: Path) -> set[str]:
    return {
        str(each.relative_to(folder))
        for each in folder.rglob("*")
        if "__pycache__" not in each.parts
    }


def lay_out(write: Write) -> None:
    write("pages.py", PAGES)
    write("docs/guide.md", "The guide")
    write("toolresult.toml", FILE)


def test_each_tool_ends_as_it_should(write: Write, run: Run, project: Path) -> None:
    lay_out(write)
    before = files_below(project)
    ran = run("toolresult.toml", "-k", "relations")
    rules = {
        (tool["name"], each["rule"])
        for tool in ran.report["tools"]
        for each in tool["findings"]
        if each["rule"] > "TR9"
    }
    assert rules == {("read_page", "TR910"), ("read_later", "TR910")}
    told = ran.at("count_lines::relations")["not_covered"]["relations"]
    assert "starts a process" in told
    assert 'allow=("subprocess",)' in told
    left = files_below(project) - before
    assert not [each for each in left if each.startswith("docs") or "outside" in each]


def test_the_replay_line_makes_the_series_again(write: Write, run: Run) -> None:
    lay_out(write)
    ran = run("toolresult.toml::read_page::relations")
    (finding,) = [each for each in ran.findings if each["rule"] == "TR910"]
    again = run(*shlex.split(finding["replay"].partition("pytest ")[2]))
    assert again.outcomes == {"toolresult.toml::read_page::relations": "failed"}
    assert again.rules == {"TR910"}
    assert "led out of the tool's folder to a planted file" in again.stdout


def test_a_command_with_another_line_is_told_where_processes_are_allowed(
    write: Write, run: Run
) -> None:
    lay_out(write)
    write("toolresult.toml", FILE + '    allow = ["subprocess"]\n')
    ran = run("toolresult.toml::count_lines::relations", "--toolresult-examples=250")
    (finding,) = [each for each in ran.findings if each["rule"] == "TR911"]
    assert "the command" in finding["message"]
    assert "wc -l docs/" in finding["message"]
