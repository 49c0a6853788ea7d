"""What holds for a whole run."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


Profile = Literal["default", "strict"]
PROFILES: Final[tuple[Profile, ...]] = ("default", "strict")

Power = Literal["network", "subprocess", "files", "sql"]
"""What a tool may be allowed to do during exploration."""

POWERS: Final[tuple[Power, ...]] = ("network", "subprocess", "files", "sql")

UNDOABLE: Final[frozenset[Power]] = frozenset({"subprocess", "files", "sql"})
"""What a `reset` permits, since it can put it back: nobody takes a message back."""

Personal = Literal[
    "email",
    "phone",
    "national_id",
    "passport",
    "tax_id",
    "card",
    "bank_account",
    "address",
]
"""A kind of personal data that a tool may be allowed to return."""

PERSONAL: Final[tuple[Personal, ...]] = get_args(Personal)

Show = Literal["errors", "warnings", "all"]
"""Which findings are shown in full; the others are counted."""

SHOWS: Final[tuple[Show, ...]] = ("errors", "warnings", "all")


class AllowedValue(Protocol):
    """A value that a tool may show although it looks like a secret."""

    def covers(self, secret: str, tool: str) -> bool:
        """Tell whether a tool may show a secret."""


_NONE_IGNORED: Final[Mapping[str, str]] = MappingProxyType({})
_UNLOCKED: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The configuration of a run, after options and ini file were put together.

    Attributes:
        timeout: The bound of one call, in seconds.
        dialect: The name of a dialect, or `auto`; `None` leaves it to the adapter.
        validate_arguments: What stands between a model's arguments and a plain
            function; `None` leaves it to the adapter.
        profile: `strict` turns every warning into a failure.
        select: Rule ids or prefixes that are active; empty means all.
        ignore: Rule ids or prefixes that are waived everywhere, with the reason.
        allow: What every tool may do during exploration.
        max_calls: How many calls one exploration makes at most.
        allowances: Values that may be seen although they look like secrets.
        item_seconds: The safety cut of one exploration, in seconds.
        memory: How many MiB a tool may take while it is explored, beyond what the
            process has; `None` for as many as there are.
        budget: The most tokens a result may take where its tool declares no budget.
        token_counter: Counts the tokens of a text; `None` leaves it to the estimate.
        locked: What the lock file knows: by tool and format version its `statuses`,
            `codes` and, by status, the shapes of its `data`.
        learns_shapes: Whether the shapes of results are gathered for the lock file.
        slow_returns: Whether to watch which returns are reached also where that makes
            every call slower, which is before Python 3.12.
        severities: Rule ids or prefixes whose severity is another one, by its label.
    """

    timeout: float = 5.0
    dialect: str | None = None
    validate_arguments: bool | None = None
    profile: Profile = "default"
    select: tuple[str, ...] = ()
    ignore: Mapping[str, str] = field(default_factory=lambda: _NONE_IGNORED)
    allow: frozenset[Power] = frozenset()
    max_calls: int = 250
    allowances: Sequence[AllowedValue] = ()
    item_seconds: float = 60.0
    memory: int | None = 4096
    budget: int | None = None
    token_counter: Callable[[str], int] | None = None
    locked: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: _UNLOCKED)
    learns_shapes: bool = False
    slow_returns: bool = False
    severities: Mapping[str, str] = field(default_factory=lambda: _NONE_IGNORED)
