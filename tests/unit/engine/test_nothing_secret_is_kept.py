"""Whatever a tool gives away, and wherever: nothing that is kept shows it."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_toolresult import lock
from pytest_toolresult.calls import Call, Case
from pytest_toolresult.contract import Contract
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.ledger import Ledger
from pytest_toolresult.ledger.wire import evidence_to_dict
from pytest_toolresult.reporters import REPORTERS, baseline, reporter_named
from pytest_toolresult.reporters.failure import failure_text
from pytest_toolresult.reporters.terminal import sections
from pytest_toolresult.reporters.view import View
from pytest_toolresult.runner import Runner
from pytest_toolresult.settings import Settings
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.ledger import Evidence
    from pytest_toolresult.reporters.view import Card

TOKEN: Final = "acme_tk_" + "Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP"
PASSWORD: Final = "Vq7-n2LxTz9"  # noqa: S105 - nobody's
IN_ADDRESS: Final = "Qm4vBx8LsW"
CARD: Final = "4539 1488 " + "0343 6467"
SSN: Final = "536-90-" + "4399"
MENTIONS: Final = (
    TOKEN,
    f"mysql://root:{IN_ADDRESS}@db1/shop",
    CARD,
    f"ssn {SSN}",
    f"password: {PASSWORD}",
)
SECRETS: Final = (TOKEN, PASSWORD, IN_ADDRESS, CARD, SSN)

pieces = st.lists(
    st.sampled_from(MENTIONS) | st.text("ab \n", max_size=6), min_size=1, max_size=4
).map(" ".join)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    runner = Runner(timeout=2.0)
    yield Engine(Settings(max_calls=5, learns_shapes=True), runner)
    runner.close()


def gossip(told: dict[str, str]) -> Any:
    """Make a tool that gives away what it is told to, each in its own place."""

    def speak(query: str, password: str = "") -> Any:
        logging.getLogger("gossip").warning("%s", told["log"])
        sys.stdout.write(told["output"])
        sys.stderr.write(told["stderr"])
        if told["end"] == "raise":
            raise RuntimeError(told["message"])
        if told["end"] == "error":
            error = {
                "code": told["code"],
                "message": told["message"],
                "retryable": False,
            }
            return {"status": "error", "data": None, "error": error, "meta": {}}
        data = {told["key"]: told["value"], "echo": query, "given": password}
        return {
            "status": told["status"],
            "data": data,
            "error": None,
            "meta": {"note": told["meta"]},
        }

    return speak


def assignment(told: dict[str, str]) -> Assignment:
    tool = gossip(told)
    return Assignment(
        item="test_it.py::test_it[success]",
        tool=tools_of(tool, validate=None)[0],
        contract=Contract(tool),
    )


def written(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Give every text that is made from evidence, by what it is."""
    ledger = Ledger([evidence])
    no_cards: dict[str, Card] = {}
    view = View(cards=no_cards.get, show="all", found=True)
    yield "evidence", json.dumps(evidence_to_dict(evidence), ensure_ascii=False)
    for name in REPORTERS:
        rendered = reporter_named(name).render(ledger, PurePath("report"))
        yield name, b"".join(rendered.values()).decode()
    for section in sections(ledger, view):
        yield section.title, "\n".join(section.lines)
    yield "baseline", baseline.render(evidence.findings).decode()
    if evidence.findings:
        yield "failure", failure_text(evidence.findings, view)
    seen = [lock.Seen(identity="gossip", shapes=evidence.shapes)]
    yield "lock", lock.render(lock.updated({}, seen), plugin="1.0").decode()


PLACES = ("log", "output", "stderr", "message", "code", "key", "value", "meta")


@settings(max_examples=80, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            **dict.fromkeys(PLACES, pieces),
            "end": st.sampled_from(("raise", "error", "answer")),
            "status": pieces | st.sampled_from(("success", "empty", "partial", "ok")),
        }
    ),
    pieces,
)
def test_no_text_that_is_kept_shows_a_secret(
    engine: Engine, told: dict[str, str], query: str
) -> None:
    arguments = {"query": query, "password": PASSWORD}
    call = Call(arguments=arguments, origin="declared", case=Case(arguments))
    evidence = engine.verify(assignment(told), call).evidence
    assert evidence.calls == 1
    for name, text in written(evidence):
        for secret in SECRETS:
            assert secret not in text, (name, told)
