"""What has to be in place before the modules of tools are imported.

Tools often connect to their database as their module is imported. Such connections
have to be made so that they can be watched later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.seams.sqlite_ import SQLITE

if TYPE_CHECKING:
    import pytest


def get_ready(config: pytest.Config) -> None:
    """Have connections made so that they can be watched, for the rest of a run."""
    if SQLITE.watch():
        config.add_cleanup(SQLITE.unwatch)
