"""What holds for the seam of every HTTP library."""

from __future__ import annotations

import json
import urllib.request
from functools import partial
from typing import TYPE_CHECKING

import httpx
import pytest
import requests

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.seams.cassette import Cassette
from pytest_toolresult.seams.shapes import MANY
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from tests.unit.seams.web.conftest import Backend, Fetch, Lab

ALL = {
    "timeout", "refused", "dns", "tls", "reset", "slow", "http_401", "http_403",
    "http_404", "http_409", "http_429", "http_500", "http_502", "http_503", "html",
    "malformed", "truncated", "empty_body", "null_body", "wrong_shape", "emptied",
    "inflated", "undecodable",
}  # fmt: skip


def test_without_a_call_nothing_is_touched(fetch: Fetch, backend: Backend) -> None:
    assert fetch(backend.url("/items")).data["total"] == 8


def test_a_request_is_seen(fetch: Fetch, backend: Backend, lab: Lab) -> None:
    run = lab.observed(partial(fetch, backend.url("/items?tag=x&api_key=k1")))
    assert run.got.data["total"] == 8
    assert run.crossing.call.operation == "GET"
    assert run.crossing.call.detail == "/items?tag=x&api_key=***"
    assert run.crossing.call.site.startswith("conftest.py:")
    assert not run.crossing.call.mutates
    assert run.crossing.rows == 8
    assert run.crossing.failure == ""
    assert not run.crossing.blocks


@pytest.mark.parametrize("path", ["/zipped", "/list", "/text", "/none"])
def test_answers_arrive_as_they_are(
    fetch: Fetch, backend: Backend, lab: Lab, path: str
) -> None:
    plain = fetch(backend.url(path))
    cassette = Cassette()
    for _ in range(2):
        run = lab.observed(partial(fetch, backend.url(path)), cassette)
        assert (run.got.status, run.got.body) == (plain.status, plain.body)
        assert run.got.headers.get("content-type") == plain.headers.get("content-type")
        assert run.crossing.rows == (8 if path in {"/zipped", "/list"} else None)


