"""Replay lines: the command that shows a finding's arguments again."""

from __future__ import annotations

import json
import shlex
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult._plugin.configuration import arguments_of
from pytest_toolresult.errors import SettingsError
from pytest_toolresult.redaction.masks import mask
from pytest_toolresult.targets import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pytest

    from pytest_toolresult._plugin.plans import Plan
    from pytest_toolresult.calls import Arguments

_LONGEST: Final = 500
"""Characters of arguments that still go into a line."""


class Replays:
    """What is to be replayed in this run, and how later runs can.

    Attributes:
        arguments: The arguments that `--toolresult-replay` gives, or `None`.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        given = config.getoption("toolresult_replay")
        self.arguments = self._given(given) if given else None

    def line_for(self, node_id: str, plan: Plan) -> Callable[[Arguments], str]:
        """Return what makes the replay line of an item's arguments.

        A declared case replays by its node id alone.
        """
        words = ["pytest", *_naming(node_id, plan.target), node_id]
        command = shlex.join(words)
        if plan.exploration is None:
            return lambda _: command

        def line(arguments: Arguments) -> str:
            shown = shlex.quote(self._shown(arguments))
            return f"{command} --toolresult-replay={shown}"

        return line

    def _shown(self, arguments: Arguments) -> str:
        text = json.dumps(arguments)
        if len(text) <= _LONGEST and mask(text) == text:
            return text
        digest = blake2b(text.encode(), digest_size=6).hexdigest()
        self._folder().joinpath(f"{digest}.json").write_text(text, encoding="utf-8")
        return f"#{digest}"

    def _given(self, text: str) -> Mapping[str, Any]:
        found = arguments_of(text)
        if found is not None:
            return found
        path = self._folder() / f"{text.removeprefix('#')}.json"
        if not path.is_file():
            raise SettingsError(
                f"--toolresult-replay={text}: no such arguments in pytest's cache;"
                " run the exploration again to get a new line"
            )
        stored = arguments_of(path.read_text(encoding="utf-8"))
        return stored or {}

    def _folder(self) -> Path:
        """Return where long arguments are kept: a file each, so workers never meet."""
        cache = getattr(self._config, "cache", None)
        if cache is None:
            raise SettingsError("pytest's cache is switched off (-p no:cacheprovider)")
        return cache.mkdir("toolresult-replay")  # type: ignore[no-any-return]


def _naming(node_id: str, target: str) -> list[str]:
    """Return the option that names a target, where the node id does not name it."""
    alias = node_id.split("::", maxsplit=1)[0]
    if not target or alias.endswith(".toml") or parse(alias).text == target:
        return []
    own = parse(target).alias == alias
    return ["--toolresult", target if own else f"{alias}={target}"]
