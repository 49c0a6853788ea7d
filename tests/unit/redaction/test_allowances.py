from __future__ import annotations

import pytest

from pytest_toolresult.errors import SettingsError
from pytest_toolresult.redaction.allowances import parsed


def test_a_value_a_pattern_and_a_tool() -> None:
    lines = (
        "shop@corp.net # printed on every invoice",
        r"/acme_test_\w+/ # keys of the sandbox",
        "find_orders::+49 30 1234567 # the hotline",
    )
    value, pattern, of_one_tool = parsed(lines)
    assert value.covers("shop@corp.net", "any")
    assert not value.covers("shop@corp.net.evil", "any")
    assert pattern.covers("acme_test_1", "any")
    assert not pattern.covers("x acme_test_1", "any")
    assert of_one_tool.covers("+49 30 1234567", "find_orders")
    assert not of_one_tool.covers("+49 30 1234567", "other")
    assert value.reason == "printed on every invoice"


@pytest.mark.parametrize(
    "line", ["shop@corp.net", "shop@corp.net #", "# reason", "x#y"]
)
def test_a_line_without_a_reason_says_how_to_write_it(line: str) -> None:
    with pytest.raises(SettingsError, match="needs a reason; write `VALUE # reason`"):
        parsed([line])


def test_a_pattern_that_is_none_is_named() -> None:
    with pytest.raises(SettingsError, match=r"the pattern in '/\(/ # x' is none"):
        parsed(["/(/ # x"])
