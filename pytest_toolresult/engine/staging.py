"""Makes the calls of relations: in another time zone, and with results spoilt."""

from __future__ import annotations

import copy
import os
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.steadiness import Steadiness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.calls import Call
    from pytest_toolresult.engine.probing import Invoke
    from pytest_toolresult.outcomes import Outcome, Reply

_MARK: Final = "$changed"
"""What is left in a result by whoever changes it."""

_DEEPEST: Final = 40


def staged(invoke: Invoke) -> Invoke:
    """Return what makes calls as their `part` says, those of others as they are.

    Results of relations are kept as copies: nothing that happens later changes what
    a call came to. Where the tool has kept hold of a result, that is noted.
    """
    earlier = _Earlier()

    def make(call: Call, bound: float) -> Outcome:
        part = call.part
        if part is None:
            return invoke(call, bound)
        with _in_zone(part.zone):
            outcome = invoke(call, bound)
        # Copied first: what comes to light in it is mended in what is shared.
        kept = _copied(outcome.reply) if outcome.reply else None
        altered = earlier.looked_at_again()
        if outcome.reply is None or kept is None:
            return replace(outcome, altered=altered)
        earlier.keep(outcome.reply.value, kept.value, spoils=part.spoils)
        return replace(outcome, reply=kept, altered=altered)

    return make


class _Earlier:
    """The result of the call before, as whoever got it still holds it."""

    def __init__(self) -> None:
        self._live: object = None
        self._kept: object = None
        self._is_spoilt = False
        self._was_spoilt = False

    def keep(self, live: object, kept: object, *, spoils: bool) -> None:
        """Hold a result, with the copy that was made of it, until the next call."""
        if live is kept or self._was_spoilt:
            return  # it may be the one that was mended, and differ from its copy
        self._live, self._kept, self._is_spoilt = live, kept, spoils
        if spoils:
            _spoil(live, 0)

    def looked_at_again(self) -> tuple[str, ...]:
        """Return where it is not what it was, and let go of it.

        What was spoilt is mended: the tool may have kept hold of it.
        """
        live, kept, is_spoilt = self._live, self._kept, self._is_spoilt
        self._live = self._kept = None
        self._is_spoilt, self._was_spoilt = False, is_spoilt
        if is_spoilt:
            _mend(live, 0)
            return ()
        return tuple(Steadiness.of(()).differences(kept, live))


def _copied(reply: Reply) -> Reply:
    """Return a reply whose value nobody else holds; the same where that cannot be."""
    try:
        return replace(reply, value=copy.deepcopy(reply.value))
    except Exception:  # noqa: BLE001 - whatever a result's own code raises
        return reply


def _spoil(value: Any, depth: int) -> None:
    """Change a result in place, in its depths first, as far as it is plain data."""
    if depth > _DEEPEST:
        return
    if type(value) is dict:
        for each in list(value.values()):
            _spoil(each, depth + 1)
        value[_MARK] = True
    elif type(value) is list:
        for each in value:
            _spoil(each, depth + 1)
        value.append(_MARK)


def _mend(value: Any, depth: int) -> None:
    """Undo `_spoil`."""
    if depth > _DEEPEST:
        return
    if type(value) is dict:
        value.pop(_MARK, None)
        for each in list(value.values()):
            _mend(each, depth + 1)
    elif type(value) is list:
        if value and value[-1] == _MARK:
            value.pop()
        for each in value:
            _mend(each, depth + 1)


@contextmanager
def _in_zone(zone: str) -> Iterator[None]:
    """Let the process live in a time zone for the block, and go back for sure."""
    if not zone or not hasattr(time, "tzset"):
        yield
        return
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("TZ", None)
        else:
            os.environ["TZ"] = before
        time.tzset()
