"""A hung synchronous tool in a worker thread, watched from outside the process."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import asyncio, sys, threading, time
from mcp.server import MCPServer
from pytest_toolresult.targets import tools_of

server = MCPServer("x", log_level="CRITICAL")

@server.tool()
def spins() -> int:
    while True:
        pass

@server.tool()
def sleeps() -> int:
    time.sleep(600)

@server.tool()
def leaves() -> int:
    sys.exit(3)

@server.tool()
def answers() -> int:
    return 1

TOOLS = {tool.name: tool for tool in tools_of(server, validate=None)}

async def bounded(name):
    call = asyncio.ensure_future(TOOLS[name].invoke({}))
    done, _ = await asyncio.wait([call], timeout=0.2)
    call.cancel()
    await asyncio.wait([call], timeout=1)
    return call.result() if done else "hung"

def spinning():
    return any(
        frame.f_code.co_name == "spins" for frame in sys._current_frames().values()
    )

loop = asyncio.new_event_loop()
print(loop.run_until_complete(bounded("spins")))
deadline = time.monotonic() + 5
while spinning() and time.monotonic() < deadline:
    time.sleep(0.01)
print("spinning" if spinning() else "stopped")
print(loop.run_until_complete(bounded("sleeps")))
loop.close()  # with the connection still on it, as after any hang

loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(TOOLS["leaves"].invoke({}))
except SystemExit:
    print("exited")
print(loop.run_until_complete(TOOLS["answers"].invoke({})).value)
loop.run_until_complete(loop.shutdown_asyncgens())
for task in asyncio.all_tasks(loop):
    task.cancel()
loop.run_until_complete(asyncio.sleep(0.05))
print(len(asyncio.all_tasks(loop)))
loop.close()
"""


def test_calls_go_on_after_a_hang_and_the_process_ends() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    told = ["hung", "stopped", "hung", "exited", "1", "0"]
    assert run.stdout.split() == told, run.stderr
    assert run.returncode == 0
