"""Contracts without Python: `toolresult.toml`.

    tools = "shop.tools:TOOLS"

    [tool.find_orders]
    success = { customer_id = "c-1" }
    never = { partial = "a single row" }

    [[tool.find_orders.case]]
    path = "error"
    arguments = '{"customer_id": null}'
    code = "BAD_ID"

The keys are those of `Contract`. TOML has no null, so arguments may be JSON text.
"""

from __future__ import annotations

import importlib
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.calls import Case
from pytest_toolresult.contract import KEYWORDS, Contract
from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.seams.standing import fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_toolresult.tools import Tool

_TOP_LEVEL: Final = ("tools", "tool")
_CASE_KEYS: Final = ("path", "arguments", "code", "when", "id")
_FAULT_KEYS: Final = ("fault", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFile:
    """A contract file as it was read.

    Attributes:
        targets: The targets it names, as they were written.
        declared: What it declares, by the tool's name.
    """

    targets: Sequence[str]
    declared: Mapping[str, Mapping[str, Any]]

    def contract_for(self, tool: Tool) -> Contract:
        """Return what is declared about a tool, an empty contract where nothing is.

        Raises:
            ContractError: If something is declared that cannot be.
        """
        keywords = self.declared.get(tool.name, {})
        try:
            return Contract.from_keywords(tool, keywords)
        except ContractError as error:
            raise ContractError(f"[tool.{tool.name}]: {error}") from None

    def check_names(self, tools: Iterable[Tool]) -> None:
        """Refuse declarations about tools that the targets do not hold, or hold twice.

        Raises:
            ContractError: If there are any.
        """
        names = sorted(tool.name for tool in tools)
        twins = [name for name, count in Counter(names).items() if count > 1]
        if twins:
            raise ContractError(
                f"two targets hold a tool called {twins[0]!r}, so nobody could tell"
                " their items apart; write a file for each target"
            )
        for name in self.declared:
            if name not in names:
                raise ContractError(unknown("tool", name, names))


def read(content: bytes) -> ContractFile:
    """Read a contract file.

    Raises:
        ContractError: If it is no TOML, or has keys that mean nothing.
    """
    try:
        document = tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise ContractError(f"this is no UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise ContractError(f"this is no TOML: {error}") from None
    _refuse_unknown("key", document, _TOP_LEVEL)
    tables = _table("tool", document.get("tool", {}))
    return ContractFile(
        targets=_targets(document.get("tools")),
        declared={name: _keywords(name, table) for name, table in tables.items()},
    )


def _targets(found: object) -> list[str]:
    targets = [found] if isinstance(found, str) else found
    if not isinstance(targets, list) or not targets:
        raise ContractError(
            'tools must name what to test, such as `tools = "shop.tools:TOOLS"`,'
            f" not {found!r}"
        )
    for each in targets:
        if not isinstance(each, str):
            raise ContractError(f"tools must be texts, not {each!r}")
    return targets


def _keywords(name: str, found: object) -> dict[str, Any]:
    table = dict(_table(f"tool.{name}", found))
    further = table.pop("case", [])
    _refuse_unknown(f"key in [tool.{name}]", table, (*KEYWORDS, "case"))
    declared = {
        key: _cases(value) if key in STATUSES else value for key, value in table.items()
    }
    if not isinstance(declared.get("relations", True), bool):
        declared["relations"] = _relations(declared["relations"])
    for each in _cases_table(name, further):
        path, case = _case(name, each)
        declared[path] = [*declared.get(path, []), case]
    return declared


def _relations(value: object) -> list[object]:
    """Return the relations that are named, such as `shop.relations:halves`."""
    listed = value if isinstance(value, list) else [value]
    return [_function(each, "relations") for each in listed]


def _cases(value: object) -> list[object]:
    listed = value if isinstance(value, list) else [value]
    return [_arguments(each) for each in listed]


def _arguments(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ContractError(f"arguments {value!r} are no JSON: {error}") from None


def _cases_table(name: str, found: object) -> list[Mapping[str, Any]]:
    if not isinstance(found, list):
        raise ContractError(f"write further cases as [[tool.{name}.case]]")
    return [_table(f"tool.{name}.case", each) for each in found]


def _case(name: str, table: Mapping[str, Any]) -> tuple[str, Case]:
    _refuse_unknown(f"key in [[tool.{name}.case]]", table, _CASE_KEYS)
    path = table.get("path")
    if path not in STATUSES:
        raise ContractError(unknown(f"path in [[tool.{name}.case]]", path, STATUSES))
    case = Case(
        _arguments(table.get("arguments", {})),  # type: ignore[arg-type]
        code=table.get("code"),
        when=_when(table["when"]) if "when" in table else None,
        id=table.get("id"),
    )
    return path, case


def _when(value: object) -> Callable[[], Any]:
    """Return what `when` says: a fault with its place, or the name of a function."""
    if not isinstance(value, Mapping):
        found: Callable[[], Any] = _function(value)
        return found
    _refuse_unknown("key in when", value, _FAULT_KEYS)
    for key in _FAULT_KEYS:
        if not isinstance(value.get(key), str):
            raise ContractError(
                "when takes a fault and its place, such as"
                ' `when = { fault = "timeout", at = "shop.db.execute" }`,'
                f" not {dict(value)!r}"
            )
    return fault(value["fault"], at=value["at"])


def _function(name: object, key: str = "when") -> Any:
    module, _, attribute = str(name).replace(":", ".").rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ContractError(
            f"{key} = {name!r} is no function that can be imported: {error}"
        ) from None


def _table(name: str, found: object) -> Mapping[str, Any]:
    if not isinstance(found, Mapping):
        raise ContractError(f"{name} must be a table, not {found!r}")
    return found


def _refuse_unknown(
    what: str, table: Mapping[str, object], valid: Sequence[str]
) -> None:
    for key in table:
        if key not in valid:
            raise ContractError(unknown(what, key, valid))
