"""What a user declares about one tool.

The marker's keyword arguments, the keys of a contract file and the arguments of
`Contract` are the same; all of them come through here, so that a mistake reads
the same wherever it was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from pytest_toolresult.calls import Arguments, Case
from pytest_toolresult.envelope import STATUSES, Status
from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.relating import Relation
from pytest_toolresult.settings import PERSONAL, POWERS, UNDOABLE, Power

Kind = Literal["query", "action", "summary", "code", "file", "http", "memory"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

Declared = Arguments | Case | Sequence[Arguments | Case]
"""What may stand under a path: arguments, a `Case`, or a list of them."""

_NOTHING: Final[Mapping[Any, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Contract:
    """What one tool promises, and how it may be explored.

    Attributes:
        tool: The tool as the user named it: a callable, a framework object.
        success: What brings about a success: arguments, a `Case`, or a list.
        empty: The same for an empty answer.
        partial: The same for a partial answer.
        error: The same for an error.
        kind: What sort of tool it is, one of `KINDS`.
        never: Paths that cannot happen, each with the reason.
        data: The type, pydantic model or JSON Schema of the success data.
        codes: The error codes the tool may answer with; empty means not declared.
        budget: The most tokens a result may take.
        dependencies: Dotted names of callables of the project to break.
        allow: What the tool may do while it is explored, of `POWERS`.
        allow_pii: Kinds of personal data the tool is meant to return, of `PERSONAL`.
        validate_arguments: Whether a runtime validates the arguments before the
            tool sees them; `None` leaves it to option, ini file and adapter.
        dialect: How results read as envelopes; `None` leaves it likewise.
        reset: A callable, or the name of a fixture that gives one; runs before
            every call of an exploration and permits what it can undo (`UNDOABLE`).
        repeatable: Whether calling it hundreds of times does no harm.
        ignore: Rule ids that are waived, each with the reason.
        fuzz: Whether to explore arguments.
        faults: Whether to break dependencies.
        relations: Whether to try relations between calls, or the project's own
            relations, which are tried beside all others.
        examples: How many calls an exploration makes at most.
        timeout: The bound of one call, in seconds.

    Raises:
        ContractError: If anything is declared that cannot be; the message names
            the value, the valid ones and the nearest.
    """

    tool: Any
    _: KW_ONLY
    success: Declared = ()
    empty: Declared = ()
    partial: Declared = ()
    error: Declared = ()
    kind: Kind | None = None
    never: Mapping[Status, str] = field(default_factory=lambda: _NOTHING)
    data: Any = None
    codes: Sequence[str] = ()
    budget: int | None = None
    dependencies: Sequence[str] = ()
    allow: Iterable[Power] = ()
    allow_pii: Sequence[str] = ()
    validate_arguments: bool | None = None
    dialect: str | Callable[..., Any] | None = None
    reset: str | Callable[[], object] | None = None
    repeatable: bool = False
    ignore: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    fuzz: bool = True
    faults: bool = True
    relations: bool | Sequence[Relation] = True
    examples: int | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        """Hold the declaration to what can be declared."""
        _check_paths(self)
        _check_names("kind", [self.kind] if self.kind else [], KINDS)
        _check_names("permission in allow", _texts("allow", self.allow), POWERS)
        _check_reasons("never", self.never)
        _check_reasons("ignore", self.ignore)
        _check_kinds_of_value(self)
        _check_names(
            "kind of personal data in allow_pii",
            _texts("allow_pii", self.allow_pii),
            PERSONAL,
        )
        for name in ("codes", "dependencies"):
            _texts(name, getattr(self, name))

    @property
    def cases(self) -> tuple[Case, ...]:
        """The declared cases in the order of the paths, each with status and id."""
        return tuple(
            case for status in STATUSES for case in _numbered(status, self._at(status))
        )

    @property
    def own_relations(self) -> tuple[Relation, ...]:
        """The relations that the project declares itself."""
        return () if isinstance(self.relations, bool) else tuple(self.relations)

    @property
    def powers(self) -> frozenset[Power]:
        """What the tool may do while it is explored."""
        if self.repeatable:
            return frozenset(POWERS)
        return frozenset(self.allow) | (UNDOABLE if self.reset else frozenset())

    def _at(self, status: Status) -> list[Case]:
        return [_as_case(status, each) for each in _listed(getattr(self, status))]

    @classmethod
    def from_keywords(cls, tool: Any, keywords: Mapping[str, Any]) -> Contract:
        """Make a contract of keywords that a user wrote.

        Args:
            tool: The tool as the user named it.
            keywords: The marker's or the contract file's keys but for the tool.

        Raises:
            ContractError: If a keyword is not known or its value not valid.
        """
        for name in keywords:
            if name not in KEYWORDS:
                raise ContractError(unknown("argument", name, KEYWORDS))
        return cls(tool, **keywords)

    def with_keywords(self, keywords: Mapping[str, Any]) -> Contract:
        """Return the contract with some keywords replaced, under the same checks."""
        merged = {name: getattr(self, name) for name in KEYWORDS} | dict(keywords)
        return type(self).from_keywords(self.tool, merged)

    def for_tool(self, tool: Any) -> Contract:
        """Return the same promises for another tool."""
        return replace(self, tool=tool)


KEYWORDS: Final = tuple(each.name for each in fields(Contract) if each.name != "tool")
"""What may be declared about a tool, in the order of the documentation."""


def _listed(declared: Declared) -> Sequence[Arguments | Case]:
    return [declared] if isinstance(declared, (Mapping, Case)) else list(declared)


def _as_case(status: Status, declared: Arguments | Case) -> Case:
    case = declared if isinstance(declared, Case) else Case(declared)
    return replace(case, status=status)


def _numbered(status: Status, cases: Sequence[Case]) -> Iterable[Case]:
    """Give each case its id: `error`, `error-2`, `error-CODE`."""
    taken: dict[str, int] = {}
    for case in cases:
        stem = case.id or (f"{status}-{case.code}" if case.code else status)
        taken[stem] = taken.get(stem, 0) + 1
        number = taken[stem]
        yield replace(case, id=stem if number == 1 else f"{stem}-{number}")


def _check_paths(contract: Contract) -> None:
    _check_names("path in never", list(contract.never), STATUSES)
    for status in STATUSES:
        declared = getattr(contract, status)
        _check_declared(status, declared)
        if status in contract.never and _listed(declared):
            raise ContractError(
                f"path {status!r} has cases and is also declared impossible in"
                " `never`; take one of the two out"
            )


def _check_declared(status: Status, declared: object) -> None:
    if isinstance(declared, (str, bytes)) or not isinstance(
        declared, (Mapping, Case, Sequence)
    ):
        raise ContractError(
            f"{status} must be arguments (a mapping), a Case or a list of them,"
            f" not {declared!r}"
        )
    for each in _listed(declared):
        _check_case(status, each)


def _check_case(status: Status, declared: object) -> None:
    arguments = declared.arguments if isinstance(declared, Case) else declared
    if not isinstance(arguments, Mapping):
        raise ContractError(
            f"the arguments of a case under {status!r} must be a mapping,"
            f" not {arguments!r}"
        )
    _check_json(status, arguments)
    if isinstance(declared, Case):
        _check_case_promise(status, declared)


def _check_case_promise(status: Status, case: Case) -> None:
    if case.status not in (None, status):
        raise ContractError(
            f"a Case with status={case.status!r} stands under {status!r};"
            " leave its status out"
        )
    if case.code is not None and status != "error":
        raise ContractError(
            f"a Case under {status!r} promises the code {case.code!r};"
            " only errors have codes"
        )
    if case.when is not None and not callable(case.when):
        raise ContractError(
            f"when={case.when!r} must be a callable that returns a context manager"
        )


def _check_json(status: str, arguments: Mapping[str, object]) -> None:
    try:
        text = json.dumps(arguments, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ContractError(
            f"the arguments of a case under {status!r} are no JSON object ({error});"
            f" a model can only send JSON: {_short(arguments)}"
        ) from None
    if json.loads(text).keys() != arguments.keys():
        raise ContractError(
            f"the argument names of a case under {status!r} must be texts:"
            f" {_short(arguments)}"
        )


def _check_names(what: str, names: Iterable[object], valid: Sequence[str]) -> None:
    for name in names:
        if name not in valid:
            raise ContractError(unknown(what, name, valid))


def _check_reasons(key: str, reasons: object) -> None:
    if not isinstance(reasons, Mapping):
        raise ContractError(
            f"{key} must map each name to its reason, not {_short(reasons)}"
        )
    for name, reason in reasons.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ContractError(
                f"{key}={{{name!r}: ...}} needs a reason in words, not {reason!r}"
            )


def _check_kinds_of_value(contract: Contract) -> None:
    for name in ("repeatable", "fuzz", "faults"):
        if not isinstance(getattr(contract, name), bool):
            value = getattr(contract, name)
            raise ContractError(f"{name} must be True or False, not {value!r}")
    _check_relations(contract.relations)
    if contract.validate_arguments not in (None, True, False):
        value = contract.validate_arguments
        raise ContractError(f"validate_arguments must be True or False, not {value!r}")
    _check_positive("budget", contract.budget, int)
    _check_positive("examples", contract.examples, int)
    _check_positive("timeout", contract.timeout, (int, float))
    if not (contract.reset is None or isinstance(contract.reset, str)):
        _check_callable("reset", contract.reset)


def _check_relations(value: object) -> None:
    if isinstance(value, bool):
        return
    if not isinstance(value, (list, tuple)) or not value:
        raise ContractError(
            "relations must be True, False or a list of relations, such as"
            f" relations=[limit_halves_rows], not {value!r}"
        )
    for each in value:
        if not isinstance(each, Relation):
            raise ContractError(
                f"relations holds {each!r}, which is no relation; make one of a"
                ' function with @relation("what it says", over=[...])'
            )
    names = [each.name for each in value]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ContractError(f"two relations are called {twice!r}; rename one of them")


def _check_callable(name: str, value: object) -> None:
    if not callable(value):
        raise ContractError(f"{name} must be a callable or a name, not {value!r}")


def _check_positive(name: str, value: object, kinds: type | tuple[type, ...]) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, kinds) or value <= 0:  # type: ignore[operator]
        raise ContractError(f"{name} must be a number above 0, not {value!r}")


def _texts(name: str, values: object) -> list[str]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ContractError(f"{name} must be a list of texts, not {values!r}")
    texts = list(values)
    for text in texts:
        if not isinstance(text, str):
            raise ContractError(f"{name} must be a list of texts, not {texts!r}")
    return texts


def _short(value: object, most: int = 200) -> str:
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."
