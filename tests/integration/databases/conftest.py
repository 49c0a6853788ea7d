"""Database servers that live as long as the tests that need them.

They are Debian's packages `postgresql` and `redis-server`, run from a temporary
folder, on a free port of the loopback address, by an unprivileged user where the tests
run as root.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOST = "127.0.0.1"
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that is running.

    Attributes:
        port: Where it listens on the loopback address.
    """

    port: int


def _postgres_folder() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest release's."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = folders[-1] if folders else shutil.which("initdb")
    return Path(found).parent if found else None


def _redis_program() -> str | None:
    """Return the program of a Redis server."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


@contextmanager
def _postgres(programs: Path) -> Iterator[Server]:
    """Run a PostgreSQL server; the role `locked_out` needs a password, `shop` none."""
    with _folder() as folder:
        data, port = folder / "data", _free_port()
        _run(
            folder,
            [programs / "initdb", "-D", data, "-U", "shop", "-A", "trust", "--no-sync"],
        )
        rules = data / "pg_hba.conf"
        rules.write_text(
            f"host all locked_out {HOST}/32 scram-sha-256\n" + rules.read_text()
        )
        settings = {
            "listen_addresses": HOST,
            "port": str(port),
            "unix_socket_directories": "",
            "fsync": "off",
            "autovacuum": "off",
            "shared_buffers": "16MB",
            "max_connections": "30",
        }
        options = [part for each in settings.items() for part in ("-c", "=".join(each))]
        asking: list[str | Path] = [
            programs / "pg_isready",
            "-h",
            HOST,
            "-p",
            str(port),
        ]

        def ready() -> bool:
            return (
                subprocess.run(asking, check=False, capture_output=True).returncode == 0
            )

        with _running(folder, [programs / "postgres", "-D", data, *options], ready):
            yield Server(port=port)


@contextmanager
def _redis(program: str) -> Iterator[Server]:
    """Run a Redis server that keeps nothing."""
    with _folder() as folder:
        port = _free_port()
        command = [program, "--port", str(port), "--bind", HOST, "--save", ""]

        def ready() -> bool:
            with socket.socket() as attempt:
                return attempt.connect_ex((HOST, port)) == 0

        with _running(folder, [*command, "--dir", folder], ready):
            yield Server(port=port)


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="toolresult-server-", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    """Who runs the servers: PostgreSQL refuses to be run by root."""
    return "nobody" if os.geteuid() == 0 else None


def _run(folder: Path, command: list[str | Path]) -> None:
    with (folder / "log").open("w") as log:
        subprocess.run(
            command, check=True, user=_user(), cwd=folder, stdout=log, stderr=log
        )


# The server is ended when its input closes, and so if the tests are killed as well.
_WITH_US = '"$@" & server=$!; read -r _; kill -INT $server; wait $server'


@contextmanager
def _running(
    folder: Path, command: list[str | Path], ready: Callable[[], bool]
) -> Iterator[None]:
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _WITH_US, "sh", *command],
            user=_user(),
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
        )
    try:
        _wait(process, ready, folder / "log")
        yield
    finally:
        process.communicate(timeout=_PATIENCE_S)


def _wait(
    process: subprocess.Popen[bytes], ready: Callable[[], bool], log: Path
) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        if ready():
            return
        time.sleep(0.02)
    raise AssertionError(f"the server did not start: {log.read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as candidate:
        candidate.bind((HOST, 0))
        return int(candidate.getsockname()[1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    programs = _postgres_folder()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with _postgres(programs) as server:
        yield server


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Server]:
    program = _redis_program()
    if program is None:
        pytest.skip("Redis is not installed: apt-get install redis-server")
    with _redis(program) as server:
        yield server
