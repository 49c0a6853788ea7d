"""Imports a user's modules and files, and says in a line what went wrong.

Modules are found from the folder pytest was started in, as `python -m pytest` finds
them. A file is imported as a script would be: the folder it lies in is importable.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import sysconfig
import traceback
from hashlib import blake2s
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_toolresult.errors import TargetError, nearest

if TYPE_CHECKING:
    from types import ModuleType

_INSTALLED: Final = tuple(
    {
        sysconfig.get_path(name)
        for name in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)


def import_module(name: str, *, root: Path) -> ModuleType:
    """Import a module by its dotted name.

    Args:
        name: The dotted name.
        root: The folder that is made importable.

    Raises:
        TargetError: If there is none, or its import raised.
    """
    make_importable(root)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise TargetError(_no_module(name, error.name, root)) from None
        raise TargetError(f"import of {name!r} raised {origin(error)}") from error
    except (Exception, SystemExit) as error:
        raise TargetError(f"import of {name!r} raised {origin(error)}") from error


def import_file(path: Path, *, root: Path) -> ModuleType:
    """Import a Python file, once, without standing in any other module's way.

    A file that is imported already, under whatever name, is that module; one in a
    package is imported as a part of it.

    Args:
        path: The file.
        root: The folder that is made importable beside the file's own.

    Raises:
        TargetError: If there is no such file, or its import raised.
    """
    path = path.resolve()
    if not path.is_file():
        raise TargetError(_no_file(path))
    loaded = _loaded(path)
    if loaded is not None:
        return loaded
    make_importable(root)
    package = _package_of(path)
    if package:
        return import_module(f"{package}.{path.stem}", root=_above(package, path))
    make_importable(path.parent)
    try:
        return _executed(path)
    except (Exception, SystemExit) as error:
        raise TargetError(f"import of {str(path)!r} raised {origin(error)}") from error


def origin(error: BaseException) -> str:
    """Name an exception and the user's line it came from, without a traceback."""
    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return origin(error.exceptions[0])  # a task group around what went wrong
    told = str(error).strip() or "no message"
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({error.filename}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)] or frames
    place = f" ({own[-1].filename}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {told}{place}"


def _is_own(filename: str) -> bool:
    """Tell a user's file from the standard library, an installed one and ours."""
    return filename != __file__ and not filename.startswith(("<", *_INSTALLED))


def make_importable(folder: Path) -> None:
    """Put a folder first on the path, unless it is there, as Python does itself."""
    text = str(folder.resolve())
    if text not in sys.path and not ("" in sys.path and folder.resolve() == Path.cwd()):
        sys.path.insert(0, text)


def _package_of(path: Path) -> str:
    """Name the package a file lies in, so that its relative imports work."""
    names: list[str] = []
    folder = path.parent
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names)


def _above(package: str, path: Path) -> Path:
    return path.parents[len(package.split("."))]


def _loaded(path: Path) -> ModuleType | None:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(path.name) and _same(file, path):
            return module
    return None


def _same(file: str, path: Path) -> bool:
    return Path(file).resolve() == path


def _executed(path: Path) -> ModuleType:
    name = _module_name(path)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{str(path)!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pydantic look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _module_name(path: Path) -> str:
    """Name a file's module after it; after its folder too where that is taken.

    The plain name is what `import tools` in a sibling file asks for, so that both
    come to one module.
    """
    if path.stem.isidentifier() and _is_free(path.stem, path):
        return path.stem
    mark = blake2s(str(path).encode(), digest_size=4).hexdigest()
    return f"{path.stem}_{mark}"


def _is_free(name: str, path: Path) -> bool:
    """Tell whether an import of the name would come to this very file."""
    if name in sys.modules:
        return False
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None and _same(spec.origin, path)


def _no_module(name: str, missing: str, root: Path) -> str:
    parent = name.rpartition(".")[0] if missing == name else missing.rpartition(".")[0]
    there = _importable_names(parent, root)
    near = nearest(missing.rpartition(".")[2], there)
    hint = f"; did you mean {_joined(parent, near)!r}?" if near else "."
    listed = f" There: {', '.join(there[:12])}" if there else ""
    return f"no module named {missing!r} from {str(root)!r}{hint}{listed}"


def _joined(parent: str, name: str) -> str:
    return f"{parent}.{name}" if parent else name


def _importable_names(parent: str, root: Path) -> list[str]:
    """List modules and packages beside the one that is missing."""
    folder = root.joinpath(*parent.split(".")) if parent else root
    if not folder.is_dir():
        return []
    return sorted(
        each.stem
        for each in folder.iterdir()
        if each.stem.isidentifier() and (each.suffix == ".py" or each.is_dir())
    )


def _no_file(path: Path) -> str:
    there = [each.name for each in path.parent.glob("*.py")]
    near = nearest(path.name, there)
    hint = f"; did you mean {near!r}?" if near else "."
    listed = f" There: {', '.join(sorted(there)[:12])}" if there else ""
    return f"no file {str(path)!r}{hint}{listed}"
