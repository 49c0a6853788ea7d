"""Plain JSON data: making it of values, and reading it back with every type checked."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_toolresult.errors import ReportError

Choice = TypeVar("Choice", bound=str)


def plain(value: object) -> Any:
    """Return a value as JSON data that any JSON parser and any pipe takes.

    Lone surrogates, which no encoding takes, become their escapes; NaN and the
    infinities, which are no JSON, and objects become text.
    """
    match value:
        case None | bool() | int():
            return value
        case str():
            return plain_text(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping():
            return {plain_text(str(key)): plain(each) for key, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
        case _:
            return plain_text(repr(value))


def plain_text(text: str) -> str:
    """Return a text that can be encoded: lone surrogates become their escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object that is read field by field.

    Every method raises `ReportError` where the field has another type, naming the
    field by its path, the value and the type that would be right.

    Attributes:
        values: What should be a JSON object.
        where: The path to it, for messages.
    """

    values: Mapping[str, Any]
    where: str

    @classmethod
    def of(cls, value: object, where: str) -> Record:
        """Take a value that must be a JSON object."""
        return cls(_typed(value, Mapping, where, "an object"), where)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text."""
        value = self._get(name, default)
        return str(_typed(value, str, self._at(name), "a text"))

    def optional_text(self, name: str) -> str | None:
        """Return a text, or `None` where there is none."""
        return None if self.values.get(name) is None else self.text(name)

    def count(self, name: str, default: int | None = None) -> int:
        """Return a whole number that is not negative."""
        return _counted(self._get(name, default), self._at(name))

    def seconds(self, name: str) -> float:
        """Return a finite number; absent means 0."""
        value = self._get(name, 0.0)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _damaged(self._at(name), value, "a number")
        if not 0 <= value < math.inf:
            raise _damaged(self._at(name), value, "a number of 0 or more")
        return float(value)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return true or false."""
        return bool(
            _typed(self._get(name, default), bool, self._at(name), "true or false")
        )

    def choice(self, name: str, valid: Sequence[Choice]) -> Choice:
        """Return one of the valid texts."""
        return _chosen(self._get(name, None), valid, self._at(name))

    def choices(self, name: str, valid: Sequence[Choice]) -> frozenset[Choice]:
        """Return a set of valid texts."""
        where = self._at(name)
        return frozenset(_chosen(each, valid, where) for each in self.items(name))

    def texts(self, name: str) -> frozenset[str]:
        """Return a set of texts."""
        where = self._at(name)
        return frozenset(
            str(_typed(each, str, where, "a list of texts"))
            for each in self.items(name)
        )

    def items(self, name: str) -> list[Any]:
        """Return a list; absent means empty."""
        return list(
            _typed(self._get(name, ()), (list, tuple), self._at(name), "a list")
        )

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return an object as it is; absent means empty."""
        found = Record.of(self._get(name, {}), self._at(name))
        return found.values

    def counts(self, name: str) -> dict[str, int]:
        """Return numbers by name."""
        where = self._at(name)
        return {
            key: _counted(each, f"{where}.{key}")
            for key, each in self.mapping(name).items()
        }

    def reasons(self, name: str) -> dict[str, str]:
        """Return texts by name."""
        record = Record(self.mapping(name), self._at(name))
        return {key: record.text(key) for key in record.values}

    def _get(self, name: str, default: object) -> Any:
        return self.values.get(name, default)

    def _at(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name


def _chosen(value: object, valid: Sequence[Choice], where: str) -> Choice:
    for each in valid:
        if each == value:
            return each
    raise _damaged(where, value, f"one of {', '.join(valid)}")


def _counted(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _damaged(where, value, "a whole number of 0 or more")
    return value


def _typed(value: object, kind: type | tuple[type, ...], where: str, words: str) -> Any:
    if not isinstance(value, kind):
        raise _damaged(where, value, words)
    return value


def _damaged(where: str, value: object, words: str) -> ReportError:
    return ReportError(f"{where} should be {words}, not {reprlib.repr(value)}")
