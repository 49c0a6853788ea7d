"""What holds for every test of the project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import InMemoryExampleDatabase

from pytest_toolresult.faults import Crossing, Injection
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.recording import Recording, recording

if TYPE_CHECKING:
    from pytest_toolresult.seams import Seam

# A machine that is busy with other things must not fail a test.
settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def _remembers_nothing_of_other_tests() -> Iterator[None]:
    """Give explorations in this process a memory that ends with the test.

    The one of this checkout would bring back what failed in another test, or in an
    earlier run of other code.
    """
    before = settings.get_current_profile_name()
    profile = settings.get_profile(before)
    database = InMemoryExampleDatabase()
    settings.register_profile("of one test", parent=profile, database=database)
    settings.load_profile("of one test")
    yield
    settings.load_profile(before)


class Bench:
    """Runs a call with seams in place, and again with something broken."""

    def __init__(self, *seams: Seam) -> None:
        self.seams = {seam.name: seam for seam in seams}
        self.last = Recording()

    def run(self, tool: Callable[[], Any], *plan: Injection) -> Any:
        """Call a tool; what it crossed is in `last` afterwards."""
        with recording(Recording(plan=plan)) as self.last:
            return tool()

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        return self.last.boundary

    def offered(self) -> dict[str, list[str]]:
        """What can be broken at each operation of the last run."""
        found: dict[str, list[str]] = {}
        for each in self.crossings:
            faults = self.seams[each.call.seam].faults(each.call)
            found.setdefault(each.call.operation, []).extend(
                fault.name for fault in faults
            )
        return found

    def injection(
        self, tool: Callable[[], Any], name: str, operation: str = "", nth: int = 0
    ) -> Injection:
        """Put a fault at the nth call of an operation of a run without faults."""
        self.run(tool)
        calls = [
            each.call
            for each in self.crossings
            if not operation or each.call.operation == operation
        ]
        offered = self.seams[calls[nth].seam].faults(calls[nth])
        named = {fault.name: fault for fault in offered}
        assert name in named, f"{name} is not offered, only {', '.join(named)}"
        return Injection(fault=named[name], where=calls[nth])

    def broken(
        self, tool: Callable[[], Any], name: str, operation: str = "", nth: int = 0
    ) -> Any:
        """Call a tool with one fault, which must take effect."""
        injection = self.injection(tool, name, operation, nth)
        try:
            return self.run(tool, injection)
        finally:
            assert self.last.fired == (injection,)

    def raised(
        self, tool: Callable[[], Any], name: str, operation: str = "", nth: int = 0
    ) -> BaseException:
        """Call a tool with one fault; return what it raises."""
        with pytest.raises(BaseException) as caught:  # noqa: PT011 - any kind is looked at
            self.broken(tool, name, operation, nth)
        if isinstance(caught.value, AssertionError):
            raise caught.value
        return caught.value


def carries_a_canary(error: BaseException | None) -> bool:
    """Tell whether a planted secret is in an error or behind it, or in their notes."""
    while error is not None:
        told = "\n".join((str(error), *getattr(error, "__notes__", ())))
        if any(each.canary.injected for each in REGISTRY.find(told)):
            return True
        error = error.__cause__ or error.__context__
    return False


Benches = Callable[..., Bench]


@pytest.fixture
def bench() -> Iterator[Benches]:
    """Put seams in place for the test."""
    with ExitStack() as stack:
        yield lambda *seams: stack.enter_context(_armed(*seams))


@contextmanager
def _armed(*seams: Seam) -> Iterator[Bench]:
    patches = Patches()
    try:
        for seam in seams:
            seam.install(patches)
        yield Bench(*seams)
    finally:
        patches.restore()
