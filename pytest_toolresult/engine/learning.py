"""What results tell beside being right or wrong: their size, and their shape."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Final

from pytest_toolresult.rules.exhibit import exhibit
from pytest_toolresult.rules.version import version_of
from pytest_toolresult.rules.volume import size_of
from pytest_toolresult.shapes import joined, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_toolresult.interactions import Interaction
    from pytest_toolresult.rules.exhibit import Exhibit
    from pytest_toolresult.settings import Settings
    from pytest_toolresult.shapes import Shape

_MEASURED: Final = 3
"""How many of the longest results are measured for the largest one."""

CODE: Final = "code"
"""Stands for the type in the shape of an error, which is the set of its codes."""


def largest_of(interactions: Sequence[Interaction], settings: Settings) -> int:
    """Count the tokens of the largest result.

    Only the longest are counted: fewer characters seldom make more tokens. What came
    back under a fault, which can be data made up by the thousand, is no measure.
    """
    returned = (
        each
        for each in interactions
        if each.outcome.ending == "returned" and each.call.injection is None
    )
    prepared = (exhibit(each, settings=settings) for each in returned)
    counts = map(size_of, nlargest(_MEASURED, prepared, key=_length))
    return max((count.tokens for count in counts if count), default=0)


def _length(found: Exhibit) -> int:
    return len(found.survey.everything) + len(found.survey.containers)


def shapes_of(interactions: Iterable[Interaction]) -> dict[str, dict[str, Shape]]:
    """Learn the shapes of sound results, by format version and status.

    Calls under a fault only tell their codes: what a fault distorts is no promise.
    """
    learnt: dict[str, dict[str, Shape]] = {}
    for found in map(exhibit, interactions):
        if found.path is None:
            continue
        known = learnt.setdefault(version_of(found.meta_fields), {})
        shape = _shape(found)
        if shape is not None and found.path in known:
            shape = joined(known[found.path], shape)
        if shape is not None:
            known[found.path] = shape
    return {version: known for version, known in learnt.items() if known}


def _shape(found: Exhibit) -> Shape | None:
    if found.path == "error":
        code = found.envelope.code if found.envelope else None
        return {code: CODE} if code else {}
    return None if found.call.injection else shape_of(found.data)
