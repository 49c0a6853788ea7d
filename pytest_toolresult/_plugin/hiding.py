"""Keeps secrets out of what pytest itself reports of our items.

pytest shows what a failed test printed and logged, and plugins for CI publish it. Of a
tool's call that is the very place where its secrets stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.redaction.masks import mask

if TYPE_CHECKING:
    import pytest


def hide_secrets(report: pytest.TestReport) -> None:
    """Mask what was captured of an item: its output, its log."""
    report.sections = [(title, mask(text)) for title, text in report.sections]
