"""Tools with a result of their own: `{ok, result, err}`.

    pytest --toolresult examples/first_runs/own_result.py:TOOLS

The run finds out by itself how to read them, and says which ini line keeps it so.
"""

from __future__ import annotations

from typing import Any

STOCK = {"lamp": [4, 0, 7], "chair": [12, 3, 0]}

# Made up, and in two pieces so that nobody's scanner takes it for a find.
UPLOAD_KEY = "ghp_9vzF9ECA4vx5" + "E8Kzu2qTrBdg6JoAtY1odQiU"


def done(result: Any) -> dict[str, Any]:
    return {"ok": True, "result": result, "err": None}


def failed(err: str) -> dict[str, Any]:
    return {"ok": False, "result": None, "err": err}


def count_stock(article: str, warehouse: int = 0) -> dict[str, Any]:
    """Count the lamps or chairs in warehouse 0, 1 or 2."""
    if article not in STOCK:
        return failed("There are only lamp and chair.")
    return done(STOCK[article][warehouse])  # crash: there are three warehouses


def plan_deliveries(goods_per_van: int) -> dict[str, Any]:
    """Tell how many vans 30 goods take."""
    if goods_per_van < 0:
        return failed("A van cannot carry less than nothing.")
    vans = loaded = 0
    while loaded < 30:  # hang: empty vans never finish
        loaded += goods_per_van
        vans += 1
    return done(vans)


def describe_upload() -> dict[str, Any]:
    """Tell how a photo of an article is uploaded."""
    return done({"method": "PUT", "headers": f"X-Key: {UPLOAD_KEY}"})  # secret


def find_supplier(article: str) -> dict[str, Any]:
    """Tell who delivers lamps or chairs."""
    if article not in STOCK:
        return done("Error: no supplier for this article.")  # an error sold as data
    return done("Northlight Ltd")


TOOLS = [count_stock, plan_deliveries, describe_upload, find_supplier]
