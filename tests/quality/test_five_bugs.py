"""Five faults in one tool are five findings, each shown by the simplest arguments."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis.core
import pytest

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.explore.fuzz import FUZZ
from pytest_toolresult.findings import Severity
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.strategies.bases import simplest
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.tools import Tool

SOURCE = Path(__file__).with_name("buggy_tools.py")
NAMES = ("nested", "lists", "texts", "numbers", "optional")
MOST_LEAVES = 3


@pytest.fixture(scope="module", name="tools")
def _tools() -> Iterator[Mapping[str, Callable[..., Any]]]:
    spec = importlib.util.spec_from_file_location("buggy_tools", SOURCE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["buggy_tools"] = module  # pydantic looks annotations up there
    spec.loader.exec_module(module)
    yield {each.__name__: each for each in module.TOOLS}
    del sys.modules["buggy_tools"]


def explored(tool: Tool) -> list[Finding]:
    runner = Runner()
    done = Engine(Settings(max_calls=300), runner).explore(
        Assignment(item="t", tool=tool, contract=Contract(tool.function)), FUZZ
    )
    runner.close()
    return list(done.evidence.findings)


def leaves(value: Any, place: tuple[object, ...] = ()) -> dict[tuple[object, ...], Any]:
    """Give what holds nothing else, and what is empty, by its place."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    found: dict[tuple[object, ...], Any] = {}
    for key, each in inner:
        found |= leaves(each, (*place, key))
    return found or {place: value}


def distance(one: Any, other: Any) -> int:
    """Count the leaves of the first that the other does not have."""
    known = leaves(other)
    return sum(known.get(place, ...) != value for place, value in leaves(one).items())


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", NAMES)
def test_five_faults_are_five_findings_near_the_simplest_arguments(
    tools: Mapping[str, Callable[..., Any]],
    name: str,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hypothesis.core, "global_force_seed", seed)
    (tool,) = tools_of(tools[name], validate=None)
    found = [each for each in explored(tool) if each.severity is Severity.ERROR]
    assert {each.rule for each in found} == {"TR801"}
    assert len({each.cause for each in found}) == len(found) == 5
    least = simplest(tool.schema or {})
    far = {each.cause: distance(each.arguments, least) for each in found}
    assert max(far.values()) <= MOST_LEAVES, far
