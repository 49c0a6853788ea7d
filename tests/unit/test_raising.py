from __future__ import annotations

import dataclasses
import json
import signal
import sys
import types
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.raising import deliberate, is_interrupt, leaves

if TYPE_CHECKING:
    from collections.abc import Callable


class OrderError(Exception):
    pass


class NotFoundError(KeyError):
    pass


def plain() -> None:
    raise OrderError("no such order")


def from_another() -> None:
    try:
        json.loads("{}")["a"]
    except KeyError as error:
        raise OrderError("no such order") from error


def while_handling() -> None:
    try:
        open("/nowhere/at/all")  # noqa: PTH123, SIM115
    except OSError:
        raise OrderError("no such order")  # noqa: B904  what is to be tried


def raised_again() -> None:
    try:
        plain()
    except OrderError:
        len("")
        raise


def raised_again_by_name() -> None:
    try:
        plain()
    except OrderError as error:
        len("")
        raise error  # noqa: TRY201  what is to be tried


def after_a_finally() -> None:
    try:
        plain()
    finally:
        len("")


def group() -> None:
    raise ExceptionGroup("two", [_caught(plain), _caught(from_another)])


def bug_like() -> None:
    raise KeyError("a")


def own_class_of_a_bug_like_one() -> None:
    raise NotFoundError("no such order")


@dataclasses.dataclass(frozen=True)
class Frozen:
    name: str


def frozen() -> None:
    Frozen("a").name = "b"  # type: ignore[misc]


def asserted() -> None:
    assert json.loads("false")


def missing_file() -> None:
    open("/nowhere/at/all")  # noqa: PTH123, SIM115


def missing_file_raised_again() -> None:
    try:
        missing_file()
    except OSError:
        len("")
        raise


def standard_library() -> None:
    json.loads("{")


def installed_package() -> None:
    pytest.approx(1, rel=-1) == 1.5  # noqa: B015


def group_with_a_bug() -> None:
    raise ExceptionGroup("two", [_caught(plain), _caught(bug_like)])


def never_raised() -> None:
    raise ExceptionGroup("one", [OrderError("made, but not raised")])


def _caught(function: Callable[[], None]) -> Any:
    try:
        function()
    except BaseException as error:  # noqa: BLE001
        return error
    return None


@pytest.mark.parametrize(
    "function",
    [
        plain,
        from_another,
        while_handling,
        raised_again,
        raised_again_by_name,
        after_a_finally,
        own_class_of_a_bug_like_one,
        group,
    ],
)
def test_raised_on_purpose(function: Callable[[], None]) -> None:
    assert deliberate(_caught(function))


@pytest.mark.parametrize(
    "function",
    [
        bug_like,
        frozen,
        asserted,
        missing_file,
        missing_file_raised_again,
        standard_library,
        installed_package,
        group_with_a_bug,
        never_raised,
    ],
)
def test_not_raised_on_purpose(function: Callable[[], None]) -> None:
    assert not deliberate(_caught(function))


def test_tracing_does_not_hide_the_statement() -> None:
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        error = _caught(plain)
    finally:
        sys.settrace(before)
    assert deliberate(error)


def test_a_tools_own_package_is_the_projects_even_where_it_is_installed() -> None:
    module = types.ModuleType("shop.tools")
    code = compile(
        "def tool():\n    raise ValueError('no')",
        "/venv/lib/python3/site-packages/shop/tools.py",
        "exec",
    )
    exec(code, module.__dict__)  # noqa: S102  what is to be tried
    error = _caught(module.tool)
    assert not deliberate(error)
    assert not deliberate(error, package="shopping")
    assert deliberate(error, package="shop")


def test_an_interrupt_is_told_from_a_raised_one() -> None:
    def raising() -> None:
        raise KeyboardInterrupt

    assert is_interrupt(_caught(lambda: signal.raise_signal(signal.SIGINT)))
    assert not is_interrupt(_caught(raising))
    assert not is_interrupt(_caught(plain))


def test_leaves_of_groups_at_any_depth() -> None:
    one, two, three = ValueError(), SystemExit(), KeyError()
    nested = BaseExceptionGroup("a", [one, BaseExceptionGroup("b", [two]), three])
    assert list(leaves(nested)) == [one, two, three]
    assert list(leaves(one)) == [one]
