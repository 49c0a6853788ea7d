from __future__ import annotations

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import httpx2
import pytest
import respx

from pytest_toolresult.seams import arming
from pytest_toolresult.seams.httpx_ import HttpxSeam
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.recording import Recording, recording

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from pyfakefs.fake_filesystem import FakeFilesystem
    from pytest_httpx import HTTPXMock

    from tests.unit.seams.web.conftest import Backend, Fetch, Lab


@pytest.fixture(params=["httpx", "httpx-async", "httpx2", "httpx2-async"])
def fetch(request: pytest.FixtureRequest, clients: dict[str, Fetch]) -> Fetch:
    return clients[request.param]


@pytest.fixture(params=[httpx, httpx2], ids=["httpx", "httpx2"])
def library(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_an_error_knows_its_request(library: Any, backend: Backend, lab: Lab) -> None:
    url = backend.url("/items")
    for name in ("timeout", "refused", "dns", "tls", "reset"):
        error = lab.under(name, lambda: library.get(url)).error
        assert isinstance(error, library.RequestError)
        assert str(error.request.url) == url


def test_a_reset_comes_while_the_body_is_read(
    library: Any, backend: Backend, lab: Lab
) -> None:
    def stream() -> list[bytes]:
        got: list[bytes] = []
        with library.stream("GET", backend.url("/items")) as response:
            assert response.status_code == 200
            try:
                got.extend(response.iter_bytes(50))
            except library.ReadError:
                got.append(b"broken")
        return got

    parts = lab.under("reset", stream).got
    assert len(parts) > 2
    assert parts[-1] == b"broken"


def test_a_stream_is_passed_on_piece_by_piece(library: Any, lab: Lab) -> None:
    given: list[int] = []

    class Endless(library.SyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            for number in range(1_000_000):
                given.append(number)
                yield b"data: x\n\n"

    def answer(_request: Any) -> Any:
        return library.Response(200, stream=Endless())

    def first() -> Any:
        client = library.Client(transport=library.MockTransport(answer))
        with client, client.stream("GET", "http://shop/") as response:
            return next(response.iter_raw())

    assert lab.observed(first).got == b"data: x\n\n"
    assert len(given) == 1


def test_an_async_stream_is_passed_on_piece_by_piece(library: Any, lab: Lab) -> None:
    given: list[int] = []

    class Endless(library.AsyncByteStream):  # type: ignore[misc]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for number in range(1_000_000):
                given.append(number)
                yield b"data: x\n\n"

    def answer(_request: Any) -> Any:
        return library.Response(200, stream=Endless())

    async def first() -> Any:
        client = library.AsyncClient(transport=library.MockTransport(answer))
        async with client, client.stream("GET", "http://shop/") as response:
            return await anext(response.aiter_raw())

    assert lab.observed(lambda: asyncio.run(first())).got == b"data: x\n\n"
    assert len(given) == 1


def test_redirects_are_requests_of_their_own(
    fetch: Fetch, backend: Backend, lab: Lab
) -> None:
    run = lab.observed(partial(fetch, backend.url("/old")))
    assert [each.call.detail for each in run.record.boundary] == ["/old", "/items"]


def test_a_mock_transport_is_a_backend(library: Any, lab: Lab) -> None:
    def answer(_request: Any) -> Any:
        return library.Response(200, json=[{"id": 1}])

    def call() -> Any:
        with library.Client(transport=library.MockTransport(answer)) as client:
            return client.get("http://shop/items").json()

    assert lab.observed(call).crossing.rows == 1
    assert lab.under("emptied", call).got == []
    assert isinstance(lab.under("timeout", call).error, library.ReadTimeout)


def test_a_transport_that_retries_is_part_of_the_tool(
    library: Any, backend: Backend, lab: Lab
) -> None:
    class Around(library.BaseTransport):  # type: ignore[misc]
        def __init__(self) -> None:
            self.inner = library.HTTPTransport()

        def handle_request(self, request: Any) -> Any:
            try:
                return self.inner.handle_request(request)
            except library.ConnectError:
                return self.inner.handle_request(request)

        def close(self) -> None:
            self.inner.close()

    class Above(library.HTTPTransport):  # type: ignore[misc]
        def handle_request(self, request: Any) -> Any:
            try:
                return super().handle_request(request)
            except library.ConnectError:
                return super().handle_request(request)

    for kind in (Around, Above):

        def call(kind: Any = kind) -> Any:
            with library.Client(transport=kind()) as client:
                return client.get(backend.url("/items")).json()["total"]

        run = lab.under("refused", call)
        assert run.got == 8
        assert [each.failure for each in run.record.boundary] == ["refused", ""]


@pytest.mark.parametrize("client", ["sync", "async"])
def test_pytest_httpx_answers_and_is_broken(
    httpx_mock: HTTPXMock, lab: Lab, client: str
) -> None:
    httpx_mock.add_response(json={"items": [1, 2]}, is_reusable=True)

    async def fetch() -> Any:
        async with httpx.AsyncClient() as each:
            return (await each.get("http://shop/items")).json()

    def call() -> Any:
        if client == "async":
            return asyncio.run(fetch())
        return httpx.get("http://shop/items").json()

    assert lab.observed(call).crossing.rows == 2
    assert lab.under("emptied", call).got == {"items": []}
    assert isinstance(lab.under("refused", call).error, httpx.ConnectError)


def test_respx_answers_and_is_broken(lab: Lab) -> None:
    def call() -> Any:
        return httpx.get("http://shop/items").json()

    with respx.mock:
        respx.get("http://shop/items").respond(json={"items": [1, 2]})
        assert lab.observed(call).crossing.rows == 2
        assert lab.under("emptied", call).got == {"items": []}
        assert isinstance(lab.under("refused", call).error, httpx.ConnectError)


def test_files_that_are_made_up_stay_so(fs: FakeFilesystem, lab: Lab) -> None:
    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=[{"id": 1}])

    def call() -> str:
        with httpx.Client(transport=httpx.MockTransport(answer)) as client:
            page = Path("/page.json")
            page.write_text(client.get("http://shop/items").text, encoding="utf-8")
            return page.read_text(encoding="utf-8")

    fs.create_file("/note.txt")
    assert lab.observed(call).got == '[{"id":1}]'
    assert lab.under("emptied", call).got == "[]"
    assert fs.exists("/page.json")
    assert "did not answer" in lab.under("http_503", call).got


def test_certificates_are_read_once(
    library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[dict[str, Any]] = []
    maker = sys.modules[f"{library.__name__}._transports.default"]
    original: Any = vars(maker)["create_ssl_context"]

    def counted(*args: Any, **kwargs: Any) -> Any:
        made.append(kwargs)
        return original(*args, **kwargs)

    monkeypatch.setattr(maker, "create_ssl_context", counted)
    seam, patches = HttpxSeam(library.__name__), Patches()
    seam.install(patches)
    with recording(Recording()):
        for verify in (True, False, True, False):
            library.Client(verify=verify).close()
    patches.restore()
    assert [each["verify"] for each in made] == [True, False]
    library.Client().close()
    assert len(made) == 3


def test_a_library_that_stands_in_for_another_is_seen_once(
    monkeypatch: pytest.MonkeyPatch, backend: Backend, lab: Lab
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", httpx2)
    assert "httpx" in {seam.name for seam in arming.available()[0]}
    run = lab.observed(lambda: httpx2.get(backend.url("/items")).json())
    assert [each.call.seam for each in run.record.boundary] == ["httpx2"]


def test_everything_is_as_before_afterwards(library: Any) -> None:
    kinds = [library.HTTPTransport, library.AsyncHTTPTransport, library.MockTransport]
    before = [dict(vars(kind)) for kind in kinds]
    with arming.armed():
        assert [dict(vars(kind)) for kind in kinds] != before
    assert [dict(vars(kind)) for kind in kinds] == before
