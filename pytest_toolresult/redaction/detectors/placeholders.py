"""What stands where a secret would stand and is none.

Documentation prints the same few constants everywhere, templates name a variable,
deployments refer to a place that keeps the secret, and good tools mask it.
"""

from __future__ import annotations

import itertools
import re
from typing import Final

_CONSTANTS: Final = (
    # AWS's, the JWT debugger's, Stripe's and PayPal's manuals.
    "EXAMPLE",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "eyJzb21lIjoicGF5bG9hZCJ9",
    "_4eC39HqLyjWDarjtT1zdp7dc",
    "_BQokikJOvBiI2HlWgH4olfQ2",
    # The accounts that the Azure Storage and Cosmos DB emulators share.
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
    (
        "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67"
        "XIw/Jw"
    ),
    # Hashes of nothing and of the word itself, which say nothing about anybody.
    "d41d8cd98f00b204e9800998ecf8427e",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "5f4dcc3b5aa765d61d8327deb882cf99",
)
_WORDS: Final = frozenset(
    str.split(
        "your yours my example examples sample placeholder dummy fake mock"
        " changeme changeit change redacted masked hidden removed filtered insert"
        " replace"
        " here xxx xxxx todo tbd fixme demo foobar foo bar baz enter paste"
    )
)
_MASK: Final = re.compile(
    r"[*\u2022\u25cf\uff0a\u2217\u2588\u00d7\u25a0\u2591]{3,}|#{4,}|\.{3,}|\u2026"
    r"|(?<![A-Za-z0-9])[xX]{3,}(?![A-Za-z])|[xX]{6,}"
)
_SUSPICIOUS: Final = re.compile(
    r"[*#\[(<{\u2022\u25cf\uff0a\u2217\u2588\u00d7\u25a0\u2591\u2026]|\.\.\.|[xX]{3}"
)
_SHORT_MASK: Final = re.compile(r"[*\u2022\u25cf\uff0a#]{2}")
_MASKED_SHARE: Final = 0.25
_TEMPLATE: Final = re.compile(
    r"^\$[A-Z_][A-Z0-9_]*$|^\$[a-z_]+(?:[A-Z][a-z]+)*$|^\$[A-Z_]{3,}\b|\$\{|\$\(|\{\{|^\{[%#]|<%|%\(\w+\)s|^%\w+%$"
    r"|^\{\w*\}$"
    r"|^#\{|^@\{|^<[A-Za-z][\w -]*>?$|process\.env|os\.environ|getenv|ENV\[|^env\("
    r"|import\.meta"
)
_REFERENCE: Final = re.compile(
    r"arn:aws[\w-]*:|projects/[\w-]+/secrets/|(?:hc)?vault(?::|\+|://|-)|op://|ssm:"
    r"|ref\+|sops:"
    r"|ENC\[|ENC\(|!vault|!secret|akv(?:s)?://|@Microsoft\.KeyVault|secretKeyRef"
    r"|valueFrom"
    r"|(?:aws|gcp|azure)?-?(?:secretsmanager|secretmanager|keyvault|kms):|doppler://"
    r"|bws://|lastpass://|keychain:|keyring:|file://|secrets?[./:]|/(?:run|etc|var"
    r"|mnt)/"
    r"|~/|\./|\.\./|[A-Za-z]:\\|conjur|chamber|gopass|bitwarden:|infisical|resolve:|kv/"
)
_BRACKETED: Final = re.compile(
    r"[\s\"']*[\[(<{]{1,2}[\w *.,#\u4e00-\u9fff-]+[\])>}]{1,2}[\s\"']*|\[[a-z][\w -]*"
    r"(?:,.*)?"
)
_PIECES: Final = re.compile("[-_.:$/]")
_FEWEST_CHARACTERS: Final = 5
_SAMPLED: Final = (2, 6, 10)
"""Places to look at first: what is regular nowhere there is so nowhere else."""

_SHORT_PIECE: Final = 8
_SEQUENCE: Final = 0.6
_CAMEL_WORDS: Final = re.compile("[A-Z]?[a-z]{3,}")
_LETTERS: Final = re.compile("[a-z]{2,}")
_LONGEST_WORDS: Final = 120
_LONGEST_LOOK: Final = 24


def is_masked(value: str) -> bool:
    """Tell whether a part of a value was replaced by asterisks or the like."""
    if not _SUSPICIOUS.search(value):
        return False
    if _MASK.search(value) or _BRACKETED.fullmatch(value):
        return True
    hidden = 2 * len(_SHORT_MASK.findall(value))
    return hidden > _MASKED_SHARE * len(value)


def is_reference(value: str) -> bool:
    """Tell whether a value names where the secret is: a variable, a vault, a file."""
    return bool(_TEMPLATE.search(value[:200]) or _REFERENCE.match(value.lstrip("\"'")))


def is_documented(value: str) -> bool:
    """Tell whether a value holds a constant that manuals print."""
    return any(map(value.__contains__, _CONSTANTS))


def has_placeholder_word(value: str) -> bool:
    """Tell whether one of the words in a value says that it stands for something."""
    return not _WORDS.isdisjoint(_LETTERS.findall(value[:_LONGEST_WORDS].lower()))


def is_placeholder(value: str) -> bool:
    """Tell whether a token is a documentation's stand-in, a mask or a reference."""
    if is_documented(value) or is_masked(value) or has_placeholder_word(value):
        return True
    longest = max(_PIECES.split(value), key=len)
    if len(longest) < _SHORT_PIECE:
        longest = value
    return len(set(longest)) < _FEWEST_CHARACTERS or is_sequence(longest)


def is_worded(value: str) -> bool:
    """Tell whether a name in camel case is made of words, as random ones are not."""
    return sum(map(len, _CAMEL_WORDS.findall(value))) > len(value) // 2


def is_sequence(value: str) -> bool:
    """Tell whether a value counts up or down, or repeats, as invented ones do."""
    codes = list(map(ord, value[:_LONGEST_LOOK]))
    if len(codes) > _SAMPLED[-1] + 2 and not any(
        _is_step(codes, at) for at in _SAMPLED
    ):
        return False
    steps = [b - a for a, b in itertools.pairwise(codes)]
    regular = 0
    for step, next_step in itertools.pairwise(steps):
        if step == next_step and -1 <= step <= 1:
            regular += 1
    return bool(steps) and regular >= _SEQUENCE * max(len(steps) - 1, 1)


def _is_step(codes: list[int], at: int) -> bool:
    return codes[at + 1] - codes[at] == codes[at + 2] - codes[at + 1]
