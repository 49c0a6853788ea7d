"""Keeps a call from ending the process where nothing would be told any more."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_AT_ONCE: Final = ("_exit", "abort")
"""Functions of `os` after which no line of Python runs: pytest would end without a
word, and with whatever exit code the tool chose."""


_CALLS: Final = "pytest_toolresult.runner"
"""The package whose frames stand above everything that a call does."""


class ProcessEnd:
    """Has `os._exit` and `os.abort` raise `SystemExit` in what a call does.

    Forked children may end, and so may threads that were there before the call:
    pytest-timeout ends a run from one.

    Args:
        last_words: Is called before such a thread ends the process.
    """

    def __init__(self, last_words: Callable[[], object]) -> None:
        self._last_words = last_words
        self._before: dict[str, Any] = {}

    def install(self) -> None:
        """Take the place of both functions."""
        threads = frozenset(sys._current_frames())  # noqa: SLF001 - documented
        self._before = {name: getattr(os, name) for name in _AT_ONCE}
        for name, original in self._before.items():
            setattr(os, name, _Raising(original, threads, self._last_words))

    def uninstall(self) -> None:
        """Put them back."""
        for name, original in self._before.items():
            setattr(os, name, original)


class _Raising:
    def __init__(
        self,
        original: Any,
        threads: frozenset[int],
        last_words: Callable[[], object],
    ) -> None:
        self._original = original
        self._last_words = last_words
        self._process = os.getpid()
        self._threads = threads

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        if os.getpid() != self._process:
            self._original(*args, **kwargs)
        if self._is_foreign():
            with suppress(Exception):  # nothing keeps it from ending
                self._last_words()
            self._original(*args, **kwargs)
        raise SystemExit(*args, *kwargs.values())

    def _is_foreign(self) -> bool:
        return threading.get_ident() in self._threads and not _is_in_call()


def _is_in_call() -> bool:
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - documented
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_CALLS):
            return True
        frame = frame.f_back
    return False
