"""Bridges to the frameworks that hold tools, one module each.

An adapter recognises an object by the names of its classes, so that asking costs
no import, and presents what it holds as `Tool`s that are called exactly as the
framework calls them. Adapters do not know one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from pytest_toolresult.tools import Tool


class Adapter(Protocol):
    """What each module of this package offers under the name `ADAPTER`."""

    name: str

    def recognises(self, candidate: object) -> bool:
        """Tell whether the object is one of this framework's, without an import."""
        ...

    def tools(
        self, candidate: object, *, validate: bool | None
    ) -> Sequence[Tool] | Awaitable[Sequence[Tool]]:
        """List the tools that the object holds.

        Args:
            candidate: An object that `recognises` accepted.
            validate: Whether arguments are validated before the tool sees them;
                `None` means as the framework does.

        Raises:
            TargetError: If the object holds something that cannot be called.
        """
        ...
