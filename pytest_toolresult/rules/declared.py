"""Holds data to what was declared of it: a type, a model or a JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.errors import ContractError
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.walk import step_of

if TYPE_CHECKING:
    from jsonschema.protocols import Validator
    from pydantic import TypeAdapter

_MOST_TOLD: Final = 20


def mismatches(declared: object, text: str, root: str) -> Iterator[tuple[str, str]]:
    """Give where data is not as declared, and how.

    Args:
        declared: A JSON Schema, or anything pydantic can validate: a model, a
            dataclass, a TypedDict, an annotation.
        text: The data as JSON: what is declared is what a model reads.
        root: What the data is called in places.

    Raises:
        ContractError: If what is declared cannot be used.
    """
    if isinstance(declared, Mapping):
        found = _by_schema(declared, text, root)
    else:
        found = _by_type(declared, text, root)
    return islice(found, _MOST_TOLD)


def check_declared(declared: object) -> None:
    """See that something can be used as a declaration of data.

    Raises:
        ContractError: If it cannot.
    """
    if isinstance(declared, Mapping):
        _validator(json.dumps(declared))
    elif declared is not None:
        _adapter(declared)


def _by_schema(
    schema: Mapping[str, Any], text: str, root: str
) -> Iterator[tuple[str, str]]:
    from referencing.exceptions import Unresolvable

    try:
        errors = list(_validator(json.dumps(schema)).iter_errors(json.loads(text)))
    except Unresolvable as error:
        raise ContractError(
            f"the schema refers to {error.ref!r}, which is not in it; nothing is"
            " fetched: put it under `$defs`"
        ) from None
    for each in errors:
        place = root + "".join(map(step_of, each.absolute_path))
        wanted = excerpt({each.validator: each.validator_value})
        yield place, f"{excerpt(each.instance)} does not fit {wanted}"


@lru_cache(maxsize=64)
def _validator(schema: str) -> Validator:
    """Make a validator that never looks for a schema on the network."""
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft202012Validator, validator_for
    from referencing import Registry

    whole = json.loads(schema)
    kind = validator_for(whole, default=Draft202012Validator)
    try:
        kind.check_schema(whole)
    except SchemaError as error:
        where = "".join(map(step_of, error.absolute_path)).lstrip(".") or "the whole"
        raise ContractError(
            f"data is no valid JSON Schema: {where}: {error.message}"
        ) from None
    return kind(whole, registry=Registry())


def _by_type(declared: object, text: str, root: str) -> Iterator[tuple[str, str]]:
    from pydantic import ValidationError

    try:
        _adapter(declared).validate_json(text, strict=True)
    except ValidationError as error:
        for each in error.errors(include_url=False, include_context=False):
            place = root + "".join(map(step_of, each["loc"]))
            yield place, f"{excerpt(each['input'])}: {excerpt_text(each['msg'])}"


def _adapter(declared: Any) -> TypeAdapter[Any]:
    try:
        return _kept_adapter(declared)
    except TypeError:  # an annotation that cannot be hashed
        return _made_adapter(declared)


@lru_cache(maxsize=64)
def _kept_adapter(declared: Any) -> TypeAdapter[Any]:
    return _made_adapter(declared)


def _made_adapter(declared: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    try:
        return TypeAdapter(declared)
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        raise ContractError(
            f"data={declared!r} is no type, model or JSON Schema: {first}"
        ) from error
