"""Everything in and around one call that should not be seen, and where it stands."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_toolresult.redaction.canaries.credentials import HOST
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.redaction.detectors.fields import field_span
from pytest_toolresult.redaction.detectors.labels import label_of
from pytest_toolresult.redaction.masks import fingerprint
from pytest_toolresult.redaction.scan import joined_texts, secrets_in_each
from pytest_toolresult.redaction.spans import ORDER, Span
from pytest_toolresult.rules.exhibit import RESULT
from pytest_toolresult.rules.raised import text_of
from pytest_toolresult.walk import is_a, survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit
    from pytest_toolresult.walk import Note, Survey

Channel = Literal["result", "log", "output"]
"""What a leak got out by."""

_NAME_KEYS: Final = frozenset(
    [
        "name",
        "key",
        "variable",
        "header",
        "field",
        "env",
        "param",
        "parameter",
        "setting",
        "option",
        "label",
    ]
)
"""What the field is called, by its last word, that says what a row is about."""

_VALUE_KEYS: Final = frozenset(
    ("value", "val", "content", "default", "plain", "plaintext", "data")
)
"""What the field is called, likewise, that holds what the row is about."""

_LAST_WORD: Final = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)$")
_WHOLE: Final = ("envelope", "native", "mcp")
"""The dialects whose reading leaves out nothing of a result, by name."""

_LEAST_ECHOED: Final = 8
_MOST_FIELDS: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A secret where it was seen.

    Attributes:
        place: Where, such as `data[3].token`, `log[0]` or `stderr`.
        channel: What it got out by.
        span: What it is.
        secret: The secret itself. It goes into no message.
        form: In what form, for a canary.
        others: How many more secrets stand at the same place.
        injected: Whether an error carried it that was put in the place of a real one.
    """

    place: str
    channel: Channel
    span: Span
    secret: str
    form: str = ""
    others: int = 0
    injected: bool = False

    @property
    def shown(self) -> str:
        """The fingerprint that stands for the secret."""
        span = Span(0, len(self.secret), self.span.kind, self.span.family)
        return fingerprint(self.secret, span)


def leaks(found: Exhibit, contract: Contract) -> Sequence[Leak]:
    """Return the leaks of one call, one a place, worked out once for all rules."""
    known: Sequence[Leak] | None = found.memo.get("leaks")
    if known is None:
        known = found.memo["leaks"] = _one_a_place(_forbidden(found, contract))
    return known


def _forbidden(found: Exhibit, contract: Contract) -> Iterator[Leak]:
    permitted = _Permitted(found, contract)
    all_leaks = _all(found)
    told = _own_words(all_leaks) if found.escaped else all_leaks
    return (leak for leak in told if not permitted(leak))


def _own_words(all_leaks: Iterable[Leak]) -> list[Leak]:
    """Leave out what an escaped exception says for itself.

    A tool that lets an injected error through has not said anything: that it does not
    catch it is one fault (TR801), and what stands in there is not another.
    """
    several = list(all_leaks)
    carried = [leak.secret for leak in several if leak.injected]
    return [
        leak
        for leak in several
        if not any(_overlap(leak.secret, secret) for secret in carried)
    ]


class _Permitted:
    """Tells what a tool may show: what it was given, and what the user allowed."""

    def __init__(self, found: Exhibit, contract: Contract) -> None:
        self._tool = found.tool.name
        self._kinds = frozenset(contract.allow_pii)
        self._allowances = found.settings.allowances
        self._found = found
        self._sent: str | None = None

    def __call__(self, leak: Leak) -> bool:
        span = leak.span
        if span.personal in self._kinds:
            return True
        if span.personal in ("email", "phone") and self._was_sent(leak.secret):
            return True
        return any(each.covers(leak.secret, self._tool) for each in self._allowances)

    def _was_sent(self, secret: str) -> bool:
        if self._sent is None:
            walked = survey([("arguments", self._found.call.arguments)])
            numbers = " ".join(str(note[2]) for note in walked.many_digits)
            self._sent = f"{walked.everything} {numbers}".casefold()
        return secret.casefold() in self._sent


def _one_a_place(all_leaks: Iterable[Leak]) -> list[Leak]:
    """Keep the gravest leak of each place, and count the rest."""
    places: dict[str, list[Leak]] = {}
    for leak in all_leaks:
        places.setdefault(leak.place, []).append(leak)
    return [_gravest(each) for each in places.values()]


