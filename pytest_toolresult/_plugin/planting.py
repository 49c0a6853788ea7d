"""The fixture `canary`: what it knows of pytest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult.redaction.canaries.factory import Canaries

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_CURRENT: Final = "PYTEST_CURRENT_TEST"
"""The environment variable in which pytest says what runs, and in which phase."""


def canaries_of(config: pytest.Config) -> Iterator[Canaries]:
    """Make the canaries of a session; what a test planted goes when it ends."""
    canaries = Canaries(_running)
    hooks = _Uprooting(canaries)
    config.pluginmanager.register(hooks, "toolresult-canaries")
    try:
        yield canaries
    finally:
        config.pluginmanager.unregister(hooks)
        canaries.uproot()


def _running() -> str:
    node_id, _, _ = os.environ.get(_CURRENT, "").rpartition(" (")
    return node_id


class _Uprooting:
    def __init__(self, canaries: Canaries) -> None:
        self._canaries = canaries

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None, None, None]:
        """Take away what the test planted, after its fixtures are done."""
        try:
            return (yield)
        finally:
            self._canaries.uproot()
