"""TR6 on whole calls: where leaks are looked for, and what is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_toolresult.calls import Call
from pytest_toolresult.faults import CATALOGUE, BoundaryCall, Injection
from pytest_toolresult.findings import Severity
from pytest_toolresult.outcomes import LogLine, Outcome, Reply
from pytest_toolresult.redaction.allowances import parsed
from pytest_toolresult.redaction.canaries import dsn, host, url
from pytest_toolresult.redaction.canaries.credentials import password
from pytest_toolresult.redaction.canaries.people import card, email
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.settings import Settings

if TYPE_CHECKING:
    from pytest_toolresult.findings import Finding
    from tests.unit.rules.conftest import Bench

TOKEN = "acme_tk_" + "Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP"
ADDRESS = "mysql://root:" + "Vq7n2LxTz9@db1/shop"
CARD = "4539 1488 " + "0343 6467"
EMAIL = "mei.chen@corp-mail.net"


def places(findings: list[Finding]) -> dict[str, str]:
    return {each.place: each.rule for each in findings if each.rule.startswith("TR6")}


def returned(**fields: Any) -> Outcome:
    whole = {"status": "success", "data": {"id": "o-1"}, "error": None, "meta": {}}
    reply = Reply(value=fields.pop("value", whole), wire=fields.pop("wire", None))
    return Outcome(ending="returned", reply=reply, **fields)


def test_each_place_is_told_once_by_the_gravest_rule(bench: Bench) -> None:
    data = {
        "note": f"{TOKEN} and {EMAIL} and {CARD}",
        "url": ADDRESS,
        "users": [{"login": "ann", "password": "Vq7-n2LxTz9"}],
        "paid": CARD,
        "buyer": EMAIL,
        "person": "131052-308T",
        "env": [{"name": "API_KEY", "value": "9f8c1e3b7a6d4052b1c0"}],
        "passwords": ["9f8c1e3b7a6d4052b1c1"],
        "token": {"value": "9f8c1e3b7a6d4052b1c2"},
        "ssn": 536904399,
    }
    found = bench.answer("success", data, meta={"debug": f"psk={TOKEN}"})
    assert places(found) == {
        "data.note": "TR602",
        "data.url": "TR603",
        "data.users[0].password": "TR607",
        "data.paid": "TR605",
        "data.buyer": "TR606",
        "data.person": "TR604",
        "data.env[0].value": "TR607",
        "data.passwords[0]": "TR607",
        "data.token.value": "TR607",
        "data.ssn": "TR604",
        "meta.debug": "TR602",
    }
    note = next(each for each in found if each.place == "data.note")
    assert "(and 2 more secrets there)" in note.message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("variable_name", "value"),
        ("ENV_KEY", "ENV_VALUE"),
        ("settingName", "currentValue"),
        ("Parameter", "default_val"),
    ],
)
def test_rows_of_names_and_values_are_known_by_their_last_words(
    bench: Bench, name: str, value: str
) -> None:
    rows = [
        {name: "LOG_LEVEL", value: "info-and-more-9"},
        {name: "DB_PASSWORD", value: "quiet-Heron-5518"},
    ]
    found = bench.answer("success", rows)
    assert places(found) == {f"data[1].{value}": "TR607"}


def test_everything_around_the_result_is_looked_at(bench: Bench) -> None:
    outcome = returned(
        wire=f"ok {TOKEN}",
        log=(
            LogLine(level=10, logger="db", text="connecting"),
            LogLine(level=10, logger="db", text=f"with {ADDRESS}"),
        ),
        stderr=f"warning: {TOKEN}\n",
    )
    found = places(bench.judge(outcome))
    assert found == {"wire": "TR602", "log[1]": "TR609", "stderr": "TR610"}
    printed = bench.judge(returned(stdout=f"{TOKEN}\n"))
    assert places(printed) == {"stdout": "TR610"}


def test_an_exception_that_escapes_is_looked_at(bench: Bench) -> None:
    error = RuntimeError(f"cannot reach {ADDRESS}")
    outcome = Outcome(ending="raised", reply=Reply(exception=error))
    found = bench.judge(outcome, envelope=None)
    assert places(found) == {"exception": "TR603"}
    assert all("Vq7n2LxTz9" not in str(each) for each in found)


def broken(error: str = "", **fields: Any) -> Outcome:
    """What a tool comes to whose dependency failed."""
    where = BoundaryCall(seam="httpx", operation="GET", site="shop.py:7")
    fired = (Injection(fault=CATALOGUE["refused"], where=where),)
    exception = fields.pop("exception", None)
    if exception is not None:
        reply = Reply(exception=exception)
        return Outcome(ending="raised", reply=reply, fired=fired, **fields)
    told = {"code": "DOWN", "message": error or "It is down.", "retryable": True}
    value = {"status": "error", "data": None, "error": told, "meta": {}}
    return replace(returned(value=value, **fields), fired=fired)


def test_what_a_dependency_said_is_not_repeated(bench: Bench) -> None:
    for secret in (url("httpx refused"), dsn("mysql refused")):
        (found,) = bench.judge(broken(f"no answer: [Errno 111] {secret}"))
        assert (found.rule, found.place) == ("TR601", "error.message")
        assert found.severity is Severity.ERROR
        assert "repeats what a dependency said when it failed" in found.message
        assert found.remedy.startswith("Say what failed in your own words.")
        assert secret.rpartition("=")[2] not in str(found)


def test_the_name_of_a_host_is_a_warning(bench: Bench) -> None:
    message = f'connection to server at "{host("x")}", port 5432 failed; retry'
    (found,) = bench.judge(broken(message))
    assert (found.rule, found.severity) == ("TR601", Severity.WARNING)
    assert bench.judge(broken("db.internal: an internal error; try again")) == []


def test_an_injected_error_that_escapes_is_one_fault(bench: Bench) -> None:
    text = f"[Errno 111] refused for url: {url('httpx refused')}"
    line = LogLine(level=40, logger="server", text=f"ConnectionError: {text}")
    outcome = broken(exception=ConnectionError(text), log=(line,))
    assert {each.rule for each in bench.judge(outcome)} == {"TR801"}
    native = bench.judge(outcome, dialect="native")
    assert {each.rule for each in native} == {"TR801"}


def test_what_else_an_escaped_error_gives_away_is_told(bench: Bench) -> None:
    outcome = broken(exception=ConnectionError(f"{dsn('x')} for {ADDRESS}"))
    found = bench.judge(outcome)
    assert {each.rule for each in found} == {"TR603", "TR801"}


def test_what_a_tool_raises_itself_is_its_own_word(bench: Bench) -> None:
    error = RuntimeError(f"orders cannot be read: {dsn('mysql refused')}; ask ann")
    outcome = broken(exception=error, deliberate=True)
    found = bench.judge(outcome, dialect="native")
    assert {each.rule for each in found} == {"TR601"}


def test_the_text_of_an_error_in_a_log_is_a_warning(bench: Bench) -> None:
    line = LogLine(level=30, logger="shop", text=f"no answer: {url('httpx refused')}")
    (found,) = bench.judge(broken(log=(line,)))
    assert (found.rule, found.severity) == ("TR609", Severity.WARNING)


def test_contact_data_in_a_log_is_a_warning(bench: Bench) -> None:
    line = LogLine(level=20, logger="mail", text=f"sent to {EMAIL}")
    found = bench.judge(returned(log=(line,)))
    assert [each.severity for each in found] == [Severity.WARNING]


def test_contact_data_is_one_finding_for_a_tool(bench: Bench) -> None:
    rows = {f"field_{n}": f"user{n}.chen@corp-mail.net" for n in range(5)}
    found = [each for each in bench.answer("success", rows) if each.rule == "TR606"]
    assert len(found) == 1
    assert "(and contact data at 4 more places)" in found[0].message


def test_what_was_asked_for_is_no_leak_but_a_secret_is(bench: Bench) -> None:
    call = Call(arguments={"to": EMAIL, "password": "Vq7-n2LxTz9"}, origin="declared")
    data = {"sent_to": EMAIL, "password": "Vq7-n2LxTz9"}
    found = bench.answer("success", data, call=call)
    assert places(found) == {"data.password": "TR607"}


def test_what_is_allowed_is_no_leak(bench: Bench) -> None:
    data = {"buyer": EMAIL, "paid": CARD, "key": TOKEN}
    allowed = Settings(allowances=parsed([f"{TOKEN} # the sandbox's"]))
    for_others = Settings(allowances=parsed([f"other::{TOKEN} # the sandbox's"]))
    kinds = ("email", "card")
    assert bench.answer("success", data, settings=allowed, allow_pii=kinds) == []
    found = bench.answer("success", data, settings=for_others, allow_pii=kinds)
    assert places(found) == {"data.key": "TR602"}


def test_a_canary_is_told_with_its_form_and_never_shown(bench: Bench) -> None:
    canary = REGISTRY.add(password("test_leaks"))
    half = len(canary.value) // 2
    whole = {"first": canary.value[:half], "second": canary.value[half:]}
    for data, form in (
        ({"x": canary.value}, ""),
        ({"x": canary.value.encode().hex()}, ", as hexadecimal"),
        (whole, ", in pieces"),
    ):
        found = [e for e in bench.answer("success", data) if e.rule == "TR601"]
        assert len(found) == 1
        assert f"gives away the planted password{form}:" in found[0].message
        assert canary.value[:half] not in str(found[0])


def test_a_canary_in_a_number_and_in_the_log(bench: Bench) -> None:
    canary = REGISTRY.add(card("test_leaks"))
    found = bench.answer("success", {"x": int(canary.value)})
    assert places(found) == {"data.x": "TR601"}
    line = LogLine(level=10, logger="db", text=f"no answer from {dsn('test_leaks')}")
    assert places(bench.judge(returned(log=(line,)))) == {"log[0]": "TR609"}


def test_a_canary_of_an_allowed_kind_may_be_seen(bench: Bench) -> None:
    canary = REGISTRY.add(email("test_leaks"))
    assert bench.answer("success", {"x": canary.value}, allow_pii=("email",)) == []
    assert places(bench.answer("success", {"x": canary.value})) == {"data.x": "TR601"}


def test_a_waiver_uncovers_nothing(bench: Bench) -> None:
    data = {"url": ADDRESS}
    assert bench.answer("success", data, ignore={"TR603": "a test database"}) == []


@pytest.mark.parametrize(
    "value",
    [
        {"password": b"\xff" * 50, "token": object(), 3: {"token": 4}},
        {"password": "\ud800" * 20, "x": "\0password=\0"},
        {"name": "token", "value": ["a", 1, None]},
    ],
)
def test_odd_results_are_looked_at_without_an_error(bench: Bench, value: Any) -> None:
    bench.value(value, dialect="native")


SECRETS = [TOKEN, ADDRESS, CARD, "password=Vq7-n2LxTz9", "131052-308T", EMAIL]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(SECRETS) | st.text(max_size=20), max_size=6))
def test_no_finding_shows_what_it_is_about(bench: Bench, pieces: list[str]) -> None:
    text = " ".join(pieces)
    error = {"code": "X", "message": text, "retryable": False}
    outcome = returned(
        value={"status": "error", "data": None, "error": error, "meta": {"t": pieces}},
        log=(LogLine(level=10, logger="x", text=text),),
        stdout=text,
        stderr=text,
    )
    call = Call(arguments={"q": text, "password": "Vq7-n2LxTz9"}, origin="fuzz")
    for finding in bench.judge(outcome, call=call):
        shown = str(finding).replace(str(finding.arguments), "")
        for secret in (TOKEN, "Vq7n2LxTz9", CARD, "Vq7-n2LxTz9", "131052-308T", EMAIL):
            assert secret not in shown
        assert "Vq7-n2LxTz9" not in str(finding.arguments)
        assert TOKEN not in str(finding.arguments)
