"""When two values of related calls count as the same, and when they do not."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.plain import fields_of
from pytest_toolresult.steadiness import (
    Steadiness,
    content_of,
    equal,
    leaves_of,
    written,
)
from pytest_toolresult.walk import class_name, is_a

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_toolresult.outcomes import Reply
    from pytest_toolresult.rules.exhibit import Exhibit
    from pytest_toolresult.rules.trials import Trial

_AWARE: Final = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)"
)
_ZONE_NAMED: Final = re.compile(r"EAST|WEST")
_LEAST_SHIFT: Final = timedelta(minutes=30)


class Alike:
    """Tells whether values are the same but for the spelling of one argument.

    What repeats the argument may repeat it in either spelling.

    Args:
        reference: The call in the usual spelling.
        subject: The call in another one.
        name: The argument.
    """

    def __init__(self, reference: Exhibit, subject: Exhibit, name: str) -> None:
        self._usual = str(reference.call.arguments.get(name, ""))
        self._other = str(subject.call.arguments.get(name, ""))

    def __call__(self, one: object, other: object) -> bool:
        """Tell whether two values are the same in this sense."""
        if equal(one, other):
            return True
        texts = [str(each) for each in (one, other) if not is_a(each, bool)]
        if len(texts) != 2:  # noqa: PLR2004 - both
            return False
        return _evened(texts[0]) == _evened(
            texts[1].replace(self._other, self._usual) if self._other else texts[1]
        )


def _evened(text: str) -> str:
    return " ".join(in_utc(text).split()).casefold()


def in_utc(text: str) -> str:
    """Write every moment in a text that has an offset as the same moment in UTC."""
    return _AWARE.sub(_moved, text)


def _moved(found: re.Match[str]) -> str:
    moment = _moment(found[0])
    return moment.astimezone(UTC).isoformat() if moment else found[0]


def hanging_on_the_zone(
    steadiness: Steadiness, first: Exhibit, second: Exhibit
) -> Iterator[str]:
    """Give the places at which results made in two time zones differ.

    A moment that has its offset is the same in every spelling. One without, which is
    another with every call, differs where it does so by hours.
    """
    one, other = leaves_of(content_of(first)), leaves_of(content_of(second))
    for place in {**one, **other}:
        left, right = one.get(place), other.get(place)
        if _says_its_zone(left) or _says_its_zone(right):
            continue
        if steadiness.varies(place):
            if _is_shifted(left, right):
                yield written(place)
        elif not _is_same_moment(left, right):
            yield written(place)


def _says_its_zone(value: object) -> bool:
    return is_a(value, str) and bool(_ZONE_NAMED.search(value))


def _is_same_moment(one: object, other: object) -> bool:
    if is_a(one, str) and is_a(other, str):
        return in_utc(one) == in_utc(other)
    return equal(one, other)


def _is_shifted(one: object, other: object) -> bool:
    moments = [_moment(each) if is_a(each, str) else None for each in (one, other)]
    left, right = moments
    if left is None or right is None or left.tzinfo or right.tzinfo:
        return False
    return abs(left - right) >= _LEAST_SHIFT


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


class Alone:
    """What calls came to that were made by themselves, by their arguments.

    Args:
        trial: The calls of which some were made at the same time as others.
    """

    def __init__(self, trial: Trial) -> None:
        self._known: dict[str, list[int]] = {}
        for index, found, _ in trial.of("base", "again", "alone"):
            key = _key(found.call.arguments)
            self._known.setdefault(key, []).append(index)
        self._trial = trial

    def index_of(self, arguments: Mapping[str, Any]) -> int | None:
        """Return the index of the first call with these arguments."""
        known = self._known.get(_key(arguments))
        return known[0] if known else None

    def difference(
        self, arguments: Mapping[str, Any], reply: Reply | None
    ) -> str | None:
        """Return where a reply is not what the call gave by itself; `None` if nowhere.

        Args:
            arguments: What was asked.
            reply: What came back.
        """
        indices = self._known.get(_key(arguments), [])
        replies = [self._trial.exhibits[index].outcome.reply for index in indices]
        values = [_told(each) for each in replies if each is not None]
        if not values or reply is None or _is_bound_to_its_thread(reply):
            return None
        steadiness = Steadiness.of(values)
        if not steadiness.is_telling:
            return None
        places = steadiness.differences(values[0], _told(reply))
        return (places[0] or "result") if places else None


def _is_bound_to_its_thread(reply: Reply) -> bool:
    """Tell whether something refused to work in another thread than its own.

    Where a runtime calls the tool in one thread, that is no fault.
    """
    said = reply.exception.args if reply.exception is not None else ()
    return any(is_a(each, str) and "thread" in each for each in said)


def _told(reply: Reply) -> object:
    """Return what a reply says, without what tells of this very call."""
    if reply.exception is not None:
        return {"raised": class_name(reply.exception)}
    fields = fields_of(reply.value) or {}
    if "status" in fields and "data" in fields:
        return {"status": fields["status"], "data": fields["data"]}
    return {"data": reply.value}


def _key(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True)
