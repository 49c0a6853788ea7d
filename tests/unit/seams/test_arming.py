"""Seams are put in place for a while, and a broken one harms nobody else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult.faults import BoundaryCall
from pytest_toolresult.seams.arming import armed, faults_at
from pytest_toolresult.seams.recording import Recording, recording

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_toolresult.seams import Seam
    from pytest_toolresult.seams.patches import Patches

    Offer = Callable[[str, object], None]

PRICE = BoundaryCall(seam="stock", operation="price", site="shop.py:3", detail="A")


def seen(stock: Any) -> list[str]:
    with recording(Recording()) as record:
        stock.price("A")
    return [each.call.seam for each in record.boundary]


def test_a_seam_of_another_package_is_in_place_for_the_block_alone(
    stock_seam: Seam, stock: Any
) -> None:
    assert seen(stock) == []
    with armed() as arming:
        assert seen(stock) == ["stock"]
        assert [each.name for each in faults_at(PRICE)] == ["timeout"]
        assert arming.broken == {}
    assert seen(stock) == []
    assert stock_seam.name == "stock"


def test_nested_blocks_report_a_call_once(stock_seam: Seam, stock: Any) -> None:
    with armed(), armed(further=[stock_seam]):
        assert seen(stock) == ["stock"]
        assert faults_at(PRICE)
    assert seen(stock) == []


@pytest.mark.usefixtures("stock_seam")
def test_a_library_that_is_loaded_later_gets_its_seam(
    stock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "stock")
    with armed() as arming:
        assert seen(stock) == []
        monkeypatch.setitem(sys.modules, "stock", stock)
        arming.refresh()
        assert seen(stock) == ["stock"]


def test_a_seam_that_cannot_be_loaded_is_named(
    stock_seam: Seam, stock: Any, offer: Offer
) -> None:
    offer("ledger", ImportError("no module named ledger"))
    offer("letters", object())
    offer("twin", stock_seam)
    with armed() as arming:
        assert arming.broken == {
            "ledger (ledger_package:SEAM)": "it cannot be loaded (ImportError: no"
            " module named ledger)",
            "letters (letters_package:SEAM)": "it has no name, library, install,"
            " faults",
            "twin (twin_package:SEAM)": "another seam is called 'stock'",
        }
        assert seen(stock) == ["stock"]


class Broken:
    name = "broken"
    library = "stock"

    def install(self, patches: Patches) -> None:
        stock: Any = sys.modules["stock"]
        patches.replace(stock, "price", lambda _: 0)
        raise AttributeError("the library has changed")

    def faults(self, _: BoundaryCall) -> list[Any]:
        raise KeyError("price")


def test_a_seam_that_cannot_be_installed_leaves_no_trace(
    stock: Any, offer: Offer
) -> None:
    offer("broken", Broken())
    original = stock.price
    with armed() as arming:
        assert stock.price is original
        arming.refresh()
        assert arming.broken == {
            "broken": "it cannot be installed (AttributeError: the library has changed)"
        }


def test_a_seam_that_cannot_name_its_faults_has_none(
    stock: Any, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Broken, "install", lambda *_: None)
    offer("broken", Broken())
    with armed() as arming:
        assert stock.price("A") > 0
        call = BoundaryCall(seam="broken", operation="price", site="shop.py:3")
        assert faults_at(call) == ()
        assert faults_at(PRICE) == ()
        assert arming.broken == {
            "broken": "it cannot name its faults (KeyError: 'price')"
        }
