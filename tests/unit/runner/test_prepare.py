from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.runner import Runner

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_toolresult.tools import Tool


class Server:
    """Has to be started on the loop of the calls, which takes a while and a file."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.loop: asyncio.AbstractEventLoop | None = None

    async def start(self) -> None:
        if self.loop is not asyncio.get_running_loop():
            await asyncio.sleep(0.3)
            self.log.write_text("started")
            self.loop = asyncio.get_running_loop()

    async def call(self) -> bool:
        return self.loop is asyncio.get_running_loop()


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path / "log")


@pytest.fixture
def served(server: Server, tool_of: Any) -> Tool:
    async def call() -> bool:
        return await server.call()

    tool: Tool = tool_of(call)
    return replace(tool, prepare=server.start)


def test_what_calls_need_is_ready_outside_of_bound_and_guard(
    served: Tool, server: Server, call_of: Any
) -> None:
    runner = Runner(timeout=0.2)
    outcome = runner.run(served, call_of(), powers=frozenset())
    runner.close()
    assert outcome.ending == "returned"
    assert outcome.reply is not None
    assert outcome.reply.value is True
    assert server.log.read_text() == "started"


def test_it_is_ready_on_the_loop_of_an_async_test(served: Tool, call_of: Any) -> None:
    runner = Runner(timeout=0.2)
    outcome = asyncio.run(runner.arun(served, call_of(), powers=frozenset()))
    runner.close()
    assert outcome.reply is not None
    assert outcome.reply.value is True


def test_what_cannot_be_made_ready_shows_in_the_call(
    tool_of: Any, call_of: Any
) -> None:
    async def refuse() -> None:
        raise ConnectionError("no server")

    async def call() -> None:
        await refuse()

    runner = Runner(timeout=0.2)
    outcome = runner.run(replace(tool_of(call), prepare=refuse), call_of())
    runner.close()
    assert outcome.ending == "raised"
    assert isinstance(outcome.exception, ConnectionError)
