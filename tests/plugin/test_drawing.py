"""What is drawn beyond the sweep, as a run under pytest and its options show it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis._settings import _CI_VARS

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

RARE = """
    def parcel(weight: int, zone: str) -> str:
        if weight > 1 and zone == "north":
            raise KeyError(zone)
        return zone
    """
HANDS_OUT = """
    from hashlib import sha256

    def answer(status, data=None, error=None, **meta):
        return {"status": status, "data": data, "error": error, "meta": meta}

    def known():
        return [sha256(bytes([number])).hexdigest()[:16] for number in range(5)]

    def cart(cart_id: str) -> dict:
        if cart_id in known():
            return answer("success", {"total": cart_id.index("a book")})
        message = f"no such cart; yours are {', '.join(known())}"
        return answer("error", error={"code": "NO_CART", "message": message,
                                      "retryable": False})
    """
ENOUGH = "--toolresult-examples=250"
"""So many that the sweep leaves some to the draw."""


@pytest.fixture(autouse=True)
def _own_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run as on a developer's machine, wherever this runs."""
    for name in _CI_VARS:  # Hypothesis chooses its profile by these
        monkeypatch.delenv(name, raising=False)


def test_what_failed_last_time_is_tried_first(write: Write, spawn: Run) -> None:
    write("parcels.py", RARE)
    first = spawn("--toolresult", "parcels:parcel", "--toolresult-examples=100")
    assert [each["rule"] for each in first.findings] == ["TR801"]
    again = spawn("--toolresult", "parcels:parcel", "--toolresult-examples=2")
    assert [each["rule"] for each in again.findings] == ["TR801"]


def test_without_a_database_nothing_is_kept(
    write: Write, spawn: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    write("parcels.py", RARE)
    spawn("--toolresult", "parcels:parcel", "--toolresult-examples=100")
    assert not Path(".hypothesis/examples").exists()


def test_what_a_tool_hands_out_is_tried(write: Write, spawn: Run) -> None:
    write("carts.py", HANDS_OUT)
    ran = spawn("--toolresult", "carts:cart", ENOUGH, "--hypothesis-seed=0")
    assert "TR801" in [each["rule"] for each in ran.findings]


def test_statistics_of_the_draw_are_shown(write: Write, spawn: Run) -> None:
    write("parcels.py", RARE.replace("raise KeyError(zone)", "pass"))
    options = (ENOUGH, "--hypothesis-show-statistics", "--hypothesis-seed=0")
    ran = spawn("--toolresult", "parcels:parcel", *options)
    assert "parcels:parcel::parcel::fuzz:" in ran.stdout
    assert "during generate phase" in ran.stdout


def test_a_profile_that_draws_nothing_is_respected(write: Write, spawn: Run) -> None:
    write(
        "conftest.py",
        """
        from hypothesis import Phase, settings

        settings.register_profile("still", phases=[Phase.explicit])
        settings.load_profile("still")
        """,
    )
    write("parcels.py", RARE.replace("raise KeyError(zone)", "pass"))
    ran = spawn("--toolresult", "parcels:parcel", ENOUGH)
    assert "2 passed" in ran.stdout
    assert ran.at("fuzz")["calls"] == 200
