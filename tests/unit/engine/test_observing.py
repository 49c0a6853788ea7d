"""What calls cross is noted in their outcomes, and unsafe crossings are stopped."""

from __future__ import annotations

import asyncio
import sys
import sysconfig
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pytest_toolresult.calls import Call, Case
from pytest_toolresult.engine.observing import homes
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.session import Engine

    Assign = Callable[..., Assignment]


def cross(operation: str, **options: Any) -> None:
    """Do what a seam would; found by name, because the tool's code is read."""
    import_module("pytest_toolresult.seams.recording").cross(
        "shop", operation, **options
    )


def order(name: str) -> str:
    cross("look", detail=name)
    cross("order", detail=name, needs="network")
    return f"ordered {name}"


async def order_later(name: str) -> str:
    await asyncio.sleep(0)
    return order(name)


def test_declared_calls_do_what_they_do(engine: Engine, assign: Assign) -> None:
    call = Call(
        arguments={"name": "tea"}, origin="declared", case=Case({"name": "tea"})
    )
    assert engine.verify(assign(order), call).result.data == "ordered tea"
    later = asyncio.run(engine.averify(assign(order_later), call))
    assert later.result.data == "ordered tea"


def test_explored_calls_are_stopped_before_they_change_anything(
    engine: Engine, assign: Assign
) -> None:
    for tool in (order, order_later):
        explored = engine.explore(assign(tool), exploration_named("fuzz"))
        assert explored.judged == 0
        assert "shop order: " in explored.why_nothing
        assert 'allow=("network",)' in explored.why_nothing
        allowed = engine.explore(
            assign(tool, allow=["network"]), exploration_named("fuzz")
        )
        assert allowed.judged > 10


def test_a_tool_that_is_installed_has_its_lines_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = Path(sysconfig.get_paths()["purelib"]) / "weather"
    package = ModuleType("weather")
    package.__file__ = str(folder / "__init__.py")
    package.__path__ = [str(folder)]
    monkeypatch.setitem(sys.modules, "weather", package)

    def forecast() -> None: ...

    def tool(function: Any) -> Tool:
        return Tool(
            name="forecast",
            identity="weather:forecast",
            framework="callable",
            schema=None,
            invoke=lambda _: Reply(),
            function=function,
        )

    assert homes(tool(forecast)) == ()
    forecast.__module__ = "weather.tools"
    assert homes(tool(forecast)) == (str(folder),)
    del package.__path__
    package.__file__ = str(folder.with_suffix(".py"))
    assert homes(tool(forecast)) == (str(folder.with_suffix(".py")),)