def _gravest(same_place: list[Leak]) -> Leak:
    if len(same_place) == 1:
        return same_place[0]
    first = min(same_place, key=_gravity)
    return Leak(
        place=first.place,
        channel=first.channel,
        span=first.span,
        secret=first.secret,
        form=first.form,
        injected=first.injected,
        others=sum(not _overlap(each.secret, first.secret) for each in same_place),
    )


def _gravity(leak: Leak) -> tuple[int, bool]:
    return ORDER.index(leak.span.family), leak.span.kind == HOST


def _overlap(one: str, other: str) -> bool:
    """Tell whether two detectors saw the same secret."""
    return one in other or other in one


def _all(found: Exhibit) -> Iterator[Leak]:
    outcome = found.outcome
    in_result = [*_in_walk(found.survey), *_echoed(found)]
    yield from in_result
    yield from _beside(found, in_result)
    lines = [line.text for line in outcome.log]
    yield from _in_texts(lines, [f"log[{at}]" for at in range(len(lines))], "log")
    if outcome.stdout or outcome.stderr:
        written = (outcome.stdout, outcome.stderr)
        yield from _in_texts(written, ("stdout", "stderr"), "output")


def _in_walk(walked: Survey) -> Iterator[Leak]:
    notes: list[Note[Any]] = walked.texts
    texts = [note[2] for note in notes]
    yield from _detected(texts, _Places(walked, notes), "result")
    yield from _in_names(walked)
    if len(REGISTRY):
        notes = [*walked.texts_and_keys(), *walked.many_digits]
        texts = [str(note[2]) for note in notes]
        yield from _sighted(texts, _Places(walked, notes), "result")
    yield from _in_fields(walked)


def _in_names(walked: Survey) -> Iterator[Leak]:
    """Find secrets that are keys of an object; few objects have any."""
    found = dict(secrets_in_each(walked.names))
    if not found:
        return
    for position, items in walked.objects:
        for key, value in items:
            if is_a(key, str) and str.__str__(key) in found:
                name = str.__str__(key)
                span, place = found[name], walked.place((position, key, value))
                secret = name[span.start : span.end]
                yield Leak(place=place, channel="result", span=span, secret=secret)


def _echoed(found: Exhibit) -> Iterator[Leak]:
    """Find what the tool was given as a secret, and gives back.

    The arguments are asked for only where a parameter is named as secrets are, for a
    verdict that hangs on the arguments cannot be remembered.
    """
    for name, value in _secret_arguments(found).items():
        span = field_span(name, value)
        if span is None or span.family != "field" or len(value) < _LEAST_ECHOED:
            continue
        for note in found.survey.texts:
            if value in note[2]:
                place = found.survey.place(note)
                yield Leak(place=place, channel="result", span=span, secret=value)


def _secret_arguments(found: Exhibit) -> dict[str, str]:
    schema = found.tool.schema or {}
    named = [name for name in schema.get("properties", ()) if label_of(str(name))]
    if not named:
        return {}
    given = found.call.arguments
    return {
        name: str.__str__(given[name])
        for name in named
        if name in given and is_a(given[name], str)
    }


class _Places:
    """The places of notes, worked out where one is asked for."""

    def __init__(self, walked: Survey, notes: Sequence[Note[Any]]) -> None:
        self._walked = walked
        self._notes = notes

    def __getitem__(self, at: int) -> str:
        return self._walked.place(self._notes[at])


def _beside(found: Exhibit, in_result: list[Leak]) -> Iterator[Leak]:
    """Find what the value does not show: in the wire's text, in an exception's."""
    outcome = found.outcome
    reply = outcome.reply
    known = {leak.secret for leak in in_result}
    others: list[tuple[str, str]] = []
    if reply is not None and found.dialect not in _WHOLE:
        # What a detector sees may be a canary as well: both are weighed by place.
        beside = list(_in_walk(survey([(RESULT, reply.value)])))
        yield from (leak for leak in beside if leak.secret not in known)
        known |= {leak.secret for leak in beside}
    if reply is not None and is_a(reply.wire, str) and outcome.ending == "returned":
        others.append(("wire", str.__str__(reply.wire)))
    if found.escaped and outcome.exception is not None:
        others.append(("exception", text_of(outcome.exception)))
    for name, text in others:
        for leak in _in_texts([text], [name], "result"):
            if leak.secret not in known:
                yield leak


