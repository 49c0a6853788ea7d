from __future__ import annotations

import asyncio
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest
import redis
from redis import asyncio as later
from redis import exceptions
from redis.backoff import NoBackoff
from redis.retry import Retry

from pytest_toolresult.guard import Stopped, guarded
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.seams.redis_ import REDIS
from pytest_toolresult.seams.redis_commands import READING
from tests.conftest import carries_a_canary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Bench, Benches
    from tests.integration.databases.conftest import Server


@pytest.fixture
def client(redis_server: Server) -> Iterator[Any]:
    client = redis.Redis(port=redis_server.port, decode_responses=True)
    client.flushall()
    client.set("greeting", "hello")
    client.rpush("orders", "first", "second")
    client.hset("ann", mapping={"city": "Oslo"})
    yield client
    client.close()


@pytest.fixture
def at(bench: Benches) -> Bench:
    return bench(REDIS)


def _tools(client: Any) -> dict[str, Callable[[], Any]]:
    port = client.connection_pool.connection_kwargs["port"]

    def pipelined() -> Any:
        with client.pipeline(transaction=False) as pipeline:
            return pipeline.lrange("orders", 0, -1).get("greeting").execute()

    async def asked_later() -> Any:
        other: Any = later.Redis(port=port, decode_responses=True)
        async with other:
            return await other.lrange("orders", 0, -1)

    async def pipelined_later() -> Any:
        other: Any = later.Redis(port=port, decode_responses=True)
        async with other:
            pipeline = other.pipeline()
            return await pipeline.lrange("orders", 0, -1).get("greeting").execute()

    return {
        "sync": lambda: client.lrange("orders", 0, -1),
        "pipeline": pipelined,
        "async": lambda: asyncio.run(asked_later()),
        "async pipeline": lambda: asyncio.run(pipelined_later()),
    }


@pytest.mark.parametrize("way", ["sync", "pipeline", "async", "async pipeline"])
def test_every_way_to_data_is_seen(way: str, client: Any, at: Bench) -> None:
    tool = _tools(client)[way]
    at.run(tool)
    (crossing,) = at.crossings
    assert crossing.rows == 2
    assert crossing.call.detail.startswith("LRANGE orders")
    assert crossing.call.site.startswith("test_redis.py:")
    for name in ("refused", "timeout", "reset", "no_permission", "undefined"):
        assert isinstance(at.raised(tool, name), exceptions.RedisError)
        assert at.crossings[0].failure == name
    emptied = at.broken(tool, "emptied")
    assert emptied == ([[], None] if "pipeline" in way else [])
    inflated = at.broken(tool, "inflated")
    assert len(inflated[0] if "pipeline" in way else inflated) > 1000


@pytest.mark.parametrize(
    ("ask", "nothing"),
    [
        (lambda client: client.get("greeting"), None),
        (lambda client: client.hgetall("ann"), {}),
        (lambda client: client.llen("orders"), 0),
        (lambda client: client.exists("ann"), 0),
        (lambda client: client.hget("ann", "city"), None),
        (lambda client: client.smembers("none"), None),
    ],
)
def test_nothing_is_what_the_server_says_of_no_key(
    ask: Callable[[Any], Any], nothing: Any, client: Any, at: Bench
) -> None:
    at.run(lambda: ask(client))
    if nothing is None and "emptied" not in at.offered()["command"]:
        assert not ask(client)
        return
    emptied = at.broken(lambda: ask(client), "emptied")
    client.flushall()
    assert emptied == ask(client) == nothing


def _asking(port: int, **options: Any) -> Any:
    """A client that asks once."""
    return redis.Redis(port=port, retry=Retry(NoBackoff(), 0), **options)


