from __future__ import annotations

import enum
import functools
import os
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_toolresult.codescan import own_constants

PRICES = {"basic": 9, "gold": 29}
VALID = {"pending", "shipped", "lost"}
LARGE = {f"row-{n}": n + 0.5 for n in range(100_000)}
ROWS = [{"sku": "SKU-77"}, {"sku": "SKU-78"}]


class Colour(enum.Enum):
    RED = "crimson"


def _discount(plan: str) -> int:
    return 5 if plan == "gold-legacy" else 0


def quote(plan: str) -> dict[str, Any]:
    """Quote a price; prose like "unrelated" is no constant."""
    if plan not in PRICES:
        return {"status": "error", "error": "there is no such plan in our list"}
    return {"status": "success", "data": PRICES[plan] - _discount(plan)}


def test_keys_of_tables_come_before_fields_and_messages() -> None:
    found = own_constants(quote)
    assert set(found[:3]) == {"basic", "gold", "gold-legacy"}
    assert found.index("gold-legacy") < found.index("status")
    assert found.index(29) < found.index("there is no such plan in our list")
    assert not any("unrelated" in str(each) for each in found)


def test_elements_of_a_set_come_in_one_order() -> None:
    def track(state: str) -> bool:
        return state in VALID

    assert own_constants(track)[:3] == ("lost", "pending", "shipped")


def test_what_is_compared_comes_first() -> None:
    def refund(amount: int, reason: str) -> str:
        note = "written down"
        if amount > 4999 and reason.startswith("VIP:") and ".." in reason:
            return note
        return "fine"

    found = own_constants(refund)
    assert set(found[:2]) == {4999, ".."}
    assert {"VIP:", "written down"} <= set(found)


def test_closures_partials_methods_and_wrappers_are_looked_through() -> None:
    word = "from-a-closure"

    def inner(text: str, mode: str = "x") -> bool:
        return text == word or mode == "deep"

    @functools.wraps(inner)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return inner(*args, **kwargs)

    class Service:
        def __init__(self) -> None:
            self.known = {"k-1": 1}

        def find(self, key: str) -> bool:
            return self._matches(key) and key in self.known

        def _matches(self, key: str) -> bool:
            return key != "excluded-key"

    class Matcher:
        def __call__(self, text: str) -> bool:
            return text == "called-object"

    assert {"from-a-closure", "deep"} <= set(own_constants(wrapper))
    assert "partial-argument" in own_constants(
        functools.partial(inner, mode="partial-argument")
    )
    assert "deep" in own_constants(functools.lru_cache(inner))
    assert {"excluded-key", "k-1"} <= set(own_constants(Service().find))
    assert "called-object" in own_constants(Matcher())


def test_enum_members_rows_and_nested_code_are_read() -> None:
    def paint(name: str) -> list[bool]:
        return [name == Colour.RED.value or each["sku"] == name for each in ROWS]

    async def later(name: str) -> bool:
        return any(char == "\u00a7" for char in name)

    assert {"crimson", "SKU-77"} <= set(own_constants(paint))
    assert "\u00a7" in own_constants(later)


class _Hostile:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __call__(self) -> str:
        return "hostile"


@pytest.mark.parametrize(
    "anything",
    [len, dict.get, "a".join, int, functools.partial(print, end=""), object()],
)
def test_callables_without_python_code_have_next_to_nothing(anything: Any) -> None:
    assert [each for each in own_constants(anything) if each] == []


def test_an_object_that_raises_from_its_attributes_is_read_all_the_same() -> None:
    assert "hostile" in own_constants(_Hostile())


def test_functions_of_libraries_are_not_read() -> None:
    import json

    def tool(text: str) -> Any:
        return json.loads(text)

    assert "utf-8" not in own_constants(tool)
    assert len(own_constants(tool)) == 0


def test_the_number_of_constants_is_bounded() -> None:
    source = "def many(x):\n" + "".join(f"    x == 'k{n}'\n" for n in range(500))
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(source, __file__, "exec"), names)  # noqa: S102 - our own text
    assert len(own_constants(names["many"])) == 96


def test_names_of_keywords_are_no_constants() -> None:
    def tool(text: str) -> object:
        return SimpleNamespace(first=text.split(maxsplit=17)[0], second="a-value")

    assert own_constants(tool) == (17, "a-value", 0)


API_KEY = "short-but-named"


def test_secrets_and_the_environment_are_not_turned_into_arguments() -> None:
    def tool(text: str) -> bool:
        hidden = "AKIA0000EXAMPLE00000", "postgres://app:pw@db/orders"
        return text in hidden or text == API_KEY or text in os.environ

    assert own_constants(tool) == ()


def test_large_tables_are_looked_into_only() -> None:
    def tool(text: str) -> bool:
        return text in LARGE

    assert own_constants(tool) == (
        *(f"row-{n}" for n in range(16)),
        *(n + 0.5 for n in range(16)),
    )
