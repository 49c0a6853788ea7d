"""Puts the seams in place for a while, and tells which faults fit a call."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

from pytest_toolresult.seams import ENTRY_POINTS, SEAMS
from pytest_toolresult.seams.patches import Patches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams import Seam

_OFFERED: Final = ("name", "library", "install", "faults")

_IN_PLACE: Final[dict[str, Seam]] = {}
"""The seams that are installed now, by name; a nested arming leaves them alone."""

_LOCK: Final = threading.RLock()


class Arming:
    """The seams that are in place, and those that could not be put there.

    Attributes:
        broken: The seams that do not work, with the reason. They are left out from
            then on.
    """

    def __init__(self) -> None:
        self._patches = Patches()
        self._own: list[str] = []
        self._modules = 0
        self._known, self.broken = available()

    def refresh(self) -> None:
        """Install the seams whose library has been loaded since the last time."""
        if len(sys.modules) == self._modules:
            return
        self._modules = len(sys.modules)
        for seam in self._known:
            if seam.name not in _IN_PLACE and seam.library in sys.modules:
                self.add(seam)

    def add(self, seam: Seam) -> None:
        """Install a seam, unless one of its name is in place.

        One that cannot be installed is noted in `broken`, and left out from then on.
        """
        with _LOCK:
            if seam.name in _IN_PLACE or seam.name in self.broken:
                return
            undone = Patches()
            try:
                seam.install(undone)
            except Exception as error:  # noqa: BLE001 - the code of another package
                undone.restore()
                self.broken[seam.name] = _reason("cannot be installed", error)
                return
            self._patches.on_restore(undone.restore)
            _IN_PLACE[seam.name] = seam
            self._own.append(seam.name)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a call, worst first."""
        return faults_at(call)

    def disarm(self) -> None:
        """Take out what this arming has put in place."""
        with _LOCK:
            self._patches.restore()
            for name in self._own:
                del _IN_PLACE[name]
            self._own.clear()


@contextmanager
def armed(further: Iterable[Seam] = ()) -> Iterator[Arming]:
    """Put in place every seam whose library is loaded, for as long as the block lasts.

    Blocks may be nested: what is in place already stays as it is.

    Args:
        further: Seams for this block alone, such as those of callables that the user
            names.
    """
    arming = Arming()
    try:
        arming.refresh()
        for seam in further:
            arming.add(seam)
        yield arming
    finally:
        arming.disarm()


def faults_at(call: BoundaryCall) -> Sequence[Fault]:
    """Return the faults that can be put at a call while its seam is in place.

    Worst first; none where the seam is broken or not in place.
    """
    seam = _IN_PLACE.get(call.seam)
    _, broken = available()
    if seam is None or seam.name in broken:
        return ()
    try:
        return tuple(seam.faults(call))
    except Exception as error:  # noqa: BLE001 - the code of another package
        broken[seam.name] = _reason("cannot name its faults", error)
        return ()


@cache
def available() -> tuple[Sequence[Seam], dict[str, str]]:
    """Return all seams there are, and why some cannot be used: that fills up."""
    own = [_loaded(place) for place in SEAMS.values()]
    seams: dict[str, Seam] = {seam.name: seam for seam in own}
    broken: dict[str, str] = {}
    for point in entry_points(group=ENTRY_POINTS):
        told = f"{point.name} ({point.value})"
        seam = _third_party(point.load, told, broken)
        if seam is not None and seam.name in seams:
            broken[told] = f"another seam is called {seam.name!r}"
        elif seam is not None:
            seams[seam.name] = seam
    return tuple(seams.values()), broken


def _third_party(
    load: Callable[[], Seam], told: str, broken: dict[str, str]
) -> Seam | None:
    try:
        seam = load()
    except Exception as error:  # noqa: BLE001 - the code of another package
        broken[told] = _reason("cannot be loaded", error)
        return None
    missing = [name for name in _OFFERED if not hasattr(seam, name)]
    if missing:
        broken[told] = f"it has no {', '.join(missing)}"
        return None
    return seam


def _loaded(place: str) -> Seam:
    module, _, attribute = place.partition(":")
    found: Seam = getattr(import_module(module), attribute)
    return found


def _reason(what: str, error: Exception) -> str:
    return f"it {what} ({type(error).__name__}: {error})"
