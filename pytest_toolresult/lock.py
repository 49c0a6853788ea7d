"""The lock file: the shapes, statuses and codes that results had, to be held to.

It lies in version control, a line for each field, sorted, so that a change of a tool's
results is a change that a reviewer reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.errors import LockError, ReportError
from pytest_toolresult.ledger.json_data import Record
from pytest_toolresult.shapes import is_optional, parent_of, types_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_toolresult.shapes import Shape

FILE_NAME: Final = "toolresult.lock.json"
"""What the lock file is called, in pytest's root folder."""

FORMAT: Final = 1
"""The format that is written, and the newest that can be read."""

Locked = Mapping[str, Mapping[str, Any]]
"""By tool and format version: `statuses`, `codes`, and `data`: shapes by status."""

_CONFLICT: Final = re.compile(rb"(?m)^(?:<{7}|={7}|>{7})(?: |$)")
_ERROR: Final = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a run saw of one tool.

    Attributes:
        identity: What makes it one tool.
        shapes: The shapes by format version and status, for errors their codes.
        codes: The codes it can answer with; empty where nobody can tell.
    """

    identity: str
    shapes: Mapping[str, Mapping[str, Shape]]
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """One difference between what was locked and what was seen.

    Attributes:
        tool: The tool's identity.
        text: What changed, in words.
        breaks: Whether readers of older results can stumble over it.
    """

    tool: str
    text: str
    breaks: bool


def load(data: bytes, *, plugin: str, source: str = FILE_NAME) -> Locked:
    """Read a lock file.

    Args:
        data: The content of the file.
        plugin: The version of this project.
        source: What the file is called in messages.

    Raises:
        LockError: If it holds a merge conflict, is damaged, has a newer format, or was
            written by a newer version.
    """
    if _CONFLICT.search(data):
        raise LockError(
            f"{source} holds a merge conflict; take either side, and run with"
            " --toolresult-update-lock"
        )
    try:
        return _tools(_document(data, plugin))
    except (ReportError, ValueError) as error:
        raise LockError(
            f"cannot read {source}: {error}; restore it from version control, or remove"
            " it and run with --toolresult-update-lock"
        ) from None


def _document(data: bytes, plugin: str) -> Record:
    try:
        document = Record.of(json.loads(data), "the whole file")
    except RecursionError:
        raise ReportError("it is nested too deeply") from None
    written = document.count("format")
    if written != FORMAT:
        raise ReportError(
            f"it has format {written}, and this version reads format {FORMAT}; install"
            " the pytest-toolresult that wrote it"
        )
    by = document.text("plugin")
    if _numbers(by) > _numbers(plugin):
        raise ReportError(
            f"it was written by pytest-toolresult {by}, and this is {plugin}; install"
            " that version or a newer one"
        )
    return document


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def _tools(document: Record) -> dict[str, dict[str, dict[str, Any]]]:
    tools = Record(document.mapping("tools"), "tools")
    return {tool: _versions(Record(tools.mapping(tool), tool)) for tool in tools.values}


def _versions(tool: Record) -> dict[str, dict[str, Any]]:
    return {
        version: _version(Record(tool.mapping(version), f"{tool.where}.{version}"))
        for version in tool.values
    }


def _version(record: Record) -> dict[str, Any]:
    data = Record(record.mapping("data"), f"{record.where}.data")
    return {
        "statuses": sorted(record.texts("statuses")),
        "codes": sorted(record.texts("codes")),
        "data": {status: data.reasons(status) for status in data.values},
    }


def render(tools: Locked, *, plugin: str) -> bytes:
    """Write a lock file: UTF-8, keys sorted, a line break at the end."""
    document = {"format": FORMAT, "plugin": plugin, "tools": tools}
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode()


def updated(locked: Locked, seen: Iterable[Seen]) -> Locked:
    """Return what is locked after a run.

    Of a tool that was seen, the versions that were seen take the place of all it had;
    a path that this run did not see stays under its version, and so does a code, unless
    the tool cannot make it any more. Other tools stay as they
    are.

    Args:
        locked: What was locked.
        seen: What was seen of each tool.
    """
    tools = dict(locked)
    for tool in seen:
        if tool.shapes:
            known = locked.get(tool.identity, {})
            tools[tool.identity] = {
                version: _united(known.get(version, {}), by_status, tool.codes)
                for version, by_status in tool.shapes.items()
            }
    return tools


def _united(
    known: Mapping[str, Any], seen: Mapping[str, Shape], possible: frozenset[str]
) -> dict[str, Any]:
    before = {*known.get("codes", ())}
    codes = {*seen.get(_ERROR, {})} | (before & possible if possible else before)
    data = {status: dict(shape) for status, shape in seen.items() if status != _ERROR}
    return {
        "statuses": sorted({*known.get("statuses", ()), *seen}),
        "codes": sorted(codes),
        "data": {**known.get("data", {}), **data},
    }


def changes(before: Locked, after: Locked) -> list[Change]:
    """Say in which way two locks differ, tool by tool, breaks first."""
    found = [
        Change(tool, text, breaks)
        for tool in sorted({*before, *after})
        for text, breaks in _tool_changes(before.get(tool), after.get(tool))
    ]
    return sorted(found, key=lambda each: (not each.breaks, each.tool))


def _tool_changes(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Iterator[tuple[str, bool]]:
    if before is None or after is None:
        yield ("is new" if before is None else "is gone", False)
        return
    for version in sorted({*before, *after}):
        name = f"version {version}" if version else "without a version"
        if version not in before or version not in after:
            yield f"{name} is {'new' if version in after else 'gone'}", False
        else:
            for text, breaks in _version_changes(before[version], after[version]):
                yield f"{name}: {text}", breaks


def _version_changes(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, bool]]:
    for status in sorted({*after["statuses"]} - {*before["statuses"]}):
        yield f"the status {status} is new", True
    for code in sorted({*after["codes"]} - {*before["codes"]}):
        yield f"the code {code} is new", False
    for code in sorted({*before["codes"]} - {*after["codes"]}):
        yield f"the code {code} is gone", True
    for status, shape in after["data"].items():
        for text, breaks in _shape_changes(before["data"].get(status, {}), shape):
            yield f"{status}: {text}", breaks


def _shape_changes(before: Shape, after: Shape) -> Iterator[tuple[str, bool]]:
    for place in sorted({*before, *after}):
        was, now = before.get(place, ""), after.get(place, "")
        if was and not now:
            parent = parent_of(place)
            yield f"{place} ({was}) is gone", parent is None or parent in after
        elif now and not was and before:
            yield f"{place} ({now}) is new", False
        elif was and was != now:
            narrower = types_in(now) <= types_in(was)
            lacks = is_optional(now) and not is_optional(was)
            yield f"{place} was {was} and is {now}", lacks or not narrower
