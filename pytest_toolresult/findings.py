"""What is wrong with a result, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.calls import Origin

_NO_ARGUMENTS: Final[Mapping[str, Any]] = MappingProxyType({})


class Severity(IntEnum):
    """How bad a finding is; the worst is the greatest.

    An error fails the item. A warning is counted and fails only under the strict
    profile. Advice is never more than reported.
    """

    ADVICE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The name in lower case, as reports write it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """What a rule yields: where a result breaks it, and how.

    A breach may quote the result. It becomes a `Finding` only through
    `rules.judge`, which masks whatever looks like a secret.

    Attributes:
        place: Where, such as `data[3].token`; empty for the call as a whole.
        detail: What came back and why it is wrong, in one sentence.
        severity: Overrides the rule's own severity.
        remedy: A nearer remedy than the one on the rule's card.
        index: Which call it is about, where several are judged together.
        beside: Which call it is held against, where several are judged together.
        among: Which of the calls that were made at the same time it is about, in the
            order of `Part.beside`; `None` for the call itself.
    """

    place: str
    detail: str
    severity: Severity | None = None
    remedy: str | None = None
    index: int = -1
    beside: int | None = None
    among: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault of one tool, ready to be shown: nothing in it is secret.

    Attributes:
        rule: The rule's id, such as `TR201`.
        name: The rule's name, such as `error-as-data`.
        severity: How bad it is.
        tool: The tool's name.
        place: Where in the result, such as `data[3].token`.
        message: What came back and why it is wrong.
        remedy: What to do about it.
        arguments: The arguments that show it, masked and shortened.
        origin: What made the call.
        fault: The fault in force as `{"name", "seam", "site"}`, or `None`.
        count: How many calls showed it.
        replay: A command line that shows it again, or an empty text.
        returned: What came back, masked and shortened.
        cause: What tells faults at one place apart, such as the line that raised;
            empty where the place says it all.
        circumstances: What had failed around the call, in words, such as
            `while GET /rates answered 503 (httpx, shop.py:31)`, or which call it is
            held against, such as `beside {"limit": 5}`.
        otherwise: What came back without the fault, or from the call it is held
            against, masked and shortened.
    """

    rule: str
    name: str
    severity: Severity
    tool: str
    place: str
    message: str
    remedy: str
    arguments: Mapping[str, Any] = field(default_factory=lambda: _NO_ARGUMENTS)
    origin: Origin = "declared"
    fault: Mapping[str, str] | None = None
    count: int = 1
    replay: str = ""
    returned: str = ""
    cause: str = ""
    circumstances: str = ""
    otherwise: str = ""
