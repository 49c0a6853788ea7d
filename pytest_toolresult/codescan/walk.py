"""The walk over everything that the code of a tool can get at."""

from __future__ import annotations

import contextlib
import enum
import functools
import inspect
import re
import sys
import sysconfig
import types
import typing
from collections import deque
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.codescan.bytecode import (
    DECIDES,
    Found,
    constants_of,
    raises,
    roles_of,
    steps_of,
)
from pytest_toolresult.codescan.naming import (
    CODE_KEYS,
    STATUS_KEYS,
    is_about_errors,
    is_keyed_by_failures,
    parameters_of,
)
from pytest_toolresult.codescan.tables import TABLES, rows_of
from pytest_toolresult.envelope import STATUSES

if TYPE_CHECKING:
    import dis
    from collections.abc import Callable, Mapping, Sequence

_MOST_CODE: Final = 200
"""How many pieces of code are read for one tool."""
_MOST_DEPTH: Final = 6
_OUR_FOLDER: Final = str(PurePath(__file__).parents[1])
_CONSTRUCTORS: Final[Mapping[str, str]] = {
    "ok": "success",
    "success": "success",
    "empty": "empty",
    "partial": "partial",
    "fail": "error",
    "failure": "error",
    "error": "error",
    "err": "error",
}


_SECRET_NAME: Final = re.compile(
    r"secret|passw|token|credential|dsn|api_?key|private", re.IGNORECASE
)
_DESCRIPTORS: Final = (types.FunctionType, classmethod, staticmethod, property)


@dataclass(slots=True)
class Reading:
    """What one walk over the reachable code has collected.

    Attributes:
        constants: Every constant with its part, nearest to the tool first.
        constructed: Statuses whose constructor, such as `Result.ok`, is called.
        hinted: Statuses that a type hint of a class of the project allows.
        has_code: Whether there was any Python code.
        raises: Whether any of it raises an exception on purpose.
    """

    constants: list[Found] = field(default_factory=list)
    constructed: set[str] = field(default_factory=set)
    hinted: set[str] = field(default_factory=set)
    has_code: bool = False
    raises: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Load:
    """What an instruction loads by a name.

    Attributes:
        target: The object; `None` where it is not known.
        name: The name.
        holder: What the name is an attribute of, or `None`.
    """

    target: object
    name: str
    holder: object = None

    @property
    def is_member(self) -> bool:
        """Whether it is code of a class, with attributes of its own to read."""
        return self.holder is not None and isinstance(self.target, _DESCRIPTORS)

    @property
    def is_bound(self) -> bool:
        """Whether a call of it gives the first parameter."""
        if isinstance(self.target, types.MethodType | classmethod):
            return True
        on_object = _owner(self.holder) is not None and not isinstance(
            self.holder, type
        )
        return on_object and isinstance(self.target, types.FunctionType)


def read(function: Callable[..., Any]) -> Reading:
    """Read the code that is reachable from any callable."""
    walk = _Walk(_package_of(function))
    walk.follow(function, 0)
    walk.run()
    return walk.reading


def _package_of(function: object) -> str:
    """Name the top-level package that counts as the project even where installed."""
    with contextlib.suppress(Exception):
        while isinstance(function, functools.partial):
            function = function.func
        function = inspect.unwrap(typing.cast("Callable[..., Any]", function))
        module = getattr(function, "__module__", None) or type(function).__module__
        return str(module).partition(".")[0]
    return ""


