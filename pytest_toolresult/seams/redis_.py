"""The seam of redis-py, synchronous and asynchronous, pipelines included."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.redaction.canaries import dsn, host, noted
from pytest_toolresult.seams import shapes
from pytest_toolresult.seams.recording import cross
from pytest_toolresult.seams.redis_commands import (
    OF_THE_CONNECTION,
    READING,
    REPEATABLE,
)
from pytest_toolresult.seams.trampolines import lead_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FunctionType

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches
    from pytest_toolresult.seams.recording import Passage
    from pytest_toolresult.settings import Power

NAME: Final = "redis"

_ERRORS: Final[Mapping[str, tuple[str, str]]] = {
    "refused": ("ConnectionError", "Error 111 connecting to {host}:6379. {why}."),
    "timeout": ("TimeoutError", "Timeout reading from socket"),
    "reset": ("ConnectionError", "Connection closed by server."),
    "no_permission": (
        "NoPermissionError",
        "User svc_orders has no permissions to run the '{command}' command",
    ),
    "undefined": (
        "ResponseError",
        "unknown command '{command}', with args beginning with: '{secret}' ",
    ),
    "wrong_shape": (
        "ResponseError",
        "WRONGTYPE Operation against a key holding the wrong kind of value",
    ),
    "disk_full": (
        "OutOfMemoryError",
        "command not allowed when used memory > 'maxmemory'.",
    ),
}
_ALWAYS: Final = ("refused", "timeout", "reset", "no_permission", "undefined")


def error(name: str, command: str) -> Exception:
    """Make the exception that redis-py raises for a fault.

    Args:
        name: One of the catalogue.
        command: The command that meets it.
    """
    from redis import exceptions

    kind, message = _ERRORS[name]
    planted = f"{NAME} {name}"
    text = message.format(
        command=command,
        host=host(planted),
        secret=dsn(planted, scheme="redis"),
        why="Connection refused",
    )
    made: Exception = getattr(exceptions, kind)(text)
    carries = "{host}" in message or "{secret}" in message
    return made if carries else noted(made, planted)


class RedisSeam:
    """Sees each command, and each pipeline as a whole."""

    name = NAME
    library = "redis"

    def __init__(self) -> None:
        self._fitting: dict[BoundaryCall, tuple[str, ...]] = {}

    def install(self, patches: Patches) -> None:
        """Lead commands and pipelines through here."""
        from redis import asyncio, client

        self._fitting.clear()
        for cls, name, handler in (
            (client.Redis, "execute_command", self._command),
            (client.Pipeline, "execute", self._pipeline),
            (asyncio.client.Redis, "execute_command", self._command_later),
            (asyncio.client.Pipeline, "execute", self._pipeline_later),
        ):
            lead_through(patches, vars(cls)[name], handler)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        """Return what can go wrong at a call."""
        some = ("disk_full",) if call.mutates else ()
        fitting = self._fitting.get(call, ("emptied", "inflated"))
        return [CATALOGUE[name] for name in (*_ALWAYS, *some, *fitting)]

    def _command(
        self, original: FunctionType, client: Any, *args: Any, **options: Any
    ) -> Any:
        passage = _entered("command", [args], suspends=False)
        if passage is None:
            return original(client, *args, **options)
        _break(passage, [args])
        with passage.below(), _noting(passage):
            answer = original(client, *args, **options)
        return self._handed_over(passage, answer, _reads([args]))

    async def _command_later(
        self, original: FunctionType, client: Any, *args: Any, **options: Any
    ) -> Any:
        passage = _entered("command", [args], suspends=True)
        if passage is None:
            return await original(client, *args, **options)
        await passage.reached()
        _break(passage, [args])
        with passage.below(), _noting(passage):
            answer = await original(client, *args, **options)
        return self._handed_over(passage, answer, _reads([args]))

    def _pipeline(
        self, original: FunctionType, pipeline: Any, *args: Any, **options: Any
    ) -> Any:
        commands = _queued(pipeline)
        passage = _entered("pipeline", commands, suspends=False)
        if passage is None:
            return original(pipeline, *args, **options)
        with _left_empty(passage, pipeline):
            _break(passage, commands)
        with passage.below(), _noting(passage):
            answers = original(pipeline, *args, **options)
        return self._handed_over(passage, answers, _reads(commands), each=True)

    async def _pipeline_later(
        self, original: FunctionType, pipeline: Any, *args: Any, **options: Any
    ) -> Any:
        commands = _queued(pipeline)
        passage = _entered("pipeline", commands, suspends=True)
        if passage is None:
            return await original(pipeline, *args, **options)
        await passage.reached()
        with _left_empty(passage, pipeline):
            _break(passage, commands)
        with passage.below(), _noting(passage):
            answers = await original(pipeline, *args, **options)
        return self._handed_over(passage, answers, _reads(commands), each=True)

    def _handed_over(
        self,
        passage: Passage,
        answer: Any,
        reads: Sequence[bool],
        *,
        each: bool = False,
    ) -> Any:
        """Return what the tool gets in the place of what the server answered."""
        answers = answer if each else [answer]
        fault = passage.fault
        if fault is None or fault.name not in _CHANGES:
            self._fitting[passage.call] = tuple(
                name
                for name, change in _CHANGES.items()
                if _changed(answers, reads, change) != answers
            )
            passage.rows = _rows(answers, reads)
            return answer
        changed = _changed(answers, reads, _CHANGES[fault.name])
        if changed != answers:
            passage.fire()
        passage.rows = _rows(changed, reads)
        return changed if each else changed[0]


def _entered(
    operation: str, commands: Sequence[Sequence[Any]], *, suspends: bool
) -> Passage | None:
    writes = any(
        _name(command) not in READING | OF_THE_CONNECTION for command in commands
    )
    needs: Power | None = "sql" if writes else None
    detail = "; ".join(_detail(command) for command in commands)
    passage = cross(NAME, operation, detail=detail, needs=needs, suspends=suspends)
    if passage is not None:
        harmless = READING | OF_THE_CONNECTION | REPEATABLE
        passage.idempotent = all(_name(command) in harmless for command in commands)
    return passage


def _break(passage: Passage, commands: Sequence[Sequence[Any]]) -> None:
    if passage.fault is not None and passage.fault.name in _ERRORS:
        passage.fire()
        raise error(passage.fault.name, _name(commands[0]) if commands else "")


@contextmanager
def _left_empty(passage: Passage, pipeline: Any) -> Iterator[None]:
    """Have a pipeline forget its commands when it fails, as it does by itself."""
    try:
        yield
    finally:
        if passage.fired:
            pipeline.command_stack = []


@contextmanager
def _noting(passage: Passage) -> Iterator[None]:
    from redis import exceptions

    try:
        yield
    except exceptions.RedisError as failure:
        passage.failure = type(failure).__name__
        raise


def _queued(pipeline: Any) -> list[Sequence[Any]]:
    """The commands that wait in a pipeline."""
    return [each[0] for each in pipeline.command_stack]


def _words(command: Sequence[Any]) -> list[str]:
    """A command's words; some clients give the first two as one."""
    texts = [
        each.decode(errors="replace") if isinstance(each, bytes) else str(each)
        for each in command
    ]
    return [*texts[0].split(), *texts[1:]] if texts else []


