"""Tells what the runner does for itself around a call from what the tool does.

Whoever watches the calls of a tool to the outside must not take for them the
processes, files and event loops that the runner needs.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator

_ASIDE: Final[ContextVar[bool]] = ContextVar("pytest_toolresult_aside", default=False)


def is_aside() -> bool:
    """Whether what runs here is the runner's own affair."""
    return _ASIDE.get()


@contextmanager
def aside() -> Iterator[None]:
    """Do what is the runner's own affair."""
    token = _ASIDE.set(True)
    try:
        yield
    finally:
        _ASIDE.reset(token)


@contextmanager
def on_stage() -> Iterator[None]:
    """Run the tool's own code, in the middle of what is ours."""
    token = _ASIDE.set(False)
    try:
        yield
    finally:
        _ASIDE.reset(token)


def enter_stage() -> None:
    """Run the tool's own code from here to the end of the task."""
    _ASIDE.set(False)


async def prepared(awaitable: Awaitable[Any]) -> Any:
    """Wait, aside, for what has to be ready before the tool is called."""
    _ASIDE.set(True)
    return await awaitable
