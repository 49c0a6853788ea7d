"""Finds what a tool can reach that acts outside the process unseen by the guard."""

from __future__ import annotations

import gc
import inspect
import io
import logging
import socket
import sqlite3
import subprocess
import sys
import sysconfig
from collections import Counter, deque
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard.databases import is_mine
from pytest_toolresult.guard.hosts import is_local

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MOST_OBJECTS: Final = 3000
_MOST_ITEMS: Final = 100

_CONNECTING: Final = frozenset(
    {
        "MySQLdb",
        "_mysql_connector",
        "adbc_driver_manager",
        "aerospike",
        "apsw",
        "awscrt",
        "clickhouse_driver",
        "confluent_kafka",
        "couchbase",
        "curl_cffi",
        "cx_Oracle",
        "dbus",
        "gi",
        "grpc",
        "ibm_db",
        "jpype",
        "ldap",
        "libsql",
        "objc",
        "obstore",
        "opendal",
        "oracledb",
        "primp",
        "psycopg",
        "psycopg2",
        "pycurl",
        "pygit2",
        "pymssql",
        "pyodbc",
        "pysqlcipher3",
        "pysqlite3",
        "pythoncom",
        "pythonnet",
        "rnet",
        "snowflake",
        "sqlcipher3",
        "ssh2",
        "tls_client",
        "usb",
        "uvloop",
        "win32api",
        "win32com",
        "zmq",
    }
)
"""Modules whose own code talks to other processes and hosts."""

_WRITING: Final = frozenset(
    {
        "_dbm",
        "_gdbm",
        "cv2",
        "deltalake",
        "duckdb",
        "faiss",
        "h5py",
        "lance",
        "lancedb",
        "lmdb",
        "netCDF4",
        "osgeo",
        "plyvel",
        "polars",
        "pyarrow",
        "rasterio",
        "rocksdb",
        "tables",
        "tensorflow",
        "torch",
    }
)
"""Modules whose own code writes files; packages merely built upon them are fine."""

_OURS: Final = __name__.partition(".")[0]

_SILENT_METHODS: Final = frozenset({"blobopen", "set_authorizer"})
"""Methods of SQLite connections that get past our authorizer."""


_WATCHED: Final[Counter[str]] = Counter()
"""The clients that something else watches at present."""


def watched_client(name: str) -> Callable[[], None]:
    """Say that what a client does is seen and stopped where it is not allowed.

    Args:
        name: Its top-level module.

    Returns:
        A function that takes it back.
    """
    _WATCHED[name] += 1
    return lambda: _WATCHED.subtract([name])


def unseen_clients(modules: Iterable[ModuleType]) -> tuple[str, ...]:
    """Name the C clients that modules hold in their namespaces.

    Args:
        modules: Such as those that define the tools of a target.
    """
    walk = _Walk()
    for module in modules:
        walk.add(*(one for one in vars(module).values() if _home(one) in _known()))
    return walk.run()


def unsafe_clients(function: Callable[..., Any]) -> tuple[str, ...]:
    """Name what a tool can reach that acts outside unseen by the guard.

    Follows the names that the function's code uses through globals, closures,
    defaults, classes and modules of the project, and the data of objects, up to a
    few thousand of them.

    Args:
        function: The plain function beneath a tool, or a callable object.

    Returns:
        Names of client modules, and open connections, files and processes in words;
        empty where nothing was found.
    """
    walk = _Walk()
    walk.add(function)
    return walk.run()


class _Walk:
    """A bounded walk over what objects refer to."""

    def __init__(self) -> None:
        self._found: set[str] = set()
        self._seen: dict[int, Any] = {}  # keeps them alive: numbers are used again
        self._waiting: deque[Any] = deque()

    def add(self, *objects: Any) -> None:
        for one in objects:
            if id(one) not in self._seen and len(self._seen) < _MOST_OBJECTS:
                self._seen[id(one)] = one
                self._waiting.append(one)

    def run(self) -> tuple[str, ...]:
        while self._waiting:
            self._visit(self._waiting.popleft())
        return tuple(sorted(self._found))

    def _visit(self, one: Any) -> None:
        home = _home(one)
        if home in _known():
            self._found.add(home)
        elif handle := _open_handle(one):
            self._found.add(handle)
        elif isinstance(one, (FunctionType, type, ModuleType)):
            self._visit_code_holder(one, home)
        elif not isinstance(one, logging.Logger):
            self.add(*_data(one))

    def _visit_code_holder(
        self, one: FunctionType | type | ModuleType, home: str
    ) -> None:
        if home == _OURS:  # such as the seams, while they are in place
            return
        if not _is_project(home):
            self._found.update(_clients_of_package(home))
        elif isinstance(one, FunctionType):
            self._visit_function(one)
        elif isinstance(one, type):
            self.add(*one.__bases__, *map(_plain, vars(one).values()))

    def _visit_function(self, function: FunctionType) -> None:
        self.add(*(cell for cell in map(_content, function.__closure__ or ())))
        self.add(*(function.__defaults__ or ()), getattr(function, "__wrapped__", None))
        names, imports = _uses(function.__code__)
        self._found.update(_SILENT_METHODS & names)
        self._found.update(_installed(imports))
        reached = [function.__globals__[n] for n in names if n in function.__globals__]
        reached.extend(sys.modules[name] for name in imports if name in sys.modules)
        self.add(*reached)
        for one in reached:
            if isinstance(one, ModuleType) and _is_project(_home(one)):
                self.add(*(vars(one)[name] for name in names if name in vars(one)))


