from __future__ import annotations

import pytest

from pytest_toolresult.errors import TargetError
from pytest_toolresult.targets import Target, default_alias, parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop.tools:TOOLS", ("module", "shop.tools", "TOOLS", False)),
        ("shop.tools", ("module", "shop.tools", None, False)),
        ("shop.tools:shop.find", ("module", "shop.tools", "shop.find", False)),
        ("shop.tools:make()", ("module", "shop.tools", "make", True)),
        ("path/to/file.py:TOOLS", ("file", "path/to/file.py", "TOOLS", False)),
        ("file.py", ("file", "file.py", None, False)),
        (r"C:\shop\tools.py:TOOLS", ("file", r"C:\shop\tools.py", "TOOLS", False)),
        (r"C:\shop\tools.py", ("file", r"C:\shop\tools.py", None, False)),
    ],
)
def test_python_targets(text: str, expected: tuple[str, str, str | None, bool]) -> None:
    target = parse(text)
    read = (target.kind, target.source, target.attribute, target.factory)
    assert read == expected
    assert target.text == text


def test_an_alias_may_stand_before() -> None:
    assert parse("shop=shop.tools:TOOLS") == Target(
        alias="shop",
        text="shop.tools:TOOLS",
        kind="module",
        source="shop.tools",
        attribute="TOOLS",
    )
    web = parse("web = http://127.0.0.1:8000/mcp?a=b")
    assert (web.alias, web.text) == ("web", "http://127.0.0.1:8000/mcp?a=b")
    assert parse("http://127.0.0.1:8000/mcp?a=b").alias == "127.0.0.1:8000/mcp"


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("shop.tools:TOOLS", "shop.tools:TOOLS"),
        ("shop.tools:make()", "shop.tools:make"),
        ("../shop/tools.py:TOOLS", "shop/tools.py:TOOLS"),
        ("/srv/my tools.py:TOOLS", "srv/my-tools.py:TOOLS"),
        ("a::b[1]", "a:b-1"),
        ("https://user:hunter2@shop.test/mcp?key=hunter2#x", "shop.test/mcp"),
        ("stdio:node build/server.js --token hunter2", "node-build/server.js"),
        ("stdio:KEY=hunter2 node server.js", "target"),
    ],
)
def test_the_default_alias_is_readable_and_holds_no_credentials(
    text: str, alias: str
) -> None:
    assert default_alias(text) == alias


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty target"),
        (
            "shop tools",
            "'shop tools' is no target; one looks like package.module:attri",
        ),
        ("shop.tools:", "after the module and a colon comes the name"),
        ("shop.tools:make(1)", "not 'make(1)'"),
        ("tools.py:1", "after the file and a colon comes the name"),
    ],
)
def test_what_has_none_of_the_forms_is_refused(text: str, told: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse(text)
    assert told in str(caught.value)
