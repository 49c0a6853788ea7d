"""What users get wrong: when it is told, in which words, and what goes on beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

PLAIN = "def test_plain():\n    pass\n"

USAGE_ERRORS: dict[str, tuple[Any, ...]] = {
    "unknown module": (
        ("--toolresult", "shopp:TOOLS"),
        "no module named 'shopp'",
        "did you mean 'shop'? There: ",
    ),
    "unknown file": (("--toolresult", "shp.py:TOOLS"), "did you mean 'shop.py'? There"),
    "unknown attribute": (
        ("--toolresult", "shop:TOOL"),
        "has no attribute 'TOOL'; did you mean 'TOOLS'?",
        "find_orders",
    ),
    "no attribute after the colon": (
        ("--toolresult", "shop:"),
        "the name of an attribute",
    ),
    "nothing": (("--toolresult", ""), "an empty target; one looks like package.module"),
    "no target at all": (("--toolresult", "shop tools"), "'shop tools' is no target"),
    "no TOOLS": (
        ("--toolresult", "empty_module"),
        "has no TOOLS; nothing in it looks like a tool",
    ),
    "an empty list": (("--toolresult", "bad:NONE"), "the collection is empty"),
    "no tool": (("--toolresult", "bad:NUMBERS"), "is int 1 and no tool"),
    "twins": (
        ("--toolresult", "bad:TWINS"),
        "two tools are called 'add': bad:TWINS[0] and bad:TWINS[1]",
        "a dict gives each a name of its own",
    ),
    "a factory that raises": (
        ("--toolresult", "bad:factory()"),
        "the factory raised RuntimeError: no database",
    ),
    "an import that raises": (
        ("--toolresult", "raises"),
        "import of 'raises' raised ZeroDivisionError: division by zero",
    ),
    "a server": (("--toolresult", "stdio:node x.js"), "are not supported yet"),
    "two targets of one alias": (
        ("--toolresult", "it=shop:add", "--toolresult", "it=shop:TOOLS"),
        "two targets are called 'it': 'it=shop:add' and 'it=shop:TOOLS'",
    ),
    "an unknown node": (
        ("--toolresult", "shop:TOOLS", "shop:TOOLS::ad::fuzz"),
        "unknown node id 'shop:TOOLS::ad::fuzz'; did you mean 'shop:TOOLS::add::fuzz'?",
    ),
    "an unknown node of an unlisted target": (
        ("shop:TOOLS::add::fuz",),
        "unknown node id 'shop:TOOLS::add::fuz'; did you mean 'shop:TOOLS::add::fuzz'?",
    ),
    "an ini target": (
        ("-o", "toolresult_tools=shop:TOLS", "--toolresult-auto"),
        "did you mean 'TOOLS'?",
    ),
    "no ini target": (
        ("--toolresult-auto",),
        "the targets of the ini key toolresult_tools, which names none",
    ),
    "dialect": (
        ("--toolresult-dialect=nativ",),
        "unknown dialect 'nativ'; did you mean 'native'? Valid: auto, envelope",
    ),
    "ini dialect": (
        ("-o", "toolresult_dialect=mpc"),
        "unknown dialect 'mpc'; did you mean",
    ),
    "dialect field": (
        ("--toolresult-dialect=map: staus=ok",),
        "unknown field in the dialect 'staus'; did you mean 'status'?",
    ),
    "timeout": (
        ("--toolresult-timeout=soon",),
        "--toolresult-timeout (ini: toolresult_timeout) must be a number above 0, not",
    ),
    "no timeout": (("--toolresult-timeout=0",), "must be a number above 0, not '0'"),
    "ini timeout": (
        ("-o", "toolresult_timeout=-1"),
        "must be a number above 0, not '-1'",
    ),
    "examples": (("--toolresult-examples=x",), "must be a number above 0, not 'x'"),
    "half an example": (
        ("--toolresult-examples=0.5",),
        "must be a whole number, not 0.5",
    ),
    "ini examples": (("-o", "toolresult_examples=no"), "not 'no'"),
    "ini memory": (("-o", "toolresult_memory=4G"), "whole number of MiB", "not '4G'"),
    "fail-under": (
        ("--toolresult-fail-under=abc",),
        "must be a number of 0 or more, not 'abc'",
    ),
    "fail-under above all": (("--toolresult-fail-under=200",), "at most 100, not 200"),
    "ini fail-under": (("-o", "toolresult_fail_under=nan"), "not 'nan'"),
    "report type": (
        ("--toolresult-report=jsn:foo",),
        "unknown report type 'jsn'; did you mean 'json'?",
        "Write TYPE:PATH",
    ),
    "report type that is none": (
        ("--toolresult-report=xml:foo",),
        "unknown report type 'xml'",
        "Valid: json",
    ),
    "report without path": (
        ("--toolresult-report=json",),
        "says no path; write json:PATH",
    ),
    "report in a folder's place": (("--toolresult-report=json:.",), "is a folder"),
    "show": (
        ("--toolresult-show=warning",),
        "unknown value of --toolresult-show 'warning'; did you mean 'warnings'?",
    ),
    "replay": (("--toolresult-replay={a: 1}",), "takes a JSON object, not '{a: 1}'"),
    "replay of a list": (
        ("--toolresult-replay=[1]",),
        "takes a JSON object, not '[1]'",
    ),
    "replay of what is not kept": (
        ("--toolresult-replay=#0123456789ab",),
        "no such arguments in pytest's cache",
    ),
    "select": (("-o", "toolresult_select=TR999"), "unknown rule 'TR999'"),
    "select a near one": (("-o", "toolresult_select=TR2 TR21x"), "did you mean 'TR21"),
    "ignore without reason": (
        ("-o", "toolresult_ignore=TR402"),
        "the line 'TR402' needs a reason; write it as `TR402: reason`",
    ),
    "ignore what is not there": (
        ("-o", "toolresult_ignore=TX1: because"),
        "unknown rule 'TX1'",
    ),
    "profile": (
        ("-o", "toolresult_profile=stric"),
        "unknown toolresult_profile 'stric'; did you mean 'strict'? Valid: default,",
    ),
    "allow": (
        ("-o", "toolresult_allow=network file"),
        "unknown permission in toolresult_allow 'file'; did you mean 'files'?",
        "Valid: network, subprocess, files, sql",
    ),
    "validate_arguments": (
        ("-o", "toolresult_validate_arguments=ture"),
        "unknown value of toolresult_validate_arguments 'ture'; did you mean 'true'?",
    ),
}


@pytest.fixture
def bad_project(write: Write) -> None:
    write("test_plain.py", PLAIN)
    write("empty_module.py", "NUMBER = 1\n")
    write("raises.py", "1 / 0\n")
    write(
        "bad.py",
        """
        from shop import add
        NONE, NUMBERS, TWINS = [], [1], [add, add]

        def factory():
            raise RuntimeError("no database")
        """,
    )


@pytest.mark.parametrize("further", [(), ("-n", "2")], ids=["alone", "-n2"])
@pytest.mark.parametrize("wrong", USAGE_ERRORS)
@pytest.mark.usefixtures("bad_project")
def test_a_usage_error_ends_the_run_before_anything_runs(
    pytester: pytest.Pytester, wrong: str, further: tuple[str, ...]
) -> None:
    arguments, *told = USAGE_ERRORS[wrong]
    options = ["-p", "no:randomly"]
    done = pytester.runpytest_inprocess(*options, *further, *arguments)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    errors = done.stderr.str()
    for each in told:
        assert each in errors
    assert errors.startswith("ERROR: ")
    assert "Traceback" not in errors
    assert "passed" not in done.stdout.str()


@pytest.mark.usefixtures("bad_project")
def test_a_usage_error_is_the_same_in_a_process_of_its_own(spawn: Run) -> None:
    ran = spawn("-n", "2", "--toolresult", "shop:TOOL")
    assert ran.exit == pytest.ExitCode.USAGE_ERROR
    assert "did you mean 'TOOLS'?" in ran.stderr
    assert ran.report == {}


def test_an_unknown_option_is_told_by_pytest(run: Run) -> None:
    assert run("--toolresult-tiemout=1").exit == pytest.ExitCode.USAGE_ERROR


def test_no_percentage_at_all_is_one(run: Run) -> None:
    assert run("--toolresult", "shop:add", "--toolresult-fail-under=0").exit == 0


COLLECTION_ERRORS = {
    "an unknown argument": (
        """
        @pytest.mark.toolresult(tool=add, sucess={"a": 1, "b": 1})
        def test_it(tool_case): ...
        """,
        "unknown argument 'sucess'; did you mean 'success'? Valid: tool, success,",
    ),
    "an unknown argument and no tool": (
        """
        @pytest.mark.toolresult(tol=add)
        def test_it(tool_case): ...
        """,
        "unknown argument 'tol'; did you mean 'tool'?",
    ),
    "no tool": (
        """
        @pytest.mark.toolresult(success={"a": 1})
        def test_it(tool_case): ...
        """,
        "needs tool=...: what to test",
    ),
    "no argument": (
        """
        @pytest.mark.toolresult
        def test_it(tool_case): ...
        """,
        "needs tool=...: what to test",
    ),
    "an empty list": (
        """
        @pytest.mark.toolresult(tool=[])
        def test_it(tool_case): ...
        """,
        "tool= is an empty list",
    ),
    "a positional tool": (
        """
        @pytest.mark.toolresult(add)
        def test_it(tool_case): ...
        """,
        "@pytest.mark.toolresult takes keyword arguments only",
        "write @pytest.mark.toolresult(tool=...)",
    ),
    "a positional tool that takes anything": (
        """
        def anything(text=""):
            return {"text": str(text)}

        @pytest.mark.toolresult(anything)
        def test_it(tool_case): ...
        """,
        "the tool 'anything' carries the mark itself",
        "write @pytest.mark.toolresult(tool=...)",
    ),
    "a positional tool of a module that takes anything": (
        """
        import anything_module

        @pytest.mark.toolresult(anything_module.anything)
        @pytest.mark.filterwarnings("error")
        def test_it(tool_case): ...
        """,
        "test_it is no test any more: the tool 'anything' was called with it",
        "write @pytest.mark.toolresult(tool=...)",
    ),
    "a positional tool of a module in a class": (
        """
        import anything_module

        class TestIt:
            @pytest.mark.toolresult(anything_module.anything)
            async def test_it(self, tool_case): ...
        """,
        "test_it is no test any more: the tool 'anything' was called with it",
    ),
    "a positional value": (
        """
        @pytest.mark.toolresult("shop:add")
        def test_it(tool_case): ...
        """,
        "takes keyword arguments only; write @pytest.mark.toolresult(tool=...)",
    ),
    "what is no tool": (
        """
        @pytest.mark.toolresult(tool="shop:add")
        def test_it(tool_case): ...
        """,
        "'tool=' is str 'shop:add' and no tool",
    ),
    "several tools in one": (
        """
        @pytest.mark.toolresult(tool={"a": add, "b": add})
        def test_it(tool_case): ...
        """,
        "tool= is one tool, but",
        "(a, b); give one of them",
    ),
    "cases for a list": (
        """
        @pytest.mark.toolresult(tool=[add, find_orders], success={"a": 1, "b": 2})
        def test_it(tool_case): ...
        """,
        "success= does not go with a list of tools",
    ),
    "two tools of one name": (
        """
        @pytest.mark.toolresult(tool=[add, Contract(add, success={"a": 1, "b": 2})])
        def test_it(tool_case): ...
        """,
        "2 tools in tool= are called 'add'",
    ),
    "two marks": (
        """
        @pytest.mark.toolresult(tool=add)
        @pytest.mark.toolresult(tool=find_orders)
        def test_it(tool_case): ...
        """,
        "test_it carries @pytest.mark.toolresult 2 times",
    ),
    "two marks of a class": (
        """
        class TestIt:
            pytestmark = [pytest.mark.toolresult(tool=add)] * 2
            def test_it(self, tool_case): ...
        """,
        "TestIt carries @pytest.mark.toolresult 2 times",
    ),
    "a TestCase's method": (
        """
        class TestIt(unittest.TestCase):
            @pytest.mark.toolresult(tool=add)
            def test_it(self): ...
        """,
        "TestIt.test_it: @pytest.mark.toolresult does not work on methods of a",
    ),
    "an inherited TestCase's method": (
        """
        class Base(unittest.TestCase):
            @pytest.mark.toolresult(tool=add)
            def test_it(self): ...

        class TestIt(Base):
            pass
        """,
        "test_it: @pytest.mark.toolresult does not work on methods of a",
    ),
    "a TestCase": (
        """
        @pytest.mark.toolresult(tool=add)
        class TestIt(unittest.TestCase):
            def test_it(self): ...
        """,
        "TestIt: @pytest.mark.toolresult does not work on methods of a",
    ),
    "a module's TestCase": (
        """
        pytestmark = pytest.mark.toolresult(tool=add)

        class TestIt(unittest.TestCase):
            def test_it(self): ...
        """,
        "TestIt: @pytest.mark.toolresult does not work on methods of a",
    ),
    "a test of hypothesis": (
        """
        @pytest.mark.toolresult(tool=add)
        @given(strategies.integers())
        def test_it(number): ...
        """,
        "does not go with @given",
    ),
    "a test of hypothesis, the other way round": (
        """
        @given(strategies.integers())
        @pytest.mark.toolresult(tool=add)
        def test_it(number): ...
        """,
        "does not go with @given",
    ),
    "an unknown rule": (
        """
        @pytest.mark.toolresult(tool=add, ignore={"TR291": "why not"})
        def test_it(tool_case): ...
        """,
        "unknown rule 'TR291'; did you mean 'TR2",
    ),
}


@pytest.mark.parametrize("wrong", COLLECTION_ERRORS)
def test_what_is_wrong_in_a_file_fails_that_file_only(
    write: Write, run: Run, wrong: str
) -> None:
    test, *told = COLLECTION_ERRORS[wrong]
    head = """
        import unittest
        import pytest
        from hypothesis import given, strategies
        from pytest_toolresult import Contract
        from shop import add, find_orders
        """
    write("anything_module.py", "def anything(text=None): return {'text': str(text)}")
    write("test_wrong.py", head + test)
    write("test_plain.py", PLAIN)
    ran = run("--continue-on-collection-errors")
    assert ran.exit == pytest.ExitCode.TESTS_FAILED
    assert ran.outcomes == {"test_plain.py::test_plain": "passed"}
    for each in told:
        assert each in ran.stdout
    assert "ERROR collecting test_wrong.py" in ran.stdout.replace("::TestIt", "")
    assert "Traceback" not in ran.stdout
    assert "_plugin" not in ran.stdout


@pytest.mark.parametrize("tool", ["add", "take_anything"])
def test_a_tool_in_the_place_of_a_mark_troubles_no_other_file(
    write: Write, run: Run, tool: str
) -> None:
    """The first raises when it is called with the test, the second does not."""
    write(
        "kit.py", "from shop import add\n\ndef take_anything(text=''):\n    return {}\n"
    )
    head = f"import pytest\nfrom kit import {tool}\n"
    mark = f"@pytest.mark.toolresult({tool})\n"
    write("test_a_wrong.py", f"{head}{mark}def test_it(tool_case):\n    pass\n")
    write("test_plain.py", head + PLAIN)
    ran = run("--continue-on-collection-errors")
    assert ran.outcomes == {"test_plain.py::test_plain": "passed"}
    assert ran.stdout.count("takes keyword arguments only") == 1
    assert "ERROR collecting test_a_wrong.py" in ran.stdout
    assert "ERROR collecting test_plain.py" not in ran.stdout


CONTRACT_FILES = {
    "no TOML": ("tools = shop", "this is no TOML: Invalid value (at line 1"),
    "no tools": ("[tool.add]\n", "tools must name what to test, such as `tools ="),
    "a number of tools": ("tools = 1", "tools must name what to test"),
    "numbers of tools": ("tools = [1]", "tools must be texts, not 1"),
    "an unknown target": ('tools = "shop:TOLS"', "did you mean 'TOOLS'?"),
    "an unknown key": ('tols = "shop"', "unknown key 'tols'; did you mean 'tools'?"),
    "an unknown tool": (
        'tools = "shop"\n[tool.ad]\nfuzz = false',
        "unknown tool 'ad'; did you mean 'add'? Valid: add, find_orders, first_word",
    ),
    "an unknown key of a tool": (
        'tools = "shop"\n[tool.add]\nsucces = {}',
        "unknown key in [tool.add] 'succes'; did you mean 'success'?",
    ),
    "an unknown path": (
        'tools = "shop"\n[[tool.add.case]]\npath = "eror"',
        "unknown path in [[tool.add.case]] 'eror'; did you mean 'error'?",
    ),
    "an unknown key of a case": (
        'tools = "shop"\n[[tool.add.case]]\npath = "error"\nargs = {}',
        "unknown key in [[tool.add.case]] 'args'; did you mean 'arguments'?",
    ),
    "arguments that are no JSON": (
        'tools = "shop"\n[tool.add]\nsuccess = "{a: 1}"',
        "arguments '{a: 1}' are no JSON",
    ),
    "arguments that are none": (
        'tools = "shop"\n[tool.add]\nsuccess = "[1]"',
        "[tool.add]: the arguments of a case under 'success' must be a mapping, not",
    ),
    "a path that is impossible and given": (
        'tools = "shop"\n[tool.add]\nempty = {a = 1}\nnever = {empty = "no"}',
        "[tool.add]: path 'empty' has cases and is also declared impossible",
    ),
    "an unknown rule": (
        'tools = "shop"\n[tool.add]\nignore = {TR000 = "no"}',
        "unknown rule 'TR000'",
    ),
    "an unknown dialect": (
        'tools = "shop"\n[tool.add]\ndialect = "envlope"',
        "unknown dialect 'envlope'; did you mean 'envelope'?",
    ),
    "a kind of case": ('tools = "shop"\n[tool.add]\ncase = 1', "[[tool.add.case]]"),
    "no table": ('tools = "shop"\ntool = 1', "tool must be a table, not 1"),
    "circumstances that are not there": (
        'tools = "shop"\n[[tool.add.case]]\npath = "error"\nwhen = "shop.down"',
        "when = 'shop.down' is no function that can be imported",
    ),
    "circumstances that are no function": (
        'tools = "shop"\n[[tool.add.case]]\npath = "error"\nwhen = "shop.TOOLS"',
        "must be a callable that returns a context manager",
    ),
    "twins": ('tools = ["shop", "shop:add"]', "two targets hold a tool called 'add'"),
}


@pytest.mark.parametrize("wrong", CONTRACT_FILES)
def test_a_malformed_contract_file_fails_alone(
    write: Write, run: Run, wrong: str
) -> None:
    text, *told = CONTRACT_FILES[wrong]
    write("toolresult.toml", text)
    write("test_plain.py", PLAIN)
    ran = run("--continue-on-collection-errors")
    assert ran.exit == pytest.ExitCode.TESTS_FAILED
    assert ran.outcomes == {"test_plain.py::test_plain": "passed"}
    for each in told:
        assert each in ran.stdout
    assert "ERROR collecting toolresult.toml" in ran.stdout
    assert "Traceback" not in ran.stdout
    assert "_plugin" not in ran.stdout


def test_a_contract_file_that_is_no_text_is_told(
    run: Run, pytester: pytest.Pytester
) -> None:
    (pytester.path / "toolresult.toml").write_bytes(b'tools = "\xff"')
    ran = run()
    assert ran.exit == pytest.ExitCode.INTERRUPTED
    assert "this is no UTF-8 text (byte 9)" in ran.stdout


def test_a_dialect_that_breaks_is_told_without_a_traceback(
    write: Write, run: Run
) -> None:
    write("reading.py", "def by_name(raw):\n    return raw['no such field']\n")
    ran = run(
        "--toolresult", "shop:find_orders", "--toolresult-dialect=reading.by_name"
    )
    assert ran.short == dict.fromkeys(("fuzz", "faults", "relations"), "failed")
    assert (
        "the dialect 'reading.by_name' raised KeyError: 'no such field'" in ran.stdout
    )
    assert "Traceback" not in ran.stdout
    assert "engine" not in ran.stdout


def test_selecting_only_rules_to_come_would_check_nothing(run: Run) -> None:
    ran = run("--toolresult", "shop:add", "-o", "toolresult_select=TR999")
    assert ran.exit == 4
    ran = run("--toolresult", "shop:add", "-o", "toolresult_select=TR107")
    assert ran.exit == 4
    assert "'TR107' selects no rule of this version" in ran.stderr
