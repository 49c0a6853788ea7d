"""The result that users get in their tests, and may give from their tools."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_toolresult.envelope import FIELDS
from pytest_toolresult.notations import Notation, as_csv, as_text, as_value
from pytest_toolresult.plain import UNSENT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_toolresult.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """One result, read as the four fields of the envelope.

    Attributes:
        status: `success`, `empty`, `partial` or `error`; whatever came where it is
            none of them, `None` where nothing could be read.
        data: The business result.
        error: `None`, or a mapping with `code`, `message` and `retryable`.
        meta: Counts, source, pagination and the like.
        raw: The result exactly as the tool returned it.
        findings: What is wrong with it, worst first.
    """

    status: Any
    data: Any = None
    error: Any = None
    meta: Any = field(default_factory=dict)
    raw: Any = field(default=None, metadata={UNSENT: True})
    findings: Sequence[Finding] = field(default=(), metadata={UNSENT: True})

    @classmethod
    def ok(cls, data: Any, **meta: Any) -> ToolResult:
        """Return a success with its data."""
        return cls(status="success", data=data, meta=meta)

    @classmethod
    def empty(cls, **meta: Any) -> ToolResult:
        """Return an empty answer; say in `meta` what was looked for."""
        return cls(status="empty", data=[], meta=meta)

    @classmethod
    def partial(cls, data: Any, *, total: int | None, **meta: Any) -> ToolResult:
        """Return what there is of a larger whole.

        Args:
            data: The part.
            total: How many there are in all; `None` for unknown, beside a cursor.
            **meta: How to get the rest: `next_cursor`, `result_id`, a location.
        """
        marks = {"truncated": True, "total": total}
        return cls(status="partial", data=data, meta=marks | meta)

    @classmethod
    def fail(
        cls, code: str, message: str, *, retryable: bool, **meta: Any
    ) -> ToolResult:
        """Return an error.

        Args:
            code: A stable machine-readable name, such as `DB_TIMEOUT`.
            message: The cause and the next step, for model and developer alike.
            retryable: Whether the same call can work later.
            **meta: Further facts, such as `http_status`.
        """
        error = {"code": code, "message": message, "retryable": retryable}
        return cls(status="error", error=error, meta=meta)

    def to_dict(self) -> Mapping[str, Any]:
        """Return the four fields."""
        return {name: getattr(self, name) for name in FIELDS}

    def to_prompt(self, notation: Notation = "json") -> str:
        """Return the text for a model.

        Args:
            notation: `json`, with readable characters and indented; `csv` for many
                alike rows; `text` for a conclusion or a few settings. The last two have
                status and meta in lines above, and errors are JSON always.

        Raises:
            TypeError: If something in the result is no JSON.
            ValueError: If a number is not finite, or data does not fit the notation.
        """
        if notation == "json" or self.status == "error":
            whole = self.to_dict()
            return json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False)
        head = {"status": self.status, "meta": self.meta}
        lines = [f"{name}: {as_value(value)}" for name, value in head.items() if value]
        body = as_csv(self.data) if notation == "csv" else as_text(self.data)
        return "\n".join([*lines, "", body])
