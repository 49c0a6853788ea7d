"""Arguments drawn by Hypothesis, which never learns what becomes of them.

A test that fails would end the search at its first failure, or wherever shrinking
leads. So the function that Hypothesis runs never fails: findings are collected
elsewhere, and Hypothesis only gives variety, within the profile of the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from unittest import SkipTest

from hypothesis import HealthCheck, given, settings
from hypothesis.control import current_build_context
from hypothesis.errors import HypothesisException

from pytest_toolresult.strategies.from_schema import from_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.strategies.from_schema import Pool

    Attempt = Callable[[dict[str, Any]], bool]
    """Makes a call of what was drawn; tells whether there may be more."""

_SUPPRESSED: Final = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.nested_given,
    HealthCheck.differing_executors,
)
"""What a slow tool, a large schema or a tool that uses Hypothesis bring with them."""

_AT_ONCE: Final = 50
"""So many calls follow each other: between the two halves of every example the
processor would have forgotten what it knew of the other."""


def draw(
    schema: Mapping[str, Any],
    attempt: Attempt,
    *,
    pool: Pool,
    max_examples: int,
    key: str,
) -> str:
    """Draw arguments and attempt a call with each.

    All but the number of examples and the deadline is the user's profile. What is
    drawn must not hang on what attempts learnt, or Hypothesis sees a flaky test.

    Args:
        schema: The JSON Schema of the arguments.
        attempt: Makes a call; once it has returned `False` no more are made.
        pool: Gives valid values to draw about every other time.
        max_examples: How many arguments to draw at most.
        key: What tells the tool apart, also where the profile is derandomized.

    Returns:
        Why nothing could be drawn, or an empty text.
    """
    profile = settings()
    attempts = _Attempts(attempt, at_once=1 if _is_symbolic(profile) else _AT_ONCE)

    @settings(
        max_examples=max_examples,
        deadline=None,
        suppress_health_check={*profile.suppress_health_check, *_SUPPRESSED},
    )
    @given(arguments=from_schema(schema, pool=pool))
    def draws(arguments: dict[str, Any]) -> None:
        attempts.add(_concrete(arguments))

    # Without it all tools would share what Hypothesis knows of this one function.
    draws.hypothesis.inner_test._hypothesis_internal_add_digest = key.encode()  # type: ignore[attr-defined]  # noqa: SLF001
    why = _run(draws)
    attempts.make()
    attempts.raise_what_stopped_them()
    return why


class _Attempts:
    """Makes calls of what was drawn, several in a row.

    Args:
        attempt: Makes a call; once it has returned `False` no more are made.
        at_once: How many to make in a row.
    """

    def __init__(self, attempt: Attempt, at_once: int) -> None:
        self._attempt = attempt
        self._at_once = at_once
        self._waiting: list[dict[str, Any]] = []
        self._goes_on = True
        self._stopped: BaseException | None = None

    def add(self, arguments: dict[str, Any]) -> None:
        """Take arguments, and make calls once there are enough."""
        if self._goes_on:
            self._waiting.append(arguments)
        if len(self._waiting) >= self._at_once:
            self.make()

    def make(self) -> None:
        """Make the calls that are still to be made."""
        waiting, self._waiting = self._waiting, []
        try:
            self._goes_on = self._goes_on and all(map(self._attempt, waiting))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - Hypothesis would try it again
            self._stopped = error
            self._goes_on = False

    def raise_what_stopped_them(self) -> None:
        """Raise what an attempt has raised, now that Hypothesis does not see it."""
        if self._stopped is not None:
            raise self._stopped


def _is_symbolic(profile: settings) -> bool:
    """Tell whether what is drawn gets its value only by what becomes of it."""
    return profile.backend != "hypothesis"


def _concrete(drawn: dict[str, Any]) -> dict[str, Any]:
    """Return plain values where a back end such as CrossHair draws symbols.

    They are sent as JSON and kept after the example, where symbols mean nothing.
    """
    realized: dict[str, Any] = current_build_context().data.provider.realize(drawn)
    return realized


def _run(draws: Callable[[], None]) -> str:
    try:
        draws()
    except SkipTest:
        return ""  # the profile says that nothing is to be drawn
    except HypothesisException as error:
        return f"Hypothesis draws no arguments ({type(error).__name__}: {error})"
    return ""