def _provoked(client: Any) -> dict[str, Callable[[], Any]]:
    """How to meet each error for real."""
    port = client.connection_pool.connection_kwargs["port"]

    def refused() -> Any:
        with socket.socket() as candidate:
            candidate.bind(("127.0.0.1", 0))
            closed = candidate.getsockname()[1]
        return _asking(closed).get("greeting")

    def timeout() -> Any:
        return _asking(port, socket_timeout=0.01).blpop(["nothing"], timeout=1)

    def reset() -> Any:
        with socket.create_server(("127.0.0.1", 0)) as server:

            def hang_up() -> None:
                accepted, _ = server.accept()
                accepted.recv(65_536)
                accepted.close()

            threading.Thread(target=hang_up).start()
            return _asking(server.getsockname()[1]).get("greeting")

    def no_permission() -> Any:
        client.execute_command("ACL", "SETUSER", "low", "on", "nopass", "~*", "-@all")
        with redis.Redis(port=port, username="low", password="x") as other:  # noqa: S106 - any will do
            return other.get("greeting")

    def disk_full() -> Any:
        client.config_set("maxmemory", "1")
        try:
            return client.set("more", "x")
        finally:
            client.config_set("maxmemory", "0")

    return {
        "refused": refused,
        "timeout": timeout,
        "reset": reset,
        "no_permission": no_permission,
        "undefined": lambda: client.execute_command("GETT", "greeting"),
        "disk_full": disk_full,
    }


@pytest.mark.parametrize(
    "name", ["refused", "timeout", "reset", "no_permission", "undefined", "disk_full"]
)
def test_an_error_is_like_the_real_one(name: str, client: Any, at: Bench) -> None:
    with pytest.raises(exceptions.RedisError) as real:
        _provoked(client)[name]()
    tool: Callable[[], Any] = lambda: client.get("greeting")  # noqa: E731 - on one line
    if name == "disk_full":
        tool = lambda: client.set("more", "x")  # noqa: E731
    made = at.raised(tool, name)
    assert type(made) is type(real.value)
    assert carries_a_canary(made)
    assert _gist(made) == _gist(real.value)


def _gist(error: BaseException) -> list[str]:
    """The words of a message that are the same whatever it is about."""
    words = str(error).split("with args")[0].split()[-5:]
    return [word for word in words if ":" not in word and "'" not in word]


def test_what_may_be_repeated_is_known(client: Any, at: Bench) -> None:
    def tool() -> None:
        client.set("greeting", "hello")
        client.incr("visits")
        client.get("greeting")

    at.run(tool)
    assert [each.idempotent for each in at.crossings] == [True, False, True]


def test_errors_tell_a_secret_where_real_ones_may(client: Any, at: Bench) -> None:
    told = str(at.raised(lambda: client.get("greeting"), "undefined"))
    assert any(each.value in told for each in REGISTRY.planted())


def test_reading_commands_are_those_the_server_calls_so(client: Any) -> None:
    known = client.command()
    told = {name: known[name]["flags"] for name in READING if name in known}
    assert len(told) > 80
    assert {name for name, flags in told.items() if "write" in flags} == set()
    reading = {name for name, told in known.items() if "readonly" in told["flags"]}
    assert reading <= READING | {"lolwut"}


def test_exploring_stops_what_writes(client: Any, at: Bench) -> None:
    for write in (
        lambda: client.set("more", "x"),
        lambda: client.pipeline().get("greeting").delete("ann").execute(),
        lambda: client.eval("return 1", 0),
        lambda: client.publish("news", "x"),
        lambda: client.config_set("maxmemory", "0"),
    ):
        with guarded(frozenset()) as report, pytest.raises(Stopped):
            at.run(write)
        assert report.blocked is not None
        assert report.blocked.power == "sql"
    with guarded(frozenset()):
        assert at.run(lambda: client.get("greeting")) == "hello"
    assert client.exists("ann", "more") == 1


def test_a_pipeline_can_be_used_again_after_a_fault(client: Any, at: Bench) -> None:
    def tool() -> Any:
        with client.pipeline() as pipeline:
            try:
                pipeline.get("greeting").execute()
            except exceptions.ConnectionError:
                return pipeline.llen("orders").execute()
            return None

    assert at.broken(tool, "refused", "pipeline") == [2]


def test_other_commands_have_no_rows(client: Any, at: Bench) -> None:
    at.run(client.ping)
    assert at.crossings[0].rows is None
    assert "emptied" not in at.offered()["command"]
