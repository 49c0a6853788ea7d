"""The lock file, and the ini keys that choose how results are judged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Write = Callable[..., None]

LOCK = "toolresult.lock.json"
TARGET = ("--toolresult", "depot:find")
DEPOT = """
    from shop import answer

    STOCK = {"bolt": 4, "nut": 9}

    def find(part: str) -> dict:
        if not part.strip():
            error = {"code": "NO_PART", "retryable": False, "message": "name a part"}
            return answer("error", error=error, format_version="1")
        if part not in STOCK:
            return answer("empty", [], format_version="1")
        row = {"part": part, "in_stock": STOCK[part]}
        return answer("success", [row], format_version="1")
    """
RENAMED = DEPOT.replace('"in_stock"', '"pieces"')


@pytest.fixture
def locked(write: Write, run: Run, project: Path) -> Path:
    """Lock the depot's results."""
    write("depot.py", DEPOT)
    assert run(*TARGET, "--toolresult-update-lock").exit == 0
    return project / LOCK


def test_the_lock_knows_what_was_seen(locked: Path) -> None:
    written = json.loads(locked.read_text("utf-8"))
    assert written["format"] == 1
    assert written["tools"]["depot:find"]["1"] == {
        "codes": ["NO_PART"],
        "statuses": ["empty", "error", "success"],
        "data": {
            "empty": {"data": "array"},
            "success": {
                "data": "array",
                "data[]": "object",
                "data[].in_stock": "number",
                "data[].part": "string",
            },
        },
    }


@pytest.mark.usefixtures("locked")
def test_a_break_of_the_lock_fails(write: Write, run: Run) -> None:
    assert run(*TARGET).exit == 0
    write("depot.py", RENAMED)
    ran = run(*TARGET)
    assert ran.exit == 1
    assert [(each["rule"], each["place"]) for each in ran.findings] == [
        ("TR702", "data[].in_stock")
    ]
    assert ran.tool("find")["checklist"]["version"] == "red"


def test_an_update_tells_what_breaks(locked: Path, write: Write, run: Run) -> None:
    write("depot.py", RENAMED)
    ran = run(*TARGET, "--toolresult-update-lock")
    assert ran.exit == 0
    assert "BREAKS  depot:find: version 1: success: data[].in_stock" in ran.stdout
    assert "data[].pieces (number) is new" in ran.stdout
    assert "data[].pieces" in locked.read_text("utf-8")
    assert run(*TARGET).exit == 0


def test_a_new_tool_is_only_added_by_the_flag(
    locked: Path, write: Write, run: Run
) -> None:
    before = locked.read_bytes()
    write("depot.py", f"{DEPOT}\n    TOOLS = [find, answer]\n")
    run("--toolresult", "depot:TOOLS")
    assert locked.read_bytes() == before


