"""What users did wrong, in words that help them.

Every error of the project derives from `ToolResultError`. None of them knows
pytest: the plugin turns them into usage errors or collection errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class ToolResultError(Exception):
    """The base of every error that a user can act upon."""


class SettingsError(ToolResultError):
    """An option or an ini value that cannot be used."""


class TargetError(ToolResultError):
    """A target that cannot be found or holds no tool."""


class ContractError(ToolResultError):
    """A declaration (marker, `Contract`, `Case`, contract file) that is wrong."""


class DialectError(ToolResultError):
    """A dialect that is not known, or that could not read a result."""


class ReportError(ToolResultError):
    """A report that cannot be read: damaged, or written by a newer release."""


class LockError(ToolResultError):
    """A lock file that cannot be used: damaged, in conflict, or of a newer version."""


def unknown(what: str, value: object, valid: Iterable[str]) -> str:
    """Say that a value is not known, which ones are, and which is the nearest.

    Args:
        what: What the value was meant to be, such as `"path"`.
        value: What the user wrote.
        valid: The names that would have been right.

    Returns:
        One sentence or two, such as
        `unknown path 'sucess'; did you mean 'success'? Valid: success, empty`.
    """
    names = list(valid)
    near = nearest(str(value), names)
    hint = f"; did you mean {near!r}?" if near else "."
    return f"unknown {what} {value!r}{hint} Valid: {', '.join(names)}"


def nearest(value: str, names: Iterable[str]) -> str | None:
    """Return the name a user most likely meant, or `None` where none is near."""
    from difflib import get_close_matches  # costs an idle run a module

    folded = {name.casefold(): name for name in names}
    close = get_close_matches(value.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None