def _in_texts(
    texts: Sequence[str], places: Sequence[str], channel: Channel
) -> Iterator[Leak]:
    """Scan texts that stand beside a result.

    Args:
        texts: The texts.
        places: Where each stands.
        channel: What they got out by.
    """
    yield from _detected(texts, places, channel)
    if len(REGISTRY):
        yield from _sighted(texts, places, channel)


def _detected(
    texts: Sequence[str], places: _Places | Sequence[str], channel: Channel
) -> Iterator[Leak]:
    """Let the detectors look at each text once, however often it stands there."""
    standing: dict[str, list[int]] = {}
    for text, span in secrets_in_each(texts):
        if not standing:
            for at, each in enumerate(texts):
                standing.setdefault(each, []).append(at)
        secret = text[span.start : span.end]
        for at in standing[text]:
            yield Leak(place=places[at], channel=channel, span=span, secret=secret)


def _sighted(
    texts: Sequence[str], places: _Places | Sequence[str], channel: Channel
) -> Iterator[Leak]:
    """Look for canaries, whose pieces may stand in several texts."""
    joined, starts = joined_texts(texts)
    for sighting in REGISTRY.find(joined):
        canary, start, end = sighting.canary, sighting.start, sighting.end
        whole = "\0" not in joined[start:end]
        yield Leak(
            place=places[bisect_right(starts, start) - 1],
            channel=channel,
            span=Span(start, end, canary.kind, "canary", canary.personal),
            secret=canary.secret,
            form=sighting.form if whole else "in pieces",
            injected=canary.injected,
        )


def _in_fields(walked: Survey) -> Iterator[Leak]:
    """Find what a name tells about: fields, lists under a name, name and value rows."""
    telling = {name for name in walked.names if label_of(name)}
    if not telling and not _may_hold_rows(walked.names):
        return
    for position, items in walked.objects[:_MOST_FIELDS]:
        row = _row_name(items)
        for key, value in items:
            if not is_a(key, str):
                continue
            name = _telling_name(str.__str__(key), telling, row)
            if name:
                yield from _under(name, value, walked.place((position, key, value)))


def _may_hold_rows(names: set[str]) -> bool:
    last_words = set(map(_last_word, names))
    return not (last_words.isdisjoint(_NAME_KEYS) or last_words.isdisjoint(_VALUE_KEYS))


@lru_cache(maxsize=4_096)
def _last_word(name: str) -> str:
    """Return the last word of a field's name: `value` of `envValue`, `ENV_VALUE`."""
    found = _LAST_WORD.search(name)
    return found[0].lower() if found else ""


def _telling_name(key: str, telling: set[str], row: str) -> str:
    if key in telling:
        return key
    return row if row and _last_word(key) in _VALUE_KEYS else ""


def _row_name(items: list[tuple[Any, Any]]) -> str:
    """Return what a row such as `{"name": "DB_PASSWORD", "value": ...}` is about."""
    for key, value in items:
        if not (is_a(key, str) and is_a(value, str)):
            continue
        if _last_word(str.__str__(key)) in _NAME_KEYS:
            name = str.__str__(value)
            if label_of(name):
                return name
    return ""


def _under(name: str, value: object, place: str) -> Iterator[Leak]:
    if is_a(value, list):
        for at, each in enumerate(list.__iter__(value)):
            if is_a(each, str):
                yield from _field(name, str.__str__(each), f"{place}[{at}]")
    elif is_a(value, dict):
        for key, each in dict.items(value):
            if not (is_a(key, str) and is_a(each, str)):
                continue
            inner = str.__str__(key)
            if _last_word(inner) in _VALUE_KEYS:
                yield from _field(name, str.__str__(each), f"{place}.{inner}")
    elif is_a(value, str):
        yield from _field(name, str.__str__(value), place)
    elif is_a(value, int) and type(value) is not bool:
        yield from _field(name, json.dumps(int.__int__(value) % 10**40), place)


def _field(name: str, value: str, place: str) -> Iterator[Leak]:
    span = field_span(name, value)
    if span is not None:
        yield Leak(place=place, channel="result", span=span, secret=value)
