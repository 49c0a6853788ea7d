"""From outcomes to judged interactions: which dialect, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.dialects import AUTO, Decision, decide, dialect_named
from pytest_toolresult.interactions import Interaction
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.results import ToolResult
from pytest_toolresult.rules.judge import judge, judge_comparison, judge_series
from pytest_toolresult.rules.verdicts import Verdicts
from pytest_toolresult.settings import Settings
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_toolresult.findings import Finding
    from pytest_toolresult.interactions import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads and judges the interactions of one tool.

    Attributes:
        tool: The tool.
        contract: What is declared about it.
        settings: The configuration of the run.
        decision: The dialect, and why that one.
        verdicts: What was found wrong with results so far.
    """

    tool: Tool
    contract: Contract
    settings: Settings
    decision: Decision
    verdicts: Verdicts = field(default_factory=Verdicts, repr=False, compare=False)

    @classmethod
    def for_outcomes(
        cls,
        tool: Tool,
        contract: Contract,
        settings: Settings,
        outcomes: Sequence[Outcome],
    ) -> Reader:
        """Make a reader in the dialect that is set, or that the outcomes speak.

        Raises:
            DialectError: If the dialect that is set does not exist.
        """
        named = contract.dialect or settings.dialect or AUTO
        if named == AUTO:
            decision = decide(outcomes, tool.dialect)
        else:
            decision = Decision(dialect=dialect_named(named), reason="as set")
        return cls(tool=tool, contract=contract, settings=settings, decision=decision)

    def read(self, call: Call, outcome: Outcome) -> Interaction:
        """Read an outcome in the dialect."""
        dialect = self.decision.dialect
        answered = outcome.reply is not None and outcome.ending != "refused"
        return Interaction(
            tool=self.tool,
            call=call,
            outcome=outcome,
            envelope=dialect.read(outcome) if answered else None,
            dialect=dialect.name,
        )

    def alone(self, outcome: Outcome) -> Reader:
        """Return the reader that one outcome by itself would have, as in a replay."""
        return self.deciding([outcome])

    def deciding(self, outcomes: Sequence[Outcome]) -> Reader:
        """Return the reader that these outcomes call for."""
        return self.for_outcomes(self.tool, self.contract, self.settings, outcomes)

    def judge(self, interaction: Interaction) -> list[Finding]:
        """Hold an interaction to the rules, worst finding first."""
        return judge(
            interaction,
            self.contract,
            dialect=self.decision.dialect,
            settings=self.settings,
            verdicts=self.verdicts,
        )

    def compare(self, comparison: Comparison) -> list[Finding]:
        """Hold an interaction to the rules beside one that tells about it."""
        return judge_comparison(
            comparison,
            self.contract,
            dialect=self.decision.dialect,
            settings=self.settings,
        )

    def relate(self, interactions: Sequence[Interaction]) -> list[Finding]:
        """Hold several interactions to the rules that look at more than one."""
        return judge_series(
            interactions,
            self.contract,
            dialect=self.decision.dialect,
            settings=self.settings,
        )


def check(result: object, contract: Contract | None = None) -> list[Finding]:
    """Judge one result, wherever it comes from, without calling anything.

    Args:
        result: What a tool returned: an envelope in any shape, or anything else.
        contract: What is declared about the tool; its `tool` may be `None`.

    Returns:
        What is wrong, worst first; empty where nothing is.

    Raises:
        DialectError: If the contract names a dialect that does not exist.

    Example:
        >>> check({"status": "success", "data": [], "error": None, "meta": {}})
        [Finding(rule='TR202', ...)]
    """
    contract = contract or Contract(None)
    outcome = Outcome(ending="returned", reply=Reply(value=result))
    tool = _stand_in(contract.tool)
    reader = Reader.for_outcomes(tool, contract, Settings(), [outcome])
    interaction = reader.read(Call(arguments={}, origin="call_tool"), outcome)
    return [replace(finding, arguments={}) for finding in reader.judge(interaction)]


def result_of(interaction: Interaction, findings: Sequence[Finding]) -> ToolResult:
    """Return an interaction as what users look at in their tests."""
    envelope, reply = interaction.envelope, interaction.outcome.reply
    raw = reply.value if reply else None
    if envelope is None:
        return ToolResult(status=None, data=raw, raw=raw, findings=tuple(findings))
    return ToolResult(
        status=envelope.status,
        data=envelope.data,
        error=envelope.error,
        meta=envelope.meta,
        raw=raw,
        findings=tuple(findings),
    )


def _stand_in(tool: object) -> Tool:
    name = getattr(tool, "__name__", "tool")

    def invoke(_: object) -> Reply:
        raise AssertionError("a result is checked without a call")

    return Tool(
        name=name, identity=name, framework="callable", schema=None, invoke=invoke
    )
