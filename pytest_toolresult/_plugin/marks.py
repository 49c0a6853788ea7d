"""From a `toolresult` mark to the items it stands for."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import pytest

from pytest_toolresult._plugin.plans import Plan, checked, plans_for
from pytest_toolresult._plugin.raising import as_collect_error
from pytest_toolresult._plugin.session import run_of
from pytest_toolresult.contract import KEYWORDS, Contract
from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.errors import ContractError, ToolResultError, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult._plugin.run import Run
    from pytest_toolresult.tools import Tool

NAME: Final = "toolresult"

_POSITIONAL: Final = (
    "@pytest.mark.toolresult takes keyword arguments only; write"
    " @pytest.mark.toolresult(tool=...)"
)

_BARE_CALLABLE: Final = re.compile(
    r"@\S*mark\.toolresult\(\s*(?:\w+\.)*(?P<tool>\w+)\s*\)"
)

_LOST_TEST: Final = re.compile(
    _BARE_CALLABLE.pattern + r"[^\n]*\n(?:[ \t]*@[^\n]*\n)*"
    r"[ \t]*(?:async )?def (?P<test>\w+)"
)

_TOLD: Final = pytest.StashKey[set[str]]()
"""The names of tools that a file was already told about: the mark that stays on such a
tool is no fault of the other files which import it."""


def plans_of(mark: pytest.Mark, run: Run) -> list[Plan]:
    """Return the items that a mark stands for, the declared cases first.

    Raises:
        ToolResultError: If something is declared that cannot be.
    """
    contracts = _contracts(mark)
    tools = [run.tool_of(contract) for contract in contracts]
    _refuse_twins(tools)
    plans: list[Plan] = []
    for tool, contract in zip(tools, contracts, strict=True):
        prefix = f"{tool.name}-" if _is_listed(mark) else ""
        plans += [
            replace(plan, id=prefix + plan.id) for plan in plans_for(tool, contract)
        ]
    return plans


def prepare(collector: pytest.Module | pytest.Class, name: str, found: object) -> None:
    """Give a marked test the fixture that is its case; refuse a misplaced mark.

    Raises:
        pytest.Collector.CollectError: If the mark cannot work where it stands.
    """
    if isinstance(found, type):
        as_collect_error(lambda: _refuse_unittest(found))
        return
    function = getattr(found, "__func__", found)
    if collector.istestfunction(found, name):
        as_collect_error(lambda: _refuse_given(name, function))
        pytest.mark.usefixtures("tool_case")(function)
    elif type(function) is FunctionType and _own_marks(function):
        as_collect_error(lambda: _refuse_marked_tool(name, collector.config))
    elif not callable(found) and collector.funcnamefilter(name):
        as_collect_error(lambda: _refuse_lost_test(name, collector))


def expand(metafunc: pytest.Metafunc) -> None:
    """Make the items of a marked test.

    Raises:
        pytest.Collector.CollectError: If something is declared that cannot be.
    """
    run = run_of(metafunc.config)
    definition = metafunc.definition

    def plans_here() -> list[Plan]:
        mark = _closest(definition)
        try:
            return plans_of(mark, run)
        except ToolResultError as error:  # a file may hold dozens of marks
            raise ToolResultError(f"{definition.originalname}: {error}") from None

    plans = as_collect_error(plans_here)
    metafunc.parametrize(
        "tool_case", [pytest.param(plan, id=plan.id) for plan in plans], indirect=True
    )


def explain(report: pytest.CollectReport, config: pytest.Config) -> None:
    """Say what is wrong where a tool was called by its own mark, and raised.

    A lone callable in a mark's parentheses is what pytest marks; the tool then takes
    the place of the decorator, and is called with the test.
    """
    bare = _BARE_CALLABLE.search(report.longreprtext)
    if bare:
        _told(config).add(bare["tool"])
        report.sections.append(("The mark of toolresult", _POSITIONAL))


def _refuse_lost_test(name: str, collector: pytest.Module | pytest.Class) -> None:
    """Say where a test went that a tool was called with, and gave something else for.

    Only the source can tell: a tool that takes anything leaves no trace.
    """
    with suppress(OSError, TypeError):  # no source
        for found in _LOST_TEST.finditer(inspect.getsource(collector.obj)):
            if found["test"] == name:
                _told(collector.config).add(found["tool"])
                raise ContractError(
                    f"{name} is no test any more: the tool {found['tool']!r} was called"
                    f" with it, as if it were its decorator. {_POSITIONAL}"
                )


def _refuse_marked_tool(name: str, config: pytest.Config) -> None:
    if name in _told(config):
        return
    _told(config).add(name)
    raise ContractError(
        f"the tool {name!r} carries the mark itself, as if it were a test:"
        f" {_POSITIONAL}"
    )


def _told(config: pytest.Config) -> set[str]:
    return config.stash.setdefault(_TOLD, set())


def _refuse_given(name: str, function: object) -> None:
    if getattr(function, "is_hypothesis_test", False):
        raise ContractError(
            f"{name}: @pytest.mark.toolresult does not go with @given; its own [fuzz]"
            " item draws the arguments"
        )


def _refuse_unittest(candidate: type) -> None:
    if not any(each.__module__ == "unittest.case" for each in candidate.__mro__):
        return
    methods = {
        name: method
        for each in reversed(candidate.__mro__)
        for name, method in vars(each).items()
        if type(method) is FunctionType
    }
    marked = next((name for name, each in methods.items() if _own_marks(each)), None)
    where = f"{candidate.__name__}.{marked}" if marked else candidate.__name__
    raise ContractError(
        f"{where}: @pytest.mark.toolresult does not work on methods of a"
        " unittest.TestCase; make it a plain function or class"
    )


def _own_marks(marked: object) -> list[pytest.Mark]:
    """Return the toolresult marks that stand at a function, class or module itself."""
    marks = getattr(marked, "__dict__", {}).get("pytestmark", [])
    marks = marks if isinstance(marks, (list, tuple)) else [marks]
    plain = [getattr(each, "mark", each) for each in marks]
    return [
        each for each in plain if isinstance(each, pytest.Mark) and each.name == NAME
    ]


def _closest(definition: pytest.Function) -> pytest.Mark:
    """Return the mark that holds for a test: its own, its class's, its module's.

    A class's own mark comes before that of a base class, which pytest takes for
    the closer one.

    Raises:
        ContractError: If two stand at the same place, of which one would be lost.
    """
    for node in reversed(definition.listchain()):
        held = getattr(node, "obj", None)
        for each in getattr(held, "__mro__", [held]):
            marks = _own_marks(each)
            if len(marks) > 1:
                raise ContractError(
                    f"{node.name} carries @pytest.mark.toolresult {len(marks)} times;"
                    " give one mark a list of Contracts, or mark one test each"
                )
            if marks:
                return marks[0]
    found = definition.get_closest_marker(NAME)  # one that was added while collecting
    assert found is not None  # noqa: S101 - whoever calls has seen it
    return found


def _contracts(mark: pytest.Mark) -> list[Contract]:
    if mark.args:
        raise ContractError(_POSITIONAL)
    keywords = dict(mark.kwargs)
    if "tool" not in keywords:
        _refuse_unknown(keywords)
        raise ContractError("@pytest.mark.toolresult needs tool=...: what to test")
    tool = keywords.pop("tool")
    if _is_listed(mark):
        if not tool:
            raise ContractError("tool= is an empty list: there is nothing to test")
        return [_contract(each, _without_cases(keywords)) for each in tool]
    return [_contract(tool, keywords)]


def _refuse_twins(tools: Sequence[Tool]) -> None:
    for name, count in Counter(tool.name for tool in tools).items():
        if count > 1:
            raise ContractError(
                f"{count} tools in tool= are called {name!r}, so nobody could tell"
                " their items apart; mark one test each"
            )


def _is_listed(mark: pytest.Mark) -> bool:
    return isinstance(mark.kwargs["tool"], (list, tuple))


def _refuse_unknown(keywords: dict[str, Any]) -> None:
    for name in keywords:
        if name not in KEYWORDS:
            raise ContractError(unknown("argument", name, ("tool", *KEYWORDS)))


def _without_cases(keywords: dict[str, Any]) -> dict[str, Any]:
    for status in STATUSES:
        if status in keywords:
            raise ContractError(
                f"{status}= does not go with a list of tools, which need different"
                " arguments; mark one test a tool, or give a list of Contracts"
            )
    return keywords


def _contract(tool: Any, keywords: dict[str, Any]) -> Contract:
    _refuse_unknown(keywords)
    if isinstance(tool, Contract):
        contract = tool.with_keywords(keywords) if keywords else tool
    else:
        contract = Contract.from_keywords(tool, keywords)
    return checked(contract)
