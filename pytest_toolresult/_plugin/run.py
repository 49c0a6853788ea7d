"""The state of one pytest run, and what its items do with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import pytest

from pytest_toolresult._plugin.configuration import settings_of, telling_of
from pytest_toolresult._plugin.progress import progress_to
from pytest_toolresult._plugin.raising import fail
from pytest_toolresult._plugin.replay import Replays
from pytest_toolresult._plugin.statistics import noted_statistics
from pytest_toolresult.engine.assignment import Assignment
from pytest_toolresult.engine.session import Engine
from pytest_toolresult.errors import ContractError, SettingsError, ToolResultError
from pytest_toolresult.explore import exploration_named
from pytest_toolresult.explore.memory import ExampleMemory
from pytest_toolresult.findings import Severity
from pytest_toolresult.ledger import Evidence, Ledger, added
from pytest_toolresult.reporters import baseline
from pytest_toolresult.reporters.failure import failure_text
from pytest_toolresult.reporters.view import Card, View
from pytest_toolresult.rules.catalogue import rule_named
from pytest_toolresult.runner import Runner
from pytest_toolresult.targets import tools_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_toolresult._plugin.plans import Plan
    from pytest_toolresult.calls import Call
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.engine.probing import Invoke
    from pytest_toolresult.engine.session import Verified
    from pytest_toolresult.findings import Finding
    from pytest_toolresult.results import ToolResult
    from pytest_toolresult.tools import Tool

EVIDENCE: Final = pytest.StashKey[dict[tuple[str, str, str], Evidence]]()
"""What an item has seen so far."""

EXPLORED: Final = pytest.StashKey[bool]()
"""Whether an item went through a whole exploration: what hundreds of calls logged
says nothing about the one that failed."""

_PASSES: Final = (
    pytest.skip.Exception,
    pytest.fail.Exception,
    pytest.xfail.Exception,
    pytest.exit.Exception,
)
"""What pytest and its plugins raise on purpose: it is never a tool's fault."""


_REFUSED: Final = (
    "the arguments never reached the tool: validation refused them ({}). Correct them,"
    " or say validate_arguments=False if nothing validates them before this tool"
)


