"""Keeps a call from ending the process where nothing would be told any more."""

from __future__ import annotations

import os
from typing import Any, Final, NoReturn

_AT_ONCE: Final = ("_exit", "abort")
"""Functions of `os` after which no line of Python runs: pytest would end without a
word, and with whatever exit code the tool chose."""


class ProcessEnd:
    """Has `os._exit` and `os.abort` raise `SystemExit`, but in forked children."""

    def __init__(self) -> None:
        self._before: dict[str, Any] = {}

    def install(self) -> None:
        """Take the place of both functions."""
        self._before = {name: getattr(os, name) for name in _AT_ONCE}
        for name, original in self._before.items():
            setattr(os, name, _Raising(original))

    def uninstall(self) -> None:
        """Put them back."""
        for name, original in self._before.items():
            setattr(os, name, original)


class _Raising:
    def __init__(self, original: Any) -> None:
        self._original = original
        self._process = os.getpid()

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        if os.getpid() != self._process:
            self._original(*args, **kwargs)
        raise SystemExit(*args, *kwargs.values())
