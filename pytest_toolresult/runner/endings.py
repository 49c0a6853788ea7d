"""From what an invocation came to, to how the call ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.guard import Stopped
from pytest_toolresult.outcomes import Reply
from pytest_toolresult.raising import deliberate, is_interrupt, leaves
from pytest_toolresult.runner.answers import Answer, Overdue

if TYPE_CHECKING:
    from pytest_toolresult.outcomes import Ending
    from pytest_toolresult.tools import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a call ended, what came back, and whether what it raised was meant."""

    ending: Ending
    reply: Reply | None = None
    deliberate: bool = False


def ended(tool: Tool, answer: Answer, passes: tuple[type[BaseException], ...]) -> Ended:
    """Name how a call ended.

    Args:
        tool: The tool that was called.
        answer: What the invocation came to.
        passes: Classes of exceptions that are none of the tool's business.

    Raises:
        BaseException: Whatever is of one of the classes in `passes`, a real Ctrl-C,
            a user's mistake, and the alarm of a call that this one is a part of.
    """
    exception = answer.exception or _inside(answer.value)
    if exception is not None:
        _let_pass(exception, (*passes, ToolResultError), answer)
    if answer.hung:
        return Ended(ending="hung")
    if answer.exception is None:
        return _of_reply(tool, answer.value)
    return _of_exception(tool, answer.exception)


def _inside(reply: object) -> BaseException | None:
    return reply.exception if isinstance(reply, Reply) else None


def _let_pass(
    exception: BaseException, passes: tuple[type[BaseException], ...], answer: Answer
) -> None:
    for one in leaves(exception):
        foreign_alarm = isinstance(one, Overdue) and not answer.hung
        if foreign_alarm or isinstance(one, passes):
            raise one
    if is_interrupt(exception):
        if isinstance(exception, KeyboardInterrupt):
            raise exception
        raise KeyboardInterrupt from exception


def _of_reply(tool: Tool, reply: Reply) -> Ended:
    meant = reply.exception is not None and _is_deliberate(tool, reply.exception)
    ending: Ending = "returned"
    if reply.refused is not None:
        ending = "refused"
    elif reply.exception is not None and not reply.flagged:
        ending = "raised"
    return Ended(ending=ending, reply=reply, deliberate=meant)


def _of_exception(tool: Tool, exception: BaseException) -> Ended:
    parts = list(leaves(exception))
    if any(isinstance(one, Stopped) for one in parts):
        return Ended(ending="blocked")
    for one in parts:
        if isinstance(one, (SystemExit, KeyboardInterrupt)):
            return Ended(ending="exited", reply=Reply(exception=one))
    return Ended(
        ending="raised",
        reply=Reply(exception=exception),
        deliberate=_is_deliberate(tool, exception),
    )


def _is_deliberate(tool: Tool, exception: BaseException) -> bool:
    module = getattr(tool.function, "__module__", None) or ""
    return deliberate(exception, package=module.partition(".")[0])
