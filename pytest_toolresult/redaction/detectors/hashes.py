"""Finds hashes of passwords, and keys in PEM form.

Sources: crypt(5), the Passlib manual's list of formats, ASP.NET Core's PasswordHasher,
RFC 2307 (LDAP), RFC 5803 (SCRAM), Microsoft's pwdump form, RFC 7468 (PEM).
"""

from __future__ import annotations

import re
from base64 import b64decode
from functools import cache
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.placeholders import is_documented
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_B64: Final = "[A-Za-z0-9+/._-]"
_PEM: Final = (
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:\s|\\[nr]){0,4}[A-Za-z][A-Za-z-]{0,20}: [^\n\\]{0,80}){0,4}"
    r"[^-]{40,20000}"
    r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
)
_PPK: Final = r"PuTTY-User-Key-File-\d: [^\0]{20,6000}?Private-MAC: [0-9a-f]{32,64}"

_SHAPES: Final = (
    (("PRIVATE KEY",), "private-key", _PEM),
    (("PuTTY-User-Key",), "private-key", _PPK),
    (("LS0tLS1CRUdJTi",), "private-key", r"LS0tLS1CRUdJTi[A-Za-z0-9+/=\s]{80,20000}"),
    (("$2",), "password-hash", r"\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}"),
    (
        ("$argon2",),
        "password-hash",
        (
            r"\$argon2(?:id|i|d)\$(?:v=\d{1,3}\$)?m=\d{1,9},t=\d{1,5},p=\d{1,4}"
            r"\$[A-Za-z0-9+/=]{8,90}\$[A-Za-z0-9+/=]{16,200}"
        ),
    ),
    (
        ("$1$", "$5$", "$6$", "$7$", "$8$", "$9$", "$y$", "$gy$", "$md5", "$sha1$"),
        "password-hash",
        (
            r"\$(?:1|5|6|7|8|9|g?y|md5|sha1)[$,](?:[\w=]{1,20}\$)?[./A-Za-z0-9]{1,30}"
            r"\${1,2}[./A-Za-z0-9]{20,89}[/A-Za-z0-9]"
        ),
    ),
    (
        ("$apr1$", "$P$", "$H$", "$S$", "$wp$", "$5r$"),
        "password-hash",
        (
            r"\$(?:apr1\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22}|[PH]\$[./A-Za-z0-9]{31}"
            r"|S\$[./A-Za-z0-9]{52}|wp\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53})"
        ),
    ),
    (
        ("pbkdf2", "PBKDF2"),
        "password-hash",
        (
            rf"(?i:\$?pbkdf2[_:-]?(?:hmac[_:-])?(?:sha\d{{1,3}})?)(?:[:$,=]?[\w=]{{1,20}}){{0,3}}"
            rf"[:$]{_B64}{{4,90}}={{0,2}}[:$]{_B64}{{27,200}}={{0,2}}"
        ),
    ),
    (
        ("scrypt",),
        "password-hash",
        (
            rf"\$?scrypt[:$][\w=,:]{{1,40}}\${_B64}{{4,90}}={{0,2}}\${_B64}{{32,200}}={{0,2}}"
            rf"|SCRYPT:\d+:\d+:\d+:{_B64}{{4,90}}={{0,2}}:{_B64}{{32,200}}={{0,2}}"
        ),
    ),
    (
        ("{S", "{MD5", "{PBKDF2", "{CRYPT", "{PKCS", "{ARGON", "{s", "{bcrypt"),
        "password-hash",
        (
            r"\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,12}|PKCS5S2|ARGON2|bcrypt|ssha\d{0,3})\}"
            r"[$A-Za-z0-9+/=.]{20,200}"
        ),
    ),
    (
        ("{x-is",),
        "password-hash",
        r"\{x-is\w{2,6}, {0,1}\d{1,6}\}[A-Za-z0-9+/]{24,120}={0,2}",
    ),
    (
        ("AQAAAA",),
        "password-hash",
        r"(?<![A-Za-z0-9+/])AQAAAA[EI]A[A-Za-z0-9+/]{4}AAAAE[A-Za-z0-9+/]{60,75}={0,2}",
    ),
    (
        ("SCRAM-SHA",),
        "password-hash",
        (
            rf"SCRAM-SHA-\d{{1,3}}\$\d{{3,7}}:{_B64}{{8,60}}={{0,2}}\${_B64}{{20,100}}={{0,2}}"
            rf":{_B64}{{20,100}}={{0,2}}"
        ),
    ),
    (("md5",), "password-hash", r"(?<![\w-])md5[0-9a-f]{32}(?!\w)"),
    (("*",), "password-hash", r"(?<![\w*])\*[0-9A-F]{40}(?!\w)"),
    (
        ("$A$",),
        "password-hash",
        r"\$A\$\d{3}\$[ -~]{20}[./A-Za-z0-9]{43}",
    ),
    (
        ("0x0100", "0x0200"),
        "password-hash",
        r"0x0(?:100[0-9A-Fa-f]{48}|100[0-9A-Fa-f]{88}|200[0-9A-Fa-f]{136})(?![0-9A-Fa-f])",
    ),
    (("S:",), "password-hash", r"(?<!\w)S:[0-9A-F]{60}(?:;[HT]:[0-9A-F]{32,160})?"),
    (("T:",), "password-hash", r"(?<!\w)T:[0-9A-F]{160}(?!\w)"),
    (
        (":::",),
        "password-hash",
        r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{32}|NO PASSWORD\*{21}):[0-9a-fA-F]{32}(?=:::)",
    ),
    (
        ("::",),
        "password-hash",
        r"(?<![\w.-])[\w.-]{1,40}::[\w.-]{1,40}:[0-9a-fA-F]{16}:[0-9a-fA-F]{32}:[0-9a-fA-F]{40,1200}",
    ),
    (
        ("$DCC2$", "$krb5", "$ml$", "$sshng$", "$NETNTLM"),
        "password-hash",
        (
            r"\$(?:DCC2\$\d{1,6}#[^#\s\0]{1,60}#[0-9a-f]{32}"
            r"|krb5\w{2,6}\$\d{1,3}\$[^\s\0]{40,4000}|ml\$\d{3,6}\$[0-9a-f]{64}\$[0-9a-f]{64,256}"
            r"|sshng\$\d\$\d{1,3}\$[0-9a-f$]{60,4000})"
        ),
    ),
    (
        ("sha", "bcrypt"),
        "password-hash",
        r"(?<![\w-])sha(?:1|256|512)\$[\w./+-]{1,40}\$[0-9a-f]{40,128}(?!\w)",
    ),
)

