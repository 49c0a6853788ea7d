"""The envelope: the four fields in which a tool answers a model.

Source: the project's contract (docs/reference/contract.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

Status = Literal["success", "empty", "partial", "error"]

STATUSES: Final[tuple[Status, ...]] = ("success", "empty", "partial", "error")
"""The four status paths, in the order in which they are shown."""

FIELDS: Final = ("status", "data", "error", "meta")
"""The fields of the envelope, in the order in which they are shown."""

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """A result read as the four fields, exactly as they came, right or wrong.

    Reading and judging are apart: a status that nobody knows or an error that is
    a text stands here as it came, and the rules say what is wrong with it.

    Attributes:
        status: What stands in the field `status`; valid is one of `STATUSES`.
        data: The business result.
        error: `None`, or what stands in the field `error`.
        meta: What stands in the field `meta`; valid is a mapping.
        missing: The fields of `FIELDS` that the result did not carry.
        extra: Further top-level fields by name.
    """

    status: object = None
    data: object = None
    error: object = None
    meta: object = None
    missing: frozenset[str] = frozenset()
    extra: Mapping[str, object] = field(default_factory=lambda: _NOTHING)

    @property
    def code(self) -> str | None:
        """The error's code where there is one that is text."""
        error = self.error
        code = error.get("code") if issubclass(type(error), Mapping) else None  # type: ignore[attr-defined]
        return code if issubclass(type(code), str) else None

    @property
    def facts(self) -> Mapping[str, object]:
        """`meta` where it is a mapping, else an empty one."""
        return self.meta if issubclass(type(self.meta), Mapping) else _NOTHING  # type: ignore[return-value]
