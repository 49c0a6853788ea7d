from __future__ import annotations

import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.errors import TargetError
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.targets import load, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_toolresult.tools import Tool

    Write = Callable[[str, str], Path]

TOOLS = """
    from functools import partial

    def find_orders(customer_id: str) -> str:
        return customer_id

    def add(a: int, b: int) -> int:
        return a + b

    class Shop:
        def refund(self, order_id: str) -> str:
            return order_id

    shop = Shop()
    TOOLS = [find_orders, add]
    MIXED = (find_orders, {"sum": add}, [shop.refund])
    NAMED = {"one": partial(add, 1), "two": partial(add, 2)}
    TWINS = [add, partial(add, 1)]
    NUMBER = 3
    NESTED = [find_orders, [3]]

    def make_tools():
        return [add]

    def broken():
        raise OSError("no database")
"""


@pytest.fixture(autouse=True)
def own_imports(tmp_path: Path) -> Iterator[None]:
    """Take back what a test does to the import system.

    Libraries that it was the first to need stay: half of one, loaded a second time,
    would fail in tests that come later.
    """
    path, modules = list(sys.path), dict(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - set(modules):
        if str(tmp_path) in repr(sys.modules[name]):
            del sys.modules[name]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return write


def loaded(text: str, root: Path) -> list[Tool]:
    return load(parse(text), validate=None, root=root)


def names(text: str, root: Path) -> list[str]:
    return [tool.name for tool in loaded(text, root)]


def refusal(text: str, root: Path) -> str:
    with pytest.raises(TargetError) as caught:
        loaded(text, root)
    assert "Traceback" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("", ["add", "find_orders"]),
        (":TOOLS", ["add", "find_orders"]),
        (":add", ["add"]),
        (":shop.refund", ["refund"]),
        (":MIXED", ["find_orders", "refund", "sum"]),
        (":NAMED", ["one", "two"]),
        (":make_tools()", ["add"]),
        (":make_tools", ["make_tools"]),
    ],
)
def test_tools_come_sorted_by_name(
    tmp_path: Path, write: Write, attribute: str, expected: list[str]
) -> None:
    write("shopping.py", TOOLS)
    assert names(f"shopping{attribute}", tmp_path) == expected
    assert names(f"shopping.py{attribute}", tmp_path) == expected


def test_tools_that_share_a_function_are_told_apart(
    tmp_path: Path, write: Write
) -> None:
    write("shopping.py", TOOLS)
    one, two = loaded("shop=shopping:NAMED", tmp_path)
    assert (one.identity, two.identity) == ("shop::one", "shop::two")
    assert two.invoke({"b": 3}) == Reply(value=5)
    (renamed,) = [
        each for each in loaded("shopping:MIXED", tmp_path) if each.name == "sum"
    ]
    assert renamed.identity == "shopping:add"


def test_a_file_imports_its_siblings_and_is_imported_once(
    tmp_path: Path, write: Write
) -> None:
    write("deep/server.py", "import stock_tools\nTOOLS = stock_tools.TOOLS\n")
    write("deep/stock_tools.py", "COUNT = []\ndef find(): ...\nTOOLS = [find]\n")
    (found,) = loaded("deep/server.py", tmp_path)
    (again,) = loaded("deep/stock_tools.py", tmp_path)
    assert found.function is again.function
    assert found.identity == again.identity == "stock_tools:find"


def test_a_file_stands_in_no_other_modules_way(tmp_path: Path, write: Write) -> None:
    import json

    path = write("json.py", "def find(): ...\nTOOLS = [find]\n")
    (tool,) = loaded(str(path), tmp_path / "elsewhere")
    assert sys.modules["json"] is json
    assert tool.identity.startswith("json_")
    (again,) = loaded(str(path), tmp_path / "elsewhere")
    assert again.function is tool.function


def test_a_file_in_a_package_keeps_its_relative_imports(
    tmp_path: Path, write: Write
) -> None:
    write("market/__init__.py", "")
    write("market/base.py", "def find(): ...\n")
    write("market/tools.py", "from .base import find\nTOOLS = [find]\n")
    (tool,) = loaded("market/tools.py", tmp_path)
    (same,) = loaded("market.tools", tmp_path)
    assert tool.identity == "market.base:find"
    assert tool.function is same.function


