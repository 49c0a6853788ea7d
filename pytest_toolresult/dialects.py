"""How a reply reads as an envelope, and so which rules apply to it.

A tool that never heard of the envelope is not wrong for that. Each dialect reads
one way of answering, says which statuses it can express, and whether the four
fields are there to be judged.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from pytest_toolresult.envelope import FIELDS, STATUSES, Envelope, Status
from pytest_toolresult.errors import DialectError, unknown
from pytest_toolresult.plain import fields_of, plain

if TYPE_CHECKING:
    from pytest_toolresult.outcomes import Outcome, Reply

AUTO: Final = "auto"
_MAP: Final = "map:"

_FIELDS: Final = frozenset(FIELDS)

_READABLE: Final = 2
"""How many of the four fields make a result one that means to be an envelope."""

_MOST_NAMES: Final = 8
_LONGEST_NAME: Final = 40

_SHARED: Final = 0.9
"""The share of results that must agree before a mapping is read from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A way in which tools answer.

    Attributes:
        name: What users call it, such as `native`.
        read: Reads an outcome that has a reply as an envelope, or returns `None`
            where it cannot.
        statuses: The statuses it can express: the coverage denominator.
        has_envelope: Whether it has the four fields; rules about them are inactive
            elsewhere, not waived.
        forgives_raise: Whether an exception raised on purpose is an error result
            (as agent runtimes hand it to the model) and no escaping exception.
    """

    name: str
    read: Callable[[Outcome], Envelope | None]
    statuses: frozenset[Status]
    has_envelope: bool
    forgives_raise: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Which dialect some results are read in.

    Attributes:
        dialect: The dialect.
        reason: Why this one, in words.
        hint: The line that pins a mapping read from the results, or an empty text.
        results: How many results were looked at.
        envelopes: How many of them are envelopes.
    """

    dialect: Dialect
    reason: str
    hint: str = ""
    results: int = 0
    envelopes: int = 0


def dialect_named(name: str | Callable[..., Any]) -> Dialect:
    """Return the dialect a user named.

    Args:
        name: `envelope`, `native`, `mcp`, `map: status=ok data=result error=err`,
            or a function `raw -> Envelope`, itself or by its dotted name.

    Raises:
        DialectError: If there is no such dialect, mapping or function.
    """
    if callable(name):
        return _function_dialect(getattr(name, "__qualname__", repr(name)), name)
    if name in _NAMED:
        return _NAMED[name]
    if name.startswith(_MAP):
        return _mapping_dialect(name, _parse_mapping(name))
    if "." in name or ":" in name:
        return _function_dialect(name, _import(name))
    raise DialectError(unknown("dialect", name, [AUTO, *_NAMED, _MAP + " ..."]))


def decide(outcomes: Sequence[Outcome], own: str | None) -> Decision:
    """Choose the dialect that some results of one tool speak.

    Args:
        outcomes: What the calls came to.
        own: The dialect of the tool's framework, or `None` for `native`.
    """
    replies = [each.reply for each in outcomes if each.reply and _is_result(each)]
    envelopes = sum(is_envelope(reply.value) for reply in replies)
    decided = partial(Decision, results=len(replies), envelopes=envelopes)
    reason = f"{envelopes} of {len(replies)} results are envelopes" if replies else ""
    if envelopes:
        return decided(dialect=ENVELOPE, reason=reason)
    mapping = _shared_mapping(replies)
    if mapping and own is None:
        line = " ".join([_MAP, *(f"{to}={name}" for to, name in mapping.items())])
        return decided(
            dialect=_mapping_dialect(line, mapping),
            reason=f"{len(replies)} results share these fields",
            hint=line,
        )
    return decided(dialect=dialect_named(own or "native"), reason=reason)


def is_envelope(value: object) -> bool:
    """Tell whether a result is an envelope: a known status and two more fields."""
    envelope = envelope_of(fields_of(value))
    return envelope is not None and is_meant(envelope)


def is_meant(envelope: Envelope) -> bool:
    """Tell whether what was read as an envelope is one, by status and fields."""
    status = envelope.status
    others = len(FIELDS) - 1 - len(envelope.missing)
    return isinstance(status, str) and status in STATUSES and others >= _READABLE


def _is_result(outcome: Outcome) -> bool:
    return outcome.ending == "returned" and outcome.exception is None


# --- envelope ---------------------------------------------------------------------


