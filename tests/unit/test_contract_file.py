"""Contract files as values: what is read from the text, and what is refused."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.contract_file import ContractFile, read
from pytest_toolresult.errors import ContractError
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from pytest_toolresult.tools import Tool


def add(a: int, b: int = 0) -> int:
    return a + b


@pytest.fixture
def tool() -> Tool:
    return tools_of(add, validate=None)[0]


def parsed(text: str) -> ContractFile:
    return read(textwrap.dedent(text).encode())


def keys(value: str) -> ContractFile:
    return parsed(f'tools = "shop"\n[tool.add]\n{value}\n')


def test_one_target_or_several() -> None:
    assert parsed('tools = "shop:TOOLS"').targets == ["shop:TOOLS"]
    assert parsed('tools = ["a", "b:c"]').targets == ["a", "b:c"]


def test_what_is_not_declared_is_an_empty_contract(tool: Tool) -> None:
    contract = parsed('tools = "shop"').contract_for(tool)
    assert contract.tool is tool
    assert contract.cases == ()
    assert contract.fuzz is True


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("success = { a = 1 }", [{"a": 1}]),
        ("success = [{ a = 1 }, { a = 2 }]", [{"a": 1}, {"a": 2}]),
        ("success = '{\"a\": null}'", [{"a": None}]),
        ("success = ['{\"a\": null}', { a = 2 }]", [{"a": None}, {"a": 2}]),
        ("success = []", []),
    ],
)
def test_arguments_are_a_table_or_json(
    tool: Tool, written: str, arguments: list[Any]
) -> None:
    cases = keys(written).contract_for(tool).cases
    assert [case.arguments for case in cases] == arguments
    assert {case.status for case in cases} <= {"success"}


def test_further_cases_follow_those_of_the_key(tool: Tool) -> None:
    file = parsed(
        """
        tools = "shop"
        [tool.add]
        error = { a = 0 }
        kind = "query"
        never = { partial = "one number" }
        [[tool.add.case]]
        path = "error"
        arguments = '{"a": null}'
        code = "BAD"
        [[tool.add.case]]
        path = "empty"
        when = "contextlib.nullcontext"
        id = "nothing"
        """
    )
    contract = file.contract_for(tool)
    assert [case.id for case in contract.cases] == ["nothing", "error", "error-BAD"]
    nothing, _, bad = contract.cases
    assert nothing.arguments == {}
    assert nothing.when is not None
    with nothing.when():
        pass
    assert bad.arguments == {"a": None}
    assert contract.kind == "query"
    assert contract.never == {"partial": "one number"}


def test_declarations_are_held_to_the_tools(tool: Tool) -> None:
    keys("fuzz = false").check_names([tool])
    with pytest.raises(ContractError, match="unknown tool 'add'"):
        keys("fuzz = false").check_names([])
    with pytest.raises(ContractError, match="two targets hold a tool called 'add'"):
        keys("fuzz = false").check_names([tool, tool])


def test_what_is_wrong_names_the_tool(tool: Tool) -> None:
    with pytest.raises(ContractError, match=r"^\[tool\.add\]: unknown kind 'querry'"):
        keys('kind = "querry"').contract_for(tool)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"tools = ", "this is no TOML"),
        (b"\xff\xfe", r"no UTF-8 text \(byte 0\)"),
        (b"", "tools must name what to test"),
        (b"tools = []", "tools must name what to test"),
        (b'tools = "a"\n[tool]\nadd = 1', "tool.add must be a table, not 1"),
        (b'tools = "a"\n[[tool.add.case]]\ncode = "X"', "unknown path .* None"),
        (b'tools = "a"\n[tool.add]\ncase = {}', r"write further cases as \[\["),
    ],
)
def test_what_is_no_contract_file_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(ContractError, match=told):
        read(content)


def test_a_misspelt_case_is_told_its_name() -> None:
    content = b'tools = "shop"\n[[tool.find.cases]]\npath = "error"\n'
    with pytest.raises(ContractError, match="did you mean 'case'"):
        read(content)
