from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.calls import Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.dialects import dialect_named
from pytest_toolresult.faults import CATALOGUE, BoundaryCall, Crossing, Injection
from pytest_toolresult.interactions import Comparison, Interaction
from pytest_toolresult.outcomes import Outcome, Reply
from pytest_toolresult.rules.judge import judge, judge_comparison, judge_series
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
        settings = options.pop("settings", Settings(select=options.pop("select", ())))
        interaction = Interaction(
            tool=replace(TOOL, validates=options.pop("validates", True)),
            call=options.pop("call", Call(arguments={}, origin="fuzz")),
            outcome=outcome,
            envelope=options.pop("envelope", None) or reader.read(outcome),
            dialect=reader.name,
        )
        declared = {"data": options.pop("declares", None)}
        contract = Contract(lookup, **declared, **options)
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


FETCH = BoundaryCall(seam="httpx", operation="GET", site="shop.py:7", detail="/orders")


class Trials:
    """Puts calls with and without faults before the judge."""

    @staticmethod
    def fine(call: BoundaryCall = FETCH, **facts: Any) -> Crossing:
        """Return a boundary call that worked."""
        return Crossing(call=call, **facts)

    @staticmethod
    def broken(name: str, call: BoundaryCall = FETCH, **facts: Any) -> Crossing:
        """Return a boundary call at which a fault was put."""
        fault = CATALOGUE[name]
        told = "" if fault.gravity == "soft" else name
        return Crossing(call=call, fault=fault, failure=told, **facts)

    @staticmethod
    def answer(status: str, data: object = None, **meta: Any) -> dict[str, Any]:
        """Return an envelope without an error."""
        return {"status": status, "data": data, "error": None, "meta": meta}

    @staticmethod
    def error(code: str = "X1", *, retryable: object = True, **meta: Any) -> Any:
        """Return an envelope with an error."""
        error = {"code": code, "message": "It went wrong.", "retryable": retryable}
        return {"status": "error", "data": None, "error": error, "meta": meta}

    def interaction(
        self, value: object, *boundary: Crossing, **options: Any
    ) -> Interaction:
        """Return a call that came back with a value, crossing what it crossed."""
        reader = dialect_named(options.pop("dialect", "envelope"))
        injections = tuple(
            Injection(fault=each.fault, where=each.call)
            for each in boundary
            if each.fault
        )
        call = Call(
            arguments=options.pop("arguments", {}),
            origin="faults",
            injection=injections[0] if injections else None,
            reference=options.pop("reference", None),
        )
        outcome = options.pop("outcome", None) or Outcome(
            ending="returned",
            reply=Reply(value=value),
            boundary=boundary,
            fired=injections,
            **options.pop("facts", {}),
        )
        return Interaction(
            tool=replace(TOOL, function=options.pop("function", None)),
            call=call,
            outcome=outcome,
            envelope=reader.read(outcome),
            dialect=reader.name,
        )

    def alone(self, value: object, *boundary: Crossing, **options: Any) -> set[str]:
        """Judge one call by itself; `kind` declares it."""
        contract = Contract(lookup, kind=options.pop("kind", None))
        found = self.interaction(value, *boundary, **options)
        reader = dialect_named(found.dialect)
        findings = judge(found, contract, dialect=reader, settings=Settings())
        return {finding.rule for finding in findings}

    def compare(
        self, usual: Interaction, subject: Interaction, **declared: Any
    ) -> list[Finding]:
        """Judge a call beside the usual one."""
        return judge_comparison(
            Comparison(reference=usual, subject=subject),
            Contract(lookup, **declared),
            dialect=dialect_named(subject.dialect),
            settings=Settings(),
        )

    def series(self, *calls: Interaction) -> list[Finding]:
        """Judge several calls together."""
        reader = dialect_named(calls[0].dialect)
        contract = Contract(lookup)
        return judge_series(calls, contract, dialect=reader, settings=Settings())


@pytest.fixture(scope="session")
def trials() -> Trials:
    return Trials()


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench()