class _Walk:
    """A walk, breadth first, over everything a tool's code can get at."""

    def __init__(self, package: str) -> None:
        self.reading = Reading()
        self._package = package
        self._queue: deque[tuple[object, object, int]] = deque()
        self._seen: dict[tuple[int, int], object] = {}

    def follow(self, target: object, depth: int, owner: object = None) -> None:
        """Put something reachable into the queue, unless it was there before."""
        key = (id(target), id(owner))
        if depth <= _MOST_DEPTH and key not in self._seen:
            self._seen[key] = (target, owner)  # kept alive, so that ids stay unique
            self._queue.append((target, owner, depth))

    def run(self) -> None:
        """Read what is in the queue until nothing is left or the bound is met."""
        for _ in range(_MOST_CODE):
            if not self._queue:
                return
            target, owner, depth = self._queue.popleft()
            # Objects of users may raise from any attribute: then they tell nothing.
            with contextlib.suppress(Exception):
                self._visit(target, owner, depth)

    def _visit(self, target: object, owner: object, depth: int) -> None:
        match target:
            case functools.partial():
                self.follow(target.func, depth)
                given = [*target.args, *target.keywords.values()]
                for found in rows_of({0: given}, coded=True):
                    self._add(found)
            case types.MethodType():
                self.follow(target.__func__, depth, target.__self__)
            case staticmethod() | classmethod():
                self.follow(target.__func__, depth, owner)
            case property():
                self.follow(target.fget, depth, owner)
            case types.FunctionType():
                self._function(target, owner, depth)
            case types.CodeType():
                self._code(target, {}, owner, depth)
            case type():
                self._class(target, depth)
            case _ if depth == 0 or callable(target):
                self._instance(target, depth)

    def _function(
        self, function: types.FunctionType, owner: object, depth: int
    ) -> None:
        """Read a function of the project; look through one of a library."""
        if wrapped := function.__dict__.get("__wrapped__"):
            self.follow(wrapped, depth, owner)
        ours = self._is_project(function.__code__, function.__module__)
        names = function.__code__.co_freevars
        for name, cell in zip(names, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # a cell that is not filled yet
                self._captured(name, cell.cell_contents, depth, ours=ours)
        if ours:
            self._code(function.__code__, function.__globals__, owner, depth)

    def _captured(self, name: str, value: object, depth: int, *, ours: bool) -> None:
        """Follow what a closure holds; the data of a library's say nothing."""
        if not ours and isinstance(value, (str, int, float, *TABLES)):
            return
        if isinstance(value, str | int | float):
            self._add(Found(value=value, rank=DECIDES))
        else:
            self._reached(value, depth, name=name)

    def _class(self, cls: type, depth: int) -> None:
        """Read what making an instance of a class of the project tells."""
        if issubclass(cls, enum.Enum) or not self._is_project(None, cls.__module__):
            return
        for name, value in vars(cls).items():
            if name in CODE_KEYS | STATUS_KEYS and isinstance(value, str):
                self._add(Found(value=value, key=name))
            elif name in {"__init__", "__post_init__", "__new__", "__call__"}:
                self.follow(value, depth + 1, cls)
        for hint in typing.get_type_hints(cls).values():
            self.reading.hinted.update(set(typing.get_args(hint)) & set(STATUSES))

    def _instance(self, target: object, depth: int) -> None:
        """Look into an object that is called: wrapped function, then `__call__`."""
        for name in ("__wrapped__", "func", "fn", "function", "coroutine"):
            with contextlib.suppress(Exception):
                inner = inspect.getattr_static(target, name)
                if isinstance(inner, types.FunctionType | types.MethodType):
                    self.follow(inner, depth)
        call = inspect.getattr_static(type(target), "__call__", None)
        if isinstance(call, types.FunctionType):
            self.follow(call, depth, target)

    def _code(
        self,
        code: types.CodeType,
        names: Mapping[str, object],
        owner: object,
        depth: int,
    ) -> None:
        self.reading.has_code = True
        for each in code.co_consts:
            if isinstance(each, functools.partial):  # a seam leads through here
                self.follow(each.args[0], depth, owner)
        steps = steps_of(code)
        self.reading.raises |= raises(steps)
        loads = self._loads(steps, names, owner)
        roles = roles_of(steps, lambda index: self._parameters(loads[index]))
        for _, found in constants_of(steps, roles):
            if isinstance(found.value, types.CodeType):
                # A nested function sees the same globals: read it in place.
                if depth < _MOST_DEPTH:
                    self._code(found.value, names, owner, depth + 1)
            else:
                self._add(found)
        coded = any(_keeps_a_code(step) for step in steps)
        for index, load in enumerate(loads):
            if load and isinstance(load.target, str | int | float):
                self._add(roles.found(index, load.target, DECIDES))
            elif load and load.is_member:
                self.follow(load.target, depth + 1, _owner(load.holder))
            elif load:
                self._reached(load.target, depth, name=load.name, coded=coded)

    def _loads(
        self, steps: list[dis.Instruction], names: Mapping[str, object], owner: object
    ) -> list[_Load | None]:
        """Tell what each instruction loads by a name, where that can be told."""
        found: list[_Load | None] = []
        loaded: object = None
        aliases: dict[str, object] = {}
        for step in steps:
            load = None
            if "_FAST" in step.opname:
                loaded = _local(step, loaded, aliases)
            elif step.opname != "PUSH_NULL":
                load = self._name(step, loaded, names, owner)
                loaded = load.target if load and not load.is_member else None
            found.append(load)
        return found

    def _name(
        self,
        step: dis.Instruction,
        loaded: object,
        names: Mapping[str, object],
        owner: object,
    ) -> _Load | None:
        """Look up what one instruction loads by a name."""
        if step.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            target = names.get(step.argval)
            if isinstance(target, str) and _SECRET_NAME.search(step.argval):
                return None
            return _Load(target=target, name=step.argval)
        if step.opname in {"LOAD_ATTR", "LOAD_METHOD"}:
            holder = owner if loaded is None else loaded
            target = self._attribute(holder, step.argval)
            return _Load(target=target, name=step.argval, holder=holder)
        return None

    def _parameters(self, load: _Load | None) -> Sequence[str]:
        """Name the parameters of what is called, where that can be told."""
        target = load.target if load else None
        bound = bool(load and load.is_bound)
        if isinstance(target, classmethod | staticmethod | types.MethodType):
            target = target.__func__
        if isinstance(target, types.FunctionType):
            ours = self._is_project(target.__code__, target.__module__)
        elif isinstance(target, type) and not issubclass(target, enum.Enum):
            ours = self._is_project(None, target.__module__)
        else:
            return ()
        return parameters_of(target, bound=bound, ours=ours)

    def _attribute(self, holder: object, name: str) -> object:
        """Look an attribute up without running any code of the project."""
        if holder is None:
            return None
        if isinstance(holder, types.ModuleType):
            return vars(holder).get(name)
        if isinstance(holder, type) and issubclass(holder, enum.Enum):
            return holder.__members__.get(name)
        target = inspect.getattr_static(holder, name, None)
        if (
            isinstance(holder, type)
            and name in _CONSTRUCTORS
            and target is not None
            and not self._is_project(None, holder.__module__)
        ):
            self.reading.constructed.add(_CONSTRUCTORS[name])
        return target

    def _reached(
        self, target: object, depth: int, *, name: str = "", coded: bool = False
    ) -> None:
        """Follow what a name stands for: code, an enum member, a table."""
        if isinstance(target, enum.Enum):
            about = is_about_errors(type(target).__name__)
            key = "code" if about else None
            self._add(Found(value=target.value, key=key, coded=about))
        elif isinstance(target, TABLES):
            about = is_about_errors(name) or is_keyed_by_failures(target)
            for found in rows_of(target, coded=coded or about):
                self._add(found)
        elif not isinstance(target, types.ModuleType) and callable(target):
            self.follow(target, depth + 1)

    def _add(self, found: Found) -> None:
        self.reading.constants.append(found)

    def _is_project(self, code: types.CodeType | None, module: str | None) -> bool:
        top = (module or "").partition(".")[0]
        if top == self._package:
            return True
        if top == "pytest_toolresult" or (code and _is_ours(code.co_filename)):
            return False  # what wraps a function may bear its name
        return _outside_libraries(code.co_filename if code else _file_of(module))


def _keeps_a_code(step: dis.Instruction) -> bool:
    """Tell whether a step puts something into a variable that is called a code."""
    names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
    return step.opname.startswith("STORE_FAST") and not CODE_KEYS.isdisjoint(names)


def _local(step: dis.Instruction, loaded: object, aliases: dict[str, object]) -> object:
    """Follow a local name that stands for something global: `R = Result`.

    Python 3.13 joins two such steps into one that names both.
    """
    names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
    if step.opname.startswith("STORE_FAST"):
        aliases[names[0]] = loaded
        names = names[1:]
    return aliases.get(names[-1]) if names else None


def _owner(holder: object) -> object:
    """Give the class or object that a method sees as its own, none for a module."""
    return None if isinstance(holder, types.ModuleType) else holder


def _file_of(module: str | None) -> str:
    return getattr(sys.modules.get(module or ""), "__file__", None) or "<unknown>"


def _is_ours(file: str) -> bool:
    return file.startswith(_OUR_FOLDER)


@functools.lru_cache(maxsize=1024)
def _outside_libraries(file: str) -> bool:
    if file.startswith("<"):
        return False
    parts = PurePath(file).parts
    installed = "site-packages" in parts or "dist-packages" in parts
    standard = PurePath(sysconfig.get_path("stdlib"))
    return not installed and not PurePath(file).is_relative_to(standard)
