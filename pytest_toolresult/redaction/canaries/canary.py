"""What a canary is, and where the chance in it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_toolresult.settings import Personal


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A made-up secret.

    Attributes:
        kind: What it is, such as `password` or `phone`.
        value: What is planted.
        secret: The part of the value that must not be seen: not the scheme of an
            address, nor what an issuer puts at the start of each of its keys.
        head: How many of the secret part's first characters a mask may show.
        tail: How many of its last ones.
        personal: The kind of personal data it is, as `allow_pii` names it, or
            `None`.
        injected: Whether an error carries it that was put in the place of a real one:
            no test has planted it, and it is nowhere else.
    """

    kind: str
    value: str
    secret: str
    head: int = 0
    tail: int = 0
    personal: Personal | None = None
    injected: bool = False


def chance(*names: object) -> Random:
    """Return random numbers that the names decide on, the same in every process."""
    joined = "\0".join(map(str, names))
    return Random(blake2b(joined.encode(), digest_size=16).digest())  # noqa: S311 - no secret
