from __future__ import annotations

import functools
import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.guard import unsafe_clients, unseen_clients

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def curl(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module under a client's name, as if that were loaded."""
    monkeypatch.setitem(sys.modules, "pycurl", ModuleType("pycurl"))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Make a module of a project from its source."""
    names: list[str] = []

    def make(source: str, name: str = "guarded_project") -> ModuleType:
        module = ModuleType(name)
        module.__file__ = str(tmp_path / f"{name}.py")
        sys.modules[name] = module
        names.append(name)
        exec(compile(source, module.__file__, "exec"), vars(module))
        return module

    yield make
    for name in names:
        del sys.modules[name]


Make = Callable[[str], ModuleType]

USES = {
    "global": "import pycurl\ndef tool(): return pycurl.Curl()",
    "inside": "def tool():\n    import pycurl\n    return pycurl",
    "helper": "import pycurl\ndef ask(): return pycurl\ndef tool(): return ask()",
    "nested": "import pycurl\ndef tool(): return [pycurl for _ in ()]",
    "default": "import pycurl\ndef tool(client=pycurl): return client",
    "closure": "import pycurl\ndef make(c):\n    def tool(): return c\n"
    "    return tool\ntool = make(pycurl)",
    "instance": "import pycurl\nclass Client:\n"
    "    def __init__(self): self.c = [pycurl]\n"
    "client = Client()\ndef tool(): return client.c",
    "class": "import pycurl\nclass Client:\n    def ask(self): return pycurl\n"
    "client = Client()\ndef tool(): return client.ask()",
    "property": "import pycurl\nclass Client:\n    @property\n"
    "    def c(self): return pycurl\ndef tool(): return Client().c",
}


@pytest.mark.parametrize("way", USES)
def test_a_client_is_found_however_it_is_reached(way: str, project: Make) -> None:
    assert unsafe_clients(project(USES[way]).tool) == ("pycurl",)


def test_a_client_is_found_through_another_module(
    project: Callable[..., ModuleType],
) -> None:
    project("import pycurl\ndef ask(): return pycurl", "guarded_other")
    module = project("import guarded_other\ndef tool(): return guarded_other.ask()")
    assert unsafe_clients(module.tool) == ("pycurl",)


def test_a_neighbours_client_is_not_the_tools(project: Make) -> None:
    module = project("import pycurl\ndef other(): return pycurl\ndef tool(): ...")
    assert unsafe_clients(module.tool) == ()
    assert unseen_clients([module]) == ("pycurl",)


def test_wrapped_and_bound_functions_are_followed(project: Make) -> None:
    module = project("import pycurl\nclass A:\n    def tool(self): return pycurl")
    assert unsafe_clients(module.A().tool) == ("pycurl",)
    assert unsafe_clients(functools.partial(module.A.tool, None)) == ("pycurl",)

    @functools.wraps(module.A.tool)
    def outer(*args: Any) -> Any:
        return args

    assert unsafe_clients(outer) == ("pycurl",)


def test_a_client_that_is_not_installed_cannot_act(project: Make) -> None:
    del sys.modules["pycurl"]
    assert unsafe_clients(project(USES["inside"]).tool) == ()


def test_open_files_and_processes_are_found(project: Make, tmp_path: Path) -> None:
    module = project("file = None\nchild = None\ndef tool(): return file, child")
    child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)
    with (tmp_path / "log.txt").open("w") as file, child:
        vars(module).update(file=file, child=child)
        found = unsafe_clients(module.tool)
        child.communicate()
    assert found == (
        f"a running process: {child.pid}",
        f"an open file: {tmp_path / 'log.txt'}",
    )
    assert unsafe_clients(module.tool) == ()


def test_a_connection_of_another_thread_is_found(project: Make) -> None:
    module = project("db = None\ndef tool(): return db.execute('SELECT 1')")
    ready, done = threading.Event(), threading.Event()

    def own() -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            vars(module).update(db=connection)
            ready.set()
            done.wait()

    thread = threading.Thread(target=own)
    thread.start()
    ready.wait()
    found = unsafe_clients(module.tool)
    done.set()
    thread.join()
    assert found == ("a SQLite connection of another thread",)


def test_the_methods_that_get_past_the_authorizer_are_found(project: Make) -> None:
    module = project("def tool(db): return db.blobopen('a', 'b', 1)")
    assert unsafe_clients(module.tool) == ("blobopen",)


def test_ordinary_tools_are_safe(project: Make, tmp_path: Path) -> None:
    module = project(
        "import json, logging, re, sqlite3, urllib.request\nimport pytest\n"
        "log = logging.getLogger('guarded')\ncache = {}\n"
        "def tool(q):\n    log.info(q)\n    cache[q] = re.sub('a', '', json.dumps(q))\n"
        "    return sqlite3.connect(q), urllib.request.urlopen(q), pytest"
    )
    handler = logging.FileHandler(tmp_path / "log.txt")
    module.log.addHandler(handler)
    assert unsafe_clients(module.tool) == ()
    module.log.removeHandler(handler)
    handler.close()
