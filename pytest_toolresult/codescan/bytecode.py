"""Constants in byte code, and the part that each of them plays there."""

from __future__ import annotations

import dis
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import types
    from collections.abc import Iterable, Iterator

_LOOKUPS: Final = frozenset({"get", "pop", "setdefault"})
_LOADS: Final = frozenset({"LOAD_CONST", "RETURN_CONST"})
_COMPARES: Final = frozenset({"COMPARE_OP", "CONTAINS_OP"})
_SUBSCRIPTS: Final = frozenset({"BINARY_SUBSCR", "STORE_SUBSCR", "DELETE_SUBSCR"})
DECIDES: Final = 0
USED: Final = 1
FIELD: Final = 2

_NO_OPERATION: Final = frozenset({"CACHE", "RESUME", "NOP", "EXTENDED_ARG"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A constant and the place it has in the code.

    Attributes:
        value: The constant; a container stands for what is in it.
        rank: One of `DECIDES`, `USED` and `FIELD`, the more telling the lower.
        made: Whether it may become part of a result, as opposed to a key or to
            something that is only compared with.
        key: The field of a result that it becomes, where that can be told.
    """

    value: Any
    rank: int = USED
    made: bool = True
    key: str | None = None


def steps_of(code: types.CodeType) -> list[dis.Instruction]:
    """List the instructions that do something."""
    return [
        # Python 3.11 does not look the names of keywords up itself.
        step._replace(argval=code.co_consts[step.arg or 0])
        if step.opname == "KW_NAMES"
        else step
        for step in dis.get_instructions(code)
        if step.opname not in _NO_OPERATION
    ]


def raises(steps: list[dis.Instruction]) -> bool:
    """Tell whether code raises an exception on purpose: an `assert` does not."""
    asserts = sum(step.opname == "LOAD_ASSERTION_ERROR" for step in steps)
    return sum(step.opname == "RAISE_VARARGS" and bool(step.arg) for step in steps) > (
        asserts
    )


def constants_of(steps: list[dis.Instruction]) -> Iterator[Found]:
    """Find the constants that are loaded, each with the part that it plays."""
    keys, fields = _roles(steps)
    for index, step in enumerate(steps):
        if step.opname not in _LOADS or _names_keywords(steps, index):
            continue
        if index in keys:
            yield Found(value=step.argval, rank=keys[index], made=False)
        elif _is_compared(steps, index):
            yield Found(value=step.argval, rank=DECIDES, made=False)
        else:
            yield Found(value=step.argval, key=fields.get(index))


def _is_compared(steps: list[dis.Instruction], index: int) -> bool:
    """Tell whether a constant is one side of a comparison, a few loads away."""
    for step in steps[index + 1 : index + 5]:
        if step.opname in _COMPARES:
            return True
        if not step.opname.startswith(("LOAD_", "COPY", "SWAP")):
            return False
    return False


def _names_keywords(steps: list[dis.Instruction], index: int) -> bool:
    """Tell whether a constant is the tuple of names of a call's keywords."""
    return index + 1 < len(steps) and steps[index + 1].opname == "CALL_KW"


def _roles(steps: list[dis.Instruction]) -> tuple[dict[int, int], dict[int, str]]:
    """Find which constants name something, and which become a named field.

    Returns:
        The indices of instructions that load a key or a subscript, with its rank;
        and of those that load the value of a named field, with its name.
    """
    keys: dict[int, int] = {}
    fields: dict[int, str] = {}
    names: tuple[str, ...] = ()
    for index, step in enumerate(steps):
        before = steps[index - 1] if index else None
        if step.opname == "KW_NAMES":
            names = step.argval
        elif step.opname == "BUILD_MAP" and step.arg:
            _pairs(steps, index, step.arg, keys, fields)
        elif step.opname in {"BUILD_CONST_KEY_MAP", "CALL_KW"} and before:
            keys[index - 1] = _rank_of_keys(steps, index - 1, step.arg or 0)
            _named(steps, index - 1, before.argval, fields)
        elif step.opname == "CALL" and names:
            _named(steps, index, names, fields)
            names = ()
        elif step.opname in _SUBSCRIPTS and before and before.opname in _LOADS:
            keys[index - 1] = FIELD
        elif step.opname in _LOADS and _is_lookup(steps, index):
            keys[index] = FIELD
    return keys, fields


def _rank_of_keys(steps: list[dis.Instruction], end: int, count: int) -> int:
    """Tell a table of constants, whose keys are looked up, from a record."""
    spans = list(_operands(steps, end, count))
    constant = [
        stop - start == 1 and steps[start].opname in _LOADS for start, stop in spans
    ]
    return DECIDES if len(constant) == count and all(constant) else FIELD


def _is_lookup(steps: list[dis.Instruction], index: int) -> bool:
    before = steps[index - 1] if index else None
    return (
        before is not None
        and before.opname in {"LOAD_ATTR", "LOAD_METHOD"}
        and before.argval in _LOOKUPS
    )


def _pairs(
    steps: list[dis.Instruction],
    end: int,
    count: int,
    keys: dict[int, int],
    fields: dict[int, str],
) -> None:
    spans = list(_operands(steps, end, 2 * count))
    for (value, value_end), (key, _) in zip(spans[::2], spans[1::2], strict=False):
        keys[key] = FIELD
        if value + 1 == value_end and isinstance(steps[key].argval, str):
            fields[value] = steps[key].argval


def _named(
    steps: list[dis.Instruction],
    end: int,
    names: Iterable[str],
    fields: dict[int, str],
) -> None:
    backwards = list(names)[::-1]
    spans = _operands(steps, end, len(backwards))
    for name, (start, stop) in zip(backwards, spans, strict=False):
        if start + 1 == stop:
            fields[start] = name


def _operands(
    steps: list[dis.Instruction], end: int, count: int
) -> Iterator[tuple[int, int]]:
    """Give the spans of the last operands before an instruction, last one first.

    Stops early at a jump: beyond it the order of instructions is not that of
    the stack.
    """
    stop = end
    for _ in range(count):
        start, needed = stop, 1
        while needed > 0:
            start -= 1
            if start < 0 or "JUMP" in steps[start].opname:
                return
            needed -= dis.stack_effect(steps[start].opcode, steps[start].arg)
        yield start, stop
        stop = start


def ordered(elements: Iterable[Any]) -> Iterable[Any]:
    """Give elements in an order that does not hang on their hashes."""
    if isinstance(elements, set | frozenset):
        return sorted(elements, key=lambda each: (type(each).__name__, repr(each)))
    return elements