def test_an_unknown_module_names_the_nearest(tmp_path: Path, write: Write) -> None:
    write("market/__init__.py", "")
    write("market/tools.py", "")
    assert "did you mean 'market'?" in refusal("markte.tools", tmp_path)
    told = refusal("market.tolls:TOOLS", tmp_path)
    assert "no module named 'market.tolls'" in told
    assert "did you mean 'market.tools'?" in told
    assert "did you mean 'tools.py'?" in refusal("market/tool.py", tmp_path)


def test_an_unknown_attribute_names_the_nearest_and_what_is_there(
    tmp_path: Path, write: Write
) -> None:
    write("shopping.py", TOOLS)
    told = refusal("shopping:find_order", tmp_path)
    assert "module 'shopping' has no attribute 'find_order'" in told
    assert "did you mean 'find_orders'?" in told
    assert "There: find_orders, add, shop, TOOLS" in told
    told = refusal("shopping:shop.refnd", tmp_path)
    assert "Shop object has no attribute 'refnd'; did you mean 'refund'?" in told


def test_a_module_without_tools_names_what_looks_like_some(
    tmp_path: Path, write: Write
) -> None:
    write("helpers.py", "def other(): ...\n")
    write(
        "plain.py",
        """
        from helpers import other
        LIMIT = 3
        class Thing: ...
        def find(): ...
        ALL = [find]
        """,
    )
    told = refusal("plain", tmp_path)
    assert "'plain' has no TOOLS" in told
    assert "looks like tools in it: find, ALL (write plain:find)" in told
    write("bare.py", "LIMIT = 3\n")
    assert "nothing in it looks like a tool" in refusal("bare", tmp_path)


def test_an_import_that_raises_says_what_and_where(
    tmp_path: Path, write: Write
) -> None:
    path = write("broken.py", "\n\nraise OSError('no database')\n")
    for text in ("broken", "broken.py"):
        assert f"OSError: no database ({path}:3)" in refusal(text, tmp_path)
    assert "broken" not in sys.modules
    path = write("parses.py", "import json\njson.loads('{')\n")
    assert f"({path}:2)" in refusal("parses", tmp_path)
    path = write("script.py", "import sys\nsys.exit(3)\n")
    assert f"raised SystemExit: 3 ({path}:2)" in refusal("script.py", tmp_path)
    path = write("misspelt.py", "def find(:\n")
    assert f"({path}:1)" in refusal("misspelt", tmp_path)
    path = write("needs.py", "import not_there_at_all\n")
    told = refusal("needs", tmp_path)
    assert "No module named 'not_there_at_all'" in told
    assert f"({path}:1)" in told


def test_a_factory_that_raises_or_is_none_says_so(tmp_path: Path, write: Write) -> None:
    write("shopping.py", TOOLS)
    told = refusal("shopping:broken()", tmp_path)
    assert "the factory raised OSError: no database" in told
    assert "shopping.py:26)" in told
    assert "int 3 cannot be called" in refusal("shopping:NUMBER()", tmp_path)


def test_two_tools_of_one_name_are_refused(tmp_path: Path, write: Write) -> None:
    write("shopping.py", TOOLS)
    told = refusal("shopping:TWINS", tmp_path)
    assert "two tools are called 'add'" in told
    assert "shopping:TWINS[0] and shopping:TWINS[1]" in told


def test_what_is_no_tool_is_named_and_what_would_be(
    tmp_path: Path, write: Write
) -> None:
    write("shopping.py", TOOLS)
    told = refusal("shopping:NUMBER", tmp_path)
    assert "'shopping:NUMBER' is int 3 and no tool" in told
    assert "a tool is a function" in told
    assert "'shopping:NESTED[1][0]' is int 3" in refusal("shopping:NESTED", tmp_path)
    assert "the class Shop (give an instance" in refusal("shopping:Shop", tmp_path)
    write("none.py", "TOOLS = []\n")
    assert "is empty" in refusal("none", tmp_path)


@pytest.mark.parametrize("text", ["stdio:node server.js", "http://127.0.0.1:8000/mcp"])
def test_servers_outside_the_process_are_not_supported_yet(
    tmp_path: Path, text: str
) -> None:
    assert "not supported yet" in refusal(text, tmp_path)
