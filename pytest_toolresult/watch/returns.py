"""Which return statements of a tool are reached while it is called.

From Python 3.12 on the interpreter tells when a function returns, at no cost that
could be measured, and beside coverage and debuggers. Before that only a profile
function could, which makes every call of every function slower: on request alone.
"""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, Self

from pytest_toolresult.codescan.returns import OwnReturns, own_returns

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType, TracebackType

_NAME: Final = "pytest-toolresult"
_IDS: Final = (3, 4)
"""The ids of `sys.monitoring` that are left to whoever wants one."""


def can_watch_returns() -> bool:
    """Tell whether returns can be watched without making calls slower."""
    return sys.version_info >= (3, 12)


class ReturnWatch:
    """A context manager around the calls of one tool, for as long as they take.

    Attributes:
        reachable: The return statements of the tool, as `file:line`. Empty where its
            code cannot be read, and where nothing can be watched.
        reached: Those that were reached so far.
        why_not: Why nothing could be watched, where it was to be; else an empty text.
    """

    def __init__(
        self, function: Callable[..., Any] | None, *, slowly: bool = False
    ) -> None:
        """Find the return statements of a tool.

        Args:
            function: The tool's function; `None` where it is out of reach.
            slowly: Whether to watch where that makes calls slower.
        """
        own = own_returns(function) if function is not None else OwnReturns()
        self._own = own
        self._seen: set[tuple[CodeType, int]] = set()
        self._means: _Means | None = None
        if can_watch_returns():
            self._means = _Events(own.codes, self._seen)
        elif slowly:
            self._means = _Profile(own.codes, self._seen)
        self._watching = False
        self.why_not = ""

    @property
    def reachable(self) -> frozenset[str]:
        """See the class."""
        return self._own.statements if self._watching else frozenset()

    @property
    def reached(self) -> frozenset[str]:
        """See the class."""
        found = (self._own.statement(code, at) for code, at in self._seen.copy())
        return frozenset(each for each in found if each)

    def __enter__(self) -> Self:
        if self._means is not None and self._own.codes:
            self._watching = self._means.start() or self._watching
            self.why_not = "" if self._watching else self._means.in_the_way
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._means is not None:
            self._means.stop()


class _Means(ABC):
    """A way of being told that one of several functions returns.

    Attributes:
        in_the_way: What it is that can keep it from beginning.
    """

    in_the_way: str

    def __init__(
        self, codes: tuple[CodeType, ...], seen: set[tuple[CodeType, int]]
    ) -> None:
        self._codes = codes
        self._seen = seen

    @abstractmethod
    def start(self) -> bool:
        """Begin to watch, and tell whether that was possible."""

    @abstractmethod
    def stop(self) -> None:
        """Watch no longer."""


class _Events(_Means):
    """Returns as events of the interpreter, on the watched code alone."""

    in_the_way = (
        "the ids of sys.monitoring that are nobody's own are both taken by other tools"
    )
    _id: int | None = None

    def start(self) -> bool:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        free = (each for each in _IDS if monitoring.get_tool(each) is None)
        self._id = next(free, None)
        if self._id is None:
            return False
        returns = monitoring.events.PY_RETURN
        monitoring.use_tool_id(self._id, _NAME)
        monitoring.register_callback(self._id, returns, self._returned)
        for code in self._codes:
            monitoring.set_local_events(self._id, code, returns)
        return True

    def stop(self) -> None:
        if self._id is None:
            return
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        for code in self._codes:
            monitoring.set_local_events(self._id, code, 0)
        monitoring.register_callback(self._id, monitoring.events.PY_RETURN, None)
        monitoring.free_tool_id(self._id)
        self._id = None

    def _returned(self, code: CodeType, offset: int, _value: object) -> None:
        self._seen.add((code, offset))


class _Profile(_Means):
    """Returns as a profile function is told of them, unless another one is there."""

    in_the_way = "a profile function of another tool is set, and there can be but one"
    _started = False

    def start(self) -> bool:
        if sys.getprofile() is not None:
            return False
        self._started = True
        threading.setprofile(self._happened)
        sys.setprofile(self._happened)
        return True

    def stop(self) -> None:
        if self._started:
            self._started = False
            sys.setprofile(None)
            threading.setprofile(None)

    def _happened(self, frame: FrameType, event: str, _value: object) -> None:
        # An exception that leaves a function comes by here as well, and is led back
        # to no statement: it does not stand at one that returns.
        if event == "return" and frame.f_code in self._codes:
            self._seen.add((frame.f_code, frame.f_lasti))
