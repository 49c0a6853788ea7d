"""An engine with its runner, and assignments of plain functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Assign = Callable[..., Assignment]


@pytest.fixture
def engine() -> Iterator[Engine]:
    runner = Runner(timeout=1.0)
    yield Engine(Settings(max_calls=60, slow_returns=True), runner)
    runner.close()


@pytest.fixture
def assign() -> Assign:
    """Assign a function: `assign(function, kind="file", ...)`."""

    def make(function: Callable[..., Any], **keywords: Any) -> Assignment:
        validate = keywords.get("validate_arguments")
        (tool,) = tools_of(function, validate=validate)
        return Assignment(
            item="test_it.py::test_it[fuzz]",
            tool=tool,
            contract=Contract(function, **keywords),
            replay=lambda arguments, dialect: f"{dialect or 'auto'} {dict(arguments)}",
        )

    return make