class Run:
    """One pytest run: its settings, its engine, and what was seen.

    Attributes:
        config: pytest's configuration.
        settings: What options and ini file amount to.
        telling: What the run tells at its end.
        engine: Drives the tools.
        ledger: What was seen.
        baseline: The findings that are known.
        view: How findings are shown.
        replays: The arguments to replay, and the lines that say so.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.settings = settings_of(config)
        self.telling = telling_of(config)
        self.runner = Runner(
            timeout=self.settings.timeout,
            passes=_PASSES,
            crash_file=config.rootpath / "toolresult-crash.txt",
        )
        self.engine = Engine(self.settings, self.runner, ExampleMemory())
        self.ledger = Ledger()
        self.baseline = _baseline_of(config)
        self.view = View(
            cards=_card_of,
            show=self.telling.show,
            is_known=self.baseline.is_known,
            found=config.get_verbosity() > 0,
        )
        self.replays = Replays(config)

    def assign(self, item: pytest.Item, plan: Plan) -> Assignment:
        """Give an item its tool."""
        return Assignment(
            item=item.nodeid,
            tool=plan.tool,
            contract=plan.contract,
            target=plan.target,
            replay=self.replays.line_for(item.nodeid, plan),
        )

    def tool_of(self, contract: Contract) -> Tool:
        """Return the one tool a contract is about.

        Raises:
            TargetError: If it is no tool.
            ContractError: If it is several.
        """
        validate = contract.validate_arguments
        if validate is None:
            validate = self.settings.validate_arguments
        tools = tools_of(contract.tool, validate=validate)
        if len(tools) == 1:
            return tools[0]
        names = ", ".join(tool.name for tool in tools)
        raise ContractError(
            f"tool= is one tool, but {contract.tool!r} holds {len(tools)} ({names});"
            " give one of them, or drive them all with --toolresult"
        )

    def explore(
        self,
        item: pytest.Item,
        assignment: Assignment,
        exploration: str,
        *,
        invoke: Invoke | None = None,
        reset: Callable[[], object] | None = None,
    ) -> None:
        """Run an exploration as an item; it fails, is skipped or passes."""
        __tracebackhide__ = True
        asked, problem = self.replays.asked, ""
        make = (
            partial(self.engine.explore, on_progress=progress_to(self.config))
            if asked is None
            else partial(self.engine.replay, asked=asked)
        )
        try:
            with noted_statistics(item):
                explored = make(
                    assignment,
                    exploration_named(exploration),
                    invoke=invoke,
                    reset=reset,
                )
        except ToolResultError as error:
            problem = str(error)
        if problem:
            fail(problem, pytrace=False)
        item.stash[EXPLORED] = asked is None
        self._keep(item, explored.evidence)
        self._fail_on(
            explored.evidence.findings, pytrace=False, problem=explored.problem
        )
        if not explored.judged:
            # At the tool's own code, as for skips that a mark asks for; what is built
            # into Python has no line.
            known = item.reportinfo()[1] is not None
            raise pytest.skip.Exception(explored.why_nothing, _use_item_location=known)

    def verify(
        self, item: pytest.Item, plan: Plan, call: Call, *, pytrace: bool
    ) -> ToolResult:
        """Make one call; fail, at the caller's line if `pytrace`, if it is wrong."""
        __tracebackhide__ = True
        verified: Verified | str
        try:
            verified = self.engine.verify(self.assign(item, plan), call)
        except ToolResultError as error:
            verified = str(error)
        return self._verified(item, verified, pytrace=pytrace)

    async def averify(
        self, item: pytest.Item, plan: Plan, call: Call, *, pytrace: bool
    ) -> ToolResult:
        """Do what `verify` does, on the running event loop."""
        __tracebackhide__ = True
        verified: Verified | str
        try:
            verified = await self.engine.averify(self.assign(item, plan), call)
        except ToolResultError as error:
            verified = str(error)
        return self._verified(item, verified, pytrace=pytrace)

    def _verified(
        self, item: pytest.Item, verified: Verified | str, *, pytrace: bool
    ) -> ToolResult:
        """Keep what a call came to, and fail if it is wrong or was not made."""
        __tracebackhide__ = True
        if isinstance(verified, str):
            fail(verified, pytrace=pytrace)
        self._keep(item, verified.evidence)
        self._fail_on(verified.evidence.findings, pytrace=pytrace)
        if verified.refused:
            fail(_REFUSED.format(verified.refused), pytrace=pytrace)
        return verified.result

    def _keep(self, item: pytest.Item, evidence: Evidence) -> None:
        seen = item.stash.setdefault(EVIDENCE, {})
        known = seen.get(evidence.key)
        seen[evidence.key] = added(known, evidence) if known else evidence
        for finding in evidence.findings:
            told = f"{finding.rule} {finding.tool} {finding.place}: {finding.message}"
            item.user_properties.append(("toolresult", told))

    def _fail_on(
        self, findings: Sequence[Finding], *, pytrace: bool, problem: str = ""
    ) -> None:
        __tracebackhide__ = True
        failing = [each for each in findings if self.fails(each)]
        found = failure_text(failing, self.view) if failing else ""
        if problem or found:
            fail("\n\n".join(filter(None, (problem, found))), pytrace=pytrace)

    def fails(self, finding: Finding) -> bool:
        """Tell whether a finding fails its item."""
        strict = self.settings.profile == "strict"
        least = Severity.WARNING if strict else Severity.ERROR
        known = self.telling.write_baseline or self.baseline.is_known(finding)
        return finding.severity >= least and not known


def _card_of(rule: str) -> Card | None:
    try:
        return rule_named(rule).card
    except SettingsError:  # evidence of a newer version may name an unknown rule
        return None


def _baseline_of(config: pytest.Config) -> baseline.Baseline:
    path = config.rootpath / baseline.FILE_NAME
    return baseline.load(path.read_bytes()) if path.is_file() else baseline.Baseline()
