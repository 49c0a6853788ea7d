from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.dialects import dialect_named
from pytest_toolresult.interactions import Interaction
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.rules.judge import judge
from pytest_toolresult.settings import Settings
from pytest_toolresult.tools import Tool

if TYPE_CHECKING:
    from pytest_toolresult.findings import Finding


def lookup() -> None: ...


TOOL = Tool(
    name="lookup",
    identity="shop:lookup",
    framework="callable",
    schema={"type": "object"},
    invoke=lambda _: Reply(),
)


class Bench:
    """Puts values and outcomes before the judge."""

    def judge(self, outcome: Outcome, **options: Any) -> list[Finding]:
        """Judge an outcome; options that are none of ours declare the contract."""
        reader = dialect_named(options.pop("dialect", "envelope"))
        settings = options.pop("settings", Settings())
        interaction = Interaction(
            tool=replace(TOOL, validates=options.pop("validates", True)),
            call=options.pop("call", Call(arguments={}, origin="fuzz")),
            outcome=outcome,
            envelope=options.pop("envelope", None) or reader.read(outcome),
            dialect=reader.name,
        )
        contract = Contract(lookup, **options)
        return judge(interaction, contract, dialect=reader, settings=settings)

    def value(self, value: object, **options: Any) -> list[Finding]:
        reply = Reply(value=value, wire=options.pop("wire", None))
        return self.judge(Outcome(ending="returned", reply=reply), **options)

    def rules(self, value: object, **options: Any) -> set[str]:
        return {finding.rule for finding in self.value(value, **options)}

    def answer(self, status: str, data: object, **fields: Any) -> list[Finding]:
        whole = {"status": status, "data": data, "error": None, "meta": {}}
        whole |= {name: fields.pop(name) for name in tuple(fields) if name in whole}
        return self.value(whole, **fields)


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench()