_GATED: Final = tuple(
    (gate, number) for number, (gates, _, _) in enumerate(_SHAPES) for gate in gates
)
_FIRST_GATES: Final = (
    *(
        "$",
        "*",
        "md5",
        "0x0",
        "::",
        "S:",
        "T:",
        "AQAAAA",
        "PRIVATE KEY",
        "LS0tLS1",
        "PuTTY",
    ),
    *("pbkdf2", "PBKDF2", "scrypt", "SCRYPT", "SCRAM"),
)
"""What one of stands in every text that has something of these shapes."""


def hashes(text: str, seen: bytes) -> Iterator[Span]:
    """Find hashes of passwords and private keys.

    Args:
        text: Any text.
        seen: Its silhouette.

    Yields:
        Their spans.
    """
    labelled = b"{A" in seen or b"{a" in seen
    if not labelled and not any(map(text.__contains__, _FIRST_GATES)):
        return
    for number in {number for gate, number in _GATED if gate in text}:
        _, kind, pattern = _SHAPES[number]
        for match in _compiled(pattern).finditer(text):
            if _is_kept_secret(match[0]):
                yield Span(match.start(), match.end(), kind)


def _is_kept_secret(found: str) -> bool:
    if is_documented(found) or "..." in found[:120]:
        return False
    if found.startswith("LS0t"):
        return b"PRIVATE" in b64decode(found[:64])
    return True


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)
