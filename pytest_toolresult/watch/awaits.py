"""Coroutines that nobody awaits: dropped during a call, or handed out by it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final, cast

from pytest_toolresult.digests import written
from pytest_toolresult.loops import end_unstarted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HOOK: Final = "_warn_unawaited_coroutine"
"""What the interpreter calls with a coroutine that is dropped without having run.
Whatever the filters for warnings say, it comes by here, and once per coroutine."""

_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})
_CONTAINERS: Final[tuple[Any, ...]] = (list, tuple, set, frozenset)
_DEEPEST: Final = 4
_MOST: Final = 1000


class DroppedCoroutines:
    """Hands the names of dropped coroutines to a sink, in place of a warning.

    Args:
        sink: Takes a name, and tells whether it was any of its business; where it
            was not, the interpreter warns as ever.
    """

    def __init__(self, sink: Callable[[str], bool]) -> None:
        self._sink = sink
        self._before: Any = None

    def install(self) -> None:
        """Take the place of the warning."""
        self._before = getattr(warnings, _HOOK, None)
        setattr(warnings, _HOOK, self._dropped)

    def uninstall(self) -> None:
        """Let the interpreter warn again."""
        setattr(warnings, _HOOK, self._before)

    def _dropped(self, coroutine: object) -> None:
        if not self._sink(name_of(coroutine)) and self._before is not None:
            self._before(coroutine)


def handed_out(value: object) -> tuple[str, ...]:
    """Name the awaitables in a result, and end those that are coroutines.

    Args:
        value: What a call returned. The first thousand values are looked at, four
            containers deep.
    """
    if written(value) is not None:
        return ()  # nothing but built-in values
    names = []
    for one in _awaitables(value):
        names.append(name_of(one))
        end_unstarted(one)
    return tuple(names)


def name_of(awaitable: object) -> str:
    """Return the name of the function a coroutine stems from, else of the class."""
    name = getattr(awaitable, "__qualname__", None)
    return name if isinstance(name, str) else type(awaitable).__qualname__


def _awaitables(value: object) -> Iterator[object]:
    level = [value]
    for _ in range(_DEEPEST):
        inner: list[object] = []
        for one in level[:_MOST]:
            if type(one) in _PLAIN:
                continue
            if hasattr(type(one), "__await__"):
                yield one
            else:
                inner.extend(_content(one))
        level = inner


def _content(value: object) -> Iterable[object]:
    """Look into a container without running a line of the result's own code.

    This happens after the call: nothing would end a loop in there, and what it
    raises would be nobody's.
    """
    kind = type(value)
    if issubclass(kind, dict):
        return dict.values(cast("dict[object, object]", value))
    for base in _CONTAINERS:
        if issubclass(kind, base):
            return cast("Iterable[object]", base.__iter__(value))
    return ()
