"""Finds credentials by the prefix their issuer gives them.

Issuers publish a prefix so that scanners can find a leaked token. A detector asks for
its prefix as a plain substring first (the gate), which costs next to nothing, and
runs its pattern only where the prefix stands. Every pattern is bounded and starts
with its prefix, so the cost stays linear whatever the text.

Placeholders of documentation are no credentials: `sk-...`, `YOUR_API_KEY`,
`ghp_xxxxxxxx`, and the constants that issuers print in their own documentation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands in a text.

    Attributes:
        start: The first character.
        end: The character after the last one.
        kind: What it is, such as `github-token`.
    """

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Detector:
    """How the secrets of one kind look.

    Attributes:
        kind: What it finds, such as `github-token`.
        gates: Plain texts of which one has to be there before the pattern runs.
        body: The pattern, prefix included; nothing it matches may be unbounded.
        tail: What still belongs to the secret after the match, one character.
        mixed: Whether the secret must hold a digit and a letter, which separates
            random characters from words.
        boundary: Whether a letter, digit, dash or underscore right before it rules it
            out. It also keeps the cost linear: a run of prefixes is tried once.
    """

    kind: str
    gates: tuple[str, ...]
    body: str
    tail: str = "[A-Za-z0-9_-]"
    mixed: bool = True
    boundary: bool = True


_HASH_TAIL: Final = "[A-Za-z0-9/+=$]"
_PEM: Final = (
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:\s|\\[nr]){0,4}[A-Za-z][A-Za-z-]{0,20}: [^\n\\]{0,80}){0,4}"
    r"[^-]{40,20000}"
    r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
)

DETECTORS: Final = (
    Detector("anthropic-key", ("sk-ant-",), r"sk-ant-[\w-]{20,200}"),
    Detector(
        "openai-key",
        ("sk-",),
        r"sk-(?!ant-)(?:proj-|svcacct-|admin-|or-v1-)?(?=[\w-]{0,80}[A-Za-z0-9]{16})"
        r"[\w-]{24,250}",
    ),
    Detector("aws-key", ("AKIA", "ASIA"), "A[KS]IA[A-Z2-7]{16}", tail="[A-Z0-9]"),
    Detector(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{30,255})",
    ),
    Detector(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-"),
        r"gl(?:pat|dt|rt|ptt|cbt|soat)-[\w-]{20,100}",
    ),
    Detector(
        "slack-token", ("xox",), r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}"
    ),
    Detector("slack-token", ("xapp-",), r"xapp-\d-[A-Z0-9]{6,20}-[A-Za-z0-9-]{20,120}"),
    Detector(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows)/[A-Z]\w{7,12}/[A-Z]\w{7,14}/\w{18,40}",
    ),
    Detector(
        "stripe-key", ("k_live_", "k_test_"), r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}"
    ),
    Detector("stripe-webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,80}"),
    Detector("google-key", ("AIza",), r"AIza[\w-]{35}"),
    Detector("google-token", ("ya29.",), r"ya29\.[\w-]{20,250}"),
    Detector("google-client-secret", ("GOCSPX-",), r"GOCSPX-[\w-]{20,40}"),
    Detector("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36}"),
    Detector("pypi-token", ("pypi-AgE",), r"pypi-AgE[\w-]{40,250}"),
    Detector("sendgrid-key", ("SG.",), r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    Detector("twilio-key", ("SK",), r"SK[0-9a-f]{32}"),
    Detector(
        "hugging-face-token",
        ("hf_",),
        r"hf_(?=[a-z0-9]{0,33}[A-Z])[A-Za-z0-9]{30,60}",
        mixed=False,
    ),
    Detector("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,80}"),
    Detector("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,100}"),
    Detector("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,80}"),
    Detector("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{36,40}"),
    Detector(
        "digitalocean-token",
        ("dop_v1_", "doo_v1_", "dor_v1_"),
        r"do[opr]_v1_[0-9a-f]{64}",
    ),
    Detector(
        "shopify-token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    ),
    Detector("telegram-token", (":AA",), r"\d{8,10}:AA[\w-]{32,34}"),
    Detector("databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?"),
    Detector("mailgun-key", ("key-",), r"key-[0-9a-f]{32}"),
    Detector("mailchimp-key", ("-us",), r"[0-9a-f]{32}-us\d{1,2}"),
    Detector("square-token", ("sq0",), r"sq0(?:atp|csp)-[\w-]{22,50}"),
    Detector("linear-key", ("lin_api_",), r"lin_api_[A-Za-z0-9]{32,48}"),
    Detector("notion-token", ("ntn_",), r"ntn_[A-Za-z0-9]{40,60}"),
    Detector("vault-token", ("hvs.", "hvb."), r"hv[sb]\.[\w-]{24,200}"),
    Detector("grafana-token", ("glsa_", "glc_"), r"gl(?:sa|c)_[A-Za-z0-9_+/=]{32,200}"),
    Detector("docker-token", ("dckr_pat_",), r"dckr_pat_[\w-]{20,60}"),
    Detector("new-relic-key", ("NRAK-",), r"NRAK-[A-Z0-9]{27}"),
    Detector("atlassian-token", ("ATATT3",), r"ATATT3[\w=-]{50,250}", tail="[\\w=-]"),
    Detector("supabase-token", ("sbp_",), r"sbp_[0-9a-f]{40}"),
    Detector("tailscale-key", ("tskey-",), r"tskey-[a-z]{3,12}-[A-Za-z0-9-]{16,80}"),
    Detector(
        "azure-storage-key", ("AccountKey=",), r"AccountKey=[A-Za-z0-9+/]{80,90}={0,2}"
    ),
    Detector("age-key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}"),
    Detector("jwt", ("eyJ",), r"eyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}"),
    Detector("private-key", ("PRIVATE KEY",), _PEM, tail="", boundary=False),
    Detector(
        "password-hash",
        ("$2a$", "$2b$", "$2x$", "$2y$"),
        r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}",
        tail=_HASH_TAIL,
        boundary=False,
    ),
    Detector(
        "password-hash",
        ("$argon2",),
        r"\$argon2(?:id|i|d)\$(?:v=\d{1,3}\$)?m=\d{1,9},t=\d{1,5},p=\d{1,4}"
        r"\$[A-Za-z0-9+/=]{8,90}\$[A-Za-z0-9+/=]{16,200}",
        tail=_HASH_TAIL,
        boundary=False,
    ),
    Detector(
        "password-hash",
        ("$1$", "$5$", "$6$", "$y$"),
        r"\$(?:1|5|6|y)\$(?:[\w=]{1,20}\$)?[./A-Za-z0-9]{1,30}\$[./A-Za-z0-9]{21,89}[/A-Za-z0-9]",
        tail=_HASH_TAIL,
        boundary=False,
    ),
    Detector(
        "password-hash",
        ("pbkdf2_sha", "scrypt:", "pbkdf2:"),
        r"(?:pbkdf2_sha\d{1,3}\$\d{1,8}|pbkdf2:\w{1,10}:\d{1,8}"
        r"|scrypt:\d{1,8}:\d{1,4}:\d{1,4})\$[A-Za-z0-9./+=]{4,64}\$[A-Za-z0-9/+=]{32,200}",
        tail=_HASH_TAIL,
    ),
)
"""What is looked for. Sources: the issuers' published token formats."""

