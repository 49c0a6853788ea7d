"""No path leads out of the folder that a tool keeps to.

What is to be reached lies in a temporary folder of ours, far from the tool's own. A
link is put into the tool's folder only where that is a temporary one as well.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_LINK: Final = "toolresult-link"


class Outside:
    """Asks for a file that lies elsewhere, by every way that is known."""

    name = "outside"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:
        """Give one series for each argument that named a file which was opened."""
        for name in ground.takes_by_name:
            root = root_of(ground, name)
            if root is not None and not root.is_dir():
                reasons.add(self.name, "its folder is gone once a call is over")
            elif root is not None:
                key = f"{self.name}:{name}"
                play = partial(_play, name=name, root=root)
                yield Series(key=key, cost=5, play=play)


def root_of(ground: Ground, name: str) -> Path | None:
    """Return the folder in which an argument was looked up; `None` where it was none.

    Args:
        ground: A success, with what it opened.
        name: The argument.
    """
    value = ground.arguments.get(name)
    if not isinstance(value, str) or not value or PurePath(value).is_absolute():
        return None
    for crossing in ground.base.outcome.boundary:
        opened = crossing.sent
        if crossing.call.seam != "files" or not opened.endswith(value):
            continue
        root = Path(opened[: -len(value)])
        if root.is_absolute():
            return root
    return None


def _play(stage: Stage, name: str, root: Path) -> None:
    suffix = PurePath(stage.ground.arguments[name]).suffix
    with _planted(suffix) as (file, canary), _linked(root, file) as link:
        for path, told in _ways(root, file, link):
            asked = {**stage.ground.arguments, name: path}
            if stage.ground.takes(asked):
                stage.call(asked, role="outside", told=told, about=name, canary=canary)


def _ways(root: Path, file: Path, link: str) -> Iterator[tuple[str, str]]:
    """Give paths to a file, with what they are in words."""
    relative = os.path.relpath(file, os.path.realpath(root))
    yield relative, "a path with '..'"
    yield str(file), "an absolute path"
    yield relative.replace("..", "%2e%2e"), "a path with an encoded '..'"
    if link:
        yield link, "a link"


@contextmanager
def _planted(suffix: str) -> Iterator[tuple[Path, str]]:
    """Have a file with a text of its own in a folder of its own."""
    canary = f"planted-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(prefix="outside-") as folder:
        file = Path(folder).resolve() / f"planted{suffix}"
        content = json.dumps(canary) if suffix == ".json" else f"{canary}\n"
        file.write_text(content, encoding="utf-8")
        yield file, canary


@contextmanager
def _linked(root: Path, file: Path) -> Iterator[str]:
    """Have a link to a file in a folder, where that is a temporary one."""
    temporary = Path(tempfile.gettempdir()).resolve()
    link = root.resolve() / f"{_LINK}{file.suffix}"
    if not link.is_relative_to(temporary) or link.exists():
        yield ""
        return
    try:
        link.symlink_to(file)
    except OSError:  # no right to, or a system without links
        yield ""
        return
    try:
        yield link.name
    finally:
        with suppress(OSError):
            link.unlink()


OUTSIDE: Final = Outside()
