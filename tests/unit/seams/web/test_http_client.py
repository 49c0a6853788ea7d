from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.seams.arming import armed
from pytest_toolresult.seams.cassette import Cassette

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.unit.seams.web.conftest import Backend, Lab


@pytest.fixture
def get(backend: Backend) -> Callable[[], Any]:
    def call() -> Any:
        url = backend.url("/items")
        with urllib.request.urlopen(url, timeout=2) as got:  # noqa: S310 - of these tests
            return json.load(got)

    return call


@pytest.fixture
def connection(backend: Backend) -> Iterator[http.client.HTTPConnection]:
    host = backend.url("").removeprefix("http://")
    made = http.client.HTTPConnection(host, timeout=2)
    yield made
    made.close()


def test_a_refusal_is_raised(get: Callable[[], Any], lab: Lab) -> None:
    error = lab.under("http_429", get).error
    assert isinstance(error, urllib.error.HTTPError)
    assert (error.code, error.reason) == (429, "Too Many Requests")
    assert error.headers["retry-after"] == "7"
    assert json.load(error)["error"]["code"] == "rate_limited"
    error.close()


def test_who_sets_no_limit_hears_from_the_system(backend: Backend, lab: Lab) -> None:
    def call() -> Any:
        with urllib.request.urlopen(backend.url("/items")) as got:  # noqa: S310
            return json.load(got)

    run = lab.under("timeout", call)
    assert isinstance(run.error, urllib.error.URLError)
    assert "[Errno 110]" in str(run.error)


def test_a_reset_comes_while_the_body_is_read(
    connection: http.client.HTTPConnection, lab: Lab
) -> None:
    def stream() -> list[bytes]:
        got: list[bytes] = []
        connection.close()
        connection.request("GET", "/items")
        response = connection.getresponse()
        assert response.status == 200
        try:
            while part := response.read(50):
                got.append(part)
        except ConnectionResetError:
            got.append(b"broken")
        response.close()
        return got

    parts = lab.under("reset", stream).got
    assert len(parts) > 2
    assert parts[-1] == b"broken"


def _into(response: Any) -> bytes:
    whole, part = b"", bytearray(16)
    while size := response.readinto(part):
        whole += part[:size]
    return whole


READINGS: dict[str, Callable[[Any], bytes]] = {
    "at once": lambda got: bytes(got.read()),
    "in parts": lambda got: b"".join(iter(lambda: got.read(7), b"")),
    "as it comes": lambda got: b"".join(iter(lambda: got.read1(7), b"")),
    "in lines": b"".join,
    "in all lines": lambda got: b"".join(got.readlines()),
    "into a buffer": _into,
}


@pytest.mark.parametrize("read", READINGS.values(), ids=READINGS)
def test_a_body_is_seen_however_it_is_read(
    connection: http.client.HTTPConnection, lab: Lab, read: Callable[[Any], bytes]
) -> None:
    def call() -> Any:
        connection.request("GET", "/list")
        with connection.getresponse() as got:
            return json.loads(read(got))

    run = lab.observed(call)
    assert len(run.got) == 8
    assert run.crossing.rows == 8


def test_a_connection_can_be_used_again(
    connection: http.client.HTTPConnection, backend: Backend, lab: Lab
) -> None:
    def call() -> list[Any]:
        got = []
        for path in ("/items", "/list", "/items"):
            connection.request("GET", path)
            response = connection.getresponse()
            got.append((response.status, len(json.loads(response.read()))))
        return got

    assert lab.under("http_429", call).got == [(429, 1), (200, 8), (200, 3)]
    assert lab.under("emptied", call).got == [(200, 3), (200, 8), (200, 3)]
    cassette = Cassette()
    lab.observed(call, cassette)
    backend.asked.clear()
    assert lab.observed(call, cassette).got == [(200, 3), (200, 8), (200, 3)]
    assert backend.asked == []


def test_after_a_failure_a_connection_can_be_used_again(
    connection: http.client.HTTPConnection, lab: Lab
) -> None:
    def call() -> int:
        for _ in range(3):
            try:
                connection.request("GET", "/items")
                return len(json.loads(connection.getresponse().read()))
            except OSError:
                connection.close()
        return 0

    for name in ("refused", "timeout", "reset", "dns"):
        run = lab.under(name, call)
        assert run.got == 3
        assert [each.failure for each in run.record.boundary] == [name, ""]


def test_everything_is_as_before_afterwards() -> None:
    before = dict(vars(http.client.HTTPConnection))
    with armed():
        assert dict(vars(http.client.HTTPConnection)) != before
    assert dict(vars(http.client.HTTPConnection)) == before
