"""The pytest entry point: hooks and fixtures, everything else on demand.

An idle run must stay cheap, so each hook leaves at once where there is nothing for
it to do, and nothing else of the package is imported before that.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult._plugin.options import TARGET_NODES, add_options, is_asked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterator
    from pathlib import Path
    from typing import TypeGuard

    from pytest_toolresult._plugin.items import FaultInjector, ToolCase
    from pytest_toolresult.redaction.canaries.factory import Canaries
    from pytest_toolresult.results import ToolResult

_MARKER = (
    "toolresult(tool=..., success=..., empty=..., partial=..., error=..., ...): hold"
    " a tool to its contract on each status path and explore it"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and load targets before anything runs.

    Names are resolved here, also on xdist's controller: from within collection
    xdist would turn a usage error into "no tests ran". It does not come first, for
    pytest's cache, which knows long arguments, is set up before all others.
    """
    config.addinivalue_line("markers", _MARKER)
    if is_asked(config) or any(map(_may_name_target, config.args)):
        from pytest_toolresult._plugin.collection import start
        from pytest_toolresult._plugin.early import get_ready

        get_ready(config)
        start(config)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Put the targets beside the test files, and explain a mark that broke one."""
    report = yield
    if report.failed and "mark.toolresult(" in report.longreprtext:
        from pytest_toolresult._plugin.marks import explain

        explain(report, collector.config)
    if isinstance(collector, pytest.Session) and report.passed:
        make = collector.config.stash.get(TARGET_NODES, None)
        report.result.extend(make(collector) if make else ())
    return report


def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> pytest.Collector | None:
    """Collect contract files."""
    name = file_path.name
    if name != "toolresult.toml" and not (
        name.startswith("toolresult_") and name.endswith(".toml")
    ):
        return None
    from pytest_toolresult._plugin.collection import ContractFileCollector

    found: pytest.Collector = ContractFileCollector.from_parent(parent, path=file_path)
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Get ready for test modules that are about tools, before they are imported."""
    if _speaks_of_tools(module_path):
        from pytest_toolresult._plugin.early import get_ready

        get_ready(parent.config)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> None:
    """Give marked tests the fixture that is their case, and refuse misplaced marks."""
    marked = bool(collector.get_closest_marker("toolresult")) or (
        _has_marked(obj) if _is_class(obj) else _is_marked(obj)
    )
    if marked or _may_be_lost(collector, name, obj):
        from pytest_toolresult._plugin.marks import prepare

        prepare(collector, name, obj)


def _may_be_lost(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> bool:
    """Tell whether something else than a test stands under a test's name."""
    if callable(obj) or not collector.funcnamefilter(name):
        return False
    return "mark.toolresult(" in collector.path.read_text("utf-8", errors="replace")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Expand a marked test into its items."""
    if metafunc.definition.get_closest_marker("toolresult"):
        from pytest_toolresult._plugin.marks import expand

        expand(metafunc)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Run the case around the body of a marked test, or an exploration instead."""
    case = getattr(item, "funcargs", {}).get("tool_case")
    if case is None or not isinstance(item, pytest.Function):
        return (yield)
    body = item.obj
    item.obj = case.driver(body)
    try:
        return (yield)
    except BaseException:  # a Ctrl-C, or the end of an outer bound
        case.interrupted()
        raise
    finally:
        item.obj = body


@pytest.fixture
def tool_case(request: pytest.FixtureRequest) -> ToolCase | None:
    """The case of a test with the `toolresult` mark: `run()` makes the call."""
    plan = getattr(request, "param", None)
    if plan is None:
        return None
    from pytest_toolresult._plugin.items import ToolCase
    from pytest_toolresult._plugin.session import run_of

    return ToolCase(run_of(request.config), plan, request)


@pytest.fixture
def call_tool(request: pytest.FixtureRequest) -> Callable[..., ToolResult]:
    """Make one bounded, checked, recorded call: `call_tool(tool, **arguments)`."""
    from pytest_toolresult._plugin.items import ToolCaller
    from pytest_toolresult._plugin.session import run_of

    return ToolCaller(run_of(request.config), request.node).call


@pytest.fixture
def acall_tool(
    request: pytest.FixtureRequest,
) -> Callable[..., Awaitable[ToolResult]]:
    """Do what `call_tool` does, in async tests."""
    from pytest_toolresult._plugin.items import ToolCaller
    from pytest_toolresult._plugin.session import run_of

    return ToolCaller(run_of(request.config), request.node).acall


@pytest.fixture
def inject_fault() -> Callable[..., FaultInjector]:
    """Break a dependency within a block: takes a fault, and `at=` where it strikes.

    Within it every call to what `at` names fails in this way.
    """
    from pytest_toolresult._plugin.items import FaultInjector

    return FaultInjector


@pytest.fixture(scope="session")
def canary(request: pytest.FixtureRequest) -> Iterator[Canaries]:
    """Make secrets that are remembered: no tool may show one from then on."""
    from pytest_toolresult._plugin.planting import canaries_of

    yield from canaries_of(request.config)


def _may_name_target(argument: str) -> bool:
    """Tell whether an argument may be a node id such as `shop.tools:TOOLS::add`."""
    return ":" in argument.partition("::")[0] and "::" in argument


def _speaks_of_tools(module: Path) -> bool:
    """Tell by its words whether a test module uses the mark or one of the fixtures."""
    try:
        text = module.read_bytes()
    except OSError:
        return False  # importing it will say why
    return b"toolresult" in text or b"call_tool" in text or b"inject_fault" in text


def _is_marked(candidate: object) -> bool:
    """Tell whether a function carries the mark, without touching anything else.

    Test modules hold all kinds of objects, and asking some for an attribute raises.
    """
    if type(candidate) in (staticmethod, classmethod):
        candidate = candidate.__func__  # type: ignore[attr-defined]
    return type(candidate) is FunctionType and _carries_mark(candidate)


def _is_class(candidate: object) -> TypeGuard[type]:
    return issubclass(type(candidate), type)


def _has_marked(candidate: type) -> bool:
    """Tell whether a class or one of its bases carries the mark, or a method does."""
    return any(
        _carries_mark(each) or any(map(_is_marked, vars(each).values()))
        for each in type.mro(candidate)[:-1]
    )


def _carries_mark(candidate: type | FunctionType) -> bool:
    marks = vars(candidate).get("pytestmark", ())
    marks = marks if isinstance(marks, (list, tuple)) else [marks]
    return any(getattr(each, "name", None) == "toolresult" for each in marks)
