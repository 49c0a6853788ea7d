"""A small library with its seam, as another package would bring one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.faults import CATALOGUE
from pytest_toolresult.seams import arming
from pytest_toolresult.seams.recording import cross

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches


class StockSeam:
    """Breaks the library `stock`, which has one function."""

    name = "stock"
    library = "stock"

    def install(self, patches: Patches) -> None:
        library: Any = sys.modules["stock"]
        original = library.price

        def price(symbol: str) -> float:
            passage = cross("stock", "price", detail=symbol)
            if passage is None:
                return float(original(symbol))
            if passage.fault is not None:
                passage.fire()
                raise TimeoutError(passage.fault.name)
            answer = passage.recorded
            if answer is None:
                with passage.below():
                    answer = original(symbol)
                passage.keep(answer)
            return float(answer)

        patches.replace(library, "price", price)

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:
        return (CATALOGUE["timeout"],) if call.operation == "price" else ()


@pytest.fixture
def stock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The library, loaded; `asked` is what its backend was asked."""
    library: Any = ModuleType("stock")
    library.asked = []

    def price(symbol: str) -> float:
        library.asked.append(symbol)
        return 12.5 + len(library.asked)

    library.price = price
    monkeypatch.setitem(sys.modules, "stock", library)
    yield library
    assert library.price is price


class Point:
    """An entry point."""

    def __init__(self, name: str, seam: object) -> None:
        self.name = name
        self.value = f"{name}_package:SEAM"
        self._seam = seam

    def load(self) -> object:
        if isinstance(self._seam, Exception):
            raise self._seam
        return self._seam


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, object], None]]:
    """Offer a seam as another package does: `offer("stock", seam)`."""
    points: list[Point] = []
    monkeypatch.setattr(arming, "entry_points", lambda **_: points)
    arming.available.cache_clear()
    yield lambda name, seam: points.append(Point(name, seam))
    arming.available.cache_clear()


@pytest.fixture
def stock_seam(offer: Callable[[str, object], None], stock: Any) -> StockSeam:
    """The seam, offered by another package."""
    assert stock
    seam = StockSeam()
    offer("stock", seam)
    return seam
