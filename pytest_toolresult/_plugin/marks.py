"""From a `toolresult` mark to the items it stands for."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any, Final

import pytest

from pytest_toolresult._plugin.plans import Plan, plans_for
from pytest_toolresult._plugin.raising import as_collect_error
from pytest_toolresult._plugin.run import Run, run_of
from pytest_toolresult.contract import KEYWORDS, Contract
from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.rules.catalogue import check_selectors

NAME: Final = "toolresult"

_POSITIONAL: Final = (
    "@pytest.mark.toolresult takes keyword arguments only; write"
    " @pytest.mark.toolresult(tool=...)"
)


def plans_of(mark: pytest.Mark, run: Run) -> list[Plan]:
    """Return the items that a mark stands for, the declared cases first.

    Raises:
        ToolResultError: If something is declared that cannot be.
    """
    contracts = _contracts(mark)
    plans: list[Plan] = []
    for contract in contracts:
        tool = run.tool_of(contract)
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
    elif collector.istestfunction(found, name):
        as_collect_error(lambda: _refuse_given(name, found))
        pytest.mark.usefixtures("tool_case")(found)
    elif type(found) is FunctionType and "pytestmark" in vars(found):
        as_collect_error(lambda: _refuse_marked_tool(name))


def expand(metafunc: pytest.Metafunc, mark: pytest.Mark) -> None:
    """Make the items of a marked test.

    Raises:
        pytest.Collector.CollectError: If something is declared that cannot be.
    """
    run = run_of(metafunc.config)
    plans = as_collect_error(lambda: plans_of(mark, run))
    metafunc.parametrize(
        "tool_case", [pytest.param(plan, id=plan.id) for plan in plans], indirect=True
    )


def _refuse_marked_tool(name: str) -> None:
    raise ContractError(
        f"the tool {name!r} carries the mark itself, as if it were a test:"
        f" {_POSITIONAL}"
    )


def _refuse_given(name: str, function: object) -> None:
    if getattr(function, "is_hypothesis_test", False):
        raise ContractError(
            f"{name}: @pytest.mark.toolresult does not go with @given; its own [fuzz]"
            " item draws the arguments"
        )


def _refuse_unittest(candidate: type) -> None:
    if not any(each.__module__ == "unittest.case" for each in candidate.__mro__):
        return
    for name, method in vars(candidate).items():
        if type(method) is FunctionType and "pytestmark" in vars(method):
            raise ContractError(
                f"{candidate.__name__}.{name}: @pytest.mark.toolresult does not work on"
                " methods of a unittest.TestCase; make it a plain function or class"
            )


def _contracts(mark: pytest.Mark) -> list[Contract]:
    if mark.args:
        raise ContractError(_POSITIONAL)
    keywords = dict(mark.kwargs)
    if "tool" not in keywords:
        _refuse_unknown(keywords)
        raise ContractError("@pytest.mark.toolresult needs tool=...: what to test")
    tool = keywords.pop("tool")
    if _is_listed(mark):
        return [_contract(each, _without_cases(keywords)) for each in tool]
    return [_contract(tool, keywords)]


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
    check_selectors(contract.ignore)
    return contract
