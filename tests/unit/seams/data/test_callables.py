from __future__ import annotations

import asyncio
import functools
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.errors import ContractError, TargetError
from pytest_toolresult.faults import CATALOGUE, BoundaryCall, Injection
from pytest_toolresult.redaction.canaries.registry import REGISTRY
from pytest_toolresult.seams.callables import CallableSeam
from pytest_toolresult.seams.patches import Patches
from pytest_toolresult.seams.shapes import MANY

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tests.conftest import Benches

HERE = Path(__file__).parent
ANN = [
    {"id": 1, "total": "9.50", "customer": "ann"},
    {"id": 2, "total": "12.00", "customer": "ann"},
]


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.delitem(sys.modules, "backend", raising=False)
    return __import__("backend")


def _each(backend: ModuleType) -> dict[str, Callable[[], Any]]:
    """A tool for every kind of callable that hands over Ann's orders."""

    def opened() -> Any:
        with backend.opened("ann") as rows:
            return rows

    async def opened_later() -> Any:
        async with backend.opened_later("ann") as rows:
            return rows

    async def stream_later() -> Any:
        return [each async for each in backend.stream_later("ann")]

    return {
        "fetch": lambda: backend.fetch("ann"),
        "fetch_later": lambda: asyncio.run(backend.fetch_later("ann")),
        "stream": lambda: list(backend.stream("ann")),
        "stream_later": lambda: asyncio.run(stream_later()),
        "opened": opened,
        "opened_later": lambda: asyncio.run(opened_later()),
        "look_up": lambda: backend.look_up("ann"),
        "Store.search": lambda: backend.store.search("ann"),
        "store.search": lambda: backend.store.search("ann"),
        "store": lambda: backend.store("ann"),
    }


