"""Sees and breaks what libraries without a seam of their own do over the network.

Only calls that a line of the project leads to are taken: what an event loop or a
thread of a library does on its own is nobody's call.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
import weakref
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.guard.hosts import is_local
from pytest_toolresult.seams import clock
from pytest_toolresult.seams.exchanges import (
    GIVEN_UP,
    OS_GIVES_UP_S,
    SLOW_S,
    cause,
    trouble,
)
from pytest_toolresult.seams.recording import cross, current
from pytest_toolresult.seams.sites import UNKNOWN, site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage

_FAMILIES: Final = (socket.AF_INET, socket.AF_INET6)

_FAULTS: Final[Mapping[str, tuple[str, ...]]] = {
    "resolve": ("dns",),
    "connect": ("timeout", "refused", "slow"),
    "handshake": ("tls",),
    "send": ("reset",),
    "receive": ("timeout", "reset", "truncated", "slow"),
}

_METHODS: Final[Mapping[str, str]] = {
    "connect": "connect",
    "send": "send",
    "sendall": "send",
    "recv": "receive",
    "recv_into": "receive",
}

_LONGEST_SHOWN: Final = 4_000
"""How many bytes of what is sent at once are remembered."""

_ENDED: Final[weakref.WeakSet[Any]] = weakref.WeakSet()
"""The sockets over which nothing comes any more."""


class SocketSeam:
    """Stands in front of the sockets of the Internet's families."""

    name = "socket"
    library = "socket"

    def install(self, patches: Patches) -> None:
        """Wrap looking up names, and what sockets do."""
        resolve = _resolving(socket.getaddrinfo)
        patches.replace(socket, "getaddrinfo", resolve)
        plain = next(k for k in socket.socket.__mro__ if k.__module__ == "socket")
        self._wrap(plain, _METHODS, patches)
        ssl = sys.modules.get("ssl")
        if ssl is not None:
            methods = {**_METHODS, "do_handshake": "handshake"}
            own = {
                name: methods[name] for name in methods if name in vars(ssl.SSLSocket)
            }
            own.pop("connect", None)  # it connects by the plain one
            self._wrap(ssl.SSLSocket, own, patches)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return the faults that can be put at a call, worst first."""
        return [CATALOGUE[name] for name in _FAULTS.get(call.operation, ())]

    def _wrap(self, kind: Any, methods: Mapping[str, str], patches: Patches) -> None:
        for name, operation in methods.items():
            wrapped = _acting(getattr(kind, name), operation)
            patches.replace(kind, name, wrapped)


def _resolving(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        passage = _crossed("resolve", host, suspends=False)
        if passage is None:
            return original(host, *args, **kwargs)
        _break(passage, None)
        return _asked(passage, lambda: original(host, *args, **kwargs))

    return getaddrinfo


def _acting(original: Callable[..., Any], operation: str) -> Callable[..., Any]:
    @wraps(original)
    def act(sock: Any, *args: Any, **kwargs: Any) -> Any:
        if current() is None or sock.family not in _FAMILIES:
            return original(sock, *args, **kwargs)
        limit = sock.gettimeout()
        if limit == 0 and operation != "connect":  # an event loop's, which comes again
            return original(sock, *args, **kwargs)
        peer = args[0] if operation == "connect" else _peer(sock)
        passage = _crossed(operation, peer, suspends=limit == 0)
        if passage is None:
            return original(sock, *args, **kwargs)
        if operation == "send":
            passage.sent = _written(args[0])
        if _break(passage, limit):
            _ENDED.add(sock)
        if operation == "receive" and sock in _ENDED:
            return 0 if original.__name__ == "recv_into" else b""
        return _asked(passage, lambda: original(sock, *args, **kwargs))

    return act


def _crossed(operation: str, peer: Any, *, suspends: bool) -> Passage | None:
    record = current()
    where = site(record.homes) if record is not None else None
    if where is None or where.text == UNKNOWN:
        return None
    host = _host(peer)
    return cross(
        SOCKETS.name,
        operation,
        detail="" if is_local(host) else host,
        at=where,
        suspends=suspends,
    )


def _host(peer: Any) -> str:
    host = peer[0] if isinstance(peer, tuple) and peer else peer
    if isinstance(host, (bytes, bytearray)):
        return bytes(host).decode("ascii", "replace")
    return host if isinstance(host, str) else ""


def _peer(sock: Any) -> Any:
    try:
        return sock.getpeername()
    except OSError:
        return None


def _written(data: Any) -> str:
    """Return how a piece of a conversation begins."""
    return bytes(memoryview(data).cast("B")[:_LONGEST_SHOWN]).decode("latin-1")


def _asked(passage: Passage, act: Callable[[], Any]) -> Any:
    try:
        with passage.below():
            return act()
    except Exception as error:
        passage.failure = trouble(error)
        raise


def _break(passage: Passage, limit: float | None) -> bool:
    """Bring about the fault of a passage.

    Returns:
        Whether the other side has ended the connection: nothing more comes.

    Raises:
        OSError: What the system raises.
    """
    name = passage.fault.name if passage.fault else ""
    if name == "slow":
        passage.fired = True
        clock.elapse(min(limit or SLOW_S, SLOW_S))
        name = "timeout" if limit and limit <= SLOW_S else ""
    elif name == "timeout":
        clock.elapse(limit or OS_GIVES_UP_S)
        name = name if limit else GIVEN_UP
    if name in {"", "cancelled"}:
        return False
    passage.fire()
    if name == "truncated":
        return True
    if name == "reset" and passage.call.operation == "send":
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
    raise cause(name)


SOCKETS: Final = SocketSeam()
