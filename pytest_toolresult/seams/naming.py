"""Finds the callable that a user names with dots, or says what is wrong with it."""

from __future__ import annotations

import importlib.util
import inspect
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from pytest_toolresult.errors import ContractError, nearest, unknown
from pytest_toolresult.importing import import_module

_MOST_NAMES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A callable that a dotted name leads to.

    Attributes:
        dotted: The name.
        module: The module that it begins with.
        owner: What it is an attribute of: a module, a class or another object.
        attribute: Its name there.
        value: The callable, as the attribute gives it.
    """

    dotted: str
    module: str
    owner: Any
    attribute: str
    value: Any

    def function(self) -> FunctionType | None:
        """Return the function that a call runs, `None` where that is not Python."""
        value: Any = self.value
        if isinstance(value, type):
            value = inspect.getattr_static(value, "__init__")
        elif self._is_callable_object:
            value = inspect.getattr_static(type(value), "__call__")
        function = value.__func__ if isinstance(value, MethodType) else value
        return function if isinstance(function, FunctionType) else None

    @property
    def _is_callable_object(self) -> bool:
        return not isinstance(self.value, (FunctionType, MethodType, type))

    def concerns(self, args: tuple[Any, ...]) -> bool:
        """Whether a call of the function is one of what the name means.

        A function may serve other classes than the one that was named, and other
        objects than the one it was named through.
        """
        if isinstance(self.value, MethodType):
            return bool(args) and _is_same(args[0], self.value.__self__)
        if self._is_callable_object:
            return bool(args) and args[0] is self.value
        owner = self.value if isinstance(self.value, type) else self.owner
        if isinstance(owner, type) and _takes_self(owner, self.attribute):
            return bool(args) and isinstance(args[0], owner)
        return True


def named(dotted: str, *, root: Path | None = None) -> Named:
    """Find a callable by its name, such as `shop.db.execute` or `shop.db.Store.search`.

    Args:
        dotted: A module, and what to look up in it, one after the other.
        root: The folder that is made importable; the working folder by default.

    Raises:
        ContractError: If there is none of that name, or it cannot be called.
        TargetError: If its module cannot be imported.
    """
    if not all(part.isidentifier() for part in dotted.split(".")):
        raise ContractError(f"{dotted!r} is no dotted name such as 'shop.db.execute'")
    first, *rest = dotted.split(".")
    owner: Any = import_module(first, root=root or Path.cwd())
    module, value = first, owner
    for part in rest:
        owner, value = value, _part(value, part, dotted, root or Path.cwd())
        if isinstance(value, ModuleType):
            module = value.__name__
    if not callable(value):
        raise ContractError(_no_callable(dotted, value))
    return Named(
        dotted=dotted,
        module=module,
        owner=owner,
        attribute=dotted.rpartition(".")[2],
        value=value,
    )


def _part(owner: Any, part: str, dotted: str, root: Path) -> Any:
    try:
        return getattr(owner, part)
    except AttributeError:
        if not (isinstance(owner, ModuleType) and _is_module(owner, part)):
            raise ContractError(_no_part(owner, part, dotted)) from None
    return import_module(f"{owner.__name__}.{part}", root=root)


def _is_module(package: ModuleType, part: str) -> bool:
    if not part.isidentifier() or not hasattr(package, "__path__"):
        return False
    return importlib.util.find_spec(f"{package.__name__}.{part}") is not None


def _no_part(owner: Any, part: str, dotted: str) -> str:
    where = getattr(owner, "__name__", None) or type(owner).__name__
    names = _callable_names(owner)
    near = nearest(part, names)
    listed = sorted(names, key=lambda name: name != near)[:_MOST_NAMES]
    return f"{dotted!r}: {unknown(f'callable of {where}', part, listed or ['none'])}"


def _no_callable(dotted: str, value: Any) -> str:
    kind = "a module" if isinstance(value, ModuleType) else type(value).__name__
    names = [f"{dotted}.{name}" for name in _callable_names(value)[:3]]
    hint = f"; it holds {', '.join(names)}" if names else ""
    return f"{dotted!r} is {kind} and cannot be called{hint}; name what a tool calls"


def _callable_names(owner: Any) -> list[str]:
    """What can be named, the owner's own before what it merely imported."""
    home = getattr(owner, "__name__", "")
    found = {name: _attribute(owner, name) for name in dir(owner)}
    names = [name for name, value in found.items() if callable(value)]
    public = [name for name in names if not name.startswith("_")]
    return sorted(
        public, key=lambda name: getattr(found[name], "__module__", "") != home
    )


def _attribute(owner: Any, name: str) -> Any:
    return getattr(inspect.getattr_static(owner, name, None), "__func__", None) or (
        inspect.getattr_static(owner, name, None)
    )


def _is_same(one: object, other: object) -> bool:
    if isinstance(other, type):
        return isinstance(one, type) and issubclass(one, other)
    return one is other


def _takes_self(owner: type, attribute: str) -> bool:
    return not isinstance(
        inspect.getattr_static(owner, attribute, None), (staticmethod, classmethod)
    )