def _read_envelope(outcome: Outcome) -> Envelope | None:
    reply = outcome.reply
    if reply is None or outcome.exception is not None:
        return None
    return envelope_of(fields_of(reply.value))


def envelope_of(fields: Mapping[str, Any] | None) -> Envelope | None:
    """Return the fields as an envelope, or `None` where they do not mean to be."""
    if fields is None or len(_FIELDS.intersection(fields)) < _READABLE:
        return None
    return Envelope(
        status=fields.get("status"),
        data=fields.get("data"),
        error=fields.get("error"),
        meta=fields.get("meta"),
        missing=_FIELDS.difference(fields),
        extra={name: each for name, each in fields.items() if name not in _FIELDS},
    )


# --- native -----------------------------------------------------------------------


def _read_native(outcome: Outcome) -> Envelope | None:
    reply = outcome.reply
    if reply is None:
        return None
    if reply.exception is not None:
        return _raised(reply) if outcome.deliberate else None
    if reply.flagged:
        return _failed({"message": _text_of(reply)})
    return _answered(plain(reply.value))


def _raised(reply: Reply) -> Envelope:
    try:
        message = str(reply.exception)
    except Exception:  # noqa: BLE001 - an exception's own code may raise
        message = type(reply.exception).__name__
    return _failed({"message": message})


def _text_of(reply: Reply) -> object:
    return reply.wire if reply.wire is not None else reply.value


def _failed(error: object) -> Envelope:
    return Envelope(status="error", error=error, meta={})


def _answered(data: object) -> Envelope:
    nothing = data is None or any(
        # The class's own length: a subclass may do anything, such as raise.
        issubclass(type(data), kind) and not kind.__len__(cast("Any", data))
        for kind in (str, list, dict)
    )
    return Envelope(status="empty" if nothing else "success", data=data, meta={})


# --- map: -------------------------------------------------------------------------

_STATUS_NAMES: Final = ("ok", "success", "succeeded", "successful", "status")
_DATA_NAMES: Final = ("result", "results", "data", "value", "output", "payload")
_ERROR_NAMES: Final = ("err", "error", "errors", "error_message", "exception")
_GOOD_WORDS: Final = frozenset({"ok", "success", "succeeded", "done", "completed"})
_BAD_WORDS: Final = frozenset({"error", "err", "fail", "failed", "failure"})


def _parse_mapping(line: str) -> dict[str, str]:
    pairs = re.findall(r"(\S+?)\s*=\s*(\S+)", line.removeprefix(_MAP))
    rest = re.sub(r"\S+?\s*=\s*\S+", "", line.removeprefix(_MAP)).strip()
    for name, _ in pairs:
        if name not in FIELDS:
            raise DialectError(unknown("field in the dialect", name, FIELDS))
    if rest or not pairs:
        raise DialectError(
            f"the dialect {line!r} is no mapping; write it as"
            " `map: status=ok data=result error=err`, each with a field of yours"
        )
    return dict(pairs)


def _mapping_dialect(name: str, mapping: Mapping[str, str]) -> Dialect:
    def read(outcome: Outcome) -> Envelope | None:
        if outcome.reply is None or outcome.exception is not None:
            return None
        fields = fields_of(outcome.reply.value)
        if fields is None or not any(each in fields for each in mapping.values()):
            return None
        return _mapped(fields, mapping)

    return Dialect(
        name=name,
        read=read,
        statuses=frozenset({"success", "error"}),
        has_envelope=False,
        forgives_raise=False,
    )


def refuse_blind_mapping(dialect: Dialect, outcomes: Sequence[Outcome]) -> None:
    """Refuse a mapping that the user set and that reads not one of the results.

    Raises:
        DialectError: It names the fields that were looked for, and those there are.
    """
    results = [each for each in outcomes if each.reply and _is_result(each)]
    if not dialect.name.startswith(_MAP) or not results:
        return
    if any(dialect.read(each) for each in results):
        return
    wanted = ", ".join(_parse_mapping(dialect.name).values())
    fields = [fields_of(each.reply.value) for each in results if each.reply]
    seen = Counter(str(name)[:_LONGEST_NAME] for each in fields for name in each or ())
    shown = ", ".join(name for name, _ in seen.most_common(_MOST_NAMES))
    there = f"there are {shown}" if shown else "they have no named fields at all"
    raise DialectError(
        f"the dialect {dialect.name!r} reads none of {len(results)} results: no field"
        f" is called {wanted}; {there}. Name those, or leave the dialect to auto"
    )