KINDS = (
    "fetch",
    "fetch_later",
    "stream",
    "stream_later",
    "opened",
    "opened_later",
    "look_up",
    "Store.search",
    "store.search",
    "store",
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_callable_is_broken(
    kind: str, backend: ModuleType, bench: Benches
) -> None:
    tool = _each(backend)[kind]
    at = bench(CallableSeam(f"backend.{kind}"))
    assert tool() == ANN
    assert at.run(tool) == ANN
    assert [each.call.operation for each in at.crossings] == ["call"]
    assert at.crossings[0].rows == 2
    assert at.crossings[0].call.site.startswith("test_callables.py:")
    for name, error in {
        "timeout": TimeoutError,
        "refused": ConnectionRefusedError,
        "no_permission": PermissionError,
        "unexpected": RuntimeError,
    }.items():
        raised = at.raised(tool, name)
        assert isinstance(raised, error)
        assert any(each.value in str(raised) for each in REGISTRY.planted())
        assert at.crossings[0].failure == name
    assert at.broken(tool, "emptied") == []
    assert at.crossings[0].rows == 0
    many = at.broken(tool, "inflated")
    assert len(many) == MANY
    assert len({each["id"] for each in many}) == MANY


def test_nothing_of_it_is_left(backend: ModuleType) -> None:
    function = backend.fetch
    before = function.__code__, dict(vars(function))
    patches = Patches()
    CallableSeam("backend.fetch").install(patches)
    assert function.__code__ is not before[0]
    patches.restore()
    assert (function.__code__, dict(vars(function))) == before


def test_other_code_is_let_through(backend: ModuleType, bench: Benches) -> None:
    bench(CallableSeam("backend.fetch"))
    assert backend.fetch("ann", limit=1) == ANN[:1]


def test_whoever_holds_it_is_reached(backend: ModuleType, bench: Benches) -> None:
    fetch = backend.fetch

    def as_default(call: Callable[[str], Any] = fetch) -> Any:
        return call("ann")

    copies: dict[str, Callable[[], Any]] = {
        "by name": lambda: fetch("ann"),
        "as a default": as_default,
        "in a table": functools.partial({"orders": fetch}["orders"], "ann"),
        "bound early": functools.partial(backend.store.search, "ann"),
        "partial": backend.held,
    }
    at = bench(CallableSeam("backend.fetch"))
    for way, tool in copies.items():
        assert isinstance(at.raised(tool, "timeout"), TimeoutError), way


def test_a_caller_sees_the_same_function(backend: ModuleType, bench: Benches) -> None:
    told = inspect.signature(backend.fetch)
    bench(*map(CallableSeam, ("backend.fetch", "backend.fetch_later")))
    assert inspect.signature(backend.fetch) == told
    assert inspect.iscoroutinefunction(backend.fetch_later)
    assert backend.fetch.__doc__ == "Return orders."
    assert backend.fetch.__name__ == "fetch"


def test_none_stays_none(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.Store.first"))
    assert at.run(lambda: backend.Store.first("")) is None
    assert not {"emptied", "inflated", "wrong_shape"} & set(at.offered()["call"])


def test_a_value_may_be_missing(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.Store.first"))
    assert at.broken(lambda: backend.store.first("ann"), "wrong_shape") is None


def test_class_methods_of_subclasses_are_reached(
    backend: ModuleType, bench: Benches
) -> None:
    at = bench(CallableSeam("backend.Store.count"))
    assert isinstance(at.raised(backend.Archive.count, "timeout"), TimeoutError)
    narrow = bench(CallableSeam("backend.Archive.count"))
    narrow.run(backend.Store.count)
    assert narrow.seams["backend.Archive.count"].name not in {
        each.call.seam for each in narrow.crossings
    }


def test_one_object_is_told_from_another(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.store.search"))
    at.run(lambda: backend.other.search("ann"))
    assert at.crossings == ()


def test_making_an_object_fails(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.Store"))
    assert at.run(lambda: backend.Store("new").name) == "new"
    assert "emptied" not in at.offered()["call"]
    assert isinstance(at.raised(backend.Store, "refused"), ConnectionRefusedError)


def test_a_stream_breaks_in_the_middle(backend: ModuleType, bench: Benches) -> None:
    got: list[Any] = []

    def tool() -> None:
        got.clear()
        for number, each in enumerate(backend.stream("ann")):
            got[number:] = [each]

    at = bench(CallableSeam("backend.stream"))
    at.raised(tool, "timeout")
    assert got == ANN[:1]
    at.raised(tool, "refused")
    assert got == []


def test_its_own_failures_are_noted(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.fetch"))
    with pytest.raises(TypeError):
        at.run(lambda: backend.fetch("ann", limit="two"))
    assert at.crossings[0].failure == "TypeError"


def test_calls_of_one_line_are_told_apart(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.fetch"))
    at.run(lambda: [backend.fetch(name, limit=1) for name in ("ann", "bob", "ann")])
    assert [(each.call.detail, each.call.occurrence) for each in at.crossings] == [
        ("'ann', limit=1", 0),
        ("'bob', limit=1", 0),
        ("'ann', limit=1", 1),
    ]


def test_one_of_several_calls_is_broken(backend: ModuleType, bench: Benches) -> None:
    at = bench(CallableSeam("backend.fetch"))

    def tool() -> list[int]:
        return [len(backend.fetch(name)) for name in ("ann", "bob", "cid")]

    assert at.broken(tool, "emptied", nth=1) == [2, 0, 2]


def test_what_changes_nothing_has_not_taken_effect(
    backend: ModuleType, bench: Benches
) -> None:
    at = bench(CallableSeam("backend.fetch"))
    at.run(lambda: backend.fetch("ann", limit=0))
    assert "emptied" not in at.offered()["call"]
    where = at.crossings[0].call
    plan = Injection(fault=CATALOGUE["emptied"], where=where)
    at.run(lambda: backend.fetch("ann", limit=0), plan)
    assert at.last.fired == ()


def test_faults_carry_the_name(backend: ModuleType) -> None:
    seam = CallableSeam(f"{backend.__name__}.fetch")
    where = BoundaryCall(seam=seam.name, operation="call", site="tools.py:3")
    assert {fault.at for fault in seam.faults(where)} == {"backend.fetch"}
    assert len(seam.faults(where)) == 7


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    ("dotted", "error", "words"),
    [
        ("backend.fetsh", ContractError, "did you mean 'fetch'"),
        ("backend.Store.serch", ContractError, "did you mean 'search'"),
        ("backend.store.serch", ContractError, "did you mean 'search'"),
        ("backend.URL", ContractError, "is str and cannot be called"),
        ("backend", ContractError, "is a module and cannot be called"),
        ("bakend.fetch", TargetError, "no module named 'bakend'"),
        ("json.dumpss", ContractError, "did you mean 'dumps'"),
        ("math.sqrt", ContractError, "is not written in Python"),
        ("backend.held", ContractError, "is not written in Python"),
        ("os.path.nothing_such", ContractError, "unknown callable"),
        ("", ContractError, "is no dotted name"),
        ("backend.", ContractError, "is no dotted name"),
        ("backend..fetch", ContractError, "is no dotted name"),
    ],
)
def test_a_wrong_name_is_told(dotted: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        CallableSeam(dotted, root=HERE)
