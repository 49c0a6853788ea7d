"""Faults that a user places by name."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult import fault
from pytest_toolresult.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.seams.standing import PlacedFault


def ask(question: str) -> str:
    return question


def ask_for(question: str) -> str:
    return ask(question)


ASK = f"{__name__}.ask"


def outcome(function: Callable[[], object]) -> str:
    try:
        return str(function())
    except OSError as error:
        return type(error).__name__


def test_every_call_there_fails_within_the_block_alone() -> None:
    with fault("timeout", at=ASK)() as made:
        assert outcome(lambda: ask("a")) == "TimeoutError"
        assert outcome(lambda: ask("b")) == "TimeoutError"
        seen: list[str] = []
        thread = threading.Thread(target=lambda: seen.append(outcome(lambda: ask("c"))))
        thread.start()
        thread.join()
        assert seen == ["TimeoutError"]
    assert ask("a") == "a"
    assert [each.where.detail for each in made.fired] == ["'a'", "'b'", "'c'"]


def test_blocks_stand_in_each_other() -> None:
    with fault("timeout", at=ASK)():
        with (
            fault("refused", at=f"{__name__}.ask_for")(),
            pytest.raises(ConnectionRefusedError),
        ):
            ask_for("b")
        assert outcome(lambda: ask_for("b")) == "TimeoutError"
        assert outcome(lambda: ask("a")) == "TimeoutError"


def test_a_library_can_be_named_in_the_place_of_a_callable() -> None:
    with (
        fault("unavailable", at="sqlite3")() as made,
        pytest.raises(sqlite3.OperationalError),
    ):
        sqlite3.connect(":memory:")
    assert [each.where.operation for each in made.fired] == ["connect"]


@pytest.mark.parametrize(
    ("name", "at", "message"),
    [
        ("timeot", ASK, "did you mean 'timeout'"),
        ("timeout", "sqlite", "did you mean 'sqlite3'"),
        ("timeout", f"{__name__}.asc", "did you mean 'ask'"),
        ("locked", ASK, f"unknown fault at {ASK} 'locked'"),
        ("timeout", f"{__name__}.ASK", "cannot be called"),
    ],
)
def test_mistakes_are_told_with_what_was_meant(
    name: str, at: str, message: str
) -> None:
    with pytest.raises(ContractError) as told:
        fault(name, at=at).check()
    assert message in str(told.value)


def unfired(placed: PlacedFault, use: Callable[[], Any]) -> str:
    with placed() as made:
        use()
        return placed.why_unfired(made)


def test_what_never_took_effect_is_told_with_what_would_fit() -> None:
    placed = fault("locked", at="sqlite3")
    told = unfired(placed, lambda: sqlite3.connect(":memory:").close())
    assert told.startswith(
        "fault('locked', at='sqlite3') never took effect, so nothing was tested:"
        " connect at test_standing.py:"
    )
    assert told.endswith("can have: unavailable")
    assert unfired(placed, dict).endswith("nothing called sqlite3")
    assert unfired(fault("timeout", at=ASK), lambda: outcome(lambda: ask("a"))) == ""
