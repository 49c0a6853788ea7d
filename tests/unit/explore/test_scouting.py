"""A tool that is shown symbols: nothing it does then may be felt."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis.errors import BackendCannotProceed

from pytest_toolresult.explore import scouting
from pytest_toolresult.explore.scouting import Scout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def crash(n: int) -> float:
    return 1 / n


def leave(n: int) -> None:
    raise SystemExit(n)


def test_what_the_tool_raises_and_prints_is_forgotten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def speak(n: int) -> int:
        print("said")  # noqa: T201
        return n

    for function in (crash, leave, speak):
        Scout(function).show({"n": 0})
    Scout(crash).show({"unknown": 0})
    assert capsys.readouterr().out == ""


def test_the_tool_changes_nothing(tmp_path: Path) -> None:
    def write(text: str) -> None:
        (tmp_path / "a").write_text(text)

    Scout(write).show({"text": "text"})
    assert list(tmp_path.iterdir()) == []


class EndOfPathError(BaseException):
    """What a back end ends a path with."""


@pytest.mark.parametrize("error", [EndOfPathError, BackendCannotProceed])
def test_what_the_back_end_raises_is_its_own(error: type[BaseException]) -> None:
    def follow(_: int) -> None:
        raise error

    with pytest.raises(error):
        Scout(follow).show({"_": 0})


def test_a_tool_that_does_not_come_back_is_shown_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scouting, "_BOUND_S", 0.05)
    calls: list[int] = []

    def spin(n: int) -> None:
        calls.append(n)
        while True:
            pass

    scout = Scout(spin)
    scout.show({"n": 0})
    scout.show({"n": 1})
    assert calls == [0]


def test_nothing_is_shown_where_nothing_would_end_it() -> None:
    shown: list[Any] = []

    async def wait(n: int) -> None:
        shown.append(n)

    def take(n: int) -> None:
        shown.append(n)

    elsewhere: list[Callable[..., Any]] = [lambda: Scout(take).show({"n": 1})]
    thread = threading.Thread(target=elsewhere[0])
    thread.start()
    thread.join()
    Scout(wait).show({"n": 2})
    Scout(None).show({"n": 3})
    assert shown == []
    Scout(take).show({"n": 4})
    assert shown == [4]
