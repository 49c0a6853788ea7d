"""What the items about one tool do: hold it to a promise, or explore it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_toolresult.dialects import AUTO, dialect_named
from pytest_toolresult.explore import EXPLORATIONS
from pytest_toolresult.rules.catalogue import check_selectors
from pytest_toolresult.rules.declared import check_declared
from pytest_toolresult.seams.standing import PlacedFault, check_callable

if TYPE_CHECKING:
    from pytest_toolresult.calls import Case
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one item does.

    Attributes:
        id: What the item is called.
        tool: The tool.
        contract: What is declared about it.
        target: What the user pointed at, or an empty text for a marked test.
        case: The promise the item holds the tool to, or `None`.
        exploration: The name of the exploration the item runs, or `None`.
    """

    id: str
    tool: Tool
    contract: Contract
    target: str = ""
    case: Case | None = None
    exploration: str | None = None


def checked(contract: Contract) -> Contract:
    """Return a contract whose names of rules, dialect and dependencies exist.

    Raises:
        SettingsError: If a rule that it waives does not.
        DialectError: If its dialect does not.
        ContractError: If a dependency does not, what it declares of the data cannot be
            used, or a fault of a case does not fit.
        TargetError: If a module of theirs cannot be imported.
    """
    check_selectors(contract.ignore)
    check_declared(contract.data)
    for dotted in contract.dependencies:
        check_callable(dotted)
    for case in contract.cases:
        if isinstance(case.when, PlacedFault):
            case.when.check()
    if contract.dialect is not None and contract.dialect != AUTO:
        dialect_named(contract.dialect)
    return contract


def plans_for(tool: Tool, contract: Contract, target: str = "") -> list[Plan]:
    """Return the items about one tool, the declared cases first."""
    cases = [
        Plan(id=str(case.id), tool=tool, contract=contract, target=target, case=case)
        for case in contract.cases
    ]
    explorations = [
        Plan(id=name, tool=tool, contract=contract, target=target, exploration=name)
        for name in EXPLORATIONS
        if getattr(contract, name)
    ]
    return [*cases, *explorations]
