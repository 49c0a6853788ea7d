"""From what a user types after `--toolresult`, or gives as `tool=`, to tools.

`[ALIAS=]TARGET`, where TARGET is `package.module:attribute`,
`path/to/file.py:attribute`, or a bare module or file, which stands for its `TOOLS`.
`attribute` is a tool, a framework's object or a collection of both; with `()` behind
it is a factory that is called without arguments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import takewhile
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal

from pytest_toolresult import loops
from pytest_toolresult.adapters.registry import adapter_for
from pytest_toolresult.errors import TargetError, nearest
from pytest_toolresult.importing import import_file, import_module, origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_toolresult.tools import Tool

Kind = Literal["module", "file", "stdio", "http"]

DEFAULT_ATTRIBUTE: Final = "TOOLS"
_ALIAS: Final = re.compile(r"([A-Za-z_][\w.-]*)\s*=\s*(.*)", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_FORMS: Final = "package.module:attribute, path/to/file.py:attribute"
_BOOKKEEPING: Final = frozenset({"annotations"})
"""What a module holds only because of `from __future__ import annotations`."""
_SHOWN: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where tools are found.

    Attributes:
        alias: What its tools' test items are called after; fit for a node id.
        text: The target as the user wrote it, without the alias.
        kind: What it names.
        source: The module's dotted name or the file's path.
        attribute: The dotted attribute in it, or `None` for its `TOOLS`.
        factory: Whether the attribute is called to get the tools.
    """

    alias: str
    text: str
    kind: Kind
    source: str
    attribute: str | None = None
    factory: bool = False


def parse(text: str) -> Target:
    """Read `[ALIAS=]TARGET`.

    Args:
        text: What the user typed.

    Raises:
        TargetError: If it has none of the forms.
    """
    given, rest = _split_alias(text.strip())
    kind = _kind(rest)
    alias = given or default_alias(rest)
    if kind in ("stdio", "http"):
        return Target(alias=alias, text=rest, kind=kind, source=rest)
    source, attribute = _split_attribute(rest, kind)
    if kind == "module" and not _MODULE.fullmatch(source):
        raise TargetError(f"{rest!r} is no target; one looks like {_FORMS}")
    return Target(
        alias=alias,
        text=rest,
        kind=kind,
        source=source,
        attribute=attribute.removesuffix("()") if attribute else None,
        factory=bool(attribute and attribute.endswith("()")),
    )


def load(target: Target, *, validate: bool | None, root: Path) -> list[Tool]:
    """Import what a target names and list its tools, sorted by name.

    Args:
        target: A parsed target.
        validate: Whether arguments are validated before a plain function sees them;
            `None` means as its runtime does.
        root: The folder pytest was started in: modules are importable from it and
            files are looked up from it.

    Raises:
        TargetError: If it cannot be imported, does not exist, holds no tool, or
            two of its tools have one name.
    """
    held = _held(target, root)
    named = list(_tools(held, where=target.text, validate=validate))
    return _sorted(named, where=target.text, alias=target.alias)


def tools_of(candidate: object, *, validate: bool | None) -> list[Tool]:
    """List the tools of an object that was given directly, sorted by name.

    Args:
        candidate: A tool, a framework's object, or a collection of both.
        validate: As for `load`.

    Raises:
        TargetError: If it holds no tool, or two tools of one name.
    """
    named = list(_tools(candidate, where="tool=", validate=validate))
    return _sorted(named, where="tool=", alias=None)


def default_alias(text: str) -> str:
    """Make a name for a target that is short and fit for a pytest node id.

    What stays is readable (`shop.tools:TOOLS`); credentials and the query of an
    address are dropped, and so is everything pytest gives a meaning to.
    """
    shown = _command(text[len("stdio:") :]) if text.startswith("stdio:") else text
    shown = re.sub(r"^https?://(?:[^/@]*@)?|[?#].*$", "", shown)
    shown = re.sub(r":{2,}", ":", re.sub(r"[^\w.:/-]+", "-", shown))
    return shown.strip("-./:") or "target"


