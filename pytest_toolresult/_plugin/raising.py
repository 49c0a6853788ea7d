"""What users did wrong, raised the way pytest expects it at each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeVar

import pytest

from pytest_toolresult.errors import ToolResultError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def fail(text: str, *, pytrace: bool) -> NoReturn:
    """Fail a test at the user's own line, or without any traceback.

    Where there is none this frame stays in sight, or pytest would go on to say that
    all of them are hidden.
    """
    __tracebackhide__ = pytrace
    pytest.fail(text, pytrace=pytrace)


def as_usage_error(make: Callable[[], T]) -> T:
    """Call something before the run; what users did wrong ends it with exit code 4."""
    try:
        return make()
    except ToolResultError as error:
        raise pytest.UsageError(str(error)) from None


def as_collect_error(make: Callable[[], T]) -> T:
    """Call something during collection; what users did wrong fails that file only."""
    try:
        return make()
    except ToolResultError as error:
        raise pytest.Collector.CollectError(str(error)) from None
