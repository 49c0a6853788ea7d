"""Tells what the runner does for itself around a call from what the tool does.

Whoever watches the calls of a tool to the outside must not take for them the
processes, files and event loops that the runner needs.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from contextlib import AbstractContextManager
    from contextvars import Token

_ASIDE: Final[ContextVar[bool]] = ContextVar("pytest_toolresult_aside", default=False)


def is_aside() -> bool:
    """Whether what runs here is the runner's own affair."""
    return _ASIDE.get()


class _Turn:
    """A context manager in which what runs is, or is not, the runner's own affair."""

    __slots__ = ("_ours", "_token")

    def __init__(self, *, ours: bool) -> None:
        self._ours = ours
        self._token: Token[bool] | None = None

    def __enter__(self) -> None:
        self._token = _ASIDE.set(self._ours)

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _ASIDE.reset(self._token)


def aside() -> AbstractContextManager[None]:
    """Do what is the runner's own affair."""
    return _Turn(ours=True)


def on_stage() -> AbstractContextManager[None]:
    """Run the tool's own code, in the middle of what is ours."""
    return _Turn(ours=False)


def enter_stage() -> None:
    """Run the tool's own code from here to the end of the task."""
    _ASIDE.set(False)


async def prepared(awaitable: Awaitable[Any]) -> Any:
    """Wait, aside, for what has to be ready before the tool is called."""
    _ASIDE.set(True)
    return await awaitable
