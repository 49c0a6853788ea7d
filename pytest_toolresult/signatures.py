"""What a function takes: a JSON Schema of its arguments, and their conversion.

Arguments are validated and converted as pydantic does by default, because that is
what most agent runtimes put in front of a tool: `"5"` becomes `5` where an `int` is
asked for, and a name the function does not have is dropped. (Of the runtimes that
validate, the MCP SDK, LangChain, the OpenAI and Google SDKs and Strands drop it;
fastmcp and Pydantic AI refuse it.)
"""

from __future__ import annotations

import functools
import inspect
import json
from dataclasses import dataclass, field
from types import new_class
from typing import TYPE_CHECKING, Annotated, Any, Final

from pytest_toolresult.parameters import (
    ABSENT,
    EMPTY,
    POSITIONAL,
    Parameter,
    field_infos,
    is_field,
    parameters_of,
    underlying,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pydantic import BaseModel, ValidationError
    from pydantic.json_schema import GenerateJsonSchema

_MOST_REASONS: Final = 3


class Refused(ValueError):  # noqa: N818 - it names a verdict, no fault of the program
    """Arguments that validation turned down before the tool saw them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """What every call needs to know of the parameters.

    Attributes:
        named: The parameters' names by the keys that a model sends.
        fields: For each parameter its field in the model, its name, and whether it has
            a value even where none was sent.
        many: The parameter that takes any number of values by position, or nothing.
        takes_any: Whether there is one for any name.
        by_position: Whether anything may have to be handed over by position.
    """

    named: Mapping[str, str]
    fields: tuple[tuple[str, str, bool], ...]
    many: str
    takes_any: bool
    by_position: bool


def _layout_of(parameters: Sequence[Parameter]) -> _Layout:
    kinds = inspect.Parameter
    many = [each.name for each in parameters if each.kind is kinds.VAR_POSITIONAL]
    return _Layout(
        named={each.key: each.name for each in parameters},
        fields=tuple(
            (f"p{number}", each.name, _only_field_knows(each))
            for number, each in enumerate(parameters)
            if each.kind is not kinds.VAR_KEYWORD
        ),
        many=many[0] if many else "",
        takes_any=any(each.kind is kinds.VAR_KEYWORD for each in parameters),
        by_position=bool(many)
        or any(each.kind is kinds.POSITIONAL_ONLY for each in parameters),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a function takes, seen from a model.

    Attributes:
        schema: A JSON Schema of the arguments (an object schema), or `None`.
        unusable: Why there is no schema, or `None`.
        parameters: The arguments in the function's order. Those that JSON cannot
            express and that have a default are left out: the default stands.
    """

    schema: Mapping[str, Any] | None
    unusable: str | None = None
    parameters: tuple[Parameter, ...] = ()
    _model: type[BaseModel] | None = field(default=None, repr=False)
    _layout: _Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find out once what every call needs to know of the parameters."""
        object.__setattr__(self, "_layout", _layout_of(self.parameters))

    def convert(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Validate arguments and convert them to what the function asks for.

        Args:
            arguments: A JSON object as a model sends it.

        Returns:
            The values by parameter name. What was not sent is absent, so that the
            function's own defaults apply; names it does not have are dropped.

        Raises:
            Refused: If they are not valid; the text says which and why. What a
                validator of the user's raises beside `ValueError` and
                `AssertionError` passes through: that is a crash.
        """
        if self._model is None:
            return dict(arguments)
        refuse_surrogates(arguments)
        try:
            valid = self._model.model_validate(dict(arguments))
        except ValueError as error:
            why = _refused(error)
            if why is None:
                raise
            raise Refused(why) from error
        return self._values(valid)

    def bind(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Spread values over positional and keyword arguments.

        Args:
            values: Values by parameter name or by the model's key. Names that are
                not known go on as keywords, for the function to turn down.

        Returns:
            What to call the function with: `function(*args, **kwargs)`.
        """
        named = self._layout.named
        rest = {named.get(key, key): value for key, value in values.items()}
        if not self._layout.by_position:
            return [], rest
        args = list(self._positional(rest))
        return args, rest

    def _values(self, valid: BaseModel) -> dict[str, Any]:
        """Give back what was sent, and the defaults that only a `Field` knows."""
        sent = valid.model_fields_set
        values = {
            own_name: getattr(valid, name)
            for name, own_name, is_filled in self._layout.fields
            if is_filled or name in sent
        }
        if self._layout.takes_any:
            values |= valid.model_extra or {}
        return values

    def _positional(self, rest: dict[str, Any]) -> Iterator[Any]:
        """Take out of `rest` what can only be handed over by position."""
        many = self._layout.many
        spread = rest.pop(many, None) if many else None
        for each in self.parameters:
            if each.kind not in POSITIONAL:
                continue
            if not spread and each.kind is not inspect.Parameter.POSITIONAL_ONLY:
                continue
            if each.name in rest:
                yield rest.pop(each.name)
            elif each.default is EMPTY:
                return
            else:
                yield each.default
        yield from spread if isinstance(spread, (list, tuple)) else ()


def refuse_surrogates(arguments: Mapping[str, Any]) -> None:
    """Refuse halves of surrogate pairs, as pydantic does when it reads JSON itself.

    Let through, they would come back in every text that quotes an argument, and one
    fault of the reading layer would look like one of each tool.

    Raises:
        Refused: If there is one in the arguments.
    """
    if "\\ud" not in repr(arguments):  # where none goes by unescaped
        return
    try:
        json.dumps(arguments, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refused("a text holds half of a surrogate pair") from None


def describe(function: Callable[..., Any]) -> Signature:
    """Read what a function takes.

    Args:
        function: A function, method, `functools.partial` or callable object. What
            a partial binds by keyword is the developer's, not the model's.
    """
    try:
        found = tuple(parameters_of(function))
    except (TypeError, ValueError) as error:
        return Signature(schema=None, unusable=f"its signature cannot be read: {error}")
    if found and found[0].name == "self" and found[0].kind in POSITIONAL:
        return Signature(
            schema=None,
            unusable="it is a method without its object; give that of an instance",
        )
    return _described(function, found)


def _described(function: Callable[..., Any], found: tuple[Parameter, ...]) -> Signature:
    try:
        model, schema = _modelled(function, found)
    except Exception:  # noqa: BLE001 - annotations may run any code and raise anything
        return _described_without_misfits(function, found)
    return Signature(schema=schema, parameters=found, _model=model)


def _described_without_misfits(
    function: Callable[..., Any], found: tuple[Parameter, ...]
) -> Signature:
    """Leave out what JSON cannot express, where the function does without it."""
    misfits = {each.name: _misfit(function, each) for each in found}
    for each in found:
        if misfits[each.name] and each.required:
            return Signature(schema=None, unusable=misfits[each.name])
    fitting = tuple(each for each in found if not misfits[each.name])
    if len(fitting) == len(found):
        return Signature(schema=None, unusable="no schema of its arguments can be made")
    return _described(function, fitting)


def _misfit(function: Callable[..., Any], parameter: Parameter) -> str | None:
    """Say why a parameter has no JSON Schema, or return `None` where it has one."""
    if parameter.problem:
        return f"argument {parameter.name!r}: {parameter.problem}"
    try:
        _modelled(function, [parameter])
    except Exception as error:  # noqa: BLE001 - see `_described`
        first = str(error).strip().partition("\n")[0]
        return (
            f"argument {parameter.name!r} takes"
            f" {inspect.formatannotation(parameter.annotation)}, which a model"
            f" cannot send as JSON ({first})"
        )
    return None


def _modelled(
    function: Callable[..., Any], parameters: Iterable[Parameter]
) -> tuple[type[BaseModel], dict[str, Any]]:
    """Make a pydantic model with one field per parameter, and its schema.

    The fields have names of ours and the parameters' names as aliases, because a
    model's own attributes (`json`, `copy`) and underscores are no field names.
    """
    from pydantic import BaseModel, ConfigDict

    plain = underlying(function)
    body: dict[str, Any] = {
        "__module__": getattr(plain, "__module__", None) or __name__,
        "__annotations__": {},
        "model_config": ConfigDict(extra="ignore"),
    }
    for number, each in enumerate(parameters):
        if each.problem:
            raise TypeError(each.problem)
        _add_field(body, f"p{number}", each)
    name = getattr(plain, "__name__", "arguments")
    model: Any = new_class(name, (BaseModel,), exec_body=lambda it: it.update(body))
    schema = model.model_json_schema(schema_generator=_schema_generator())
    schema.setdefault("additionalProperties", False)
    schema.setdefault("properties", {})
    return model, schema


def _add_field(body: dict[str, Any], name: str, parameter: Parameter) -> None:
    from pydantic import ConfigDict, Field

    annotations = body["__annotations__"]
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        body["model_config"] = ConfigDict(extra="allow")
        annotations["__pydantic_extra__"] = dict[str, parameter.annotation]  # type: ignore[name-defined]
        return
    infos = list(field_infos(parameter.annotation, parameter.default))
    options: dict[str, Any] = {"alias": parameter.key}
    if parameter.description and not any(info.description for info in infos):
        options["description"] = parameter.description
    annotation: Any = parameter.annotation
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        annotation = list.__class_getitem__(annotation)
        options["default_factory"] = list
    elif parameter.default is ABSENT:
        options["default_factory"] = type(None)
    elif is_field(parameter.default):
        annotation = Annotated[annotation, parameter.default]
    elif parameter.default is not EMPTY:
        options["default"] = parameter.default
    annotations[name] = annotation
    body[name] = Field(**options)


@functools.cache
def _schema_generator() -> type[GenerateJsonSchema]:
    """Make a generator that is silent about defaults that are no JSON.

    Of decimals it says, beyond what pydantic does, that their texts are numbers.
    """
    from pydantic.json_schema import GenerateJsonSchema

    class Silent(GenerateJsonSchema):
        ignored_warning_kinds: set[Any] = {  # noqa: RUF012 - the base class says so
            "skipped-choice",
            "non-serializable-default",
        }

        def decimal_schema(self, schema: Any) -> dict[str, Any]:
            found = super().decimal_schema(schema)
            for each in found.get("anyOf", [found]):
                if each.get("type") == "string":
                    each.setdefault("format", "decimal")
            return found

    return Silent


def _only_field_knows(parameter: Parameter) -> bool:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return False
    infos = list(field_infos(parameter.annotation, parameter.default))
    return is_field(parameter.default) or (
        parameter.default is EMPTY and any(not each.is_required() for each in infos)
    )


def _refused(error: ValueError) -> str | None:
    """Say why pydantic refuses; `None` for what has passed through it."""
    from pydantic import ValidationError  # here, as hardly any arguments are refused

    return reasons(error) if isinstance(error, ValidationError) else None


def reasons(error: ValidationError) -> str:
    """Say in a line what is wrong with arguments, without their values."""
    wrong = error.errors(include_url=False, include_context=False, include_input=False)
    texts = [
        f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}"
        for each in wrong
    ]
    more = len(texts) - _MOST_REASONS
    return "; ".join(texts[:_MOST_REASONS]) + (f"; and {more} more" if more > 0 else "")
