"""From the ledger to files and text, one module for each kind of file.

A reporter is pure: it gives the bytes of files, and who called it writes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, Protocol

from pytest_toolresult.errors import SettingsError, unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_toolresult.ledger import Ledger


class Reporter(Protocol):
    """What the module of each reporter offers under the name `REPORTER`."""

    def render(self, ledger: Ledger, path: PurePath) -> Mapping[PurePath, bytes]:
        """Make the files of a report.

        Args:
            ledger: What was seen.
            path: Where the user wants the report: a file or, for reports of
                several files, a folder.

        Returns:
            The content of each file by its path.
        """
        ...


REPORTERS: Final[Mapping[str, str]] = {
    "json": "pytest_toolresult.reporters.json_report",
}
"""The module of each type of report, loaded on first use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A report that the user asked for.

    Attributes:
        type: The type, one of `REPORTERS`.
        path: Where it goes.
    """

    type: str
    path: PurePath

    @classmethod
    def parse(cls, text: str) -> Destination:
        """Read `TYPE:PATH`.

        Raises:
            SettingsError: If the type is not known or the path is missing.
        """
        kind, _, path = text.partition(":")
        if kind not in REPORTERS:
            raise SettingsError(
                f"{unknown('report type', kind, REPORTERS)}. Write TYPE:PATH, such as"
                " json:report.json"
            )
        if not path.strip():
            raise SettingsError(
                f"report {text!r} says no path; write {kind}:PATH, such as"
                f" {kind}:report.{kind}"
            )
        return cls(type=kind, path=PurePath(path.strip()))

    def render(self, ledger: Ledger) -> Mapping[PurePath, bytes]:
        """Make the files of the report: the content of each by its path."""
        return reporter_named(self.type).render(ledger, self.path)


def reporter_named(name: str) -> Reporter:
    """Load the reporter of a type.

    Raises:
        SettingsError: If there is no such type.
    """
    if name not in REPORTERS:
        raise SettingsError(unknown("report type", name, REPORTERS))
    reporter: Reporter = import_module(REPORTERS[name]).REPORTER
    return reporter
