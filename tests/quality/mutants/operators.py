"""Changes error paths of tools by machine, one mistake at a time."""

from __future__ import annotations

import ast
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Change = Callable[[ast.AST], ast.AST | list[ast.stmt] | None]
    """Returns what stands in the place of a node, or `None` where nothing fits."""

_LEAK: Final = "no answer from postgresql://shop:{}@db.internal:5432/shop"
_NEVER_SHOWN: Final = "q7Wz-t4Lm-92Kd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A module with one mistake in it.

    Attributes:
        operator: What was done.
        function: The function in which it was done.
        line: The line of the original where it was done.
        source: The module's source.
    """

    operator: str
    function: str
    line: int
    source: str


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module whose tools answer with `ToolResult`s."""
    tree = ast.parse(source)
    for number, (function, node) in enumerate(_nodes(tree)):
        for operator, change in OPERATORS.items():
            if change(deepcopy(node)) is None:
                continue
            changed = deepcopy(tree)
            _Put(number, change).visit_all(changed)
            yield Mutant(
                operator=operator,
                function=function,
                line=getattr(node, "lineno", 0),
                source=ast.unparse(ast.fix_missing_locations(changed)),
            )


def _nodes(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    for function in tree.body:
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for node in ast.walk(function):
                yield function.name, node


class _Put(ast.NodeTransformer):
    """Replaces the node of a number, in the order of `_nodes`."""

    def __init__(self, number: int, change: Change) -> None:
        self._number = number
        self._change = change
        self._target: ast.AST | None = None

    def visit_all(self, tree: ast.Module) -> None:
        """Replace the node in a whole module."""
        self._target = [node for _, node in _nodes(tree)][self._number]
        self.visit(tree)

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt] | None:
        if node is self._target:
            return self._change(node)
        return self.generic_visit(node)


def _is_made_by(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "ToolResult"
        and node.func.attr == name
    )


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _drop_handler(node: ast.AST) -> ast.AST | list[ast.stmt] | None:
    """Drop the first handler of a `try`; the others are dropped by `_drop_last`."""
    if not isinstance(node, ast.Try) or not node.handlers:
        return None
    return _without(node, 0)


def _drop_last(node: ast.AST) -> ast.AST | list[ast.stmt] | None:
    if not isinstance(node, ast.Try) or len(node.handlers) < 2:
        return None
    return _without(node, -1)


def _without(node: ast.Try, which: int) -> ast.AST | list[ast.stmt]:
    del node.handlers[which]
    return node if node.handlers or node.finalbody else [*node.body, *node.orelse]


def _handler_to_success(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.ExceptHandler):
        return None
    text = "return ToolResult.ok('Error: it did not work')"
    node.body = ast.parse(text).body
    return node


def _fail_to_success(node: ast.AST) -> ast.AST | None:
    if not _is_made_by(node, "fail"):
        return None
    return _expression("ToolResult.ok({'done': True})")


def _fail_to_empty(node: ast.AST) -> ast.AST | None:
    return _expression("ToolResult.empty()") if _is_made_by(node, "fail") else None


def _flip_retryable(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.keyword) or node.arg != "retryable":
        return None
    node.value = ast.UnaryOp(op=ast.Not(), operand=node.value)
    return node


def _blank_message(node: ast.AST) -> ast.AST | None:
    if not _is_made_by(node, "fail") or not isinstance(node, ast.Call):
        return None
    node.args[1] = ast.Constant("")
    return node


def _leak_in_message(node: ast.AST) -> ast.AST | None:
    if not _is_made_by(node, "fail") or not isinstance(node, ast.Call):
        return None
    node.args[1] = ast.Constant(_LEAK.format(_NEVER_SHOWN))
    return node


def _partial_unmarked(node: ast.AST) -> ast.AST | None:
    if not _is_made_by(node, "partial") or not isinstance(node, ast.Call):
        return None
    made = _expression("ToolResult(status='partial', data=[])")
    if isinstance(made, ast.Call):
        made.keywords[1].value = node.args[0]
    return made


def _partial_to_success(node: ast.AST) -> ast.AST | None:
    if not _is_made_by(node, "partial") or not isinstance(node, ast.Call):
        return None
    made = _expression("ToolResult.ok([])")
    if isinstance(made, ast.Call):
        made.args[0] = node.args[0]
    return made


def _empty_to_success(node: ast.AST) -> ast.AST | None:
    return _expression("ToolResult.ok([])") if _is_made_by(node, "empty") else None


OPERATORS: Final[dict[str, Change]] = {
    "first except dropped": _drop_handler,
    "last except dropped": _drop_last,
    "except answers with success": _handler_to_success,
    "success instead of fail": _fail_to_success,
    "empty instead of fail": _fail_to_empty,
    "retryable flipped": _flip_retryable,
    "message blank": _blank_message,
    "credentials in the message": _leak_in_message,
    "partial without a mark": _partial_unmarked,
    "success instead of partial": _partial_to_success,
    "success instead of empty": _empty_to_success,
}
"""What is done to the error paths, by name."""
