"""The table of all rules; those that are built are loaded on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import SettingsError, unknown
from pytest_toolresult.rules.names import NAMES
from pytest_toolresult.rules.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MODULES: Final = (
    *("envelope", "status", "supply", "answers", "errors", "messages", "shape"),
    *("structure", "values", "texts", "notations", "volume", "version", "redaction"),
    *("behaviour", "honesty", "pages", "sameness", "borders"),
)


def rules() -> tuple[Rule, ...]:
    """Return every rule that is built, in the order of the ids."""
    return tuple(_table().values())


def rule_named(id: str) -> Rule:  # noqa: A002 - the name users know it by
    """Return the rule of an id.

    Raises:
        SettingsError: If there is no such rule, or none that is built yet.
    """
    if id not in _table():
        raise SettingsError(unknown("rule", id, _like(id, _table())))
    return _table()[id]


def check_selectors(selectors: Iterable[str]) -> None:
    """Hold rule ids and prefixes, as users write them, to those that exist.

    Args:
        selectors: Ids such as `TR201`, or prefixes such as `TR2`.

    Raises:
        SettingsError: If a selector matches none of the fixed ids.
    """
    for selector in selectors:
        if not selector or not any(selects(selector, id_) for id_ in NAMES):
            raise SettingsError(unknown("rule", selector, _like(selector, NAMES)))


def selects(selector: str, id_: str) -> bool:
    """Tell whether an id is meant by a selector: an id itself, or a prefix."""
    return id_.startswith(selector)


@cache
def _table() -> Mapping[str, Rule]:
    found = [
        value
        for name in _MODULES
        for value in vars(import_module(f"pytest_toolresult.rules.{name}")).values()
        if isinstance(value, Rule)
    ]
    return {each.id: each for each in sorted(found, key=lambda each: each.id)}


def _like(selector: str, ids: Iterable[str]) -> list[str]:
    """Return the ids of the hundred that was meant, or the hundreds."""
    near = [id_ for id_ in ids if selector and id_.startswith(selector[:3])]
    return near or sorted({id_[:3] for id_ in ids})
