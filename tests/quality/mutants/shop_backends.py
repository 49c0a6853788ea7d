"""What the shop's tools depend on beside libraries: a memory, a mailer, a driver."""

from __future__ import annotations

from typing import Any

NOTES = [
    {"note_id": f"n-{number}", "text": f"note {number} on paper", "score": 0.9}
    for number in range(5)
]


class Memory:
    """A store of notes that looks for words."""

    def search(self, query: str, most: int) -> Any:
        """Return the notes that hold the words."""
        return [note for note in NOTES if query in str(note["text"])][:most]


class Warehouse:
    """A driver of a database in another building."""

    def fetch(self, dsn: str, month: int) -> Any:
        """Return the rows of a month."""
        known = bool(dsn) and 0 < month < 13
        return [{"product": "pen", "sold": 12}, {"product": "ink", "sold": 3}] * known


async def send_mail(recipient: str, text: str) -> dict[str, str]:
    """Send a text, and return what the mail is known by."""
    return {"to": recipient, "mail_id": f"m-{len(text)}"}
