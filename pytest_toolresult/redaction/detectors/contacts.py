"""Finds e-mail addresses and phone numbers of people.

Addresses of services (`git@`, `noreply@`), names of files and packages with an `@` in
them, and the addresses that manuals print are nobody's. A phone number is taken for
one where it begins with `+`, or is written as only phone numbers are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.values import is_fictional_phone
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_EMAIL: Final = re.compile(
    r"(?<![\w.+%@/*\u2022\uff0a-])(?P<local>[A-Za-z0-9][\w.%+'-]{0,63})@"
    r"(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}"
    r"(?P<top>[A-Za-z]{2,18}|xn--[a-z0-9-]{2,30}))"
    r"(?![\w@-]|\.[A-Za-z0-9])",
    re.ASCII,
)
_SERVICES: Final = re.compile(
    r"(?i)(?:git|hg|svn|ssh|root|ec2-user|ubuntu|deploy|no[._-]?reply"
    r"|do[._-]?not[._-]?reply"
    r"|donotreply|mailer-daemon|postmaster|webmaster|hostmaster|abuse|support|info"
    r"|sales|contact"
    r"|help|hello|security|press|feedback|service|services|notifications?|alerts?"
    r"|newsletter"
    r"|bounces?|updates|billing|privacy|legal|jobs|careers|team|office|dev|packages?"
    r"|maintainers?"
    r"|conduct|enquiries|marketing|noc|admin|administrator|bot|robot|automation|ci"
    r"|system|daemon"
    r"|null|nobody|nospam|[\d.]+|\d+\+[\w-]+|[\w.+-]*\[bot\])(?:\+[\w.-]+)?",
    re.ASCII,
)
_MANUALS: Final = re.compile(
    r"(?i)(?:user(?:name)?\d?|you|me|your[._-]?(?:name|email)|name|e?mail|test\d?"
    r"|tester|foo|bar|baz|someone"
    r"|somebody|nobody|a|b|x|me|first[._]last|first(?:name)?[._]last(?:name)?|j(?:ohn"
    r"|ane)?[._]?doe|example|person|abc|alice|bob|joe|jane|john)",
    re.ASCII,
)
_NO_DOMAINS: Final = frozenset(
    str.split(
        "png jpg jpeg gif svg webp ico js mjs cjs ts tsx jsx css scss py pyc json"
        " yaml yml toml md rst txt html htm xml php rb go rs java kt c h cpp cs sh"
        " zip gz tar exe dll so lock service socket timer target mount device"
        " slice scope local localhost localdomain lan internal intranet invalid"
        " test lid us whatsapp property setter getter staticmethod fixture mark"
        " deleter wraps cache tag sha branch latest main master"
    )
)
_EXAMPLE_DOMAIN: Final = re.compile(
    r"(?i)(?:[\w-]+\.)*(?:example|test|domain|company|email|mail|foo|bar|acme"
    r"|yourdomain|your-domain|mydomain|host|server|abc|xyz|site|website)\.[a-z.]{2,10}",
    re.ASCII,
)
_NOREPLY_DOMAIN: Final = re.compile(
    r"(?i)(?:.*\.)?(?:noreply\.\w+\.\w+|bounces?\..*|g\.us|c\.us|s\.whatsapp\.net|lid)",
    re.ASCII,
)

_END: Final = r"(?:[ ]?(?:x|ext\.?)[ ]?\d{1,6})?(?![\w%]|[.,/:-]\d)"
_BEFORE: Final = r"(?<![\w.+/#=$-]"
_PHONES: Final = (
    (
        (b"+",),
        (
            rf"\+{_BEFORE}\+)\d{{1,3}}[ .\u00a0-]?(?:\(\d{{1,4}}\)[ .-]?)?\d"
            rf"(?:[ .\u00a0()/-]{{0,2}}\d){{5,12}}{_END}"
        ),
    ),
    (
        (b"(00",),
        (
            rf"\({_BEFORE}\()(?:\d{{2,4}}\) ?\d{{3,5}}[ .-]\d{{4}}"
            rf"|0\d{{2,4}}\) ?\d{{5,8}}){_END}"
        ),
    ),
    (
        (b"000-000-0000", b"000.000.0000", b"000-0000-0000"),
        (
            rf"{_BEFORE})(?:(?:001[ -]|1[ .-])?[2-9]\d{{2}}([.-])[2-9]\d{{2}}\1\d{{4}}"
            r"|0[5789]0-\d{4}-\d{4}|01[016789]-\d{3,4}-\d{4}"
            rf"|1[3-9]\d([ -])\d{{4}}\2\d{{4}}){_END}"
        ),
    ),
    (
        (b"00-00-00-00-00", b"00.00.00.00.00"),
        (rf"{_BEFORE})0[1-9](?:([ .])\d{{2}})(?:\1\d{{2}}){{3}}{_END}"),
    ),
)
"""How phone numbers are written, and what their silhouettes have in them."""

_COMPILED: Final = tuple(
    (gates, re.compile(pattern, re.ASCII)) for gates, pattern in _PHONES
)
_MOBILE: Final = re.compile(r"(?<![\w.+/#=$-])1[3-9]\d{9}(?![\w%]|[.,/:-]\d)", re.ASCII)
FEWEST_DIGITS: Final = 8
"""How many digits every text has that holds a phone number."""

_IDEOGRAPH: Final = re.compile(r"[\u4e00-\u9fff]")


def phones(text: str, seen: bytes) -> Iterator[Span]:
    """Find phone numbers.

    Args:
        text: Any text.
        seen: Its silhouette.

    Yields:
        Their spans.
    """
    for gates, pattern in _COMPILED:
        if any(map(seen.__contains__, gates)):
            for match in pattern.finditer(text):
                if _is_phone(match[0]):
                    yield Span(*match.span(), "phone-number", "contact", "phone")
    if not text.isascii() and _IDEOGRAPH.search(text):
        for match in _MOBILE.finditer(text):
            if not is_fictional_phone(match[0]):
                yield Span(*match.span(), "phone-number", "contact", "phone")


def emails(text: str) -> Iterator[Span]:
    """Find e-mail addresses of people.

    Args:
        text: Any text.

    Yields:
        Their spans.
    """
    for match in _EMAIL.finditer(text):
        if _is_personal(match["local"], match["domain"], match["top"]) and not _is_path(
            text, match
        ):
            yield Span(*match.span(), "e-mail", "contact", "email")


def _is_personal(local: str, domain: str, top: str) -> bool:
    if top.lower() in _NO_DOMAINS or _NOREPLY_DOMAIN.fullmatch(domain):
        return False
    if _SERVICES.fullmatch(local):
        return False
    return not (_MANUALS.fullmatch(local) and _EXAMPLE_DOMAIN.fullmatch(domain))


def _is_path(text: str, match: re.Match[str]) -> bool:
    """Tell `user@host:folder/file` and `scheme://name:` from an address."""
    after = text[match.end() : match.end() + 40]
    if re.match(r":[\w~./-]*/", after):
        return True
    before = text[max(0, match.start() - 100) : match.start()]
    return bool(re.search(r"://[^\s/@]*[:/]?$", before))


def _is_phone(found: str) -> bool:
    digits = re.sub(r"(?i)(?:x|ext).*|\D", "", found)
    if digits.startswith(("1800", "1888", "1877", "1866", "1855", "1844", "1833")):
        return False
    if (
        digits.startswith(("800", "888", "877", "866", "855", "844", "833"))
        and len(digits) == 10
    ):
        return False
    return len(digits) >= 8 and len(set(digits)) > 3 and not is_fictional_phone(digits)
