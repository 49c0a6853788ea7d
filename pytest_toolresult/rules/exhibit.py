"""An interaction prepared for judging: what every rule asks of it, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.interactions import Comparison, Interaction
from pytest_toolresult.rules.field_names import traits
from pytest_toolresult.settings import Settings
from pytest_toolresult.walk import Survey, class_name, fields_of, is_a, survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_toolresult.dialects import Dialect
    from pytest_toolresult.rules.field_names import Trait
    from pytest_toolresult.walk import Note

RESULT: Final = "result"
"""The place of a value that no dialect could read."""

_DEFAULTS: Final = Settings()
_BLOCK: Final = frozenset({"type", "text", "annotations"})

_FORGIVING: Final = ("native", "mcp")
"""The dialects that take a deliberate raise for an error result, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit(Interaction):
    """An interaction whose result is read without running any of its code.

    Attributes:
        has_envelope: Whether the dialect has the four fields.
        path: The status where it is one of the four, else `None`.
        data: The data that was read; `None` without a reading.
        data_fields: The text-named fields of `data`; of `error` and `meta` likewise.
        error_fields: See `data_fields`.
        meta_fields: See `data_fields`.
        message: The text of the error, or `None` where there is none.
        message_place: Where that text stands.
        escaped: Whether an exception left the tool that its dialect does not
            take for an error result: then TR801 is the finding and no other rule
            judges that error.
        survey: What the walk through the whole result came across.
        settings: What holds for the whole run.
        named: The fields of `data` and of objects below it whose names promise
            something, by what they promise, as notes.
    """

    has_envelope: bool
    path: str | None
    data: Any
    data_fields: Mapping[str, Any]
    error_fields: Mapping[str, Any]
    meta_fields: Mapping[str, Any]
    message: str | None
    message_place: str
    escaped: bool
    survey: Survey
    settings: Settings
    named: Mapping[Trait, Sequence[Note[Any]]]

    def was_sent(self, text: str) -> bool:
        """Tell whether a text stood in the arguments, and was only given back."""
        return text in survey([("arguments", self.call.arguments)]).everything


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A call beside the call it is compared with, both prepared for judging.

    Attributes:
        reference: The one that is taken as right, such as the call without the fault.
        subject: The one that is judged.
    """

    reference: Exhibit
    subject: Exhibit


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Several calls of one tool that are judged together, in the order they were made.

    Attributes:
        exhibits: The calls: the same one repeated, the pages of one walk, or all calls
            of an exploration. What they have in common, a rule reads from the calls.
    """

    exhibits: tuple[Exhibit, ...]


def contrast(
    comparison: Comparison,
    dialect: Dialect | None = None,
    settings: Settings = _DEFAULTS,
) -> Contrast:
    """Prepare two interactions that are compared."""
    return Contrast(
        reference=exhibit(comparison.reference, dialect, settings),
        subject=exhibit(comparison.subject, dialect, settings),
    )


def series(
    interactions: Iterable[Interaction],
    dialect: Dialect | None = None,
    settings: Settings = _DEFAULTS,
) -> Series:
    """Prepare several interactions that are judged together."""
    exhibits = (exhibit(each, dialect, settings) for each in interactions)
    return Series(exhibits=tuple(exhibits))


def exhibit(
    interaction: Interaction,
    dialect: Dialect | None = None,
    settings: Settings = _DEFAULTS,
) -> Exhibit:
    """Prepare an interaction; one that is prepared already comes back as it is.

    Args:
        interaction: What is to be judged.
        dialect: How it was read. Without it the dialect's name has to do.
        settings: What holds for the whole run.
    """
    if isinstance(interaction, Exhibit):
        return interaction
    forgives = dialect.forgives_raise if dialect else interaction.dialect in _FORGIVING
    envelope = interaction.envelope
    error_fields = fields_of(envelope.error) if envelope else {}
    message, message_place = _message(
        envelope.error if envelope else None, error_fields
    )
    walked = survey(_roots(interaction))
    return Exhibit(
        tool=interaction.tool,
        call=interaction.call,
        outcome=interaction.outcome,
        envelope=envelope,
        dialect=interaction.dialect,
        has_envelope=(
            dialect.has_envelope if dialect else interaction.dialect == "envelope"
        ),
        path=_path(envelope.status) if envelope else None,
        data=envelope.data if envelope else None,
        data_fields=fields_of(envelope.data) if envelope else {},
        error_fields=error_fields,
        meta_fields=fields_of(envelope.meta) if envelope else {},
        message=message,
        message_place=message_place,
        escaped=_escaped(interaction, forgives=forgives),
        survey=walked,
        settings=settings,
        named=_named(walked),
    )


def plain_text(value: object) -> str | None:
    """Return a text as exactly that, and `None` for anything else."""
    return str.__str__(value) if is_a(value, str) else None


def written_text(data: object) -> str | None:
    """Return the text that data is, also where it comes as the one block of a list.

    Runtimes hand text on as `[{"type": "text", "text": "..."}]`.
    """
    if is_a(data, list) and list.__len__(data) == 1:
        block = fields_of(list.__getitem__(data, 0))
        return plain_text(block.get("text")) if block.keys() <= _BLOCK else None
    return plain_text(data)


def plain_int(value: object) -> int | None:
    """Return an integer that is no boolean, and `None` for anything else."""
    return int.__int__(value) if is_a(value, int) and type(value) is not bool else None


def _named(walked: Survey) -> dict[Trait, list[Note[Any]]]:
    """Look up the few fields whose names promise something, in one pass."""
    telling = {name: traits(name) for name in walked.names}
    if not any(telling.values()):
        return {}
    found: dict[Trait, list[Note[Any]]] = {}
    for position, items in walked.objects_below("data", RESULT):
        for key, value in items:
            for trait in telling.get(key, ()) if type(key) is str else ():
                found.setdefault(trait, []).append((position, key, value))
    return found


def _path(status: object) -> str | None:
    text = plain_text(status)
    return text if text in STATUSES else None


def _message(error: object, fields: Mapping[str, Any]) -> tuple[str | None, str]:
    text = plain_text(error)
    if text is not None:
        return text, "error"
    return plain_text(fields.get("message")), "error.message"


def _roots(interaction: Interaction) -> list[tuple[str, object]]:
    envelope = interaction.envelope
    reply = interaction.outcome.reply
    if envelope is not None:
        extra = fields_of(envelope.extra)
        return [
            ("data", envelope.data),
            ("error", envelope.error),
            ("meta", envelope.meta),
            *extra.items(),
        ]
    if reply is not None and interaction.outcome.ending == "returned":
        return [(RESULT, reply.value)]
    return []


def _escaped(interaction: Interaction, *, forgives: bool) -> bool:
    outcome = interaction.outcome
    if forgives and outcome.deliberate:
        return False
    error = outcome.exception
    if error is not None and class_name(error) == "CancelledError" and outcome.fired:
        return False  # it was cancelled, and let that pass: TR813 judges the rest
    hidden = outcome.ending == "returned" and outcome.exception is not None
    return hidden or outcome.ending == "raised"
