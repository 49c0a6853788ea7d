"""Where an exception was raised, and whether on purpose.

The innermost entry of a traceback is where an exception was first raised, however
often it was caught and raised again since; the instruction recorded there tells a
`raise` statement from an operation that failed.
"""

from __future__ import annotations

import inspect
import sys
import sysconfig
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType, TracebackType

BUG_LIKE: Final[tuple[type[BaseException], ...]] = (
    TypeError,
    LookupError,
    AttributeError,
    NameError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    UnicodeError,
)
"""Classes that stand for a mistake in the program, also where it raises them.

A class that the project derives from one, such as `class OrderNotFound(LookupError)`,
stands for what it is named after.
"""

_SUSPENDABLE: Final = (
    inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
)
_OURS: Final = __name__.partition(".")[0]
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


def deliberate(exception: BaseException, *, package: str = "") -> bool:
    """Tell whether the project raised an exception on purpose.

    It did where the exception stems from a `raise` statement in code that is neither
    the standard library's nor an installed package's, and is not `BUG_LIKE`. A
    group is deliberate where every exception in it is. What is no `Exception` gets
    past the `except Exception` with which a runtime makes results of errors.

    Args:
        exception: An exception that left a tool.
        package: The tool's own top-level package. Its code is the project's even
            where it is installed, as it is under tox.
    """
    if isinstance(exception, BaseExceptionGroup):
        return all(deliberate(one, package=package) for one in exception.exceptions)
    if _is_bug_like(exception) or not isinstance(exception, Exception):
        return False
    origin = _innermost(exception)
    return (
        origin is not None
        and _is_raise_statement(origin)
        and _is_own(origin, package=package)
    )


def _is_bug_like(exception: BaseException) -> bool:
    module = type(exception).__module__.partition(".")[0]
    return isinstance(exception, BUG_LIKE) and module in sys.stdlib_module_names


def is_interrupt(exception: BaseException) -> bool:
    """Tell whether a real Ctrl-C is at the bottom of an exception.

    A `KeyboardInterrupt` that a tool raises stems from a `raise` statement. One that
    the operating system delivered does not, or it stems from the handler in force.
    """
    return any(_was_delivered(one) for one in _with_causes(exception))


def leaves(exception: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions inside a group, at any depth; of others the one itself."""
    if isinstance(exception, BaseExceptionGroup):
        for one in exception.exceptions:
            yield from leaves(one)
    else:
        yield exception


def let_go(exception: BaseException) -> None:
    """Empty the functions that an exception came through of what they still hold.

    An exception that is kept keeps their variables: open files, connections, and
    coroutines whose end would be noticed during some later call. A function that can
    be suspended is left alone, since it may have caught the exception and go on.
    """
    for one in _with_causes(exception):
        for frame in _frames(one.__traceback__):
            if not frame.f_code.co_flags & _SUSPENDABLE:
                with suppress(RuntimeError):  # it is running
                    frame.clear()


def _innermost(exception: BaseException) -> TracebackType | None:
    entry = exception.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry


def _is_raise_statement(entry: TracebackType) -> bool:
    return entry.tb_frame.f_code.co_code[entry.tb_lasti] == _raise_opcode()


@cache
def _raise_opcode() -> int:
    from opcode import opmap  # only needed once something was raised

    return opmap["RAISE_VARARGS"]


def _is_own(entry: TracebackType, *, package: str) -> bool:
    module = str(entry.tb_frame.f_globals.get("__name__", ""))
    top = module.partition(".")[0]
    if top == _OURS:  # the error of a dependency, put there by a seam
        return False
    if package and top == package:
        return True
    return _is_project_file(entry.tb_frame.f_code.co_filename)


@cache
def _is_project_file(filename: str) -> bool:
    if filename.startswith("<frozen"):
        return False
    path = Path(filename)
    return _INSTALLED.isdisjoint(path.parts) and not any(
        path.is_relative_to(root) for root in _standard_library()
    )


@cache
def _standard_library() -> frozenset[str]:
    return frozenset({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})


def _was_delivered(exception: BaseException) -> bool:
    if not isinstance(exception, KeyboardInterrupt):
        return False
    origin = _innermost(exception)
    if origin is None or not _is_raise_statement(origin):
        return True
    handler = _interrupt_handler()
    return handler is not None and any(
        code is handler for code in _codes(exception.__traceback__)
    )


def _interrupt_handler() -> CodeType | None:
    """Return the code of the handler for Ctrl-C where it is written in Python."""
    import signal  # an idle run has no use for it

    handler = signal.getsignal(signal.SIGINT)
    handler = getattr(handler, "func", handler)  # a partial, as asyncio installs
    handler = getattr(handler, "__func__", handler)
    return getattr(handler, "__code__", None)


def _codes(entry: TracebackType | None) -> Iterator[CodeType]:
    return (frame.f_code for frame in _frames(entry))


def _frames(entry: TracebackType | None) -> Iterator[FrameType]:
    while entry is not None:
        yield entry.tb_frame
        entry = entry.tb_next


def _with_causes(exception: BaseException) -> Iterator[BaseException]:
    """Yield what is in an exception and what it came from, each once."""
    seen: set[int] = set()
    waiting = [exception]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting.extend(leaf for leaf in leaves(one) if leaf is not one)
        waiting.extend(
            origin for origin in (one.__cause__, one.__context__) if origin is not None
        )
