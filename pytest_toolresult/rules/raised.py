"""Describes an exception that left a tool: what, where, and what would help."""

from __future__ import annotations

import os
import re
import sysconfig
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.excerpt import excerpt_text
from pytest_toolresult.walk import class_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

    from pytest_toolresult.tools import Tool

_MOST_FRAMES: Final = 5_000
_BINDING: Final = re.compile(
    r"\w[\w.<>]{0,200}\(\) (?:missing \d+ required|got an unexpected keyword argument"
    r"|got some positional-only|got multiple values|takes \d+|takes from \d+)"
)


def described(error: BaseException) -> str:
    """Write an exception as `KeyError: 'id'`, masked and short."""
    text = excerpt_text(text_of(error))
    return f"{class_name(error)}: {text}" if text else class_name(error)


def text_of(error: BaseException) -> str:
    """Return an exception's own text, or what can be said where that raises."""
    with suppress(Exception, SystemExit, GeneratorExit):
        return str.__str__(str(error))
    return "(its text cannot be read)"


def innermost(error: BaseException) -> str | None:
    """Return the last frame in the project's code as `file:line in function`."""
    place = None
    for frame, line in _frames(error):
        if _is_project(frame.f_code.co_filename):
            file = _relative(frame.f_code.co_filename)
            place = f"{file}:{line} in {frame.f_code.co_name}"
    return place


def is_binding(error: BaseException, tool: Tool) -> bool:
    """Tell whether the arguments did not even fit the function's parameters."""
    if type(error) is not TypeError or not _BINDING.match(text_of(error)):
        return False
    code = _code(tool.function)
    return code is None or all(frame.f_code is not code for frame, _ in _frames(error))


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    trace = vars(BaseException)["__traceback__"].__get__(error)
    for _ in range(_MOST_FRAMES):
        if trace is None:
            return
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _code(function: object) -> CodeType | None:
    with suppress(Exception):
        code: CodeType = function.__code__  # type: ignore[attr-defined]
        return code
    return None


@cache
def _is_project(file: str) -> bool:
    return not file.startswith(("<", *_foreign_folders()))


@cache
def _foreign_folders() -> tuple[str, ...]:
    """List where code lies that is neither the user's nor the tool's."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {sysconfig.get_paths()[name] for name in names}
    folders.add(str(Path(__file__).parent.parent))
    return tuple(f"{folder}{os.sep}" for folder in folders)


def _relative(file: str) -> str:
    with suppress(ValueError, OSError):
        return Path(file).relative_to(Path.cwd()).as_posix()
    return file
