"""Log records of every level, without changing what anybody else sees of them.

Levels and handlers stay as they are. A record that the configuration would have
dropped (by a level, by `logging.disable`, by a logger that is switched off or does
not propagate) is seen here, and dropped afterwards as it would have been. What an
event loop says about itself, that it was made and closed, is no business of a call.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from pytest_toolresult.outcomes import LogLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class LogTap:
    """Hands every log record to a sink while it is installed."""

    def __init__(self, sink: Callable[[LogLine], None]) -> None:
        self._sink = sink
        self._is_enabled = logging.Logger.isEnabledFor
        self._handle = logging.Logger.handle

    def install(self) -> None:
        """See every record from now on."""
        self._is_enabled = is_enabled = logging.Logger.isEnabledFor
        self._handle = handle = logging.Logger.handle
        sink = self._sink

        def see(logger: logging.Logger, record: logging.LogRecord) -> None:
            if record.levelno > logging.DEBUG or record.name != "asyncio":
                sink(_line(record))
            if is_enabled(logger, record.levelno):
                handle(logger, record)

        self._put(_always, see)

    def uninstall(self) -> None:
        """Leave logging as it was."""
        self._put(self._is_enabled, self._handle)

    @staticmethod
    def _put(is_enabled: Any, handle: Any) -> None:
        logging.Logger.isEnabledFor = is_enabled  # type: ignore[method-assign]
        logging.Logger.handle = handle  # type: ignore[method-assign]


def _always(_logger: logging.Logger, _level: int) -> bool:
    return True


def _line(record: logging.LogRecord) -> LogLine:
    text = "\n".join((_message(record), *_exceptions(record)))
    return LogLine(level=record.levelno, logger=record.name, text=text)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # as logging does: a bad message is no reason to fail
        return _shown(record.msg)


def _exceptions(record: logging.LogRecord) -> Iterator[str]:
    """Yield what a formatter would add about an exception, without the stack."""
    exception = record.exc_info[1] if record.exc_info else None
    seen: set[int] = set()
    while exception is not None and id(exception) not in seen:
        seen.add(id(exception))
        yield f"{type(exception).__name__}: {_shown(exception)}"
        exception = exception.__cause__ or exception.__context__


def _shown(value: object) -> str:
    try:
        return str(value)
    except Exception:
        return f"<a {type(value).__name__} that cannot be shown>"
