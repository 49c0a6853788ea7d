"""Arguments drawn by Hypothesis, which never learns what becomes of them.

A test that fails would end the search at its first failure, or wherever shrinking
leads. So the function that Hypothesis runs never fails: findings are collected
elsewhere, and Hypothesis only gives variety, within the profile of the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar
from unittest import SkipTest

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.control import current_build_context
from hypothesis.errors import HypothesisException

from pytest_toolresult.strategies.defects import MALFORMED
from pytest_toolresult.strategies.from_schema import from_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_toolresult.strategies.from_schema import Pool

    Attempt = Callable[[dict[str, Any], int], bool]
    """Makes of what was drawn a call, with a seed for what is not drawn; tells
    whether there may be more."""

_Drawn = TypeVar("_Drawn")

_SUPPRESSED: Final = (
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
    HealthCheck.nested_given,
    HealthCheck.differing_executors,
)
"""What a slow tool, a large schema or a tool that uses Hypothesis bring with them."""

_SEEDS: Final = 2**32


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
    profile, goes_on = settings(), True
    stopped: list[BaseException] = []

    @settings(
        max_examples=max_examples,
        deadline=None,
        suppress_health_check={*profile.suppress_health_check, *_SUPPRESSED},
    )
    @given(arguments=from_schema(schema, pool=pool), seed=st.integers(0, _SEEDS - 1))
    def draws(arguments: dict[str, Any], seed: int) -> None:
        nonlocal goes_on
        if not goes_on:
            return
        try:
            goes_on = attempt(*_concrete((arguments, seed)))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - Hypothesis would try it again
            stopped.append(error)
            goes_on = False

    # Without it all tools would share what Hypothesis knows of this one function.
    draws.hypothesis.inner_test._hypothesis_internal_add_digest = key.encode()  # type: ignore[attr-defined]  # noqa: SLF001
    why = _run(draws)
    if stopped:
        raise stopped[0]
    return why


def _concrete(drawn: _Drawn) -> _Drawn:
    """Return plain values where a back end such as CrossHair draws symbols.

    They are sent as JSON and kept after the example, where symbols mean nothing.
    """
    realized: _Drawn = current_build_context().data.provider.realize(drawn)
    return realized


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
