"""Finds the other names under which modules hold a function.

`from time import sleep` copies: replacing `time.sleep` does not reach it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_toolresult.seams.patches import Patches

_KEEP: Final = sys.stdlib_module_names | {
    "_pytest",
    "execnet",
    "hypothesis",
    "pluggy",
    "pytest",
    "pytest_timeout",
    "pytest_toolresult",
    "xdist",
}
"""Whose own copies stay: they measure and bound the run, and must not be led astray."""

_BARE: Final[dict[tuple[str, frozenset[int]], int]] = {}
"""How many names a module had when it held none of some functions."""


def replace_everywhere(patches: Patches, by: Mapping[Any, Any]) -> None:
    """Replace functions in every module that holds them under whatever name.

    Args:
        patches: What takes the replacements out again.
        by: The replacement of each function.
    """
    sought = {id(original): replacement for original, replacement in by.items()}
    kind = frozenset(sought)
    for module in _modules():
        names = vars(module)
        if _BARE.get((module.__name__, kind)) == len(names):
            continue
        found = [name for name, value in list(names.items()) if id(value) in sought]
        for name in found:
            patches.replace(module, name, sought[id(names[name])])
        if not found:
            _BARE[module.__name__, kind] = len(names)


def _modules() -> Iterator[ModuleType]:
    for name, module in list(sys.modules.items()):
        # Something lazy would be loaded by being looked at.
        if type(module) is ModuleType and name.partition(".")[0] not in _KEEP:
            yield module
