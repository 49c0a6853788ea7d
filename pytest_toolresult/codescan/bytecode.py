"""Constants in byte code, and the part that each of them plays there."""

from __future__ import annotations

import dis
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import types
    from collections.abc import Iterable, Iterator

Parameters: TypeAlias = Callable[[int], Sequence[str]]
"""Names the parameters of what the instruction at an index loads, in their order:
an empty text for one that tells nothing, nothing at all where it is not known."""

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
        key: The field of a result, or the parameter, that it becomes, where that
            can be told.
        coded: Whether it may be an error code where no key says so.
    """

    value: Any
    rank: int = USED
    made: bool = True
    key: str | None = None
    coded: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The parts that the instructions of one piece of code play.

    Attributes:
        keys: The indices of those that load a key or a subscript, with its rank.
        fields: Of those that load the value of a named field or parameter, with
            the name.
        compared: Of those that load one side of a comparison.
    """

    keys: dict[int, int] = field(default_factory=dict)
    fields: dict[int, str] = field(default_factory=dict)
    compared: set[int] = field(default_factory=set)

    def found(self, index: int, value: Any, rank: int = USED) -> Found:
        """Say what part a value plays that the instruction at an index loads."""
        if index in self.keys:
            return Found(value=value, rank=self.keys[index], made=False)
        if index in self.compared:
            return Found(value=value, rank=DECIDES, made=False)
        return Found(value=value, rank=rank, key=self.fields.get(index))


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


def constants_of(
    steps: list[dis.Instruction], roles: Roles
) -> Iterator[tuple[int, Found]]:
    """Find the constants that are loaded, each with the part that it plays."""
    for index, step in enumerate(steps):
        if step.opname in _LOADS and not _names_keywords(steps, index):
            yield index, roles.found(index, step.argval)


def _names_keywords(steps: list[dis.Instruction], index: int) -> bool:
    """Tell whether a constant is the tuple of names of a call's keywords."""
    return index + 1 < len(steps) and steps[index + 1].opname == "CALL_KW"


def roles_of(steps: list[dis.Instruction], parameters: Parameters) -> Roles:
    """Find which instructions name something, become a field or are compared."""
    roles = Roles()
    names: tuple[str, ...] = ()
    for index, step in enumerate(steps):
        before = steps[index - 1] if index else None
        if step.opname == "KW_NAMES":
            names = step.argval
        elif step.opname == "BUILD_MAP" and step.arg:
            _pairs(steps, index, step.arg, roles)
        elif step.opname in {"BUILD_CONST_KEY_MAP", "CALL_KW"} and before:
            roles.keys[index - 1] = _rank_of_keys(steps, index - 1, step.arg or 0)
            _named(steps, index - 1, before.argval, roles)
            if step.opname == "CALL_KW":
                _passed(steps, index - 1, step.arg or 0, parameters, roles)
        elif step.opname == "CALL":
            end = _end_of_arguments(steps, index)
            _named(steps, end, names, roles)
            _passed(steps, end, step.arg or 0, parameters, roles)
            names = ()
        elif step.opname in _COMPARES:
            _compared(steps, index, roles)
        elif step.opname in _SUBSCRIPTS and before and before.opname in _LOADS:
            roles.keys[index - 1] = FIELD
        elif step.opname in _LOADS and _is_lookup(steps, index):
            roles.keys[index] = FIELD
    return roles


def _end_of_arguments(steps: list[dis.Instruction], index: int) -> int:
    """Step back over what Python 3.11 and 3.12 put between arguments and call."""
    while index and steps[index - 1].opname in {"KW_NAMES", "PRECALL"}:
        index -= 1
    return index


def _compared(steps: list[dis.Instruction], index: int, roles: Roles) -> None:
    """Mark both sides of a comparison, also of a chained one: `1 < n < 5`."""
    operands = list(_operands(steps, index, 2))
    roles.compared.update(start for start, stop in operands if start + 1 == stop)
    first = operands[-1][0] if operands else 0
    shuffled = steps[first + 1 : index] if operands else []
    if first and any(step.opname == "COPY" for step in shuffled):
        roles.compared.add(first - 1)


def _passed(
    steps: list[dis.Instruction],
    end: int,
    count: int,
    parameters: Parameters,
    roles: Roles,
) -> None:
    """Name what a call passes on by position after the parameters it is for."""
    spans = list(_operands(steps, end, count))[::-1]
    if not spans or len(spans) < count:
        return
    callee = spans[0][0] - 1
    while callee > 0 and steps[callee].opname == "PUSH_NULL":
        callee -= 1
    if not any(stop == start + 1 for start, stop in spans) or callee < 0:
        return
    for name, (start, stop) in zip(parameters(callee), spans, strict=False):
        if name and stop == start + 1:
            roles.fields.setdefault(start, name)


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


def _pairs(steps: list[dis.Instruction], end: int, count: int, roles: Roles) -> None:
    spans = list(_operands(steps, end, 2 * count))
    for (value, value_end), (key, _) in zip(spans[::2], spans[1::2], strict=False):
        roles.keys[key] = FIELD
        if value + 1 == value_end and isinstance(steps[key].argval, str):
            roles.fields[value] = steps[key].argval


def _named(
    steps: list[dis.Instruction], end: int, names: Iterable[str], roles: Roles
) -> None:
    backwards = list(names)[::-1]
    spans = _operands(steps, end, len(backwards))
    for name, (start, stop) in zip(backwards, spans, strict=False):
        if start + 1 == stop:
            roles.fields[start] = name


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
