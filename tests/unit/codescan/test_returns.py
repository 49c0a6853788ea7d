from __future__ import annotations

import dis
import functools
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.codescan.returns import own_returns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

HERE = Path(__file__)


def simple(number: int) -> str:
    if number > 5:
        return "many"
    if number:
        return "a few"
    return "none"


def within(path: str) -> object:
    with suppress(ValueError), nullcontext(path) as text:
        if not text:
            return None
        for line in text:
            if line == "x":
                return line
        try:
            return int(text)
        finally:
            if len(text) > 3:
                text.strip()
    return 7


def without(text: str) -> None:
    if text:
        return
    text.strip()


async def waiting(text: str) -> str:
    @contextmanager
    def inside() -> Iterator[str]:
        yield text
        return

    async with nullcontext():
        with inside() as found:
            return found or "nothing"


async def streaming(text: str) -> AsyncIterator[str]:
    if not text:
        return
    yield text


def chosen(text: str) -> str:
    try:
        return {"a": "x"}[text] if text else "none"
    except KeyError:
        return "unknown"


def lines(function: Callable[..., Any]) -> list[int]:
    """Return the lines of the statements, counted from the function's first."""
    first = function.__code__.co_firstlineno
    found = own_returns(function).statements
    assert all(HERE.name in each for each in found)
    return sorted(int(each.rpartition(":")[2]) - first for each in found)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (simple, [2, 4, 5]),
        (within, [3, 6, 8, 12]),
        (without, [2]),
        (waiting, [4, 8]),
        (streaming, [2]),
        (chosen, [2, 4]),
    ],
)
def test_each_return_statement_is_found(
    function: Callable[..., Any], expected: list[int]
) -> None:
    assert lines(function) == expected


@pytest.mark.parametrize(
    "function", [simple, within, without, waiting, streaming, chosen]
)
def test_each_instruction_leads_to_its_statement(function: Callable[..., Any]) -> None:
    own = own_returns(function)
    reached = {
        own.statement(code, each.offset)
        for code in own.codes
        for each in dis.get_instructions(code)
        if each.opname in ("RETURN_VALUE", "RETURN_CONST")
    }
    assert reached - {None} == own.statements


def test_a_function_may_end_without_one() -> None:
    own = own_returns(without)
    (code,) = own.codes
    ends = [
        own.statement(code, each.offset)
        for each in dis.get_instructions(code)
        if each.opname in ("RETURN_VALUE", "RETURN_CONST")
    ]
    assert None in ends


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


class Shop:
    def find(self, number: int) -> str:
        return str(number)

    def __call__(self, number: int) -> str:
        return f"order {number}"


def test_every_kind_of_callable_is_looked_through() -> None:
    assert own_returns(decorated(simple)).statements == own_returns(simple).statements
    assert len(own_returns(functools.partial(chosen, "a")).statements) == 2
    assert len(own_returns(Shop().find).statements) == 1
    assert len(own_returns(Shop()).statements) == 1


def test_what_has_no_source_has_no_statements() -> None:
    namespace: dict[str, Any] = {}
    exec("def made(): return 1", namespace)  # noqa: S102 - code without a file
    assert own_returns(namespace["made"]).statements == frozenset()
    assert own_returns(len).statements == frozenset()
