from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from aiohttp import web

from pytest_toolresult.seams.arming import armed
from pytest_toolresult.seams.recording import Recording, recording

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.seams.web.conftest import Backend, Lab


@pytest.fixture
def get(backend: Backend) -> Callable[..., Callable[[], Any]]:
    """Return what fetches a path in a session and makes something of the response."""

    def fetching(path: str, make: Any, **options: Any) -> Callable[[], Any]:
        async def fetch() -> Any:
            session = aiohttp.ClientSession(**options)
            async with session, session.get(backend.url(path)) as response:
                return await make(response)

        return lambda: asyncio.run(fetch())

    return fetching


async def status(response: Any) -> int:
    return int(response.status)


async def data(response: Any) -> Any:
    return await response.json()


async def parts(response: Any) -> list[bytes]:
    got: list[bytes] = []
    try:
        got += [part async for part in response.content.iter_chunked(50)]
    except aiohttp.ClientPayloadError:
        got.append(b"broken")
    return got


def test_a_response_is_as_ever(get: Any, lab: Lab) -> None:
    async def refuse(response: Any) -> None:
        response.raise_for_status()

    error = lab.under("http_429", get("/items", refuse)).error
    assert isinstance(error, aiohttp.ClientResponseError)
    assert (error.status, error.message) == (429, "Too Many Requests")
    assert error.headers is not None
    assert error.headers["Retry-After"] == "7"
    html = lab.under("html", get("/items", data)).error
    assert isinstance(html, aiohttp.ContentTypeError)
    assert isinstance(lab.under("malformed", get("/items", data)).error, ValueError)
    assert lab.under("emptied", get("/items", data)).got["items"] == []


def test_a_reset_comes_while_the_body_is_read(get: Any, lab: Lab) -> None:
    got = lab.under("reset", get("/items", parts)).got
    assert got[-1] == b"broken"


def test_the_limit_that_is_reached_first_is_told(get: Any, lab: Lab) -> None:
    read = aiohttp.ClientTimeout(sock_read=10)
    run = lab.under("timeout", get("/items", data, timeout=read))
    assert type(run.error) is aiohttp.SocketTimeoutError
    assert run.record.elapsed == pytest.approx(10, abs=1)
    total = aiohttp.ClientTimeout(total=4, sock_read=10)
    run = lab.under("timeout", get("/items", data, timeout=total))
    assert type(run.error) is TimeoutError
    assert run.record.elapsed == pytest.approx(4, abs=1)


def test_a_timeout_of_the_tool_is_reached_before_that_of_the_session(
    get: Any, lab: Lab
) -> None:
    async def impatient(call: Any) -> Any:
        async with asyncio.timeout(3):
            return await call

    def call() -> Any:
        async def fetch() -> Any:
            async with aiohttp.ClientSession() as session:
                response = await impatient(session.get(url))
                return await response.json()

        return asyncio.run(fetch())

    url = get("/items", url_of)()
    run = lab.under("slow", call)
    assert type(run.error) is TimeoutError
    assert run.record.fired
    assert run.record.elapsed == pytest.approx(3, abs=1)


async def url_of(response: Any) -> str:
    return str(response.url)


def test_redirects_are_requests_of_their_own(get: Any, lab: Lab) -> None:
    run = lab.observed(get("/old", data))
    assert [each.call.detail for each in run.record.boundary] == ["/old", "/items"]
    run = lab.under("http_503", get("/old", status))
    assert run.got == 503


def test_a_middleware_that_repeats_is_part_of_the_tool(get: Any, lab: Lab) -> None:
    async def again(request: Any, handler: Any) -> Any:
        response = await handler(request)
        return response if response.ok else await handler(request)

    run = lab.under("http_503", get("/items", status, middlewares=(again,)))
    assert run.got == 200
    assert [each.failure for each in run.record.boundary] == ["http_503", ""]


def test_aiohttp_itself_repeats_after_a_reset(get: Any, lab: Lab) -> None:
    """Idempotent requests are repeated once where nothing had come yet."""
    run = lab.under("reset", get("/none", status))
    assert run.got == 204
    assert [each.failure for each in run.record.boundary] == ["reset", ""]


@pytest.mark.parametrize("name", ["emptied", "truncated"])
def test_what_is_sent_arrives(lab: Lab, name: str) -> None:
    got: list[object] = []

    async def echo(request: web.Request) -> web.Response:
        got.append(await request.json())
        return web.json_response([1, 2])

    async def call() -> None:
        app = web.Application()
        app.router.add_post("/orders", echo)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            port = runner.addresses[0][1]
            async with aiohttp.ClientSession() as session:
                url = f"http://127.0.0.1:{port}/orders"
                async with session.post(url, json={"id": 7}) as response:
                    await response.read()
        finally:
            await runner.cleanup()

    assert lab.under(name, lambda: asyncio.run(call())).record.fired
    assert got == [{"id": 7}, {"id": 7}]


def test_sockets_are_no_business_of_the_tool(get: Any) -> None:
    with armed(), recording(Recording(virtual=True)) as record:
        get("/items", data)()
    assert {each.call.seam for each in record.boundary} == {"aiohttp"}


def test_everything_is_as_before_afterwards() -> None:
    kinds: list[Any] = [aiohttp.BaseConnector, aiohttp.ClientResponse]
    before = [dict(vars(kind)) for kind in kinds]
    with armed():
        assert [dict(vars(kind)) for kind in kinds] != before
    assert [dict(vars(kind)) for kind in kinds] == before
