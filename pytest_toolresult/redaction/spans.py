"""Where something stands in a text that should not be seen, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_toolresult.settings import Personal

Family = Literal[
    "canary", "connection", "credential", "bank", "identity", "field", "mask", "contact"
]
"""What a span is to the rules. Of spans that overlap, the first in this order stays."""

ORDER: tuple[Family, ...] = (
    "canary",
    "connection",
    "credential",
    "bank",
    "identity",
    "field",
    "mask",
    "contact",
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands in a text.

    Attributes:
        start: The first character.
        end: The character after the last one.
        kind: What it is, such as `github-token`.
        family: What it is to the rules.
        personal: The kind of personal data, as `allow_pii` names it; `None` for
            what no tool may be allowed to return.
    """

    start: int
    end: int
    kind: str
    family: Family = "credential"
    personal: Personal | None = None


def resolved(spans: Iterable[Span]) -> list[Span]:
    """Order spans; of those that overlap, keep the one that says most.

    What is kept covers all that the others covered, so that masking leaves no rest.
    """
    ordered = list(spans)
    if not ordered[1:]:
        return ordered
    kept: list[Span] = []
    for span in sorted(ordered, key=lambda each: (each.start, -each.end)):
        last = kept[-1] if kept else None
        if last is None or span.start >= last.end:
            kept.append(span)
            continue
        best = min(last, span, key=lambda each: ORDER.index(each.family))
        end = max(last.end, span.end)
        kept[-1] = Span(last.start, end, best.kind, best.family, best.personal)
    return kept
