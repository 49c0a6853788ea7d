"""Replay lines: the command that shows a finding's arguments again."""

from __future__ import annotations

import json
import os
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
        asked: What `--toolresult-replay` gives: arguments, and the fault if there
            was one. `None` where nothing is replayed.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        given = config.getoption("toolresult_replay")
        self.asked = self._given(given) if given else None

    def line_for(self, node_id: str, plan: Plan) -> Callable[[Arguments, str], str]:
        """Return what makes the replay line of an item's arguments.

        A declared case replays by its node id alone, and an exploration makes the
        same calls again where its arguments cannot be kept.
        """
        alias = node_id.split("::", maxsplit=1)[0]
        if not plan.target or alias.endswith(".toml"):  # pytest looks files up there
            node_id = self._from_here(node_id)
        command = shlex.join(["pytest", *_naming(alias, plan.target), node_id])
        if plan.exploration is None:
            return lambda *_: command

        set_for_the_run = self._config.getoption("toolresult_dialect") or ""
        own = "" if plan.contract.dialect else set_for_the_run

        def line(arguments: Arguments, dialect: str) -> str:
            shown = self._shown(arguments)
            pinned = (shown and dialect) or own  # one result is read as all were
            options = {"dialect": pinned, "replay": shown}
            further = [
                f" --toolresult-{name}={shlex.quote(value)}"
                for name, value in options.items()
                if value
            ]
            return command + "".join(further)

        return line

    def _from_here(self, node_id: str) -> str:
        """Name a file as it is found from where pytest was started."""
        file, separator, rest = node_id.partition("::")
        here = self._config.invocation_params.dir
        return os.path.relpath(self._config.rootpath / file, here) + separator + rest

    def _shown(self, arguments: Arguments) -> str:
        """Return arguments as JSON or as a digest, or nothing where neither goes.

        With a secret in them neither does: what is kept could be read.
        """
        text = json.dumps(arguments)
        if mask(text) != text:
            return ""
        if len(text) <= _LONGEST:
            return text
        folder = self._folder()
        if folder is None:
            return ""
        digest = blake2b(text.encode(), digest_size=6).hexdigest()
        folder.joinpath(f"{digest}.json").write_text(text, encoding="utf-8")
        return f"#{digest}"

    def _given(self, text: str) -> Mapping[str, Any]:
        found = arguments_of(text)
        if found is not None:
            return found
        folder = self._folder()
        if folder is None:
            raise SettingsError(
                f"--toolresult-replay={text} is kept in pytest's cache, which is"
                " switched off (-p no:cacheprovider)"
            )
        path = folder / f"{text.removeprefix('#')}.json"
        if not path.is_file():
            raise SettingsError(
                f"--toolresult-replay={text}: no such arguments in pytest's cache;"
                " run the exploration again to get a new line"
            )
        stored = arguments_of(path.read_text(encoding="utf-8"))
        return stored or {}

    def _folder(self) -> Path | None:
        """Return where arguments are kept: a file each, so workers never meet."""
        cache = getattr(self._config, "cache", None)
        return cache.mkdir("toolresult-replay") if cache else None


def _naming(alias: str, target: str) -> list[str]:
    """Return the option that names a target, where the node id does not name it."""
    if not target or alias.endswith(".toml") or parse(alias).text == target:
        return []
    own = parse(target).alias == alias
    return ["--toolresult", target if own else f"{alias}={target}"]
