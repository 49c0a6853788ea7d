"""Finds the classes of a library's family that do its work themselves."""

from __future__ import annotations

from typing import Any


def working_classes(base: Any, method: str) -> list[Any]:
    """Return the classes below a base whose method does not call the one above it.

    Those that do, to retry or to set a time limit, are part of the tool: what they
    make of a failure is what is to be seen.
    """
    kinds = [base]
    for kind in kinds:
        kinds += [each for each in kind.__subclasses__() if each not in kinds]
    return [kind for kind in kinds[1:] if _works(vars(kind).get(method))]


def _works(function: Any) -> bool:
    if function is None:
        return False
    code = getattr(function, "__code__", None)
    return code is None or "__class__" not in code.co_freevars  # that is `super()`
