"""What a span is called that was found by the name beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.spans import Family, Span

if TYPE_CHECKING:
    from pytest_toolresult.redaction.detectors.labels import Label
    from pytest_toolresult.settings import Personal

_FAMILIES: Final[dict[Label, tuple[str, Family, Personal | None]]] = {
    "password": ("password", "field", None),
    "pin": ("pin", "field", None),
    "hash": ("password-hash", "credential", None),
    "token": ("secret", "field", None),
    "header": ("authorization", "field", None),
    "cookie": ("cookie", "field", None),
    "address": ("connection-string", "connection", None),
    "session": ("session-id", "field", None),
    "identity": ("identity-number", "identity", "national_id"),
    "passport": ("passport-number", "identity", "passport"),
    "tax": ("tax-number", "identity", "tax_id"),
    "card": ("card-number", "bank", "card"),
    "account": ("account-number", "bank", "bank_account"),
    "phone": ("phone-number", "contact", "phone"),
    "email": ("e-mail", "contact", "email"),
}


def labelled(label: Label, start: int, end: int) -> Span:
    """Return the span of a value that stands under a name of that kind."""
    kind, family, personal = _FAMILIES[label]
    return Span(start, end, kind, family, personal)