def _mapped(fields: Mapping[str, Any], mapping: Mapping[str, str]) -> Envelope:
    error = fields.get(mapping.get("error", ""))
    rest = {key: each for key, each in fields.items() if key not in mapping.values()}
    data = fields.get(mapping["data"]) if "data" in mapping else rest
    meta = fields.get(mapping["meta"]) if "meta" in mapping else {}
    status = _status_in(fields.get(mapping.get("status", "")), error)
    if status == "error":
        whole = error if isinstance(error, Mapping) else {"message": error}
        return Envelope(status=status, error=whole, meta=meta)
    answer = _answered(plain(data))
    return Envelope(status=status or answer.status, data=answer.data, meta=meta)


def _status_in(value: object, error: object) -> str | None:
    """Return the status a field tells, `None` for one that is to be read from data."""
    if isinstance(value, str):
        word = value.casefold()
        if word in STATUSES and word != "success":
            return word
        if word in _BAD_WORDS:
            return "error"
        return None if word in _GOOD_WORDS else value
    if value is None:
        return "error" if error else None
    return None if value else "error"


def _shared_mapping(replies: Sequence[Reply]) -> dict[str, str] | None:
    """Find the fields in which nine of ten results say how the call went."""
    results = [fields for each in replies if (fields := fields_of(each.value))]
    if not results or len(results) < _SHARED * len(replies):
        return None
    seen = Counter(name for fields in results for name in fields)
    often = _SHARED * len(results)
    chosen = {
        "status": _first(_STATUS_NAMES, seen, often),
        "data": _first(_DATA_NAMES, seen, often),
        "error": _first(_ERROR_NAMES, seen, 1),
    }
    found = {to: name for to, name in chosen.items() if name}
    return found if _tells_status(results, found) else None


def _first(names: Sequence[str], seen: Counter[str], enough: float) -> str | None:
    return next((name for name in names if seen[name] >= enough), None)


def _tells_status(
    results: Sequence[Mapping[str, Any]], found: Mapping[str, str]
) -> bool:
    """Ask for a field that says how it went, and one with what came of it."""
    if "status" not in found or len(found) < _READABLE:
        return False
    values = [fields.get(found["status"]) for fields in results]
    words = _GOOD_WORDS | _BAD_WORDS
    return all(
        isinstance(value, bool)
        or (isinstance(value, str) and value.casefold() in words)
        for value in values
    )


# --- a function of the user -------------------------------------------------------


def _import(name: str) -> Callable[..., Any]:
    module, _, attribute = name.replace(":", ".").rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise DialectError(
            f"the dialect {name!r} is no function that can be imported: {error}"
        ) from None
    if not callable(found):
        raise DialectError(f"the dialect {name!r} is {found!r}, not a function")
    return found  # type: ignore[no-any-return]


def _function_dialect(name: str, function: Callable[..., Any]) -> Dialect:
    def read(outcome: Outcome) -> Envelope | None:
        if outcome.reply is None or outcome.exception is not None:
            return None
        return _read_by(name, function, outcome.reply.value)

    return Dialect(
        name=name,
        read=read,
        statuses=frozenset(STATUSES),
        has_envelope=True,
        forgives_raise=False,
    )


def _read_by(name: str, function: Callable[..., Any], value: Any) -> Envelope | None:
    try:
        found = function(value)
    except Exception as error:
        raise DialectError(
            f"the dialect {name!r} raised {type(error).__name__}: {error}"
        ) from error
    if found is None or isinstance(found, Envelope):
        return found
    return envelope_of(fields_of(found))


ENVELOPE: Final = Dialect(
    name="envelope",
    read=_read_envelope,
    statuses=frozenset(STATUSES),
    has_envelope=True,
    forgives_raise=False,
)
NATIVE: Final = Dialect(
    name="native",
    read=_read_native,
    statuses=frozenset({"success", "error"}),
    has_envelope=False,
    forgives_raise=True,
)
MCP: Final = Dialect(
    name="mcp",
    read=_read_native,
    statuses=frozenset({"success", "error"}),
    has_envelope=False,
    forgives_raise=True,
)
_NAMED: Final = {each.name: each for each in (ENVELOPE, NATIVE, MCP)}
