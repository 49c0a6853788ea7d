"""How fast valid arguments are drawn, beside the generator inside of schemathesis.

Both sides give Hypothesis a strategy for the same schema, and Hypothesis draws from
either of them in turn, in one process. What counts is how many examples a second of the
processor's time gives over all schemas. The other side is internal to schemathesis, so
it may be somewhere else in another version.

Run it with `tox -e benchmark`.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import statistics
import sys
import time
from dataclasses import dataclass, field
from datetime import date, datetime  # noqa: TC003 - annotations of tools
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from uuid import UUID  # noqa: TC003 - an annotation of a tool

from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from pytest_toolresult.signatures import describe
from pytest_toolresult.strategies.from_schema import from_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypothesis.strategies import SearchStrategy

    Schema = Mapping[str, Any]

EXAMPLES: Final = 100
ROUNDS: Final = 3
LEAST_RATIO: Final = 1.5
"""How many times as many examples a second there have to be."""


Email = Annotated[str, Field(json_schema_extra={"format": "email"})]


class Priority(Enum):
    """How urgent a ticket is."""

    LOW = "low"
    HIGH = "high"


class Address(BaseModel):
    """Where something goes."""

    street: str
    postcode: Annotated[str, Field(pattern=r"^\d{5}$")]
    country: Literal["DE", "FR", "JP"] = "DE"


class Line(BaseModel):
    """A line of an order."""

    sku: Annotated[str, Field(min_length=3, max_length=12)]
    amount: Annotated[int, Field(ge=1, le=99)]
    price: Annotated[float, Field(gt=0)]


class Node(BaseModel):
    """A part of a tree."""

    name: str
    children: list[Node] = []


class Card(BaseModel):
    """A way of paying."""

    kind: Literal["card"]
    number: str


class Invoice(BaseModel):
    """Another one."""

    kind: Literal["invoice"]
    address: Address


class _Tools:
    """Signatures as tools have them; none is ever called."""

    def read_file(self, path: str, head: int | None = None) -> None: ...
    def write_file(self, path: str, content: str, *, append: bool = False) -> None: ...
    def search(
        self,
        query: str,
        sort: Literal["created", "updated", "comments"] = "created",
        labels: list[str] | None = None,
        page: Annotated[int, Field(ge=1)] = 1,
        per_page: Annotated[int, Field(ge=1, le=100)] = 30,
    ) -> None: ...
    def list_events(
        self, start: datetime, end: datetime, zone: str = "UTC"
    ) -> None: ...
    def book(self, day: date, seats: Annotated[int, Field(ge=1, le=9)]) -> None: ...
    def invite(self, addresses: list[Email], message: str = "") -> None: ...
    def place(
        self, lines: list[Line], to: Address, note: str | None = None
    ) -> None: ...
    def pay(self, order: UUID, method: Card | Invoice) -> None: ...
    def triage(self, ticket: int, priority: Priority, reason: str = "") -> None: ...
    def store(self, entries: dict[str, list[int]]) -> None: ...
    def add_nodes(self, root: Node) -> None: ...
    def query(self, sql: str, parameters: list[str | int | float | None]) -> None: ...


FEATURES: Final[Mapping[str, Any]] = {
    "bounds": {"type": "integer", "minimum": -3, "exclusiveMaximum": 40},
    "multiples": {"type": "number", "multipleOf": 0.25, "maximum": 8},
    "pattern": {"type": "string", "pattern": "^[a-z]{2,4}-[0-9]+$", "maxLength": 12},
    "mixed enum": {"enum": ["a", 1, None, True]},
    "unique": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
    "tuple": {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "boolean"}],
        "items": False,
    },
    "contains": {
        "type": "array",
        "items": {"type": "integer"},
        "contains": {"minimum": 100},
        "maxContains": 2,
    },
    "free keys": {"type": "object", "additionalProperties": {"type": "number"}},
    "key pattern": {
        "type": "object",
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": False,
    },
    "dependent": {
        "type": "object",
        "properties": {"card": {"type": "string"}, "street": {"type": "string"}},
        "dependentRequired": {"card": ["street"]},
        "additionalProperties": False,
    },
    "two in one": {
        "allOf": [
            {"properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]},
            {"properties": {"a": {"maximum": 9}, "b": {"type": "string"}}},
        ],
        "type": "object",
        "unevaluatedProperties": False,
    },
    "date": {"type": "string", "format": "date"},
    "address": {"type": "string", "format": "email"},
    "uri": {"type": "string", "format": "uri"},
}


def schemas() -> dict[str, Any]:
    """Return the project's own schemas by name."""
    names = [name for name in vars(_Tools) if not name.startswith("_")]
    tools = {name: describe(getattr(_Tools(), name)).schema for name in names}
    features = {
        name: {"type": "object", "properties": {"x": schema}, "required": ["x"]}
        for name, schema in FEATURES.items()
    }
    return {**tools, **features}


