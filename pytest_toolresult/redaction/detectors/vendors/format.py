"""One format of one issuer, and a short way to write many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_COLLECTIONS: Final = {
    "betterleaks": "https://github.com/betterleaks/betterleaks",
    "gitleaks": "https://github.com/gitleaks/gitleaks",
    "kingfisher": "https://github.com/mongodb/kingfisher",
    "noseyparker": "https://github.com/praetorian-inc/noseyparker",
    "secretlint": "https://github.com/secretlint/secretlint",
    "trufflehog": "https://github.com/trufflesecurity/trufflehog",
}
"""Public collections of rules, in which a format can be looked up."""

LONGEST: Final = 600
"""How many characters of a token are matched at most: no pattern is unbounded."""


@dataclass(frozen=True, slots=True)
class Format:
    """How the keys of one kind look.

    Attributes:
        kind: What it is, such as `github-token`.
        prefix: How each begins, at least two characters.
        body: The pattern of what follows, of which no part is unbounded.
        source: Where the format is documented.
        varied: Whether a digit has to be in it, which separates random characters
            from words.
    """

    kind: str
    prefix: str
    body: str
    source: str
    varied: bool = True


def formats(source: str, *rows: tuple[str, str, str]) -> tuple[Format, ...]:
    """Make the formats that one page documents.

    Args:
        source: The page, or the name of a collection.
        *rows: The kind, the prefixes with blanks between them, and the body. A body
            that begins with `!` may be without a digit.
    """
    page = _COLLECTIONS.get(source, source)
    return tuple(
        Format(kind, prefix, body.removeprefix("!"), page, not body.startswith("!"))
        for kind, prefixes, body in rows
        for prefix in prefixes.split()
    )


def alnum(least: int, most: int = LONGEST) -> str:
    """Letters and digits."""
    return f"[A-Za-z0-9]{{{least},{most}}}"


def word(least: int, most: int = LONGEST) -> str:
    """Letters, digits, dashes and underscores."""
    return f"[\\w-]{{{least},{most}}}"


def lower(least: int, most: int = LONGEST) -> str:
    """Small letters and digits."""
    return f"[a-z0-9]{{{least},{most}}}"


def upper(least: int, most: int = LONGEST) -> str:
    """Capital letters and digits."""
    return f"[A-Z0-9]{{{least},{most}}}"


def hexa(least: int, most: int = 0) -> str:
    """Hexadecimal digits, that many."""
    return f"[0-9a-fA-F]{{{least},{most or least}}}"


def base64(least: int, most: int = LONGEST) -> str:
    """The characters of base64, with its padding."""
    return f"[A-Za-z0-9+/_-]{{{least},{most}}}={{0,3}}"