def test_a_recorded_answer_keeps_the_backend_quiet(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    cassette = Cassette()
    for _ in range(3):
        lab.observed(partial(fetch, backend.url("/items")), cassette)
    assert backend.asked == ["GET /items"]


def test_what_goes_wrong_by_itself_is_named(
    fetch: Fetch, backend: Backend, unused: str, untrusted: str, lab: Lab
) -> None:
    limited = partial(fetch, timeout=0.3)
    assert lab.observed(partial(fetch, backend.url("/fails"))).crossing.failure == (
        "http_503"
    )
    assert lab.observed(partial(fetch, unused)).crossing.failure == "refused"
    assert lab.observed(partial(fetch, untrusted)).crossing.failure == "tls"
    late = partial(limited, backend.url("/late"))
    assert lab.observed(late).crossing.failure == "timeout"
    assert lab.observed(partial(fetch, backend.url("/breaks"))).crossing.failure == (
        "reset"
    )


@pytest.mark.parametrize(
    ("path", "without"),
    [
        ("/items", set()),
        (
            "/text",
            {"html", "malformed", "truncated", "null_body", "wrong_shape", "emptied"},
        ),
        ("/list", set()),
    ],
)
def test_only_faults_that_make_a_difference_fit(
    fetch: Fetch, backend: Backend, lab: Lab, path: str, without: set[str]
) -> None:
    fits = lab.fitting(partial(fetch, backend.url(path))) - {"cancelled"}
    assert fits == ALL - without


def test_only_what_awaits_can_be_cancelled(
    clients: dict[str, Fetch], backend: Backend, lab: Lab
) -> None:
    for name, fetch in clients.items():
        fits = lab.fitting(partial(fetch, backend.url("/items")))
        assert ("cancelled" in fits) == (name.endswith("-async") or name == "aiohttp")


@pytest.mark.parametrize("code", [401, 403, 404, 409, 429, 500, 502, 503])
def test_a_server_that_refuses(
    fetch: Fetch, backend: Backend, lab: Lab, code: int
) -> None:
    call = partial(fetch, backend.url("/items"), method="PUT")
    run = lab.under(f"http_{code}", call)
    assert run.got.status == code
    assert run.crossing.failure == f"http_{code}"
    assert run.crossing.fault is not None
    assert run.record.fired
    assert backend.asked == ["PUT /items"]
    assert (run.got.headers.get("retry-after") == "7") == (code in {429, 503})
    planted = [each.value.encode() for each in REGISTRY.planted()]
    assert any(each in run.got.body for each in planted) == (code != 404)
    assert int(run.got.headers["content-length"]) == len(run.got.body)


def test_an_empty_answer(fetch: Fetch, backend: Backend, lab: Lab) -> None:
    run = lab.under("emptied", partial(fetch, backend.url("/items")))
    assert run.got.data == {"items": [], "total": 0, "next": None}
    assert run.crossing.rows == 0
    assert run.crossing.failure == ""


def test_a_long_answer(fetch: Fetch, backend: Backend, lab: Lab) -> None:
    run = lab.under("inflated", partial(fetch, backend.url("/zipped")))
    assert len(run.got.data["items"]) == run.got.data["total"] == MANY
    assert run.crossing.rows == MANY
    assert run.crossing.failure == ""


def test_another_shape(fetch: Fetch, backend: Backend, lab: Lab) -> None:
    run = lab.under("wrong_shape", partial(fetch, backend.url("/items")))
    assert isinstance(run.got.data, list)
    run = lab.under("wrong_shape", partial(fetch, backend.url("/list")))
    assert isinstance(run.got.data, dict)


@pytest.mark.parametrize("name", ["malformed", "truncated", "html", "empty_body"])
def test_a_body_that_is_no_json(
    fetch: Fetch, backend: Backend, lab: Lab, name: str
) -> None:
    run = lab.under(name, partial(fetch, backend.url("/items")))
    assert run.got.status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(run.got.body)
    assert int(run.got.headers["content-length"]) == len(run.got.body)
    kind = "text/html" if name == "html" else "application/json"
    assert run.got.headers["content-type"].startswith(kind)
    assert run.crossing.failure == name


def test_a_compressed_body_is_changed_within(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    run = lab.under("emptied", partial(fetch, backend.url("/zipped")))
    assert run.got.data["items"] == []


def test_a_body_that_cannot_be_decoded(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    run = lab.under("undecodable", partial(fetch, backend.url("/text")))
    with pytest.raises(UnicodeDecodeError):
        run.got.body.decode()


@pytest.mark.parametrize(
    ("name", "asked"),
    [("timeout", 1), ("refused", 1), ("dns", 1), ("tls", 1), ("reset", 2)],
)
def test_the_backend_is_asked_only_where_it_would_have_been(
    fetch: Fetch, backend: Backend, lab: Lab, name: str, asked: int
) -> None:
    run = lab.under(name, partial(fetch, backend.url("/items")))
    assert run.error is not None
    assert run.crossing.failure == name
    assert len(backend.asked) == asked


def test_waiting_for_an_answer_takes_no_time_but_counts(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    run = lab.under("timeout", partial(fetch, backend.url("/items"), timeout=60.0))
    assert run.error is not None
    assert run.record.elapsed == pytest.approx(60, abs=2)


def test_a_slow_server_is_too_slow_for_who_does_not_wait(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    run = lab.under("slow", partial(fetch, backend.url("/items"), timeout=60.0))
    assert type(run.error) is type(
        lab.under("timeout", partial(fetch, backend.url("/items"))).error
    )
    assert run.record.fired


def test_a_slow_server_answers_who_waits(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    run = lab.under("slow", partial(fetch, backend.url("/items"), timeout=None))
    assert run.got.data["total"] == 8
    assert run.record.elapsed == pytest.approx(120, abs=2)
    assert run.record.fired
    assert run.crossing.failure == ""


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PURGE"])
def test_changing_something_elsewhere_has_to_be_allowed(
    fetch: Fetch, backend: Backend, lab: Lab, method: str
) -> None:
    call = partial(fetch, backend.url("/items"), method=method)
    with guarded(frozenset()) as report, pytest.raises(Stopped):
        lab.observed(call)
    assert report.blocked is not None
    assert report.blocked.power == "network"
    assert f"{method}: /items" in report.blocked.action
    assert backend.asked == []
    with guarded(frozenset({"network"})):
        run = lab.observed(call)
    assert run.got.status == 200
    assert run.crossing.call.mutates


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_reading_need_not(
    fetch: Fetch, backend: Backend, lab: Lab, method: str
) -> None:
    with guarded(frozenset()):
        call = partial(fetch, backend.url("/items"), method=method)
        assert lab.observed(call).got.status == 200


@pytest.mark.parametrize(
    ("method", "harmless"),
    [("GET", True), ("PUT", True), ("DELETE", True), ("POST", False), ("PATCH", False)],
)
def test_requests_that_may_be_repeated_are_known(
    fetch: Fetch, backend: Backend, lab: Lab, method: str, *, harmless: bool
) -> None:
    run = lab.observed(partial(fetch, backend.url("/items"), method=method))
    assert run.crossing.idempotent is harmless


def test_a_key_makes_a_request_repeatable(backend: Backend, lab: Lab) -> None:
    url, key = backend.url("/items"), {"Idempotency-Key": "order-1"}

    def by_urllib() -> None:
        request = urllib.request.Request(url, b"{}", key)  # noqa: S310 - of this test
        urllib.request.urlopen(request).close()  # noqa: S310 - of this test

    for call in (
        lambda: httpx.post(url, headers=key),
        lambda: requests.post(url, headers=key, timeout=5),
        by_urllib,
    ):
        assert lab.observed(call).crossing.idempotent


def test_a_persistent_fault_goes_on(fetch: Fetch, backend: Backend, lab: Lab) -> None:
    def both() -> list[int]:
        return [fetch(backend.url("/items")).status, fetch(backend.url("/list")).status]

    assert lab.under("http_503", both).got == [503, 200]
    assert lab.under("http_503", both, persistent=True).got == [503, 503]


def test_errors_are_those_of_the_library(  # noqa: PLR0913, PLR0917 - each is one way to fail
    fetch: Fetch,
    backend: Backend,
    unused: str,
    untrusted: str,
    unknown_host: str,
    lab: Lab,
) -> None:
    call = partial(fetch, backend.url("/items"), timeout=0.3)
    lab.same("refused", call, partial(fetch, unused))
    lab.same("tls", call, partial(fetch, untrusted))
    lab.same("dns", call, partial(fetch, unknown_host))
    lab.same("timeout", call, partial(fetch, backend.url("/late"), timeout=0.3))
    lab.same("reset", call, partial(fetch, backend.url("/breaks")))


@pytest.mark.parametrize("name", ["timeout", "refused", "dns", "tls", "reset"])
def test_errors_carry_a_canary(
    fetch: Fetch, backend: Backend, lab: Lab, name: str
) -> None:
    call = partial(fetch, backend.url("/items"), timeout=60.0)
    assert carries_a_canary(lab.under(name, call).error)