def theirs(schema: Schema) -> SearchStrategy[Any]:
    """Return the strategy of schemathesis, as for the JSON body of a request."""
    from jsonschema_rs import Draft202012Validator as Draft
    from schemathesis.config import GenerationConfig
    from schemathesis.core.parameters import ParameterLocation
    from schemathesis.specs.openapi._hypothesis import make_positive_strategy

    return make_positive_strategy(
        dict(schema),
        operation_name="tool",
        location=ParameterLocation.BODY,
        media_type="application/json",
        generation_config=GenerationConfig(),
        validator_cls=Draft,
    )


def is_valid(schema: Schema, value: Any) -> bool | None:
    """Ask a validator of neither side; `None` where it cannot read a pattern."""
    checker = Draft202012Validator.FORMAT_CHECKER
    try:
        return Draft202012Validator(schema, format_checker=checker).is_valid(value)
    except re.error:  # in the dialect of JavaScript, such as `\p{L}`
        return None


@dataclass(kw_only=True)
class Drawn:
    """What one side drew of one schema.

    Attributes:
        values: The values.
        seconds: How much of the processor's time that took, the strategy included.
        failed: Why nothing could be drawn, or an empty text.
    """

    values: list[Any] = field(default_factory=list)
    seconds: float = 0.0
    failed: str = ""

    @property
    def rate(self) -> float:
        """How many values a second."""
        return len(self.values) / self.seconds if self.seconds else 0.0


def draw(make: Callable[[Schema], SearchStrategy[Any]], schema: Schema) -> Drawn:
    """Draw from one side's strategy for a schema."""
    drawn = Drawn()

    def take(value: Any) -> None:
        drawn.values.append(value)

    gc.collect()
    begun = time.process_time()
    try:
        chosen = settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        chosen(given(make(schema))(take))()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the result
        drawn.failed = f"{type(error).__name__}: {error}"
    drawn.seconds = time.process_time() - begun
    return drawn


@dataclass(kw_only=True)
class Side:
    """What one side did with all schemas.

    Attributes:
        name: What it is called.
        drawn: Everything that was drawn, with the schema it was drawn from.
    """

    name: str
    drawn: list[tuple[str, Schema, Drawn]] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """How many values a second over all schemas."""
        took = sum(each.seconds for _, _, each in self.drawn)
        return sum(len(each.values) for _, _, each in self.drawn) / took

    @property
    def median(self) -> float:
        """The median of the rates of each schema."""
        return statistics.median(each.rate for _, _, each in self.drawn)

    @property
    def failures(self) -> dict[str, str]:
        """The schemas of which nothing could be drawn, with the reason."""
        return {name: each.failed for name, _, each in self.drawn if each.failed}

    @property
    def valid(self) -> float:
        """The share of the values that a validator of neither side calls valid."""
        found = [
            verdict
            for _, schema, each in self.drawn
            for value in each.values
            if (verdict := is_valid(schema, value)) is not None
        ]
        return sum(found) / len(found)

    def row(self) -> str:
        """Lay the figures out as a row of a Markdown table."""
        cells = [f"{self.rate:.0f}", f"{self.median:.0f}", f"{self.valid:.1%}"]
        cells.append(str(len(self.failures)))
        return f"| {self.name} | {' | '.join(cells)} |"


def measure(found: Mapping[str, Schema], rounds: int) -> tuple[Side, Side]:
    """Draw from both sides in turn; who comes first changes with every schema."""
    us, them = Side(name="pytest-toolresult"), Side(name="schemathesis")
    turns = [(us, from_schema), (them, theirs)]
    draw(from_schema, {"type": "object"}), draw(theirs, {"type": "object"})
    for _ in range(rounds):
        for name, schema in found.items():
            for side, make in turns:
                side.drawn.append((name, schema, draw(make, schema)))
            turns.reverse()
    return us, them


def main() -> int:
    """Measure and print; fails where a schema fails or the ratio is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--schemas", type=Path, help="a JSON object of other schemas")
    asked = parser.parse_args()
    given_file = asked.schemas
    found = json.loads(given_file.read_text()) if given_file else schemas()
    us, them = measure(found, asked.rounds)
    packages = ("pytest-toolresult", "schemathesis", "hypothesis")
    print(", ".join(f"{name} {version(name)}" for name in packages))
    print(f"{len(found)} schemas, {asked.rounds} rounds of {EXAMPLES} examples\n")
    print("| | examples a second | median of the schemas | valid | failed |")
    print("| --- | --- | --- | --- | --- |")
    print(f"{us.row()}\n{them.row()}\n\nratio {us.rate / them.rate:.2f}")
    for side in (us, them):
        for name, why in side.failures.items():
            print(f"{side.name}: {name}: {why[:200]}", file=sys.stderr)
    return int(bool(us.failures) or us.rate < LEAST_RATIO * them.rate)


if __name__ == "__main__":
    sys.exit(main())