def _command(text: str) -> str:
    """Keep a command's words up to its first option: options may hold secrets."""
    words = takewhile(lambda word: not re.match(r"-|\w+=", word), text.split())
    return " ".join(words)


def _split_alias(text: str) -> tuple[str | None, str]:
    found = _ALIAS.fullmatch(text)
    return (found[1], found[2]) if found else (None, text)


def _kind(text: str) -> Kind:
    if text.startswith("stdio:"):
        return "stdio"
    if re.match(r"https?://", text):
        return "http"
    source = text.rpartition(":")[0] if _has_attribute(text) else text
    is_path = source.endswith(".py") or "/" in source or "\\" in source
    return "file" if is_path else "module"


def _has_attribute(text: str) -> bool:
    """Tell an attribute from the drive letter of a Windows path."""
    return ":" in text and not re.fullmatch(r"[A-Za-z]:[\\/].*\.py", text)


def _split_attribute(text: str, kind: Kind) -> tuple[str, str | None]:
    if not text:
        raise TargetError(f"an empty target; one looks like {_FORMS}")
    if not _has_attribute(text):
        return text, None
    source, _, attribute = text.rpartition(":")
    if not source or not _ATTRIBUTE.fullmatch(attribute):
        what = "file" if kind == "file" else "module"
        raise TargetError(
            f"{text!r}: after the {what} and a colon comes the name of an attribute,"
            f" such as TOOLS, server.tools or make_tools(), not {attribute!r}"
        )
    return source, attribute


def _held(target: Target, root: Path) -> object:
    if target.kind in ("stdio", "http"):
        raise TargetError(
            f"{target.text!r}: servers outside the process are not supported yet;"
            f" give a Python target: {_FORMS}"
        )
    module = (
        import_file(root / target.source, root=root)
        if target.kind == "file"
        else import_module(target.source, root=root)
    )
    if target.attribute is None:
        return _default(module, target)
    held = _attribute(module, target.attribute, where=target.text)
    return _made(held, target) if target.factory else held


def _default(module: ModuleType, target: Target) -> object:
    if hasattr(module, DEFAULT_ATTRIBUTE):
        return getattr(module, DEFAULT_ATTRIBUTE)
    likely = [name for name, value in _public(module) if _looks_like_tools(value)]
    hint = (
        f"what looks like tools in it: {_listing(likely)}"
        f" (write {target.text}:{likely[0]})"
        if likely
        else "nothing in it looks like a tool"
    )
    raise TargetError(f"{target.text!r} has no {DEFAULT_ATTRIBUTE}; {hint}")


