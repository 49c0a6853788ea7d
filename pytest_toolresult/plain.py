"""Results as plain JSON-like data, whatever object a tool returned.

Tools return dicts, dataclasses, pydantic models, named tuples, objects with
attributes, or JSON text. A runtime serialises them; this module says what it sees.
It never raises: an object that cannot be read is left as it is.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from pytest_toolresult import walk
from pytest_toolresult.envelope import FIELDS

UNSENT: Final = "pytest_toolresult.unsent"
"""Marks a dataclass's field that is there for the test and never sent to a model."""

_AS_IT_IS: Final = frozenset({dict, list, str, int, float, bool, type(None)})
"""What nearly all results are made of, and has no other form."""

_TOO_LONG_FOR_JSON = 10_000_000
"""Characters from which a text is not parsed: reading a result stays cheap."""


def plain(value: Any) -> Any:
    """Return the value as a runtime would serialise it, one level into containers.

    Models and dataclasses become dicts, JSON text becomes what it says. All else,
    right or wrong, stays what it is: judging is not done here.
    """
    if walk.is_a(value, str):
        return parsed(str.__str__(value))
    try:
        return _container_as_plain(value)
    except Exception:  # noqa: BLE001 - whatever a result's own code raises
        return value


def _container_as_plain(value: Any) -> Any:
    # Read past what a subclass may have overridden: nothing would end a loop there.
    if isinstance(value, list):
        return [_object_as_dict(each) for each in list.__iter__(value)]
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return [_object_as_dict(each) for each in tuple.__iter__(value)]
    if isinstance(value, dict):
        return {key: _object_as_dict(each) for key, each in dict.items(value)}
    if isinstance(value, Mapping):
        return {key: _object_as_dict(each) for key, each in value.items()}
    return _object_as_dict(value)


def parsed(text: str) -> Any:
    """Return the JSON object or array that a text is, or the text itself."""
    if len(text) > _TOO_LONG_FOR_JSON or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, (dict, list)) else text


def fields_of(value: Any) -> dict[str, Any] | None:
    """Return the named fields of a result, or `None` where it has none.

    A mapping, a pydantic model, a dataclass, a named tuple and JSON text have
    fields; another object has them where it carries a `status` attribute and at
    least one more of the envelope's.
    """
    if type(value) is dict:
        return walk.fields_of(value)
    text = walk.is_a(value, str)
    found = _object_as_dict(parsed(str.__str__(value)) if text else value)
    if issubclass(type(found), Mapping):
        return walk.fields_of(found)
    return _attributes(found)


def _object_as_dict(value: Any) -> Any:
    if type(value) in _AS_IT_IS:
        return value
    try:
        for read in (_model, _dataclass, _named_tuple):
            if (found := read(value)) is not None:
                return found
    except Exception:  # noqa: BLE001 - whatever a result's own code raises
        return value
    return value


def _model(value: Any) -> Any:
    """Read a pydantic model without importing pydantic."""
    dump = getattr(value, "model_dump", None)
    if dump is None or not hasattr(type(value), "model_fields"):
        return None
    return dump(mode="json")


def _dataclass(value: Any) -> Any:
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return None
    unsent = {
        each.name for each in dataclasses.fields(value) if UNSENT in each.metadata
    }
    return {
        name: _enum_value(each)
        for name, each in dataclasses.asdict(value).items()
        if name not in unsent
    }


def _named_tuple(value: Any) -> Any:
    if not isinstance(value, tuple) or not hasattr(value, "_asdict"):
        return None
    return value._asdict()


def _attributes(value: Any) -> dict[str, Any] | None:
    kind = type(value)
    if value is None or issubclass(kind, (str, bytes, int, float, list, type)):
        return None
    try:
        names = [name for name in FIELDS if hasattr(value, name)]
        extra = {name for name in vars(value) if not name.startswith("_")}
        if "status" not in names or len(names) < 2:  # noqa: PLR2004 - see above
            return None
        read = [*names, *sorted(extra.difference(names))]
        return {name: _enum_value(getattr(value, name)) for name in read}
    except Exception:  # noqa: BLE001 - whatever a result's own code raises
        return None


def _enum_value(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
