"""What a name tells about its value, and what the value says to that."""

from __future__ import annotations

import pytest

from pytest_toolresult.redaction.detectors.fields import field_span
from pytest_toolresult.redaction.detectors.labels import (
    Label,
    label_of,
    may_hold_labels,
)
from pytest_toolresult.redaction.detectors.silhouettes import silhouette

NAMES: list[tuple[str, Label | None]] = [
    ("password", "password"),
    ("dbPassword", "password"),
    ("DB_PASSWORD_PROD", "password"),
    ("old-password", "password"),
    ("SmtpPassword2", "password"),
    ("clientSecret", "token"),
    ("x-api-key", "token"),
    ("AWS_SECRET_ACCESS_KEY", "token"),
    ("Set-Cookie", "cookie"),
    ("Authorization", "header"),
    ("passwordHash", "hash"),
    ("Social Security Number", "identity"),
    ("card_number", "card"),
    ("mobile", "phone"),
    ("contrase\u00f1a", "password"),
    ("\u7528\u6237\u5bc6\u7801", "password"),
    ("\u65b0\u7684\u5bc6\u94a5\u662f", "token"),
    ("\u8eab\u4efd\u8bc1\u53f7\u7801", "identity"),
    ("password_policy", None),
    ("has_password", None),
    ("next_page_token", None),
    ("max_tokens", None),
    ("primary_key", None),
    ("token_type", None),
    ("keyboard", None),
    ("secretary", None),
    ("author", None),
    ("", None),
    ("x" * 500, None),
]


@pytest.mark.parametrize(("name", "label"), NAMES)
def test_a_name_is_read_by_its_end(name: str, label: Label | None) -> None:
    assert label_of(name) == label
    assert label is None or may_hold_labels(f"{name}: x", silhouette(name))


CLEAR = [
    ("password", "hunter22"),
    ("password", "Tr0ub4dor & 3"),
    ("passwd", "P$E#_eg$#4Dn"),
    ("pwd", "letmein"),
    ("api_key", "9f8c1e3b7a6d4052b1c0"),
    ("token", "qWTHuuaPwgaoQIoScBnDWDP"),
    ("Authorization", "Bearer 9f8c1e3b7a6d4052b1c0"),
    ("cookie", "lang=en; session=9f8c1e3b7a6d4052b1c0"),
    ("otp", "493028"),
    ("ssn", "536-90-4399"),
    ("passport_no", "C03005988"),
    ("account_number", "4028113790"),
    ("phone", "0156 99911078"),
    ("password_hash", "4282a99e663735bae940536cc9beaf7d"),
]
HARMLESS = [
    ("password", ""),
    ("password", "***"),
    ("password", "required"),
    ("password", "Your password must have twelve characters."),
    ("password", "[password, 12 chars, #3f]"),
    ("password", "${DB_PASSWORD}"),
    ("password", "op://prod/db/password"),
    ("password", "vault:secret/data/db#password"),
    ("password", "arn:aws:secretsmanager:eu-west-1:1:secret:db"),
    ("password", "2026-05-01T10:00:00Z"),
    ("password", "/run/secrets/db"),
    ("secret", "prod/db"),
    ("token", "Bearer"),
    ("token", "token-counting-2024-11-01"),
    ("token", "Bearer {{token}}"),
    ("api_key", "your-api-key-here"),
    ("api_key", "settings.API_KEY"),
    ("session_id", "3fa85f64-5717-4562-b3fc-2c963f66afa6"),
    ("pin", "GPIO17"),
    ("phone", "mobile"),
    ("phone", "+1 202-555-0147"),
    ("ssn", "078-05-1120"),
    ("card", "4242 4242 4242 4242"),
    ("otp", "required"),
]


@pytest.mark.parametrize(("name", "value"), CLEAR)
def test_a_value_in_clear_is_told(name: str, value: str) -> None:
    span = field_span(name, value)
    assert span is not None
    assert span.family != "mask"
    assert (span.start, span.end) == (0, len(value))


@pytest.mark.parametrize(("name", "value"), HARMLESS)
def test_what_is_no_secret_under_the_name_is_left_alone(name: str, value: str) -> None:
    assert field_span(name, value) is None


@pytest.mark.parametrize(
    ("name", "value", "too_much"),
    [
        ("password", "********", False),
        ("password", "Vq7-n2L***", True),
        ("phone", "138****1234", False),
        ("phone", "1380013****", False),
        ("phone", "13800138***", True),
        ("card_number", "4111 11** **** 1111", False),
        ("card_number", "4111 1111 11** 1111", True),
        ("id_card", "110101********0012", False),
        ("api_key", "sk-abcd****wxyz", False),
        ("api_key", "sk-abcdefghijkl****wxyz", True),
    ],
)
def test_a_mask_may_leave_so_much(name: str, value: str, too_much: bool) -> None:  # noqa: FBT001 - a column of the table
    span = field_span(name, value)
    assert (span is not None) is too_much
    assert span is None or span.family == "mask"
