"""Several texts are looked at in one pass, and none of them twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_toolresult.redaction import scan
from pytest_toolresult.redaction.scan import (
    forget_texts,
    secrets_in,
    secrets_in_each,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.redaction.spans import Span

TOKEN: Final = "acme_tk_" + "Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP"
SECRETS: Final = {
    TOKEN: TOKEN,
    "call 4539 1488 " + "0343 6467 now": "4539 1488 " + "0343 6467",
    "password: Vq7-n2LxTz9": "Vq7-n2LxTz9",
    "\u5bc6\u7801\u662fVq7-n2LxTz9": "Vq7-n2LxTz9",
}
CLEAN: Final = ("open", "rec-365", "orders.get", "The order was updated.", "", "a@b")


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    forget_texts()
    yield
    forget_texts()


def found(*texts: str) -> list[str]:
    return [text[span.start : span.end] for text, span in secrets_in_each(texts)]


def test_a_secret_is_told_with_the_text_it_stands_in() -> None:
    texts = [each for pair in zip(CLEAN, SECRETS, strict=False) for each in pair]
    assert found(*texts) == list(SECRETS.values())
    assert found(*texts, *texts) == list(SECRETS.values())


def test_nothing_runs_from_one_text_into_the_next() -> None:
    assert found("password:", "Vq7-n2LxTz9") == []
    assert found("4539 1488", "0343 6467") == []


def test_what_was_clean_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(*CLEAN, *SECRETS) == list(SECRETS.values())
    seen: list[str] = []

    def note(text: str) -> list[Span]:
        seen.append(text)
        return []

    monkeypatch.setattr(scan, "_all", note)
    found(*CLEAN, *SECRETS)
    assert seen == ["\0".join(SECRETS)]


def test_only_short_texts_are_remembered_and_not_for_ever() -> None:
    long = "The order was updated. " * 20
    found(long, *SECRETS)
    found(*(f"order {at} was updated" for at in range(50_000)))
    found("one more text")
    assert len(scan._CLEAN) < 2  # noqa: SLF001 - what is kept is what it is about
    found(long, *SECRETS)
    assert not scan._CLEAN & {long, *SECRETS}  # noqa: SLF001


@given(st.lists(st.sampled_from((*CLEAN, *SECRETS)) | st.text(max_size=12)))
def test_together_they_are_told_as_one_by_one(texts: list[str]) -> None:
    alone = {text for text in texts if secrets_in(text)}
    assert {text for text, _ in secrets_in_each(texts)} == alone
