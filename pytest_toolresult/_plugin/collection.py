"""Targets and contract files as items: `ALIAS::tool::fuzz`, without a test."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult._plugin.items import ToolCase
from pytest_toolresult._plugin.options import TARGET_NODES
from pytest_toolresult._plugin.plans import Plan, checked, plans_for
from pytest_toolresult._plugin.raising import as_collect_error, as_usage_error
from pytest_toolresult._plugin.selection import Asked, asked_of, take_arguments
from pytest_toolresult._plugin.session import run_of
from pytest_toolresult.contract import Contract
from pytest_toolresult.contract_file import ContractFile, read
from pytest_toolresult.errors import TargetError, unknown
from pytest_toolresult.explore import EXPLORATIONS
from pytest_toolresult.importing import make_importable
from pytest_toolresult.targets import Target, load, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_toolresult._plugin.run import Run
    from pytest_toolresult.tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTarget:
    """A target with its tools, and the node ids of it that were asked for.

    Attributes:
        target: What the user pointed at.
        tools: Its tools, sorted by name.
        wanted: Node ids, of the target itself, a tool or an item; empty means all.
    """

    target: Target
    tools: Sequence[Tool]
    wanted: frozenset[str] = frozenset()

    def wants(self, node_id: str) -> bool:
        """Tell whether a node was asked for, or is above one that was, or below."""
        return not self.wanted or any(
            _covers(each, node_id) or _covers(node_id, each) for each in self.wanted
        )


class TargetCollector(pytest.Collector):
    """A target on the command line or in the ini file."""

    loaded: LoadedTarget

    def collect(self) -> Iterator[ToolCollector]:
        """Give one collector a tool."""
        text = self.loaded.target.text
        for tool in self.loaded.tools:
            if self.loaded.wants(f"{self.nodeid}::{tool.name}"):
                node = ToolCollector.of(self, plans_for(tool, Contract(tool), text))
                node.wants = self.loaded.wants
                yield node


class ContractFileCollector(pytest.File):
    """A contract file: the tools of its targets, with what it declares of them."""

    def collect(self) -> Iterator[ToolCollector]:
        """Give one collector a tool."""
        for plans in filter(None, as_collect_error(self._plans)):
            yield ToolCollector.of(self, plans)

    def _plans(self) -> list[list[Plan]]:
        for folder in (self.config.rootpath, self.path.parent):
            make_importable(folder)  # the last one comes first
        read_file = read(self.path.read_bytes())
        found = [(text, tool) for text in read_file.targets for tool in self._of(text)]
        read_file.check_names([tool for _, tool in found])
        return [
            plans_for(tool, checked(read_file.contract_for(tool)), text)
            for text, listed in found
            for tool in [self._as_declared(listed, text, read_file)]
        ]

    def _of(self, text: str, *, validate: bool | None = None) -> list[Tool]:
        if validate is None:
            validate = run_of(self.config).settings.validate_arguments
        return load(parse(text), validate=validate, root=self.path.parent)

    def _as_declared(self, tool: Tool, text: str, read_file: ContractFile) -> Tool:
        """Return a tool with validation switched as the file declares it."""
        validate = read_file.contract_for(tool).validate_arguments
        if validate in (None, tool.validates):
            return tool
        tools = self._of(text, validate=validate)
        return next(each for each in tools if each.name == tool.name)


class ToolCollector(pytest.Collector):
    """One tool of a target or of a contract file."""

    plans: Sequence[Plan]
    wants: Callable[[str], bool] | None = None

    @classmethod
    def of(cls, parent: pytest.Collector, plans: Sequence[Plan]) -> ToolCollector:
        """Make the collector of a tool that has at least one item."""
        node: ToolCollector = cls.from_parent(parent, name=plans[0].tool.name)
        node.plans = plans
        return node

    def collect(self) -> Iterator[ToolItem]:
        """Give one item a case and an exploration."""
        for plan in self.plans:
            if self.wants is None or self.wants(f"{self.nodeid}::{plan.id}"):
                yield ToolItem.of(self, plan)


class ToolItem(pytest.Function):
    """A declared case or an exploration of one tool.

    It is a `pytest.Function`, so that plugins which look at functions (Hypothesis'
    statistics, timeouts, reruns) treat it as one.
    """

    plan: Plan

    @classmethod
    def of(cls, parent: ToolCollector, plan: Plan) -> ToolItem:
        """Make the item of a plan."""

        def drive(request: pytest.FixtureRequest) -> None:
            __tracebackhide__ = True
            ToolCase(run_of(request.config), plan, request).drive()

        item: ToolItem = cls.from_parent(parent, name=plan.id, callobj=drive)
        item.plan = plan
        return item

    def reportinfo(self) -> tuple[Path | str, int | None, str]:
        """Point at the tool's own code rather than at ours."""
        shown = f"{self.plan.tool.name}[{self.name}]"
        try:
            code = inspect.unwrap(self.plan.tool.function).__code__  # type: ignore[arg-type]
        except (AttributeError, TypeError, ValueError):
            return self.path, None, shown
        return Path(code.co_filename), code.co_firstlineno - 1, shown


def start(config: pytest.Config) -> None:
    """Check what the run is asked for, and load the targets that it drives.

    Raises:
        pytest.UsageError: If an option, a target or one of its nodes is wrong.
    """
    run = run_of(config)
    asked: Asked = as_usage_error(lambda: asked_of(config))
    loaded: list[LoadedTarget] = as_usage_error(
        lambda: [_loaded(text, asked.node_ids, run) for text in asked.driven]
    )
    take_arguments(config, asked)

    def nodes(session: pytest.Session) -> Iterable[pytest.Collector]:
        return (_node(each, session) for each in loaded)

    config.stash[TARGET_NODES] = nodes


def _loaded(text: str, node_ids: Sequence[str], run: Run) -> LoadedTarget:
    target = parse(text)
    wanted = frozenset(each for each in node_ids if _covers(target.alias, each))
    tools = load(
        target,
        validate=run.settings.validate_arguments,
        root=run.config.invocation_params.dir,
    )
    for node_id in wanted:
        _check_node(node_id, target, tools)
    return LoadedTarget(target=target, tools=tools, wanted=wanted)


def _check_node(node_id: str, target: Target, tools: Sequence[Tool]) -> None:
    """Refuse a node id that names nothing: pytest would run nothing, in silence."""
    nodes = [
        "::".join((target.alias, tool.name, *rest))
        for tool in tools
        for rest in [(), *((name,) for name in EXPLORATIONS)]
    ]
    if node_id not in (target.alias, *nodes):
        raise TargetError(unknown("node id", node_id, nodes))


def _covers(above: str, below: str) -> bool:
    return below == above or below.startswith(f"{above}::")


def _node(loaded: LoadedTarget, session: pytest.Session) -> TargetCollector:
    alias = loaded.target.alias
    node: TargetCollector = TargetCollector.from_parent(
        session, name=alias, nodeid=alias
    )
    node.loaded = loaded
    return node
