"""What was seen in a run, kept as evidence per item.

Everything else (coverage, counts, reports) is computed from the evidence, so that
merging what several processes saw is a union.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.calls import Origin
    from pytest_toolresult.envelope import Status
    from pytest_toolresult.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is known about a tool before it is called.

    Attributes:
        name: The tool's name.
        identity: What makes it one row however it was reached.
        target: What the user pointed at, or an empty text for a marked test.
        framework: The adapter's name.
        dialect: The dialect its results were read in, and why.
        dialect_reason: Why that one, in words.
        validate_arguments: Whether arguments were validated first.
        kind: The declared kind, or `None`.
        expected: The statuses the tool can produce.
        never: The paths declared impossible, with their reasons.
        codes: The error codes the tool can produce or declares.
    """

    name: str
    identity: str
    target: str = ""
    framework: str = "callable"
    dialect: str = "native"
    dialect_reason: str = ""
    validate_arguments: bool = True
    kind: str | None = None
    expected: frozenset[Status] = frozenset()
    never: Mapping[Status, str] = field(default_factory=dict)
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one item saw of one tool.

    Attributes:
        item: The node id.
        subject: The tool.
        origin: What made the calls.
        calls: How many calls reached the tool.
        refused: How many were turned down before the tool saw them.
        statuses: How often each status was seen without an error finding.
        codes: How often each error code was seen likewise.
        planned: The keys of the faults that were planned.
        fired: The keys of the faults that took effect.
        returns: The return statements that were reached, as `file:line`.
        not_covered: What could not be explored (`what`), with the reason.
        findings: What is wrong.
        duration_s: How long the item took, in seconds.
    """

    item: str
    subject: Subject
    origin: Origin
    calls: int = 0
    refused: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[str, int] = field(default_factory=dict)
    planned: frozenset[str] = frozenset()
    fired: frozenset[str] = frozenset()
    returns: frozenset[str] = frozenset()
    not_covered: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    duration_s: float = 0.0
