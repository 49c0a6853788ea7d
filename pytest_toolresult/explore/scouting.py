"""Shows a tool to a back end that follows symbols through code, such as CrossHair.

What is judged is a call with plain values. Where these come from a back end that
draws symbols, it has to see beforehand on which of them the tool's branches hang.
"""

from __future__ import annotations

import inspect
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.runner import alarm
from pytest_toolresult.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BOUND_S: Final = 5.0
"""Followed by symbols, code is a hundred times slower than by itself."""


class Scout:
    """Calls a tool's function with symbols, and forgets what comes of it.

    It may change nothing, whatever the tool is allowed. A tool that does not come back
    is not shown again, and neither is one outside of the main thread, where nothing
    would end it.

    Args:
        function: The plain function of the tool; what awaits is not shown.
    """

    def __init__(self, function: Callable[..., Any] | None) -> None:
        can = function is not None and not inspect.iscoroutinefunction(function)
        self._function = function if can and _can_be_ended() else None

    def show(self, arguments: Mapping[str, Any]) -> None:
        """Call the function with arguments that are symbols in part.

        Raises:
            BaseException: What the back end has to say about these symbols.
        """
        if self._function is None:
            return
        with Watch(), guarded(frozenset()):
            answer = alarm.Alarm(_BOUND_S).call(partial(self._function, **arguments))
        if answer.hung:
            self._function = None
        elif answer.exception is not None and not _is_the_tools(answer.exception):
            raise answer.exception


def _is_the_tools(exception: BaseException) -> bool:
    from hypothesis.errors import HypothesisException

    if isinstance(exception, HypothesisException):
        return False
    return isinstance(exception, (Exception, Stopped, SystemExit))


def _can_be_ended() -> bool:
    return alarm.can_be_set()
