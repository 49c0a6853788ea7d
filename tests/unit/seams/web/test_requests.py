from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import requests
import requests_mock
import responses
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from pytest_toolresult.seams.arming import armed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.seams.web.conftest import Backend, Lab


def session(adapter: HTTPAdapter) -> requests.Session:
    made = requests.Session()
    made.mount("http://", adapter)
    return made


def test_an_error_knows_its_request(backend: Backend, lab: Lab) -> None:
    url = backend.url("/items")
    for name in ("timeout", "refused", "dns", "tls"):
        error = lab.under(name, lambda: requests.get(url, timeout=1)).error
        assert isinstance(error, requests.RequestException)
        assert error.request is not None
        assert error.request.url == url


def test_who_sets_no_limit_hears_from_the_system(backend: Backend, lab: Lab) -> None:
    call = lambda: requests.get(backend.url("/items"))  # noqa: E731, S113
    run = lab.under("timeout", call)
    assert type(run.error) is requests.ConnectionError
    assert "[Errno 110]" in str(run.error)
    assert run.record.elapsed > 100


def test_a_response_is_as_ever(backend: Backend, lab: Lab) -> None:
    def call() -> requests.Response:
        return requests.get(backend.url("/items"), timeout=5)

    got = lab.under("http_503", call).got
    assert got.reason == "Service Unavailable"
    assert got.url == got.request.url == backend.url("/items")
    with pytest.raises(requests.HTTPError, match="503 Server Error") as raised:
        got.raise_for_status()
    assert raised.value.response is got
    with pytest.raises(requests.JSONDecodeError):
        lab.under("malformed", call).got.json()
    assert lab.under("emptied", call).got.json()["items"] == []


def test_a_reset_comes_while_the_body_is_read(backend: Backend, lab: Lab) -> None:
    def stream() -> list[bytes]:
        got: list[bytes] = []
        with requests.get(backend.url("/items"), stream=True, timeout=5) as response:
            assert response.status_code == 200
            try:
                got.extend(response.iter_content(50))
            except requests.exceptions.ChunkedEncodingError:
                got.append(b"broken")
        return got

    parts = lab.under("reset", stream).got
    assert len(parts) > 2
    assert parts[-1] == b"broken"


@pytest.mark.parametrize("name", ["refused", "timeout", "http_503"])
def test_repetitions_of_the_library_take_place(
    backend: Backend, lab: Lab, name: str
) -> None:
    policy = Retry(total=3, backoff_factor=10, status_forcelist=[503])

    def call() -> Any:
        with session(HTTPAdapter(max_retries=policy)) as made:
            return made.get(backend.url("/items"), timeout=1).json()["total"]

    run = lab.under(name, call)
    assert run.got == 8
    assert [each.failure for each in run.record.boundary] == [name, ""]
    assert run.record.fired


def test_repetitions_of_the_library_come_to_an_end(backend: Backend, lab: Lab) -> None:
    policy = Retry(total=3, backoff_factor=10, status_forcelist=[503])

    def call() -> Any:
        with session(HTTPAdapter(max_retries=policy)) as made:
            return made.get(backend.url("/items"), timeout=1).json()["total"]

    run = lab.under("http_503", call, persistent=True)
    assert isinstance(run.error, requests.exceptions.RetryError)
    assert "too many 503 error responses" in str(run.error)
    assert len(run.record.boundary) == 4
    assert run.record.elapsed > 20


def test_an_adapter_with_a_time_limit_is_part_of_the_tool(
    backend: Backend, lab: Lab
) -> None:
    class Limited(HTTPAdapter):
        def send(self, request: Any, **kwargs: Any) -> Any:  # type: ignore[override]
            return super().send(request, **{**kwargs, "timeout": 20})

    def call() -> Any:
        with session(Limited()) as made:
            return made.get(backend.url("/items"), timeout=None).json()["total"]

    run = lab.under("slow", call)
    assert isinstance(run.error, requests.ReadTimeout)
    assert run.record.elapsed == pytest.approx(20, abs=1)


@pytest.fixture
def get() -> Callable[[], Any]:
    return lambda: requests.get("http://shop/items", timeout=5).json()


def test_responses_answers_and_is_broken(get: Callable[[], Any], lab: Lab) -> None:
    with responses.RequestsMock() as mock:
        mock.get("http://shop/items", json={"items": [1, 2]})
        assert lab.observed(get).crossing.rows == 2
        assert lab.under("emptied", get).got == {"items": []}
        assert isinstance(lab.under("refused", get).error, requests.ConnectionError)


def test_what_responses_raises_goes_through(get: Callable[[], Any], lab: Lab) -> None:
    with responses.RequestsMock(assert_all_requests_are_fired=False):
        run = lab.observed(get)
    assert isinstance(run.error, requests.ConnectionError)
    assert "refused by Responses" in str(run.error)


def test_requests_mock_answers_and_is_broken(get: Callable[[], Any], lab: Lab) -> None:
    with requests_mock.Mocker() as mock:
        mock.get("http://shop/items", json={"items": [1, 2]})
        assert lab.observed(get).crossing.rows == 2
        assert lab.under("emptied", get).got == {"items": []}
        assert isinstance(lab.under("timeout", get).error, requests.ReadTimeout)


def test_everything_is_as_before_afterwards() -> None:
    before = dict(vars(HTTPAdapter))
    with armed():
        assert dict(vars(HTTPAdapter)) != before
    assert dict(vars(HTTPAdapter)) == before
