"""What stands between the model's arguments and a tool, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., None]
    Run = Callable[..., Any]

TOOL = """
def repeat(word: str, times: int = 1) -> str:
    return word.strip() + word * min(times, 3)

TOOLS = [repeat]
"""
TEST = """
import pytest
from words import repeat

@pytest.mark.toolresult(tool=repeat, validate_arguments={})
def test_repeat():
    pass
"""
FILE = """
tools = "words"

[tool.repeat]
validate_arguments = {}
"""
INI = "toolresult_validate_arguments={}"


def through_marker(write: Write, run: Run, told: str) -> Any:
    write("test_words.py", TEST.format(told.title()))
    return run("test_words.py")


def through_contract_file(write: Write, run: Run, told: str) -> Any:
    write("toolresult.toml", FILE.format(told))
    return run("toolresult.toml")


def through_ini(_: Write, run: Run, told: str) -> Any:
    return run("--toolresult", "words", "-o", INI.format(told))


WAYS = [through_marker, through_contract_file, through_ini]


@pytest.mark.parametrize("way", WAYS)
def test_without_validation_a_mistyped_argument_is_the_tools_own_fault(
    write: Write, run: Run, way: Callable[..., Any]
) -> None:
    write("words.py", TOOL)
    ran = way(write, run, "false")
    assert ran.tool("repeat")["validate_arguments"] is False
    escaped = [each for each in ran.findings if each["rule"] == "TR801"]
    errors = [each for each in escaped if each["severity"] == "error"]
    advice = [each for each in escaped if each["severity"] == "advice"]
    assert ran.rules == {"TR801"}
    assert all("A validating layer" in each["remedy"] for each in escaped)
    assert any("converted `word` or refused" in each["remedy"] for each in errors)
    assert any("converted `times` or refused" in each["remedy"] for each in errors)
    assert any("which is no parameter" in each["remedy"] for each in advice) or any(
        "`word` is missing" in each["remedy"] for each in advice
    )


@pytest.mark.parametrize("way", WAYS)
def test_with_validation_the_same_tool_is_clean(
    write: Write, run: Run, way: Callable[..., Any]
) -> None:
    write("words.py", TOOL)
    ran = way(write, run, "true")
    assert ran.tool("repeat")["validate_arguments"] is True
    assert ran.findings == []
    assert "refused by validation and never reached a tool" in ran.stdout


DECLARED = """
import pytest
from words import repeat

@pytest.mark.toolresult(
    tool=repeat, validate_arguments=False, success={}, fuzz=False
)
def test_repeat(tool_case):
    tool_case.run()
"""


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        ({}, "refused the call because `word` is missing"),
        ({"word": "a", "reason": "b"}, "dropped or refused `reason`, which is no"),
        ({"word": 1}, "converted `word` or refused it, since it is an integer and not"),
        ({"word": "a", "times": "2"}, "converted `times` or refused it"),
    ],
)
def test_the_remedy_says_what_a_validating_layer_would_have_done(
    write: Write, run: Run, arguments: dict[str, Any], remedy: str
) -> None:
    write("words.py", TOOL)
    write("test_words.py", DECLARED.format(arguments))
    ran = run("test_words.py")
    (found,) = ran.findings
    assert found["rule"] == "TR801"
    assert remedy in found["remedy"]


def test_a_mark_stands_before_the_ini_file(write: Write, run: Run) -> None:
    write("words.py", TOOL)
    write("test_words.py", TEST.format("True"))
    ran = run("test_words.py", "-o", INI.format("false"))
    assert ran.tool("repeat")["validate_arguments"] is True
    assert ran.findings == []


def test_a_contract_file_stands_before_the_ini_file(write: Write, run: Run) -> None:
    write("words.py", TOOL)
    write("toolresult.toml", FILE.format("true"))
    ran = run("toolresult.toml", "-o", INI.format("false"))
    assert ran.tool("repeat")["validate_arguments"] is True
