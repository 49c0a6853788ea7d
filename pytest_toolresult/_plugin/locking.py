"""Brings the lock file up to what a run has seen, and says what changed."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_toolresult import lock
from pytest_toolresult._plugin.configuration import locked_of
from pytest_toolresult.reporters.layout import plural, printable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import PurePath

    from pytest_toolresult._plugin.run import Run

_MOST_TOLD: Final = 40


def update(run: Run) -> tuple[Mapping[PurePath, bytes], list[str]]:
    """Return the new lock file, and lines that tell what is new in it.

    The file is read again, so that what another run wrote meanwhile is kept; one that
    is damaged is left as it is.

    Args:
        run: The run that ends.

    Raises:
        LockError: If there is a lock file that cannot be read.
    """
    before = locked_of(run.config)
    seen = [
        lock.Seen(
            identity=row.identity, shapes=row.total.shapes, codes=row.subject.codes
        )
        for row in run.ledger.tools()
    ]
    after = lock.updated(before, seen)
    content = lock.render(after, plugin=version("pytest-toolresult"))
    changes = lock.changes(before, after)
    marks = {True: "BREAKS", False: "new   "}
    told = [
        f"  {marks[each.breaks]}  {printable(each.tool)}: {printable(each.text)}"
        for each in changes[:_MOST_TOLD]
    ]
    if len(changes) > _MOST_TOLD:
        told.append(f"  and {len(changes) - _MOST_TOLD} more")
    tools = plural(len(after), "tool")
    head = f"wrote {lock.FILE_NAME}: {tools}, {plural(len(changes), 'change')}"
    return {Path(lock.FILE_NAME): content}, [head, *told]
