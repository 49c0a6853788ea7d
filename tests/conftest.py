"""What holds for every test of the project."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A machine that is busy with other things must not fail a test.
settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")
