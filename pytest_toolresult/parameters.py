"""The parameters of a function, as it was written."""

from __future__ import annotations

import functools
import inspect
import typing
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Final

from pytest_toolresult.docstrings import parameter_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EMPTY: Final = inspect.Parameter.empty
ABSENT: Final = object()
"""The default of a keyword that a `TypedDict` does not ask for."""
POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)
_MOST_LAYERS: Final = 100
"""Where unwrapping ends: some objects answer to every name, `__wrapped__` too."""
_JSON_TYPES: Final = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument that a model may send.

    Attributes:
        name: What the function calls it.
        key: What the model calls it: the name, or an alias that a `Field` gives.
        kind: As in `inspect.Parameter`.
        annotation: The resolved annotation, with its constraints.
        default: The function's default, or `inspect.Parameter.empty`.
        description: What the docstring says about it.
        problem: Why its annotation cannot be resolved, or `None`.
    """

    name: str
    key: str
    kind: inspect._ParameterKind
    annotation: Any
    default: Any = EMPTY
    description: str | None = None
    problem: str | None = None

    @property
    def variadic(self) -> bool:
        """Whether it stands for any number of arguments."""
        return self.kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        )

    @property
    def required(self) -> bool:
        """Whether a model has to send it."""
        return not (self.variadic or _has_default(self))


def parameters_of(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Read the parameters that a model may fill in.

    Args:
        function: Anything callable. What a partial binds by keyword is the
            developer's, not the model's, and left out.

    Raises:
        TypeError: If it is not callable.
        ValueError: If its signature cannot be read, as with some built-ins.
    """
    plain = underlying(function)
    told = parameter_texts(inspect.getdoc(plain) or inspect.getdoc(function))
    bound = _bound_by_keyword(function)
    for each in inspect.signature(function).parameters.values():
        if each.name in bound:
            continue
        annotation, problem = _resolved(each, plain)
        read = Parameter(
            name=each.name,
            key=_alias(annotation, each.default) or each.name,
            kind=each.kind,
            annotation=annotation,
            default=each.default,
            description=told.get(each.name),
            problem=problem,
        )
        yield from _unpacked(read)


def underlying(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the plain function beneath partials, wrappers, methods and objects."""
    inner: Any = function
    for _ in range(_MOST_LAYERS):
        if isinstance(inner, functools.partial):
            inner = inner.func
        elif inspect.ismethod(inner):
            inner = inner.__func__
        elif hasattr(inner, "__wrapped__"):
            inner = inner.__wrapped__
        elif _is_object(inner):
            inner = type(inner).__call__
        else:
            break
    return typing.cast("Callable[..., Any]", inner)


def _is_object(value: object) -> bool:
    """Tell whether a callable is an instance whose class defines `__call__`."""
    return not (isinstance(value, type) or inspect.isroutine(value)) and hasattr(
        type(value).__call__, "__code__"
    )


def identity_of(function: Callable[..., Any]) -> str:
    """Name a callable however it was reached: `module:qualname`, unwrapped."""
    plain = underlying(function)
    qualname = getattr(plain, "__qualname__", None) or type(plain).__qualname__
    module = getattr(plain, "__module__", None) or "builtins"
    return f"{module}:{qualname}"


def _bound_by_keyword(function: object) -> frozenset[str]:
    """Name what a partial, or one beneath it, has already filled in."""
    if not isinstance(function, functools.partial):
        return frozenset()
    return frozenset(function.keywords) | _bound_by_keyword(function.func)


def _resolved(
    parameter: inspect.Parameter, plain: Callable[..., Any]
) -> tuple[Any, str | None]:
    """Evaluate an annotation where it was written; also say why it cannot be."""
    if parameter.annotation is EMPTY:
        return _unannotated(parameter.default), None
    holder = SimpleNamespace(__annotations__={"it": parameter.annotation})
    scope = {each.__name__: each for each in getattr(plain, "__type_params__", ())}
    try:
        hints = typing.get_type_hints(
            holder, getattr(plain, "__globals__", {}), scope, include_extras=True
        )
    except Exception as error:  # noqa: BLE001 - evaluating runs the user's code
        return Any, f"its annotation cannot be resolved: {error}"
    return hints["it"], None


def _unannotated(default: object) -> Any:
    """Accept anything, as every runtime does; have it drawn as its default's type."""
    from pydantic import WithJsonSchema

    if default is None:
        schema: dict[str, Any] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    else:
        schema = {"type": _JSON_TYPES.get(type(default), "string")}
    return Annotated[Any, WithJsonSchema(schema)]


def field_infos(annotation: Any, default: object) -> Iterator[Any]:
    """Find the pydantic `Field`s of a parameter, from its default inwards."""
    from pydantic.fields import FieldInfo

    candidates = (default, *getattr(annotation, "__metadata__", ()))
    yield from (each for each in candidates if isinstance(each, FieldInfo))


def _alias(annotation: Any, default: object) -> str | None:
    for info in field_infos(annotation, default):
        for alias in (info.validation_alias, info.alias):
            if isinstance(alias, str):
                return alias
    return None


def _has_default(parameter: Parameter) -> bool:
    infos = list(field_infos(parameter.annotation, parameter.default))
    plain = not (parameter.default is EMPTY or is_field(parameter.default))
    return plain or any(not info.is_required() for info in infos)


def is_field(default: object) -> bool:
    """Tell whether a parameter's default is a pydantic `Field` and no value."""
    from pydantic.fields import FieldInfo

    return isinstance(default, FieldInfo)


def _unpacked(parameter: Parameter) -> Iterator[Parameter]:
    """Spell out `**kwargs: Unpack[SomeTypedDict]` as keyword parameters."""
    inner = typing.get_args(parameter.annotation)
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD or not (
        inner and _is_unpack(typing.get_origin(parameter.annotation))
    ):
        yield parameter
        return
    for name, hint in typing.get_type_hints(inner[0], include_extras=True).items():
        annotation, required = _qualified(hint, required=inner[0].__total__)
        yield replace(
            parameter,
            name=name,
            key=_alias(annotation, EMPTY) or name,
            kind=inspect.Parameter.KEYWORD_ONLY,
            annotation=annotation,
            default=EMPTY if required else ABSENT,
        )


def _is_unpack(origin: object) -> bool:
    """Tell `Unpack`, also the one of `typing_extensions`, which 3.11 tells apart."""
    return repr(origin).rpartition(".")[2] == "Unpack"


def _qualified(hint: Any, *, required: bool) -> tuple[Any, bool]:
    """Take `Required` and `NotRequired` off an annotation."""
    origin = typing.get_origin(hint)
    if origin is typing.Required or origin is typing.NotRequired:
        return typing.get_args(hint)[0], origin is typing.Required
    return hint, required
