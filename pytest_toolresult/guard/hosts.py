"""Judges the audit events that would reach another host, or a service with power.

The loopback interface passes: what a project tests against runs there. Three things
on this host do not, since they reach further: mail servers (they send), container
engines, and named local sockets outside scratch (`docker.sock`, D-Bus, a database).
Looking up a foreign name is traffic to another host as well.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard.paths import is_free, target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.guard.period import Limits

    Judge = Callable[[tuple[Any, ...], Limits], str | None]

_REACHING_FURTHER: Final[Mapping[int, str]] = MappingProxyType(
    {
        25: "a mail server",
        465: "a mail server",
        587: "a mail server",
        2375: "a container engine",
        2376: "a container engine",
    }
)


def is_local(host: str) -> bool:
    """Whether a host name or address means this machine, without asking anybody."""
    address = _literal(host)
    if address is not None:
        mapped = getattr(address, "ipv4_mapped", None)
        return (mapped or address).is_loopback or address.is_unspecified
    name = host.rstrip(".").casefold()
    return name in {"", "localhost"} or name.endswith(".localhost")


def _literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _text(host: Any) -> str:
    if host is None:
        return ""
    if isinstance(host, (bytes, bytearray)):
        return bytes(host).decode("ascii", "replace")
    return str(host)


def _reach(
    host: Any, port: Any, limits: Limits, verb: str = "connects to"
) -> str | None:
    name = _text(host)
    if not is_local(name):
        return f"{verb} {name}:{port}"
    if port in _REACHING_FURTHER:
        return f"{verb} {_REACHING_FURTHER[port]}: {name or 'localhost'}:{port}"
    limits.note(
        f"talks to {name or 'localhost'}:{port} on this host, where the guard does "
        "not see what changes"
    )
    return None


def _connect(args: tuple[Any, ...], limits: Limits) -> str | None:
    sock, address = args
    action = _to(sock, address, limits, "connects to")
    if action is not None:
        # Libraries close it on an `OSError` only; left open, it would make the
        # garbage collector warn in some later test.
        sock.close()
    return action


def _send(args: tuple[Any, ...], limits: Limits) -> str | None:
    sock, address = args
    if address is None:  # connected before: the peer is the address
        try:
            address = sock.getpeername()
        except OSError:
            return None
    return _to(sock, address, limits, "sends to")


def _to(sock: socket.socket, address: Any, limits: Limits, verb: str) -> str | None:
    if sock.family in {socket.AF_INET, socket.AF_INET6}:
        return _reach(address[0], address[1], limits, verb)
    if sock.family == getattr(socket, "AF_UNIX", None):
        return _local_socket(address, limits, verb)
    return f"{verb} {address} ({sock.family.name})"


def _local_socket(address: Any, limits: Limits, verb: str) -> str | None:
    name = os.fsdecode(address)
    if not name:  # an unnamed peer, made with `socketpair`
        return None
    place = target(name)
    if place is not None and is_free(place, limits.root):
        return None
    return f"{verb} the local socket {place or name.replace(chr(0), '@')}"


def _lookup(args: tuple[Any, ...], _limits: Limits) -> str | None:
    name = _text(args[0])
    if is_local(name) or _literal(name) is not None or _is_own(name):
        return None
    return f"looks up the host {name}"


def _reverse_lookup(args: tuple[Any, ...], _limits: Limits) -> str | None:
    host = args[0][0] if isinstance(args[0], tuple) else args[0]
    name = _text(host)
    if is_local(name) or _is_own(name):
        return None
    return f"looks up the host {name}"


def _is_own(name: str) -> bool:
    return name.casefold() == socket.gethostname().casefold()


def _client(args: tuple[Any, ...], limits: Limits) -> str | None:
    """A standard-library client that is about to connect: it names its host."""
    return _reach(args[1], args[2], limits)


def _talk(args: tuple[Any, ...], limits: Limits) -> str | None:
    """A client that sends over a connection which may be older than the call."""
    client = args[0]
    host = getattr(client, "host", "")
    return _reach(host, getattr(client, "port", ""), limits, "sends to")


def _mail(args: tuple[Any, ...], _limits: Limits) -> str | None:
    client = args[0]
    host = args[1] if len(args) > 2 else getattr(client, "_host", "")  # noqa: PLR2004 - (self, host, port)
    return f"sends mail through {_text(host) or 'localhost'}"


def _name_host(args: tuple[Any, ...], _limits: Limits) -> str | None:
    return f"names this host {_text(args[0])}"


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        "socket.connect": _connect,
        "socket.sendto": _send,
        "socket.sendmsg": _send,
        "socket.getaddrinfo": _lookup,
        "socket.gethostbyname": _lookup,
        "socket.gethostbyaddr": _reverse_lookup,
        "socket.getnameinfo": _reverse_lookup,
        "socket.sethostname": _name_host,
        "http.client.connect": _client,
        "http.client.send": _talk,
        "ftplib.connect": _client,
        "ftplib.sendcmd": _talk,
        "imaplib.open": _client,
        "imaplib.send": _talk,
        "nntplib.connect": _client,
        "nntplib.putline": _talk,
        "poplib.connect": _client,
        "poplib.putline": _talk,
        "telnetlib.Telnet.open": _client,
        "telnetlib.Telnet.write": _talk,
        "smtplib.connect": _mail,
        "smtplib.send": _mail,
    }
)
