"""Files that are planted where a tool should not get to, and taken away again.

They lie in folders of our own below the system's folder for temporary files. A link
is put into the tool's own folder, and a folder beside it, only where that is a
temporary one as well.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.guard import unguarded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.openings import Opening

_STEM: Final = "outside"
_LARGEST: Final = 100_000
_FRONT_MATTER: Final = "---"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """What has been planted, and the arguments that name it.

    Attributes:
        canary: A text that stands there and nowhere else.
        far: The argument as an absolute path, in a folder far from the tool's.
        sibling: The argument as a path beside the tool's folder, in one whose name
            begins with the same letters; empty where there is none.
        stranger: The same in one whose name begins with others.
        link: The name of a link in the tool's folder, or an empty text.
        files: The real paths of the files and folders that are to stay out of reach.
    """

    canary: str
    far: str
    sibling: str = ""
    stranger: str = ""
    link: str = ""
    files: tuple[str, ...] = ()


@contextmanager
def planted(opening: Opening) -> Iterator[Plant | None]:
    """Plant files like the one that was opened; `None` where that cannot be.

    Args:
        opening: How the tool came to its own file.
    """
    canary = f"planted-{secrets.token_hex(8)}"
    with ExitStack() as stack:
        try:
            yield _planted(opening, canary, stack)
        except _CannotError:
            yield None


class _CannotError(Exception):
    """Nothing can be planted."""


def _planted(opening: Opening, canary: str, stack: ExitStack) -> Plant:
    content = _content(Path(opening.path), canary)
    try:
        far = _folder(Path(tempfile.gettempdir()), "toolresult-", stack)
    except OSError as error:
        raise _CannotError from error
    if _is_below(far, Path(opening.root)):
        raise _CannotError
    files = [_put(far, opening, canary, content)]
    beside: dict[str, str] = {}
    root = Path(os.path.realpath(opening.root))
    if root.is_dir() and _is_temporary(root.parent):
        for kind, prefix in (("sibling", f"{root.name}-"), ("stranger", "toolresult-")):
            with suppress(OSError):
                folder = _folder(root.parent, prefix, stack)
                files.append(_put(folder, opening, canary, content))
                beside[kind] = f"../{folder.name}/{_STEM}{opening.ending}"
    link = ""
    if root.is_dir() and _is_temporary(root):
        with suppress(OSError):
            link = _linked(root, far, opening, stack)
            files.append(str(root / f"{link}{opening.rest}"))
    argument = str(far / f"{_STEM}{opening.ending}")
    return Plant(canary=canary, far=argument, link=link, files=tuple(files), **beside)


def _folder(parent: Path, prefix: str, stack: ExitStack) -> Path:
    with unguarded():
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent)).resolve()
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _put(folder: Path, opening: Opening, canary: str, content: bytes) -> str:
    """Put a file, or a folder with a file, where the argument would lead to."""
    place = Path(f"{folder}{os.sep}{_STEM}{opening.ending}{opening.rest}")
    file = place / f"{canary}.txt" if opening.lists else place
    with unguarded():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return str(place)


def _linked(root: Path, far: Path, opening: Opening, stack: ExitStack) -> str:
    """Put a link into a folder that leads out of it, for as long as it is tried."""
    argument = f"toolresult-{secrets.token_hex(4)}{opening.ending}"
    begins = opening.rest.partition(os.sep)[0]
    link = root / f"{argument}{begins}"
    with unguarded():
        link.symlink_to(far / f"{_STEM}{opening.ending}{begins}")
    stack.callback(link.unlink, missing_ok=True)
    return argument


def _content(original: Path, canary: str) -> bytes:
    """Return a content that the tool can read as well as its own, with a canary in it.

    What is no text is the same as in the tool's own file: then only the path tells.
    """
    try:
        small = original.is_file() and original.stat().st_size <= _LARGEST
        content = original.read_bytes() if small else b""
        text = content.decode()
    except OSError:
        return f"{canary}\n".encode()
    except UnicodeDecodeError:
        return content
    return _with_canary(text, canary).encode()


def _with_canary(text: str, canary: str) -> str:
    with suppress(ValueError, RecursionError):
        found: Any = json.loads(text)
        if isinstance(found, dict):
            return json.dumps({"planted": canary, **found})
        if isinstance(found, list):
            return json.dumps([canary, *found])
    first, *others = text.splitlines() or [""]
    early = [] if first.strip() == _FRONT_MATTER else [canary]  # a heading, or a header
    return "\n".join([first, *early, *others, canary, ""])


def _is_temporary(folder: Path) -> bool:
    return _is_below(folder, Path(tempfile.gettempdir()))


def _is_below(place: Path, folder: Path) -> bool:
    real = os.path.realpath(folder)
    return Path(os.path.realpath(place)).is_relative_to(real)
