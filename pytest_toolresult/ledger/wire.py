"""Evidence and findings as plain JSON data, as workers send and shards write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.envelope import STATUSES
from pytest_toolresult.findings import Finding, Severity
from pytest_toolresult.ledger.evidence import ORIGINS, Evidence, Subject
from pytest_toolresult.ledger.json_data import Record, plain, plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_LABELS: Final = tuple(severity.label for severity in Severity)


def finding_to_dict(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON data."""
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.label,
        "tool": plain_text(finding.tool),
        "place": plain_text(finding.place),
        "message": plain_text(finding.message),
        "remedy": plain_text(finding.remedy),
        "arguments": plain(finding.arguments),
        "origin": finding.origin,
        "fault": plain(finding.fault),
        "count": finding.count,
        "replay": plain_text(finding.replay),
        "returned": plain_text(finding.returned),
        "cause": plain_text(finding.cause),
        "circumstances": plain_text(finding.circumstances),
        "otherwise": plain_text(finding.otherwise),
    }


def finding_from_dict(data: object, where: str = "finding") -> Finding:
    """Read what `finding_to_dict` wrote.

    Args:
        data: JSON data.
        where: The path to it, for messages.

    Raises:
        ReportError: If a field is absent or of another type.
    """
    record = Record.of(data, where)
    faulted = record.values.get("fault") is not None
    return Finding(
        rule=record.text("rule"),
        name=record.text("name"),
        severity=Severity[record.choice("severity", _LABELS).upper()],
        tool=record.text("tool"),
        place=record.text("place", ""),
        message=record.text("message"),
        remedy=record.text("remedy", ""),
        arguments=record.mapping("arguments"),
        origin=record.choice("origin", ORIGINS),
        fault=record.reasons("fault") if faulted else None,
        count=record.count("count", 1),
        replay=record.text("replay", ""),
        returned=record.text("returned", ""),
        cause=record.text("cause", ""),
        circumstances=record.text("circumstances", ""),
        otherwise=record.text("otherwise", ""),
    )


def evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    """Return evidence as JSON data, without the item it belongs to."""
    return {
        "subject": _subject_to_dict(evidence.subject),
        "origin": evidence.origin,
        "calls": evidence.calls,
        "refused": evidence.refused,
        "statuses": plain(evidence.statuses),
        "codes": plain(evidence.codes),
        "planned": _listed(evidence.planned),
        "fired": _listed(evidence.fired),
        "returns": _listed(evidence.returns),
        "not_covered": plain(evidence.not_covered),
        "findings": [finding_to_dict(each) for each in evidence.findings],
        "duration_s": round(evidence.duration_s, 3),
        "results": evidence.results,
        "envelopes": evidence.envelopes,
        "found": plain(evidence.found),
        "locked": evidence.locked,
        "tokens": evidence.tokens,
        "shapes": plain(evidence.shapes),
    }


def evidence_from_dict(item: str, data: object, where: str = "evidence") -> Evidence:
    """Read what `evidence_to_dict` wrote.

    Args:
        item: The node id the evidence belongs to.
        data: JSON data.
        where: The path to it, for messages.

    Raises:
        ReportError: If a field is absent or of another type.
    """
    record = Record.of(data, where)
    return Evidence(
        item=item,
        subject=_subject_from_dict(record.mapping("subject"), f"{where}.subject"),
        origin=record.choice("origin", ORIGINS),
        calls=record.count("calls"),
        refused=record.count("refused", 0),
        statuses=record.counts("statuses"),
        codes=record.counts("codes"),
        planned=record.texts("planned"),
        fired=record.texts("fired"),
        returns=record.texts("returns"),
        not_covered=record.reasons("not_covered"),
        findings=_findings_from(record),
        duration_s=record.seconds("duration_s"),
        results=record.count("results", 0),
        envelopes=record.count("envelopes", 0),
        found=_found_from(record),
        locked=record.flag("locked", default=False),
        tokens=record.count("tokens", 0),
        shapes=_shapes_from(record),
    )


def _shapes_from(record: Record) -> dict[str, dict[str, Mapping[str, str]]]:
    shapes = Record(record.mapping("shapes"), f"{record.where}.shapes")
    return {version: _by_status(shapes, version) for version in shapes.values}


def _by_status(shapes: Record, version: str) -> dict[str, Mapping[str, str]]:
    found = Record(shapes.mapping(version), f"{shapes.where}.{version}")
    return {status: found.reasons(status) for status in found.values}


def _found_from(record: Record) -> dict[str, Mapping[str, Any]]:
    found = Record(record.mapping("found"), f"{record.where}.found")
    return {status: found.mapping(status) for status in found.values}


def _findings_from(record: Record) -> tuple[Finding, ...]:
    return tuple(
        finding_from_dict(each, f"{record.where}.findings[{index}]")
        for index, each in enumerate(record.items("findings"))
    )


def _subject_to_dict(subject: Subject) -> dict[str, Any]:
    return {
        "name": plain_text(subject.name),
        "identity": plain_text(subject.identity),
        "target": plain_text(subject.target),
        "framework": subject.framework,
        "dialect": subject.dialect,
        "dialect_reason": plain_text(subject.dialect_reason),
        "dialect_hint": plain_text(subject.dialect_hint),
        "validate_arguments": subject.validate_arguments,
        "kind": subject.kind,
        "expected": [each for each in STATUSES if each in subject.expected],
        "never": plain(subject.never),
        "codes": _listed(subject.codes),
        "returns": _listed(subject.returns),
    }


def _subject_from_dict(data: Mapping[str, Any], where: str) -> Subject:
    record = Record(data, where)
    never = record.reasons("never")
    return Subject(
        name=record.text("name"),
        identity=record.text("identity"),
        target=record.text("target", ""),
        framework=record.text("framework", "callable"),
        dialect=record.text("dialect", "native"),
        dialect_reason=record.text("dialect_reason", ""),
        dialect_hint=record.text("dialect_hint", ""),
        validate_arguments=record.flag("validate_arguments", default=True),
        kind=record.optional_text("kind"),
        expected=record.choices("expected", STATUSES),
        never={each: never[each] for each in STATUSES if each in never},
        codes=record.texts("codes"),
        returns=record.texts("returns"),
    )


def _listed(texts: frozenset[str]) -> list[str]:
    return sorted(plain_text(each) for each in texts)
