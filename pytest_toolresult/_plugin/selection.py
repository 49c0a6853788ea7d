"""What the command line asks of targets, apart from what it asks of test files."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import TargetError
from pytest_toolresult.targets import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pytest

_NOTHING_LISTED: Final = (
    "--toolresult-auto explores the targets of the ini key toolresult_tools, which"
    " names none; list them there, one a line, or give --toolresult TARGET"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a run is to drive.

    Attributes:
        driven: The targets to drive, as they were written.
        node_ids: The command line's arguments that are node ids of targets.
        rest: Its other arguments: files and node ids that are pytest's own.
        only: Whether test files are left alone.
    """

    driven: Sequence[str]
    node_ids: Sequence[str]
    rest: Sequence[str]
    only: bool


def asked_of(config: pytest.Config) -> Asked:
    """Tell targets and test files apart.

    The answer is kept among the options, which xdist hands to its workers: the
    controller takes our node ids out of the arguments, so workers never see them.

    Raises:
        TargetError: If a target is written in a way that cannot be read.
    """
    known = getattr(config.option, "toolresult_asked", None)
    if known is None:
        known = config.option.toolresult_asked = asdict(_read(config))
    return Asked(**known)


def take_arguments(config: pytest.Config, asked: Asked) -> None:
    """Leave pytest the arguments that are its own."""
    if asked.only:
        config.args = []
    elif asked.node_ids:
        config.args = list(asked.rest)


def _read(config: pytest.Config) -> Asked:
    optional: list[str] = config.getoption("toolresult_targets")
    listed = [*optional, *(config.getini("toolresult_tools") or ())]
    given = config.args if config.args_source is config.ArgsSource.ARGS else []
    asked = {each: _as_we_say(each, config) for each in given}
    own = {each: told for each, told in asked.items() if _names_target(told, listed)}
    node_ids = list(own.values())
    rest = [each for each in given if each not in own]
    auto = config.getoption("toolresult_auto")
    if auto and not listed:
        raise TargetError(_NOTHING_LISTED)
    driven = _driven(node_ids, listed) or (listed if auto else optional)
    return Asked(
        driven=_once(driven),
        node_ids=node_ids,
        rest=rest,
        only=bool(node_ids or optional) and not rest and not auto,
    )


def _driven(node_ids: Iterable[str], listed: Sequence[str]) -> list[str]:
    """Return the targets whose nodes were named, each once."""
    by_alias = {parse(text).alias: text for text in listed}
    heads = [each.split("::")[0] for each in node_ids]
    return list(dict.fromkeys(by_alias.get(head, head) for head in heads))


def _once(targets: Sequence[str]) -> list[str]:
    """Return each target once; two under one name would share their node ids.

    Raises:
        TargetError: If two different targets have one name.
    """
    texts: dict[str, str] = {}
    for text in targets:
        target = parse(text)
        known = texts.setdefault(target.alias, text)
        if parse(known).text != target.text:
            raise TargetError(
                f"two targets are called {target.alias!r}: {known!r} and {text!r};"
                " write ALIAS= before one of them"
            )
    return list(texts.values())


def _as_we_say(argument: str, config: pytest.Config) -> str:
    """Return a node id as we gave it to pytest.

    Started in a folder below its root, pytest takes what stands before `::` for a
    path and prints `../shop.tools:TOOLS::add::fuzz`, which people paste.
    """
    head, separator, rest = argument.partition("::")
    here = config.invocation_params.dir
    if not head.startswith(os.pardir) or (here / head.rpartition(":")[0]).exists():
        return argument
    return os.path.relpath(here / head, config.rootpath) + separator + rest


def _names_target(argument: str, listed: Iterable[str]) -> bool:
    """Tell whether an argument is a target's node id, also of one not listed.

    A copied node id such as `shop.tools:TOOLS::find_orders::fuzz` says by itself
    which target it belongs to.
    """
    head, separator, _ = argument.partition("::")
    if head in (parse(text).alias for text in listed):
        return True
    if not separator or ":" not in head or Path(head).exists():
        return False
    try:
        parse(head)
    except TargetError:
        return False
    return True
