"""The baseline: findings that are known, so that only new ones fail."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import ReportError, SettingsError
from pytest_toolresult.ledger.json_data import Record, plain_text
from pytest_toolresult.reporters.formats import check_format, read_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_toolresult.findings import Finding

    Key = tuple[str, str, str]
    """Tool, rule, and place without indices."""

FILE_NAME: Final = "toolresult.baseline.json"
"""The file in pytest's root folder."""

FORMAT: Final = 1
"""The format that is written, and the newest that can be read."""

_INDEX: Final = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Findings that were there when the baseline was written.

    Attributes:
        known: Their tools, rules and places.
    """

    known: frozenset[Key] = frozenset()

    def is_known(self, finding: Finding) -> bool:
        """Tell whether the finding was there, be it in another row or another call."""
        return _key(finding) in self.known


def render(findings: Iterable[Finding]) -> bytes:
    """Return a baseline of these findings, sorted and minimal, so that diffs read well.

    Args:
        findings: Every finding of today.
    """
    entries = [
        json.dumps({"tool": tool, "rule": rule, "place": place}, ensure_ascii=False)
        for tool, rule, place in sorted({_key(each) for each in findings})
    ]
    lines = ",\n".join(f"  {entry}" for entry in entries)
    body = f"[\n{lines}\n ]" if entries else "[]"
    return f'{{\n "format": {FORMAT},\n "findings": {body}\n}}\n'.encode()


def load(data: bytes, source: str = FILE_NAME) -> Baseline:
    """Read a baseline.

    Args:
        data: The content of the file.
        source: What the file is called in messages.

    Raises:
        SettingsError: If the file is damaged or has a newer format.
    """
    try:
        document = read_object(data)
        check_format(document, FORMAT)
        entries = Record(document, "").items("findings")
        return Baseline(known=frozenset(_entry(*each) for each in enumerate(entries)))
    except ReportError as error:
        raise SettingsError(
            f"cannot read the baseline {source}: {error}."
            " Mend it, or write it again with --toolresult-write-baseline"
        ) from None


def _entry(index: int, value: object) -> Key:
    record = Record.of(value, f"findings[{index}]")
    place = _INDEX.sub("[]", record.text("place"))
    return record.text("tool"), record.text("rule"), place


def _key(finding: Finding) -> Key:
    place = _INDEX.sub("[]", finding.place)
    return plain_text(finding.tool), finding.rule, plain_text(place)
