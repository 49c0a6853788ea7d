"""A connection to an MCP server in this process, one per event loop.

It is kept open over the calls of a loop, because a server's lifespan belongs to
the server and not to the call: what it opened, cached or handed out as a cursor has
to be there at the next call. (It is also some ten times faster: 0.15 ms a call
against 2 ms where each call connects.)
"""

from __future__ import annotations

import functools
import logging
import sys
import threading
from contextlib import contextmanager
from contextvars import Context, ContextVar
from types import new_class
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType

    from mcp import Client

_LOGGER: Final = "mcp.server.mcpserver.server"
"""Where the SDK logs what its tools raise."""
_RAISED: Final[ContextVar[list[Exception] | None]] = ContextVar(
    "pytest_toolresult_mcp_raised", default=None
)


class Connections:
    """The open connections to one server object.

    A client has to be left in the task that entered it, so each connection lives
    in a task of its own. Whoever closes the loop cancels that task, which closes
    the client and runs the server's shutdown; a loop that was given up takes its
    connection along, and the next loop gets a new one.
    """

    def __init__(self, server: object) -> None:
        self._server = server
        self._open: dict[asyncio.AbstractEventLoop, asyncio.Future[Client]] = {}

    async def client(self) -> Client:
        """Return the client that is connected on the running loop.

        Raises:
            Exception: What the server's lifespan raised at start.
        """
        import asyncio

        loop = asyncio.get_running_loop()
        ready = self._open.get(loop)
        if ready is None:
            self._forget_closed_loops()
            ready = self._open[loop] = loop.create_future()
            # In a context of its own: it outlives the call that happens to need it.
            task = loop.create_task(
                self._hold(ready), name="mcp connection", context=Context()
            )
            task.add_done_callback(lambda _: self._open.pop(loop, None))
        # A call that is cancelled must not cancel the connection of the others.
        return await asyncio.shield(ready)

    async def _hold(self, ready: asyncio.Future[Client]) -> None:
        from mcp import Client

        try:
            async with Client(self._server) as client:  # type: ignore[arg-type]
                ready.set_result(client)
                await ready.get_loop().create_future()  # for ever: until cancelled
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)

    def _forget_closed_loops(self) -> None:
        for loop in [loop for loop in self._open if loop.is_closed()]:
            del self._open[loop]


class Replaced:
    """An attribute that is replaced while calls are under way, and then put back.

    Args:
        owner: The object that has the attribute.
        name: The attribute's name.
        make: Makes the replacement of the original.
    """

    def __init__(self, owner: object, name: str, make: Callable[[Any], Any]) -> None:
        self._owner = owner
        self._name = name
        self._make = make
        self._lock = threading.Lock()
        self._users = 0
        self._own: dict[str, Any] = {}

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Have it replaced; several calls at a time share the replacement."""
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._replace()
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._put_back()

    def _replace(self) -> None:
        held = vars(self._owner)
        self._own = {self._name: held[self._name]} if self._name in held else {}
        original = getattr(self._owner, self._name)
        setattr(self._owner, self._name, self._make(original))

    def _put_back(self) -> None:
        if self._own:
            setattr(self._owner, self._name, self._own[self._name])
        else:  # it was the class's
            delattr(self._owner, self._name)


class RaisedExceptions:
    """Sees what the tools of an `MCPServer` raise before it becomes a mere text.

    The server answers `Error executing tool NAME` and keeps the rest to itself and
    its log; the log is no source, since a test suite may have it switched off.
    The server's own `call_tool` is watched instead.
    """

    def __init__(self, server: object) -> None:
        self._call_tool = Replaced(server, "call_tool", _observed)
        self._filters = Replaced(logging.getLogger(_LOGGER), "filters", _shortened)

    @contextmanager
    def watched(self) -> Iterator[list[Exception]]:
        """Watch the calls of this context; the list fills with what they raise."""
        raised: list[Exception] = []
        token = _RAISED.set(raised)
        try:
            with self._call_tool.in_use(), self._filters.in_use():
                yield raised
        finally:
            _RAISED.reset(token)


@functools.cache
def daemon_workers() -> Replaced:
    """Have anyio's worker threads not keep the process from exiting.

    The SDK runs synchronous tools in them. One that hangs is never joined, and one
    whose tool calls `sys.exit` is never told to stop.
    """
    from anyio._backends import _asyncio

    return Replaced(_asyncio, "WorkerThread", _daemonic)


def _daemonic(worker_class: Any) -> type:
    def start_out(self: Any, *args: Any, **kwargs: Any) -> None:
        worker_class.__init__(self, *args, **kwargs)
        self.daemon = True

    body = {"__init__": start_out}
    return new_class(
        "DaemonWorker", (worker_class,), exec_body=lambda it: it.update(body)
    )


def _shortened(filters: list[Any]) -> list[Any]:
    """Keep the server's log of a crash to its message.

    The SDK has tracebacks drawn in colour on standard error, which takes a quarter
    of a second each, and hundreds of calls may crash. The exception is handed back.
    """

    def shorten(record: logging.LogRecord) -> bool:
        if _RAISED.get() is not None:
            record.exc_info = record.exc_text = None
        return True

    return [*filters, shorten]


def _observed(call_tool: Callable[..., Any]) -> Callable[..., Any]:
    async def observed(*args: Any, **kwargs: Any) -> Any:
        try:
            return await call_tool(*args, **kwargs)
        except Exception as error:
            raised = _RAISED.get()
            if raised is not None:
                raised.append(error)
            raise

    return observed


class Abandoned(BaseException):
    """Raised inside a tool that runs in a worker thread and was given up."""


def abandon(code: CodeType) -> None:
    """End a call of a synchronous tool that hangs in a worker thread.

    Nothing else ends it, and it would go on beside the next calls. Python code
    ends at its next byte code; a call into C first has to return.

    Args:
        code: The code object of the tool's function.
    """
    import ctypes  # of no use to a call that ends

    for ident, frame in sys._current_frames().items():  # noqa: SLF001 - the documented way
        if ident != threading.get_ident() and _runs(code, frame):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(ident), ctypes.py_object(Abandoned)
            )


def _runs(code: CodeType, frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False