def _known() -> frozenset[str]:
    return _connecting() | _WRITING


def _connecting() -> frozenset[str]:
    return _CONNECTING.difference(+_WATCHED)


def _home(one: Any) -> str:
    """The top-level module that an object, or its class, comes from."""
    if isinstance(one, ModuleType):
        name = one.__name__
    elif isinstance(one, (FunctionType, type)):
        name = one.__module__
    else:
        name = type(one).__module__
    return str(name).partition(".")[0]


@cache
def _is_project(home: str) -> bool:
    """Whether a top-level module is the project's: neither standard nor installed."""
    if home in sys.stdlib_module_names:
        return False
    module = sys.modules.get(home)
    file = getattr(module, "__file__", None) or next(
        iter(getattr(module, "__path__", ())), None
    )
    if file is None:
        return module is not None
    paths = sysconfig.get_paths()
    return not any(
        Path(file).is_relative_to(paths[kind]) for kind in ("purelib", "platlib")
    )


def _clients_of_package(home: str) -> set[str]:
    """The connecting clients that the loaded modules of an installed package hold."""
    unseen = _connecting()
    if home in sys.stdlib_module_names or unseen.isdisjoint(sys.modules):
        return set()
    return {
        _home(value)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == home
        for value in list(getattr(module, "__dict__", {}).values())
        if isinstance(value, ModuleType) and _home(value) in unseen
    }


def _installed(imports: Iterable[str]) -> Iterator[str]:
    """The clients among the modules that a function imports when it is called."""
    from importlib.util import find_spec

    for top in {name.partition(".")[0] for name in imports} & _known():
        if top in sys.modules or find_spec(top) is not None:
            yield top


def _uses(code: CodeType) -> tuple[set[str], set[str]]:
    """The names that a function's code uses, and the modules it imports."""
    import dis

    names = set(code.co_names)
    imports = {
        str(step.argval)
        for step in dis.get_instructions(code)
        if step.opname == "IMPORT_NAME"
    }
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            more = _uses(inner)
            names |= more[0]
            imports |= more[1]
    return names, imports


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _plain(member: Any) -> Any:
    """The function inside a static or class method or a property."""
    if isinstance(member, (staticmethod, classmethod)):
        return member.__func__
    return member.fget if isinstance(member, property) else member


def _data(one: Any) -> list[Any]:
    """What an object holds: the function of a method, the items of a container."""
    if one is None or isinstance(one, (str, bytes, int, float, bool)):
        return []
    if isinstance(one, MethodType):
        return [one.__func__, one.__self__]
    if isinstance(one, partial):
        return [one.func, *one.args, *one.keywords.values()]
    held = gc.get_referents(one)[:_MOST_ITEMS]
    kind = type(one)
    project = _is_project(_home(one))
    return [
        item
        for item in held
        if not isinstance(item, type) or (item is kind and project)
    ]


def _open_handle(one: Any) -> str | None:
    """Say in words what an object is already connected to."""
    if isinstance(one, socket.socket):
        return _foreign_peer(one)
    if isinstance(one, io.IOBase):
        return _written_file(one)
    if isinstance(one, sqlite3.Connection):
        return None if is_mine(one) else "a SQLite connection of another thread"
    if isinstance(one, subprocess.Popen) and one.poll() is None:
        return f"a running process: {one.pid}"
    return None


def _foreign_peer(sock: socket.socket) -> str | None:
    try:
        peer = sock.getpeername()
    except OSError:
        return None
    if isinstance(peer, tuple) and peer and not is_local(str(peer[0])):
        return f"an open connection: {peer[0]}:{peer[1]}"
    return None


def _written_file(file: io.IOBase) -> str | None:
    name = inspect.getattr_static(file, "name", None) and getattr(file, "name", None)
    if file.closed or not file.writable() or not isinstance(name, (str, bytes)):
        return None
    path = Path(str(name))
    return f"an open file: {path}" if path.is_file() else None
