"""The sweep reaches rare places of tools whose names and values no list knows."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
import types
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.codescan import own_constants
from pytest_toolresult.signatures import Refused, describe
from pytest_toolresult.strategies.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE = Path(__file__).with_name("rare_tools.py")
SYNONYMS = {
    "article": "item_number",
    "level": "tier",
    "instruction": "order",
    "weight": "kilograms",
    "zone": "area",
    "amount": "sum_due",
    "coupon": "voucher",
    "ticket": "reference",
    "account": "login",
    "pin": "digits",
    "folder": "place_on_disk",
    "joined": "first_day",
    "arrival": "check_in",
    "leaving": "check_out",
    "text": "content",
    "token": "cursor",
    "rows": "numbers",
    "direction": "sorting",
    "summary": "abstract",
}
"""Other words that people use for the same; some of them the vocabulary knows."""

KEPT = frozenset({"status", "data", "error", "code", "success", "empty", "partial"})
"""The words of the envelope: with others it would be another one."""


class Replacing(ast.NodeTransformer):
    """Renames parameters, and replaces ids and thresholds by others of their kind."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def name(self, name: str) -> str:
        if name not in SYNONYMS:
            return name
        return SYNONYMS[name] if self._seed % 2 else f"x{self._digest(name)[:5]}"

    def _digest(self, text: str) -> str:
        return hashlib.sha256(f"{self._seed}{text}".encode()).hexdigest()

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.name(node.arg)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.name(node.id)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str):
            node.value = self._text(node.value)
        elif type(node.value) is int and node.value > 100:
            # Of a pattern's and a table's small numbers nothing may be changed.
            node.value = node.value + int(self._digest(str(node.value))[:2], 16)
        return node

    def _text(self, text: str) -> str:
        """Give another text of the same shape for an id; leave patterns and words."""
        if text in KEPT or not re.fullmatch(r"[A-Za-z]+([-:_]\w+)+", text):
            return text
        digits = iter(self._digest(text) * 4)
        return "".join(
            chr(ord("A" if each.isupper() else "a") + int(next(digits), 16))
            if each.isalpha()
            else str(int(next(digits), 16) % 10)
            if each.isdigit()
            else each
            for each in text
        )


def replaced(seed: int) -> Iterator[types.ModuleType]:
    """Import the tools as they are (seed 0), or with everything replaced."""
    tree = ast.parse(SOURCE.read_text("utf-8"))
    if seed:
        tree = ast.fix_missing_locations(Replacing(seed).visit(tree))
    module = types.ModuleType(f"rare_tools_{seed}")
    module.__file__ = str(SOURCE)
    sys.modules[module.__name__] = module  # pydantic looks annotations up there
    try:
        exec(compile(tree, str(SOURCE), "exec"), vars(module))  # noqa: S102
        yield module
    finally:
        del sys.modules[module.__name__]


@pytest.fixture(params=range(5))
def tools(request: pytest.FixtureRequest) -> Iterator[types.ModuleType]:
    yield from replaced(request.param)


def calls_until(tool: Any, goal: Any, most: int) -> int:
    """Count the calls that reach a tool until one of them shows its goal."""
    signature = describe(tool)
    assert signature.schema is not None
    calls = 0
    for arguments in islice(
        sweep(signature.schema, constants=own_constants(tool)), 3 * most
    ):
        try:
            args, kwargs = signature.bind(signature.convert(arguments))
        except Refused:
            continue
        calls += 1
        if goal(*outcome(tool, args, kwargs)):
            return calls
        if calls >= most:
            break
    return most + 1


def outcome(
    tool: Any, args: list[Any], kwargs: Mapping[str, Any]
) -> tuple[Any, Exception | None]:
    try:
        return tool(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001 - any crash is what the tool hides
        return None, error


def test_rare_places_are_reached_whatever_things_are_called(
    tools: types.ModuleType,
) -> None:
    calls = {
        tool.__name__: calls_until(tool, goal, 500)
        for tool, goal in tools.GOALS.items()
    }
    within_500 = sum(each <= 500 for each in calls.values())
    within_100 = sum(each <= 100 for each in calls.values())
    assert within_500 / len(calls) >= 16 / 17, calls
    assert within_100 / len(calls) >= 13 / 17, calls


def test_the_replacement_replaces() -> None:
    for module in replaced(2):
        assert "sku-8841" not in module.STOCK
        assert len(module.STOCK) == 2
        assert "article" not in describe(module.stock_of).schema["properties"]  # type: ignore[index]
        assert module.stock_of(next(iter(module.STOCK)))["status"] == "success"
