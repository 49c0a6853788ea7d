"""Arguments drawn by Hypothesis, which never learns what becomes of them.

A test that fails would end the search at its first failure, or wherever shrinking
leads. So the function that Hypothesis runs never fails: findings are collected
elsewhere, and Hypothesis only gives variety, within the profile of the user.
"""

from __future__ import annotations

import time
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final
from unittest import SkipTest

from hypothesis import HealthCheck, given, settings
from hypothesis.control import current_build_context
from hypothesis.errors import BackendCannotProceed, HypothesisException

from pytest_toolresult.strategies.defects import MALFORMED
from pytest_toolresult.strategies.from_schema import from_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.strategies.from_schema import Pool

    Attempt = Callable[[dict[str, Any], bool], bool]
    """Makes a call of what was drawn, of exactly that if it is told to, where it is
    what symbols came to; tells whether there may be more."""

    Show = Callable[[Mapping[str, Any]], object]

_SUPPRESSED: Final = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.nested_given,
    HealthCheck.differing_executors,
)
"""What a slow tool, a large schema or a tool that uses Hypothesis bring with them."""

_AT_ONCE: Final = 100
"""So many calls follow each other: between the two halves of every example the
processor would have forgotten what it knew of the other."""

_FOLLOWED_S: Final = 30.0
"""How long symbols are followed, in seconds: that is slow, and not all there is."""


def draw(  # noqa: PLR0913 - one is for back ends of another kind
    schema: Mapping[str, Any],
    attempt: Attempt,
    *,
    pool: Pool,
    max_examples: int,
    key: str,
    show: Show = lambda _: None,
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
        show: Takes what is drawn before it gets its values, where the profile's back
            end draws symbols: it learns from this what to draw next.

    Returns:
        Why nothing could be drawn, or an empty text.
    """
    attempts = _Attempts(attempt)
    until = time.monotonic() + _FOLLOWED_S

    @_asked_for(max_examples)
    @given(arguments=from_schema(schema, pool=pool))
    def draws(arguments: dict[str, Any]) -> None:
        provider = current_build_context().data.provider
        if provider.avoid_realization:
            if time.monotonic() > until:
                raise BackendCannotProceed("exhausted")  # Hypothesis goes on by itself
            show(arguments)
        # Calls are made and kept after the example, where symbols mean nothing.
        exact = provider.avoid_realization
        attempts.add(provider.realize(arguments), exact=exact)

    # Without it all tools would share what Hypothesis knows of this one function.
    draws.hypothesis.inner_test._hypothesis_internal_add_digest = key.encode()  # type: ignore[attr-defined]  # noqa: SLF001
    why = _run(draws)
    attempts.make()
    attempts.raise_what_stopped_them()
    return why


def _asked_for(max_examples: int) -> settings:
    """Return the user's profile, but for what a tool must not be measured by."""
    return settings(
        max_examples=max_examples,
        deadline=None,
        suppress_health_check={*settings().suppress_health_check, *_SUPPRESSED},
    )


class _Attempts:
    """Makes calls of what was drawn, several in a row.

    Args:
        attempt: Makes a call; once it has returned `False` no more are made.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._goes_on = True
        self._attempt = attempt
        self._waiting: list[tuple[dict[str, Any], bool]] = []
        self._stopped: BaseException | None = None

    def add(self, arguments: dict[str, Any], *, exact: bool) -> None:
        """Take arguments, and make calls once there are enough.

        What follows symbols traces whatever runs within its example, and would trace
        the calls as well: they wait for one without, or for the end.
        """
        if self._goes_on:
            self._waiting.append((arguments, exact))
        if not exact and len(self._waiting) >= _AT_ONCE:
            self.make()

    def make(self) -> None:
        """Make the calls that are still to be made."""
        waiting, self._waiting = self._waiting, []
        try:
            self._goes_on = self._goes_on and all(starmap(self._attempt, waiting))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - Hypothesis would try it again
            self._stopped = error
            self._goes_on = False

    def raise_what_stopped_them(self) -> None:
        """Raise what an attempt has raised, now that Hypothesis does not see it."""
        if self._stopped is not None:
            raise self._stopped


def _run(draws: Callable[[], None]) -> str:
    try:
        draws()
    except SkipTest:
        return ""  # the profile says that nothing is to be drawn
    except HypothesisException as error:
        return f"Hypothesis draws no arguments ({type(error).__name__}: {error})"
    except MALFORMED as e:
        return f"the schema of its arguments cannot be read ({type(e).__name__}: {e})"
    return ""