def test_only_the_controller_writes(locked: Path, run: Run) -> None:
    before = locked.read_bytes()
    locked.unlink()
    assert run(*TARGET, "--toolresult-update-lock", "-n", "2").exit == 0
    assert locked.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<<<<<<< HEAD\n{}\n=======\n>>>>>>> theirs\n", "merge conflict"),
        ('{"format": 2, "plugin": "0.1.0", "tools": {}}', "format 2"),
        ('{"format": 1, "plugin": "99.0", "tools": {}}', "pytest-toolresult 99.0"),
        ('{"format": 1,', "cannot read toolresult.lock.json"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--toolresult-update-lock",)])
def test_a_lock_that_cannot_be_used_is_left_alone(
    locked: Path, run: Run, content: str, told: str, more: tuple[str, ...]
) -> None:
    locked.write_text(content, "utf-8")
    ran = run(*TARGET, *more)
    assert ran.exit == 4
    assert told in ran.stdout + ran.stderr
    assert locked.read_text("utf-8") == content


def ini(project: Path, *lines: str) -> None:
    path = project / "pytest.ini"
    path.write_text("\n".join([path.read_text("utf-8"), *lines]) + "\n", "utf-8")


CODED = """
    def look(part: str) -> dict:
        return {"part_state": 3, "rows": list(range(40))}
    """


def test_a_severity_of_the_ini_file_decides(
    write: Write, run: Run, project: Path
) -> None:
    write("depot.py", CODED)
    assert run("--toolresult", "depot:look").exit == 0
    ini(project, "toolresult_severity =", "    TR4: advice", "    TR403: error")
    ran = run("--toolresult", "depot:look")
    assert ran.exit == 1
    assert {each["rule"]: each["severity"] for each in ran.findings} == {
        "TR403": "error"
    }


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("toolresult_severity = TR403: fatal", "unknown severity of 'TR403'"),
        ("toolresult_severity = TR999: error", "unknown rule 'TR999'"),
        ("toolresult_budget = many", "toolresult_budget must be a whole number"),
        ("toolresult_budget = 0", "toolresult_budget must be a whole number"),
        ("toolresult_token_counter = nowhere:count", "'nowhere:count' cannot be"),
        ("toolresult_token_counter = shop:SHOP", "cannot be imported"),
    ],
)
def test_an_ini_value_that_cannot_be_used_is_named(
    run: Run, project: Path, line: str, told: str
) -> None:
    ini(project, line)
    ran = run("--toolresult", "shop:add")
    assert ran.exit == 4
    assert told in ran.stdout + ran.stderr


def test_the_budget_of_the_ini_file_holds(
    write: Write, run: Run, project: Path
) -> None:
    write("depot.py", CODED.replace('"part_state": 3', '"part": part'))
    ini(project, "toolresult_budget = 40")
    ran = run("--toolresult", "depot:look")
    assert ran.rules == {"TR501"}
    assert ran.tool("look")["tokens"] > 40
    assert ran.tool("look")["checklist"]["volume"] == "red"


def test_a_counter_that_raises_is_named(write: Write, run: Run, project: Path) -> None:
    write("counting.py", "def count(text): raise OSError('no vocabulary')")
    write("depot.py", CODED)
    ini(project, "toolresult_budget = 40", "toolresult_token_counter = counting:count")
    ran = run("--toolresult", "depot:look")
    assert ran.exit == 1
    assert "'counting:count' raised OSError: no vocabulary" in ran.stdout


PARTS = """
    import pytest
    from pydantic import BaseModel
    from shop import answer

    class Part(BaseModel):
        part: str
        pieces: int

    def find(part: str) -> dict:
        return answer("success", [{"part": part, "pieces": "4"}])

    @pytest.mark.toolresult(tool=find, success={"part": "bolt"}, data=DATA, fuzz=False)
    def test_find():
        pass
    """


def test_declared_data_is_held_to(write: Write, run: Run) -> None:
    write("test_depot.py", PARTS.replace("DATA", "list[Part]"))
    ran = run()
    assert ran.exit == 1
    assert [(each["rule"], each["place"]) for each in ran.findings] == [
        ("TR705", "data[0].pieces")
    ]


def test_data_that_cannot_be_declared_is_named(write: Write, run: Run) -> None:
    write("test_depot.py", PARTS.replace("DATA", '{"type": "lists"}'))
    ran = run()
    assert ran.exit == 2
    assert "data is no valid JSON Schema" in ran.stdout


def test_the_checklist_is_shown_where_it_is_asked_for(run: Run) -> None:
    assert "Checklist:" not in run("--toolresult", "shop:find_orders").stdout
    told = run("--toolresult", "shop:find_orders", "-v").stdout
    head, line = told.partition("Checklist:\n")[2].splitlines()[:2]
    assert head.split() == [
        *("Tool", "status", "fields", "volume", "errors", "partial"),
        *("first", "secrets", "version"),
    ]
    assert line.split()[0] == "find_orders"
    assert set(line.split()[1:]) <= {"ok", "RED", "?"}
