"""Faults that a user puts somewhere by name, for a call or a part of a test."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.faults import CATALOGUE, BoundaryCall
from pytest_toolresult.seams.arming import armed, available, faults_at
from pytest_toolresult.seams.recording import Recording, Standing, recording, standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.faults import Fault
    from pytest_toolresult.seams import Seam

_MOST_NAMED: Final = 3


class PlacedFault:
    """A fault of the catalogue at a place that the user names.

    Calling it gives a context manager: within the block every call that goes there
    fails in this way.

    Attributes:
        name: The fault's name.
        at: The dotted name of a callable, or the name of a seam.
    """

    def __init__(self, name: str, at: str) -> None:
        self.name = name
        self.at = at
        if name not in CATALOGUE:
            raise ContractError(unknown("fault", name, CATALOGUE))

    def __repr__(self) -> str:
        return f"fault({self.name!r}, at={self.at!r})"

    def check(self) -> None:
        """See that the place exists and can fail in this way.

        Raises:
            ContractError: If there is no such callable or seam, or the fault does
                not fit it.
            TargetError: If the callable's module cannot be imported.
        """
        seam = _seam_at(self.at)
        if self.at not in _names():
            here = BoundaryCall(seam=seam.name, operation="call", site="")
            names = [each.name for each in seam.faults(here)]
            if self.name not in names:
                raise ContractError(unknown(f"fault at {self.at}", self.name, names))

    @contextmanager
    def __call__(self) -> Iterator[Standing]:
        """Have every call there fail for as long as the block lasts.

        Yields:
            What becomes of the fault.

        Raises:
            ContractError: As `check`.
            TargetError: As `check`.
        """
        self.check()
        further = [] if self.at in _names() else [_seam_at(self.at)]
        made = Standing(seam=self.at, fits=self._fitting)
        with armed(further), standing(made), recording(Recording()):
            yield made

    def why_unfired(self, made: Standing) -> str:
        """Say why nothing was tested, while the seams are still in place.

        Returns:
            An empty text where the fault took effect.
        """
        if made.fired:
            return ""
        return f"{self!r} never took effect, so nothing was tested: {self._why(made)}"

    def _why(self, made: Standing) -> str:
        if not made.met:
            return f"nothing called {self.at}"
        fitting = {each.name for call in made.met for each in faults_at(call)}
        shown = [f"{call.operation} at {call.site}" for call in made.met[:_MOST_NAMED]]
        return f"{', '.join(shown)} can have: {', '.join(sorted(fitting)) or 'none'}"

    def _fitting(self, call: BoundaryCall) -> Fault | None:
        return next((each for each in faults_at(call) if each.name == self.name), None)


def fault(name: str, *, at: str) -> PlacedFault:
    """Name a fault and the place it strikes, for `Case(when=...)`.

    Args:
        name: A fault of the catalogue, such as `timeout`.
        at: The dotted name of a callable of the project, such as `shop.db.execute`,
            or the name of a library whose calls can be broken, such as `httpx`.

    Raises:
        ContractError: If there is no such fault.
    """
    return PlacedFault(name, at)


def check_callable(dotted: str) -> None:
    """See that a dependency exists and can be broken.

    Raises:
        ContractError: If it does not, or cannot.
        TargetError: If its module cannot be imported.
    """
    from pytest_toolresult.seams.callables import CallableSeam

    CallableSeam(dotted)


def _seam_at(at: str) -> Seam:
    known = {each.name: each for each in _seams()}
    if at in known:
        return known[at]
    if "." not in at:
        raise ContractError(unknown("library in at=", at, known))
    from pytest_toolresult.seams.callables import CallableSeam

    return CallableSeam(at)


def _seams() -> Sequence[Seam]:
    return available()[0]


def _names() -> set[str]:
    return {each.name for each in _seams()}
