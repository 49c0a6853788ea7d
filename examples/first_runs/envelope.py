"""Tools with the envelope: `status`, `data`, `error` and `meta`.

pytest --toolresult examples/first_runs/envelope.py:TOOLS
"""

from __future__ import annotations

from typing import Any

ROOMS = {"Alder": ["Ito", "Mbeki"], "Birch": []}

# Made up, and in two pieces so that nobody's scanner takes it for a find.
DOOR_TOKEN = "ghp_9vzF9ECA4vx5" + "E8Kzu2qTrBdg6JoAtY1odQiU"


def answer(status: str, data: Any = None, **meta: Any) -> dict[str, Any]:
    return {"status": status, "data": data, "error": None, "meta": meta}


def failure(code: str, message: str) -> dict[str, Any]:
    error = {"code": code, "message": message, "retryable": False}
    return {"status": "error", "data": None, "error": error, "meta": {}}


def list_guests(room: str) -> dict[str, Any]:
    """List who is in the room Alder or Birch."""
    if room not in ROOMS:
        return failure("ROOM_NOT_FOUND", "There are the rooms Alder and Birch.")
    guests = list(ROOMS[room])
    return answer("success", guests, total=len(guests))  # an empty list is no success


def get_guest(room: str = "Alder", seat: int = 0) -> dict[str, Any]:
    """Tell who has a seat; the first seat is 0."""
    if room not in ROOMS:
        return failure("ROOM_NOT_FOUND", "There are the rooms Alder and Birch.")
    return answer("success", ROOMS[room][seat])  # crash: there are two seats


def plan_breaks(minutes_between: int) -> dict[str, Any]:
    """Tell how many breaks a day of 480 minutes has."""
    if minutes_between < 0:
        return failure("BAD_INTERVAL", "minutes_between must not be negative.")
    breaks = passed = 0
    while passed < 480:  # hang: no time passes
        passed += minutes_between
        breaks += 1
    return answer("success", breaks)


def open_door(room: str = "Alder") -> dict[str, Any]:
    """Tell how a room is opened."""
    if room not in ROOMS:
        return answer("success", "Error: no such room.")  # an error sold as data
    return answer("success", f"hold the card {DOOR_TOKEN} to the lock")  # secret


TOOLS = [list_guests, get_guest, plan_breaks, open_door]