_GATES: Final = frozenset(gate for each in DETECTORS for gate in each.gates)
_DOCUMENTED: Final = (
    "EXAMPLE",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "_4eC39HqLyjWDarjtT1zdp7dc",
    "_BQokikJOvBiI2HlWgH4olfQ2",
)
"""Parts of constants that AWS, the JWT debugger and Stripe print in their manuals."""

_PLACEHOLDER_WORDS: Final = frozenset(
    (
        *("your", "example", "placeholder", "dummy", "fake", "sample", "changeme"),
        *("redacted", "insert", "replace", "here", "xxx"),
    )
)
_FEWEST_CHARACTERS: Final = 6


def credentials(text: str) -> Iterator[Span]:
    """Find every credential with a known prefix, in no particular order.

    Args:
        text: Any text; its length only counts where a prefix stands in it.

    Yields:
        The spans; two detectors may claim the same characters.
    """
    for detector in DETECTORS:
        if any(gate in text for gate in detector.gates):
            yield from _matches(detector, text)


def gated(text: str) -> bool:
    """Tell whether any prefix stands in the text, whatever comes after it."""
    return any(gate in text for gate in _GATES)


def _matches(detector: Detector, text: str) -> Iterator[Span]:
    whole, tail = _patterns(detector)
    position = 0
    while match := whole.search(text, position):
        rest = tail.match(text, match.end())
        position = rest.end() if rest else match.end()
        if _is_credential(detector, text[match.start() : position]):
            yield Span(match.start(), position, detector.kind)


@cache
def _patterns(detector: Detector) -> tuple[re.Pattern[str], re.Pattern[str]]:
    before = r"(?<![\w-])" if detector.boundary else ""
    after = f"(?:{detector.tail})*" if detector.tail else ""
    return re.compile(before + detector.body, re.ASCII), re.compile(after, re.ASCII)


def _is_credential(detector: Detector, found: str) -> bool:
    if detector.mixed and not (
        re.search(r"\d", found) and re.search("[A-Za-z]", found)
    ):
        return False
    return not _is_placeholder(found)


def _is_placeholder(found: str) -> bool:
    """Tell a documentation's stand-in from a token that opens something."""
    if "..." in found or any(constant in found for constant in _DOCUMENTED):
        return True
    body = re.split(r"[-_.:$]", found)
    if _PLACEHOLDER_WORDS & {part.lower() for part in body[1:]}:
        return True
    return len(set(max(body, key=len))) < _FEWEST_CHARACTERS
