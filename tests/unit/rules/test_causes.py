from __future__ import annotations

import pytest

from pytest_toolresult.rules.causes import told_to_pass


@pytest.mark.parametrize(
    ("message", "helps"),
    [
        ("The service said: rate limit reached.", True),
        ("The request timed out.", True),
        ("Connection refused by the order database.", True),
        ("The service is temporarily unavailable.", True),
        ("请求过于频繁,请稍后再试", True),
        ("The order o-1 does not exist.", False),
        ("limit must be from 1 to 100.", None),
        ("The date is not valid.", False),
        ("Permission denied for this list.", False),
        ("订单不存在", False),
        ("There is no such order.", None),
        ("The timeout must be under 60; the rate limit must be set.", None),
        ("The file does not exist yet; try again in a minute.", None),
        ("The rate limit of this plan is 5 a minute.", None),
    ],
)
def test_what_the_words_of_a_message_say(message: str, *, helps: bool | None) -> None:
    found = told_to_pass(message)
    assert (found[0] if found else None) is helps
