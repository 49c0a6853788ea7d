"""The table of the issuers' formats: what is published is found, word by word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pytest_toolresult.redaction.detectors.placeholders import is_placeholder
from pytest_toolresult.redaction.detectors.tokens import tokens
from pytest_toolresult.redaction.detectors.vendors import FORMATS

if TYPE_CHECKING:
    from pytest_toolresult.redaction.detectors.vendors.format import Format


def bodies(format_: Format) -> st.SearchStrategy[str]:
    return st.from_regex(re.compile(format_.body, re.ASCII), fullmatch=True)


def test_there_are_many_and_each_says_where_it_is_published() -> None:
    assert len(FORMATS) >= 300
    assert len({each.kind for each in FORMATS}) >= 150
    for each in FORMATS:
        assert each.source.startswith("https://")
        assert len(each.prefix) >= 2
        assert re.fullmatch(r"[a-z0-9-]+", each.kind)


def test_no_pattern_is_unbounded() -> None:
    for each in FORMATS:
        assert not re.search(
            r"[*+](?!\??\])|\{\d+,\}", re.sub(r"\[.*?\]|\\.", "", each.body)
        )


@settings(
    max_examples=600,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(st.data(), st.sampled_from(FORMATS))
def test_whatever_a_format_describes_is_found(
    data: st.DataObject, format_: Format
) -> None:
    body = data.draw(bodies(format_))
    token = format_.prefix + body
    assume(len(token) >= 16)  # shorter runs are not looked at
    assume(re.search(r"\d", body) or not format_.varied)
    assume(re.search("[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]|[0-9]", body))
    assume(not is_placeholder(token))
    text = f"the key is {token} today"
    spans = [span for span in tokens(text) if span.start <= 11]
    assert any(span.end >= 11 + len(token) - 1 for span in spans), spans


@pytest.mark.parametrize(
    "text",
    [
        "risk-3f2a9c1e4b5d6f7a8091a2b3c4d5e6f708192a3b",
        "task_live_0123456789abcdef0123456789",
        "SKU-1234 SKUs SKELETON_KEY_OF_THE_OLD_MANOR_HOUSE",
        "npm_config_registry, hf_hub_download, key-value",
        "sk-learn-contrib/project-template-with-a-long-name",
        "pk_live_kq4V8ZpXnB2mT6yWc1RjLa9Z",
        "msg_01XFDUDYJgAACzvnptvVoYEL",
        "index-BxYz123kqW9.js and vendor-8f3a2b1c9d.css",
        "Frozen_LineEndingTestPEP451, Source_DefaultPMPEP302",
    ],
)
def test_what_begins_alike_is_left_alone(text: str) -> None:
    assert list(tokens(text)) == []


def test_what_nobody_documents_is_found_by_how_it_is_built() -> None:
    for token in (
        "acme_tk_Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP",
        "corp-Zk9fQ2xw7LrTz3Vb8NmYc4",
    ):
        assert [span.kind for span in tokens(f"x={token};")] == ["token"]
    secret = "kq4V8ZpXnB2mT6yWc1RjLa9/ZkfQ2xw7LrTz3Vb8"  # noqa: S105 - nobody's
    assert [span.kind for span in tokens(secret)] == ["aws-secret-key"]
