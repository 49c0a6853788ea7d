"""What holds for every test of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import InMemoryExampleDatabase

if TYPE_CHECKING:
    from collections.abc import Iterator

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