def _name(command: Sequence[Any]) -> str:
    words = _words(command)
    return words[0].lower() if words else ""


def _detail(command: Sequence[Any]) -> str:
    words = _words(command)
    return " ".join([word.upper() for word in words[:1]] + words[1:2])


def _reads(commands: Sequence[Sequence[Any]]) -> list[bool]:
    return [_name(command) in READING for command in commands]


def _changed(
    answers: Sequence[Any], reads: Sequence[bool], change: Callable[[Any], Any]
) -> list[Any]:
    return [
        change(answer) if reading else answer
        for answer, reading in zip(answers, reads, strict=False)
    ]


def _rows(answers: Sequence[Any], reads: Sequence[bool]) -> int | None:
    counts = [
        len(answer) if isinstance(answer, dict) else shapes.count(answer)
        for answer, reading in zip(answers, reads, strict=False)
        if reading
    ]
    return max((each for each in counts if each is not None), default=None)


def _nothing(answer: Any) -> Any:
    """What the server answers where there is no such key."""
    if isinstance(answer, bool):
        return False
    if isinstance(answer, int):
        return 0
    return None if isinstance(answer, (str, bytes, float)) else shapes.emptied(answer)


_CHANGES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "emptied": lambda answer: {} if isinstance(answer, dict) else _nothing(answer),
    "inflated": shapes.inflated,
}

REDIS: Final = RedisSeam()
