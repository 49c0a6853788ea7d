"""Test what the tools of an LLM agent hand back to the model.

What is public here is loaded when it is asked for (PEP 562): the pytest plugin
lives in this package, and a run that does not use it should not pay for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pytest_toolresult.calls import Case
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.engine.reading import check
    from pytest_toolresult.findings import Finding, Severity
    from pytest_toolresult.relating import relation
    from pytest_toolresult.results import ToolResult
    from pytest_toolresult.seams.standing import fault

    __version__: str

__all__ = [
    "Case",
    "Contract",
    "Finding",
    "Severity",
    "ToolResult",
    "__version__",
    "check",
    "fault",
    "relation",
]

_HOMES: Final = {
    "Case": "calls",
    "Contract": "contract",
    "Finding": "findings",
    "Severity": "findings",
    "ToolResult": "results",
    "check": "engine.reading",
    "fault": "seams.standing",
    "relation": "relating",
}
"""The module in which each public name lives."""


if not TYPE_CHECKING:  # or else every misspelt name would pass the type checker

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            return version("pytest-toolresult")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
