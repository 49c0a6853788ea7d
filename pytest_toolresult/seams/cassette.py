"""Keeps what backends answered, so that later runs need not ask them again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_toolresult.faults import BoundaryCall


class Cassette:
    """The answers of the first run of some arguments, and of calls seen later only.

    What an answer is, each seam decides: something plain from which the library's
    own result can be made again and again. It is handed back as it was kept.
    """

    def __init__(self) -> None:
        self._kept: dict[BoundaryCall, Any] = {}
        self._latest: dict[BoundaryCall, Any] = {}

    def keep(self, call: BoundaryCall, answer: object) -> None:
        """Keep what a call was answered, unless there is an answer to it."""
        self._kept.setdefault(call, answer)
        self._latest.setdefault(_anywhere(call), answer)

    def answer_to(self, call: BoundaryCall) -> Any:
        """Return what such a call was answered, or `None` if none was seen.

        A call that is repeated more often than before, or from another line, gets
        what the same request got first.
        """
        if call in self._kept:
            return self._kept[call]
        return self._latest.get(_anywhere(call))


def _anywhere(call: BoundaryCall) -> BoundaryCall:
    return replace(call, site="", occurrence=0)
