"""The return statements in a tool's own code, and which one an instruction belongs to.

A code object knows where it returns, but not from which statement: what leaves a
`with` block stands at the position of the block. So the statements are taken from the
source, and an instruction is led back to the value it returns.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import types
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Place = tuple[int, int]
    """A line, counted from 1, and a column, counted from 0."""

_CALL: Final = "__call__"
_RETURNS: Final = frozenset({"RETURN_VALUE", "RETURN_CONST"})
_ENDS: Final = _RETURNS | {"RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD"}
"""After these nothing goes on: what stands before them is another way through."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnReturns:
    """The return statements in a tool's own code.

    Attributes:
        codes: The code of the tool's function and of the functions inside it.
        statements: The statements, as `file:line`.
    """

    codes: tuple[types.CodeType, ...] = ()
    statements: frozenset[str] = frozenset()
    _spans: Mapping[types.CodeType, tuple[_Span, ...]] = field(default_factory=dict)

    def statement(self, code: types.CodeType, offset: int) -> str | None:
        """Return the statement that an instruction returns from, as `file:line`.

        Args:
            code: One of `codes`.
            offset: The offset of the instruction, in bytes.

        Returns:
            The statement, or `None` where there is none: a function that ends without
            a `return` returns as well.
        """
        span = _span_at(code, offset, self._spans.get(code, ()))
        return span.text if span else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """Where a return statement stands in its file."""

    start: Place
    end: Place
    text: str


def own_returns(function: Callable[..., Any]) -> OwnReturns:
    """Find the return statements of a tool; of code without a source file, none.

    Args:
        function: Any callable. Decorators are looked through, and what the function
            calls is not its own.
    """
    with contextlib.suppress(Exception):  # objects of users may raise at any attribute
        code = _code_of(function)
        if code is not None:
            spans = dict(_spans_of(code, _functions_in(code.co_filename)))
            statements = {span.text for several in spans.values() for span in several}
            return OwnReturns(
                codes=tuple(spans), statements=frozenset(statements), _spans=spans
            )
    return OwnReturns()


def _code_of(function: object) -> types.CodeType | None:
    while isinstance(function, functools.partial):
        function = function.func
    if callable(function):
        function = inspect.unwrap(function)
    if not inspect.isroutine(function):
        function = getattr(type(function), _CALL, function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _spans_of(
    code: types.CodeType, functions: Mapping[tuple[int, str], _Function]
) -> Iterator[tuple[types.CodeType, tuple[_Span, ...]]]:
    node = functions.get((code.co_firstlineno, code.co_name))
    if node is not None:
        file = _shown(code.co_filename)
        yield code, tuple(_span(each, file) for each in _returns_in(node))
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _spans_of(inner, functions)


@cache
def _functions_in(file: str) -> Mapping[tuple[int, str], _Function]:
    """Return the functions of a source file by what their code objects know of it."""
    tree = ast.parse("".join(linecache.getlines(file)))
    functions = (each for each in ast.walk(tree) if isinstance(each, _Function))
    return {(_first_line(each), each.name): each for each in functions}


def _first_line(node: _Function) -> int:
    return min(node.lineno, *(each.lineno for each in node.decorator_list), node.lineno)


def _returns_in(node: ast.AST) -> Iterator[ast.Return]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            yield child
        elif not isinstance(child, _Scope):
            yield from _returns_in(child)


def _span(node: ast.Return, file: str) -> _Span:
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    start = (node.lineno, node.col_offset)
    return _Span(start=start, end=end, text=f"{file}:{node.lineno}")


def _span_at(
    code: types.CodeType, offset: int, spans: tuple[_Span, ...]
) -> _Span | None:
    operations, positions = _read(code)
    for index in range(offset // 2, -1, -1):
        if index < offset // 2 and operations.get(index * 2) in _ENDS:
            return None
        line, end_line, column, end_column = positions[index]
        if None in (line, end_line, column, end_column):
            continue
        for span in spans:
            within = span.start <= (line, column) and (end_line, end_column) <= span.end
            if within:
                return span
    return None


@cache
def _read(code: types.CodeType) -> tuple[Mapping[int, str], list[Any]]:
    import dis  # only where returns are told apart

    operations = {each.offset: each.opname for each in dis.get_instructions(code)}
    return operations, list(code.co_positions())


def _shown(file: str) -> str:
    path = Path(file)
    with contextlib.suppress(ValueError, OSError):
        return path.relative_to(Path.cwd()).as_posix()
    return path.as_posix()
