from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer

from pytest_toolresult.calls import Call
from pytest_toolresult.runner import Runner
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


def test_a_server_starts_and_stops_outside_of_the_guard(tmp_path: Path) -> None:
    log, kept = tmp_path / "log", tmp_path / "kept"

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        log.write_text("started ")
        try:
            yield
        finally:
            with log.open("a") as file:
                file.write("stopped")

    server = MCPServer("notes", lifespan=lifespan)

    @server.tool()
    def write(text: str) -> str:
        Path(kept).write_text(text)
        return "written"

    (tool,) = tools_of(server, validate=None)
    log.unlink()  # listing the tools has started the server once
    runner = Runner()
    call = Call(arguments={"text": "tea"}, origin="fuzz")
    explored = runner.run(tool, call, powers=frozenset())
    written_by_exploration = kept.exists()
    declared = runner.run(tool, call)
    runner.close()
    assert explored.blocked is not None
    assert str(kept) in explored.blocked.action
    assert not written_by_exploration
    assert declared.ending == "returned"
    assert kept.read_text() == "tea"
    assert log.read_text() == "started stopped"
