"""Values that are allowed to be seen, by the user's word and with a reason each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable

_LINE: Final = re.compile(
    r"(?:(?P<tool>[\w.:-]+)::)?(?P<value>\S.*?)\s+#\s*(?P<reason>.*)"
)
_FORM: Final = "`VALUE # reason`, `/PATTERN/ # reason` or `TOOL::VALUE # reason`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """One value, or all that a pattern matches, for one tool or for all.

    Attributes:
        value: The value itself, or the source of a pattern.
        reason: Why it may be seen.
        tool: The name of the tool it is allowed for; empty for every tool.
        pattern: The pattern that has to match the whole secret, or `None`.
    """

    value: str
    reason: str
    tool: str = ""
    pattern: re.Pattern[str] | None = None

    def covers(self, secret: str, tool: str) -> bool:
        """Tell whether a tool may show a secret."""
        if self.tool and self.tool != tool:
            return False
        if self.pattern is not None:
            return self.pattern.fullmatch(secret) is not None
        return secret == self.value


def parsed(lines: Iterable[str]) -> tuple[Allowance, ...]:
    """Read allowances as they stand in the ini file.

    Args:
        lines: A value, a blank, `#` and the reason on each; a pattern stands between
            slashes, and a tool's name and `::` may come first.

    Raises:
        SettingsError: If a line has no reason, or its pattern is none.
    """
    return tuple(map(_one, lines))


def _one(line: str) -> Allowance:
    match = _LINE.fullmatch(line.strip())
    if match is None or not match["reason"].strip():
        raise SettingsError(
            f"toolresult_allow_values: the line {line!r} needs a reason; write {_FORM}"
        )
    value, reason, tool = match["value"], match["reason"].strip(), match["tool"] or ""
    if value.strip("/") and value[0] == value[-1] == "/":
        pattern = _compiled(value[1:-1], line)
        return Allowance(value=value[1:-1], reason=reason, tool=tool, pattern=pattern)
    return Allowance(value=value, reason=reason, tool=tool)


def _compiled(source: str, line: str) -> re.Pattern[str]:
    try:
        return re.compile(source)
    except re.error as error:
        raise SettingsError(
            f"toolresult_allow_values: the pattern in {line!r} is none: {error}"
        ) from None
