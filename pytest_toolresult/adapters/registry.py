"""Which adapter presents an object: the table of them, loaded on first use."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from pytest_toolresult.adapters import Adapter

MODULES: Final[tuple[str, ...]] = (
    "pytest_toolresult.adapters.mcp",
    "pytest_toolresult.adapters.callables",
)
"""The modules that offer an `ADAPTER`, in the order they are asked. Callables come
last: many frameworks' objects can be called, but not as their runtime does it."""


@functools.cache
def adapters() -> tuple[Adapter, ...]:
    """Return every adapter in the order they are asked."""
    return tuple(cast("Adapter", import_module(name).ADAPTER) for name in MODULES)


def adapter_for(candidate: object) -> Adapter | None:
    """Return the first adapter that recognises an object, or `None`."""
    return next((each for each in adapters() if each.recognises(candidate)), None)