def _public(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield what a module itself defines, in its order."""
    for name, value in vars(module).items():
        if name.startswith("_") or isinstance(value, (ModuleType, type)):
            continue
        home = getattr(value, "__module__", None)
        held_here = home == module.__name__ or not callable(value)
        if held_here and name not in _BOOKKEEPING:
            yield name, value


def _looks_like_tools(value: object) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple, AbstractSet)):
        return bool(value) and all(adapter_for(each) for each in value)
    return adapter_for(value) is not None


def _attribute(module: ModuleType, path: str, *, where: str) -> object:
    held: Any = module
    for name in path.split("."):
        try:
            held = getattr(held, name)
        except AttributeError:
            raise TargetError(_missing(held, name, where=where)) from None
    return held


def _missing(held: object, name: str, *, where: str) -> str:
    names = (
        [each for each, _ in _public(held)]
        if isinstance(held, ModuleType)
        else [each for each in dir(held) if not each.startswith("_")]
    )
    near = nearest(name, names)
    hint = f"; did you mean {near!r}?" if near else "."
    there = f" There: {_listing(names)}" if names else " There is nothing public."
    what = (
        f"module {held.__name__!r}"
        if isinstance(held, ModuleType)
        else f"{type(held).__name__} object"
    )
    return f"{where!r}: {what} has no attribute {name!r}{hint}{there}"


def _made(factory: object, target: Target) -> object:
    if not callable(factory):
        raise TargetError(
            f"{target.text!r}: {_described(factory)} cannot be called; without the ()"
            " it is taken as it is"
        )
    try:
        return factory()
    except (Exception, SystemExit) as error:
        raise TargetError(
            f"{target.text!r}: the factory raised {origin(error)}"
        ) from error


def _tools(
    candidate: object, *, where: str, validate: bool | None
) -> Iterator[tuple[str, Tool]]:
    """Yield tools with the place each was found at."""
    if isinstance(candidate, Mapping):
        for key, value in candidate.items():
            yield from _named(key, value, where=where, validate=validate)
    elif isinstance(candidate, (list, tuple, AbstractSet)):
        yield from _each(candidate, where=where, validate=validate)
    else:
        yield from (
            (where, tool)
            for tool in _adapted(candidate, where=where, validate=validate)
        )


def _each(
    candidates: Collection[object], *, where: str, validate: bool | None
) -> Iterator[tuple[str, Tool]]:
    if not candidates:
        raise TargetError(f"{where!r}: the collection is empty, it holds no tool")
    for number, each in enumerate(candidates):
        yield from _tools(each, where=f"{where}[{number}]", validate=validate)


def _named(
    key: object, value: object, *, where: str, validate: bool | None
) -> Iterator[tuple[str, Tool]]:
    """Call a tool after its key; what holds several keeps their names."""
    place = f"{where}[{key!r}]"
    found = list(_tools(value, where=place, validate=validate))
    if len(found) == 1 and isinstance(key, str) and not _holds_many(value):
        yield place, replace(found[0][1], name=key)
    else:
        yield from found


def _holds_many(value: object) -> bool:
    return isinstance(value, (Mapping, list, tuple, AbstractSet)) or not callable(value)


def _adapted(candidate: object, *, where: str, validate: bool | None) -> Sequence[Tool]:
    adapter = adapter_for(candidate)
    if adapter is None:
        raise TargetError(
            f"{where!r} is {_described(candidate)} and no tool; a tool is a function,"
            " a method or a callable object, an MCP server object, or a list, tuple,"
            " set or dict of these"
        )
    try:
        tools = adapter.tools(candidate, validate=validate)
        return tools if isinstance(tools, Collection) else loops.run(tools)
    except TargetError:
        raise
    except Exception as error:
        raise TargetError(
            f"{where!r}: listing the tools of {_described(candidate)} raised"
            f" {origin(error)}"
        ) from error


def _sorted(
    named: Sequence[tuple[str, Tool]], *, where: str, alias: str | None
) -> list[Tool]:
    if not named:
        raise TargetError(f"{where!r} holds no tool")
    _refuse_twins(named)
    shared = Counter(tool.identity for _, tool in named)
    return sorted(
        (_identified(tool, shared, alias) for _, tool in named),
        key=lambda tool: tool.name,
    )


def _refuse_twins(named: Sequence[tuple[str, Tool]]) -> None:
    places: dict[str, str] = {}
    for place, tool in named:
        if tool.name in places:
            raise TargetError(
                f"two tools are called {tool.name!r}: {places[tool.name]} and {place};"
                " a dict gives each a name of its own"
            )
        places[tool.name] = place


def _identified(tool: Tool, shared: Counter[str], alias: str | None) -> Tool:
    """Tell tools apart that one function makes (partials, closures, methods)."""
    if shared[tool.identity] == 1 and "::" not in tool.identity:
        return tool
    owner = alias or tool.identity.partition("::")[0]
    return replace(tool, identity=f"{owner}::{tool.name}")


def _described(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__qualname__} (give an instance or a function)"
    if isinstance(value, ModuleType):
        return f"the module {value.__name__!r} (give {value.__name__}:attribute)"
    text = repr(value)
    shown = text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004
    return f"{type(value).__name__} {shown}"


def _listing(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
