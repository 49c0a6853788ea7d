"""What becomes of drawn arguments once it is known what the tool gives away.

Nothing here is drawn from Hypothesis: what calls have taught would change what can
be drawn from one example to the next. One seed is drawn instead.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.strategies.mistakes import CALL_MISTAKES, VALUE_MISTAKES
from pytest_toolresult.strategies.places import at, name_of, places, put

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_toolresult.strategies.harvest import Harvest

_KNOWN: Final = 0.3
"""How often arguments that reached the tool before are started from."""
_HARVESTED: Final = 0.5
_AGAIN: Final = 0.3
_MISTAKEN: Final = 0.25
_OF_THE_CALL: Final = 0.25
_MOST_FORMS: Final = 8


def varied(
    drawn: Mapping[str, Any],
    seed: int,
    known: Sequence[Mapping[str, Any]],
    harvest: Harvest,
    *,
    mistakes: bool,
) -> dict[str, Any]:
    """Return the arguments to call with.

    Args:
        drawn: Valid arguments.
        seed: Decides on everything that is left to chance.
        known: Arguments that reached the tool before.
        harvest: Values that the tool has handed out.
        mistakes: Whether there may be mistakes in them as models make them.
    """
    chance = Random(seed)  # noqa: S311 - repeatable is what it has to be
    arguments = dict(drawn)
    if harvest and chance.random() < _HARVESTED:
        if known and chance.random() < _KNOWN:
            arguments = dict(chance.choice(known))
        arguments = harvest.put_into(arguments, chance)
        while chance.random() < _AGAIN:
            arguments = harvest.put_into(arguments, chance)
    if mistakes and chance.random() < _MISTAKEN:
        arguments = _mistaken(arguments, chance)
    return arguments


def _mistaken(arguments: dict[str, Any], chance: Random) -> dict[str, Any]:
    found = places(arguments)
    if not found or chance.random() < _OF_THE_CALL:
        calls = chance.choice(CALL_MISTAKES)(arguments)
        return chance.choice(list(islice(calls, _MOST_FORMS)) or [arguments])
    place = chance.choice(found)
    wrong = chance.choice(VALUE_MISTAKES)(at(arguments, place), name_of(place))
    forms = list(islice(wrong, _MOST_FORMS))
    if not forms:
        return arguments
    changed: dict[str, Any] = put(arguments, place, chance.choice(forms))
    return changed
