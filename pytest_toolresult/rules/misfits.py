"""How arguments miss what a tool asks for, and what a validating layer would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.redaction.excerpt import excerpt_text

if TYPE_CHECKING:
    from pytest_toolresult.calls import Arguments

_MOST_TOLD: Final = 4
_WORDS: Final[Mapping[str, str]] = {
    "null": "null",
    "boolean": "a truth value",
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "an object",
}


def misfits(schema: Mapping[str, Any] | None, arguments: Arguments) -> list[str]:
    """Say what a layer that validates would have done about a call's arguments.

    Only names and types are looked at: nothing of the user's is run.

    Args:
        schema: The JSON Schema of the arguments, or `None` where there is none.
        arguments: What was sent.

    Returns:
        Pieces of a sentence that begins with "it would have"; none where the
        arguments fit.
    """
    if schema is None:
        return []
    properties = schema.get("properties", {})
    told = list(_missing(schema, arguments))
    if schema.get("additionalProperties") is False:
        told += [
            f"dropped or refused {_shown(name)}, which is no parameter"
            for name in arguments
            if name not in properties
        ]
    told += [
        line
        for name, value in arguments.items()
        for line in _mistyped(name, value, properties.get(name, True))
    ]
    return told[:_MOST_TOLD]


def _missing(schema: Mapping[str, Any], arguments: Arguments) -> Iterator[str]:
    absent = [
        _shown(name) for name in schema.get("required", ()) if name not in arguments
    ]
    if absent:
        yield f"refused the call because {' and '.join(absent[:_MOST_TOLD])} is missing"


def _mistyped(name: str, value: object, schema: object) -> Iterator[str]:
    allowed = _types(schema)
    actual = _type_of(value)
    if (
        allowed is None
        or actual in allowed
        or (actual == "integer" and "number" in allowed)
    ):
        return
    wanted = " or ".join(_WORDS.get(each, each) for each in sorted(allowed))
    yield (
        f"converted {_shown(name)} or refused it, since it is {_WORDS[actual]} and"
        f" not {wanted}"
    )


def _types(schema: object) -> frozenset[str] | None:
    """List the types a schema allows; `None` where that cannot be told at once."""
    if not isinstance(schema, Mapping):
        return None
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            several = [_types(each) for each in schema[keyword]]
            known = [each for each in several if each is not None]
            whole = len(known) == len(several)
            return frozenset[str]().union(*known) if whole else None
    found = schema.get("type")
    listed = [found] if isinstance(found, str) else found
    return frozenset(map(str, listed)) if isinstance(listed, list) else None


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return kinds.get(type(value), "array" if isinstance(value, list) else "object")


def _shown(name: str) -> str:
    return f"`{excerpt_text(name)}`"
