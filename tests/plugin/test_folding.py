from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

LEAKY = """
    KEY = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7h8"

    def one(number: int) -> str:
        return KEY

    def two(number: int) -> str:
        return KEY

    def three(number: int) -> str:
        return KEY if number else 1 / number

    TOOLS = [one, two, three]
    """


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_what_all_tools_share_is_shown_in_full_once(
    write: Callable[..., None], spawn: Callable[..., Any], workers: tuple[str, ...]
) -> None:
    write("leaky.py", LEAKY)
    ran = spawn("--toolresult", "leaky:TOOLS", *workers)
    assert ran.exit == 1
    assert ran.stdout.count("on 3 of 3 tools of leaky:TOOLS; shown once") == 3
    assert ran.stdout.count("holds a credential in clear") == 1
    assert ran.stdout.count("ZeroDivisionError: division by zero") == 1
    assert "FAILED leaky:TOOLS::two::fuzz - Failed: TR602" in ran.stdout
