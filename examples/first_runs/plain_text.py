"""Tools that answer in plain text and raise when something is wrong.

pytest --toolresult examples/first_runs/plain_text.py:TOOLS
"""

from __future__ import annotations

FORECASTS = {
    "Oslo": ["snow", "snow", "clouds"],
    "Quito": ["rain", "sun", "rain"],
}
NOTES = {"shopping": "milk, bread", "friday": "call the plumber"}

# Made up, and in two pieces so that nobody's scanner takes it for a find.
SETTINGS = (
    "host=api.example.com token=" + "ghp_9vzF9ECA4vx5" + "E8Kzu2qTrBdg6JoAtY1odQiU"
)


def get_forecast(city: str, day: int = 0) -> str:
    """Tell the weather of Oslo or Quito; day 0 is today."""
    if city not in FORECASTS:
        raise ValueError("There are forecasts for " + " and ".join(FORECASTS) + ".")
    return f"{city}: {FORECASTS[city][day]}"  # crash: there are three days


def count_pages(page_size: int) -> str:
    """Tell how many pages the catalogue of 45 goods has."""
    if page_size < 0:
        raise ValueError("page_size must not be negative.")
    pages = shown = 0
    while shown < 45:  # hang: a page of 0 goods never gets there
        shown += page_size
        pages += 1
    return f"{pages} pages"


def show_settings() -> str:
    """Tell which server is in use."""
    return SETTINGS  # secret: the token is nothing a model needs


def read_note(name: str) -> str:
    """Read a note of the user."""
    if name not in NOTES:
        return "Error: there is no note of this name."  # sold as the note's text
    return NOTES[name]


def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second


TOOLS = [get_forecast, count_pages, show_settings, read_note, add]
