"""What is asked of a tool: promises of a contract, and single invocations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from pytest_toolresult.envelope import Status
    from pytest_toolresult.faults import Injection

Arguments: TypeAlias = Mapping[str, Any]
"""Arguments as a model sends them: a JSON object."""

FAULT_KEY: Final = "$fault"
"""Stands beside arguments that are to be replayed, and names faults by their keys."""

RELATION_KEY: Final = "$relation"
"""Stands beside arguments that are to be replayed, and names a series by its key."""

Origin = Literal["declared", "fuzz", "faults", "relations", "observed", "call_tool"]
"""What made a call."""


@dataclass(frozen=True, slots=True)
class Case:
    """A promise: with these arguments the tool answers on this path.

    Attributes:
        arguments: The arguments, a JSON object.
        status: The path; set by the marker key the case stands under.
        code: The error code that is promised, for `error` only.
        when: A callable that returns a context manager, entered around the call:
            it brings about what the case needs, such as a failing dependency.
        id: What the test item is called; made from status and code by default.
    """

    arguments: Arguments
    _: KW_ONLY
    status: Status | None = None
    code: str | None = None
    when: Callable[[], AbstractContextManager[object]] | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one call is for in a series that a relation makes.

    Attributes:
        series: The key of the series, such as `limits:max_results`; empty for the
            calls that every series of one success starts from.
        role: What the call is for there, such as `base`, `page` or `spelled`.
        told: In words, how it differs from the call that the series starts from.
        about: The argument that is changed, where it is one.
        zone: The host's time zone while the call is made, as POSIX writes it
            (`AAA-14`), or an empty text for the host's own.
        beside: The arguments of the calls that are made at the same time.
        spoils: Whether the result is changed in place once it has been kept.
        canary: A text that was planted, to be looked for in what the call brings
            about.
        planted: The files and folders that hold it and are to stay out of reach.
    """

    series: str = ""
    role: str = "base"
    told: str = ""
    about: str = ""
    zone: str = ""
    beside: tuple[Arguments, ...] = ()
    spoils: bool = False
    canary: str = ""
    planted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One invocation of a tool.

    Attributes:
        arguments: The arguments, as a model would send them. The runner hands
            the tool a copy.
        origin: What made the call.
        case: The promise that is being held to, for declared calls.
        injection: The fault in force, for `faults`.
        besides: Faults that bring about the call which `injection` breaks: what a
            tool does only where something has failed.
        relation: The relation that is tried, for `relations`.
        part: What the call is for among those of its relation, for `relations`.
        reference: The call this one is compared with, where there is one.
    """

    arguments: Arguments
    origin: Origin
    case: Case | None = None
    injection: Injection | None = None
    besides: tuple[Injection, ...] = ()
    relation: str | None = None
    part: Part | None = None
    reference: Call | None = None
