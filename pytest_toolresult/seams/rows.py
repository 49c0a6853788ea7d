"""The rows that a database hands over, none of them, or a lot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.seams import shapes, sql

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_toolresult.faults import BoundaryCall
    from pytest_toolresult.seams.recording import Passage

_MOST: Final = 10_000


def emptied(rows: Sequence[Any], statement: str, _parameters: Any) -> list[Any]:
    """Return what a statement answers where its tables hold nothing that fits.

    Numbers about all rows are still one row: counts are 0 then, all else is null.

    Args:
        rows: What it did answer, as tuples.
        statement: The statement.
    """
    told = sql.read(statement)
    if told.answer != "one":
        return []
    return [_nothing(row, told.counted) for row in rows]


def inflated(rows: Sequence[Any], statement: str, parameters: Any) -> list[Any]:
    """Return a lot of rows like the given ones, as many as the statement asks for.

    Args:
        rows: What it did answer, as tuples.
        statement: The statement.
        parameters: What it was executed with.
    """
    if sql.read(statement).answer != "rows":
        return list(rows)
    most = sql.limit(statement, parameters)
    many: list[Any] = shapes.inflated(list(rows))
    return many if most is None else many[: max(most, len(rows))]


CHANGES: Final[Mapping[str, Callable[[Sequence[Any], str, Any], list[Any]]]] = {
    "emptied": emptied,
    "inflated": inflated,
}
"""The faults that change rows."""


class Answers:
    """What the statements of each call answered: it says which faults fit there."""

    def __init__(self) -> None:
        self._known: dict[BoundaryCall, tuple[str, Any, Passage]] = {}

    def forget(self) -> None:
        """Begin anew."""
        self._known.clear()

    def asked(self, passage: Passage, statement: str, parameters: Any = ()) -> None:
        """Remember what is asked at a call, unless something is broken there."""
        if passage.fault is None and len(self._known) < _MOST:
            self._known[passage.call] = (statement, parameters, passage)

    def statement(self, call: BoundaryCall) -> sql.Statement | None:
        """Return what is known of the statement of a call, if it is known."""
        known = self._known.get(call)
        return None if known is None else sql.read(known[0])

    def fitting(self, call: BoundaryCall) -> tuple[str, ...]:
        """Return the faults of rows that would make a difference at a call."""
        if call not in self._known:
            return tuple(CHANGES)
        statement, parameters, passage = self._known[call]
        answer = sql.read(statement).answer
        if not passage.rows or answer == "none":
            return ()
        most = sql.limit(statement, parameters)
        full = most is not None and passage.rows >= most
        return ("emptied",) if answer == "one" or full else tuple(CHANGES)


def _nothing(row: Any, counted: Sequence[bool]) -> Any:
    if len(row) != len(counted):
        return tuple(None for _ in row)
    return tuple(0 if counts else None for counts in counted)
