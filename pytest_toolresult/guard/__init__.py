"""Keeps a call from changing anything outside the process."""

from __future__ import annotations

from pytest_toolresult.guard.clients import unsafe_clients, unseen_clients
from pytest_toolresult.guard.hook import (
    exploring,
    guarded,
    is_forbidden,
    stop_unless_allowed,
    unguarded,
)
from pytest_toolresult.guard.period import GuardReport, Stopped

__all__ = [
    "GuardReport",
    "Stopped",
    "exploring",
    "guarded",
    "is_forbidden",
    "stop_unless_allowed",
    "unguarded",
    "unsafe_clients",
    "unseen_clients",
]
