"""Arguments as they travel, and whether a call changed them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.digests import written
from pytest_toolresult.errors import ToolResultError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.calls import Arguments

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})

_GONE: Final = object()


def as_sent(arguments: Arguments) -> dict[str, Any]:
    """Copy arguments as a runtime would find them, having read them from JSON.

    Tuples become lists, names become text, members of enumerations their values.

    Raises:
        ToolResultError: If something in the arguments is not JSON.
    """
    return _object(arguments, "")


class Sent:
    """Arguments on their way to a tool, and what became of them there.

    Args:
        arguments: What is to be sent.

    Attributes:
        copy: What the tool is handed.

    Raises:
        ToolResultError: If something in the arguments is not JSON.
    """

    __slots__ = ("_arguments", "_written", "copy")

    def __init__(self, arguments: Arguments) -> None:
        self.copy = as_sent(arguments)
        self._arguments = arguments
        self._written = written(self.copy)

    def changed(self) -> tuple[str, ...]:
        """Return the places that the tool has changed."""
        if self._written is not None and written(self.copy) == self._written:
            return ()
        return tuple(changes(as_sent(self._arguments), self.copy))


def changes(before: object, after: object, place: str = "") -> Iterator[str]:
    """Yield the places at which two copies of one JSON value differ.

    Args:
        before: The value as it was; it has no cycles.
        after: The value as a call left it.
        place: Where both stand, such as `tags[0].name`.
    """
    if type(before) is not type(after):
        yield place
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in (*before, *(key for key in after if key not in before)):
            inner = f"{place}.{key}" if place else str(key)
            yield from changes(before.get(key, _GONE), after.get(key, _GONE), inner)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield place
        for number, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from changes(old, new, f"{place}[{number}]")
    elif before is not after and before != after:
        yield place


def _object(value: Mapping[Any, Any], place: str) -> dict[str, Any]:
    """Copy an object. The place of a value is only put together where it is needed."""
    return {
        _name(key): one
        if type(one) in _SCALARS
        else _copied(one, f"{place}{_name(key)}")
        for key, one in value.items()
    }


def _copied(value: Any, place: str) -> Any:
    if isinstance(value, (list, tuple)):
        return [
            one if type(one) in _SCALARS else _copied(one, f"{place}[{number}]")
            for number, one in enumerate(value)
        ]
    if isinstance(value, Mapping):
        return _object(value, f"{place}.")
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        raise ToolResultError(
            f"argument {place!r} is a {type(value).__name__}, which a model cannot "
            "send; give what stands for it in JSON: text, a number, true, false, null, "
            "a list or an object"
        ) from None


def _name(key: object) -> str:
    if type(key) is str:
        return key
    return str(next(iter(json.loads(json.dumps({key: None})))))
