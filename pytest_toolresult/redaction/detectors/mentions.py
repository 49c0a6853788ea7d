"""Finds secrets that are mentioned beside a telling name without a plain separator.

In prose, in English and in Chinese, in options and commands of a shell, in elements
and attributes of markup, in rows of a name and a value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.assignments import end_of_value
from pytest_toolresult.redaction.detectors.kinds import labelled
from pytest_toolresult.redaction.detectors.labels import label_of
from pytest_toolresult.redaction.detectors.placeholders import is_worded
from pytest_toolresult.redaction.detectors.values import is_clear

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_toolresult.redaction.spans import Span

_SECRETS: Final = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "token", "secret"),
    *("api key", "access key", "secret key", "private key", "signing key"),
    "encryption key",
)
_OTHERS: Final = (
    *("pin", "otp", "code", "ssn", "social security(?: number)?", "national id"),
    *("tax id", "licen[cs]e(?: number| no\\.?)?"),
)
_PEOPLE: Final = tuple(
    f"{name}(?: number| no\\.?)?"
    for name in ("account", "card", "passport", "phone", "mobile", "id")
)
_NUMBERS_OF: Final = tuple(
    f"{name}(?: (?:number|no|card|num))?"
    for name in (
        *("ssn", "social security", "nino", "nhs", "aadhaar", "pan", "cpf", "cnpj"),
        *("tax id", "phone", "tel(?:ephone|efon)?", "mobile", "cell", "fax", "iban"),
        *("nric", "rrn", "passport", "id", "id card", "identity", "identity card"),
        *("national (?:id|insurance|identity|card)", "citizen (?:id|card)"),
        *("personal (?:id|identity|insurance)", "insurance", "card"),
        *("bank account", "account"),
    )
)


_TITLES: Final = str.split("name key variable header field env label title")


def _one_of(words: Iterable[str]) -> str:
    """Write a pattern for one of some words, in capitals or not, at a word's beginning.

    It begins with plain characters, to which the engine of regular expressions skips
    quickly.
    """
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(
        rf"{first}(?<![\w-]{first})(?i:{'|'.join(rest)})"
        for letter, rest in rests.items()
        for first in (letter, letter.upper())
    )


_PROSE: Final = re.compile(
    f"(?P<name>{_one_of((*_SECRETS, *_PEOPLE, *_OTHERS))})"
    r"(?i:(?:[ ](?:for|of|to)[ ][\w.@-]{1,40})?[ ](?:is|was|are|=|set to|changed to"
    r"|reset to|to|now|will be|lautet:?|ist|has been set to|:)[ ]{0,2}(?:now |again )?)"
    r"[\"'`\u201c]?(?P<value>[^\s\"'`<>\0\u201d]{3,256})"
)
_CHINESE: Final = re.compile(
    r"(?P<name>[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,12})(?:[ ]?[(\uff08][^)"
    r"\uff09\0]{0,20}[)\uff09])?"
    r"[\"'\u201d\u300d\]\u3011]{0,2}[ \t]{0,4}(?:[:\uff1a=\uff1d\u2192 ]|(?=[\dA-Z])"
    r"|(?<=[\u662f\u4e3a\u70ba\u306f\]\u3011])(?=[!-~])|(?=[\u3010\u300c\u300e]))"
    r"[ \t]{0,4}[\"'`\u201c\u300c\u3010\u300e\[]?(?P<value>[!#-&(-;=?-_a-~]{3,256})"
)
_BARE: Final = re.compile(
    f"(?P<name>{_one_of(_SECRETS)})[ ]"
    r"[\"'`]?(?P<value>(?=[^\s]{0,60}\d)(?=[^\s]{0,60}[a-z])(?=[^\s]{0,60}[A-Z])"
    r"[^\s\"'`<>=(\0]{8,256})"
)
_QUOTED: Final = re.compile(
    f"(?P<name>{_one_of(_SECRETS)})[ ]"
    r"[\"'`\u201c](?P<value>[^\s\"'`<>\0\u201d]{4,256})[\"'`\u201d]"
)
_OPTION: Final = re.compile(
    r"(?<![\w-])--?(?P<name>[A-Za-z][\w-]{1,40})[ =][\"']?"
    r"(?P<value>[^\s\"'\0<>]{3,512})"
)
_ELEMENT: Final = re.compile(
    r"<(?:\w{1,20}:)?(?P<name>[A-Za-z][\w.-]{1,50})(?:\s[^<>\0]{0,200})?>"
    r"(?:<!\[CDATA\[)?\s{0,20}(?P<value>[^<>\0\r\n]{3,2048}?)\s{0,20}(?:\]\]>)?</"
)
_ATTRIBUTES: Final = re.compile(
    r"(?:name|key|id|field|property|data-key|th|label)=\\?[\"'](?P<name>[\w. "
    r"-]{2,60})\\?[\"'][^<>\0]{0,120}?"
    r"(?:value|content|data-value)=\\?[\"'](?P<value>[^\"'\\<>\0]{3,2048})"
)
_CONTENT: Final = re.compile(
    r"(?:name|key|id)=\\?[\"'](?P<name>[\w. -]{2,60})\\?[\"'][^<>\0]{0,120}>"
    r"(?P<value>[^<>\0\r\n]{3,2048}?)</"
)
_BESIDE: Final = re.compile(
    f"(?P<name>{_one_of(_NUMBERS_OF)})"
    r"[.:#]{0,2}[ ]{1,2}(?P<value>(?i:[+(]?[A-Z]{0,3}\d[\dA-Z .()/-]{5,28}))"
)
_BLOCK: Final = re.compile(
    r"\"(?P<name>[\w.-]{2,80})\"\s{0,4}\{[^{}\0]{0,300}?\b(?:default|value)\s{0,20}=\s{0,4}"
    r"\"(?P<value>[^\"\0\r\n]{3,2048})\""
)
_ROW: Final = re.compile(
    f"(?:{_one_of(_TITLES)})"
    r"(?i:\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?"
    r"(?P<name>[\w .-]{2,80})\\{0,3}[\"']?"
    r"\s{0,3}[,\n;]\s{0,12}\\{0,3}[\"']?(?:value|val|content|data|default)"
    r"\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?P<value>[^\s\"'\\,}\0]{3,4096}))"
)
_CELLS: Final = re.compile(
    r"<(?:t[hd]|dt|b|strong|label|span)[^<>\0]{0,80}>\s{0,8}"
    r"(?P<name>[^<>\0:\uff1a]{2,40})[:\uff1a]?\s{0,8}</(?:t[hd]|dt|b|strong|label"
    r"|span)>"
    r"[:\uff1a]?\s{0,20}<(?:td|dd|code|span|input[^<>\0]{0,80}value=[\"']?|i|em|b|p)"
    r"[^<>\0]{0,80}>?\s{0,8}(?P<value>[^<>\0]{3,512}?)\s{0,8}<"
)
_AFTER: Final = re.compile(
    r"<(?:b|strong|label|em|span)[^<>\0]{0,80}>\s{0,8}(?P<name>[^<>\0:\uff1a]{2,40})"
    r"[:\uff1a]?\s{0,8}</(?:b|strong|label|em|span)>"
    r"[:\uff1a]?\s{0,8}(?P<value>[^<>\0\s]{3,512})\s{0,8}(?=<)"
)
_GATED: Final = (
    ("<", (_ELEMENT, _ATTRIBUTES, _CONTENT, _CELLS, _AFTER)),
    ("alue", (_ROW,)),
    ('" {', (_BLOCK,)),
    ('"{', (_BLOCK,)),
    (" -", (_OPTION,)),
)
_LOOSE: Final = (_PROSE, _QUOTED, _AFTER)
"""Patterns of running text, in which a word beside a name need not be its value."""

_QUOTE: Final = re.compile("[dentyDENTY] [\"'`\u201c]")
"""What stands between one of the secrets' names and a value in quotes."""

_WORD_BEFORE: Final = re.compile(r"[A-Za-z]+[ -]\Z")
_VERBS: Final = (
    *(" is ", " was ", " are ", " now ", " to ", " been ", " lautet", " ist ", " : "),
    " = ",
)
_NUMBER: Final = re.compile(r"[ :]\(?[+A-Z]{0,3}\d[\dA-Z .()/-]{5}")


def mentions(text: str) -> Iterator[Span]:
    """Find secrets beside a telling name.

    Args:
        text: Any text that holds such a name.

    Yields:
        Their spans.
    """
    for pattern in dict.fromkeys(_patterns_for(text)):
        for match in pattern.finditer(text):
            yield from _named(match, text, loose=pattern in _LOOSE)


def _patterns_for(text: str) -> Iterator[re.Pattern[str]]:
    """Choose the patterns that have a chance, by what is quickly found out."""
    for verb in _VERBS:
        if verb in text:
            yield _PROSE
            break
    for gate, patterns in _GATED:
        if gate in text:
            yield from patterns
    if _NUMBER.search(text):
        yield _BESIDE
    if " " in text:
        yield _BARE
    if _QUOTE.search(text):
        yield _QUOTED
    if not text.isascii():
        yield _CHINESE


def _named(match: re.Match[str], text: str, *, loose: bool) -> Iterator[Span]:
    name = match["name"]
    label = label_of(_word_before(match) + name if match.re is _PROSE else name)
    if label is None:
        return
    start, end = match.span("value")
    end = end_of_value(label, text, start, end)
    if match.re is _BARE and is_worded(text[start:end]):
        return
    if end > start and is_clear(label, text[start:end], loose=loose):
        yield labelled(label, start, end)


def _word_before(match: re.Match[str]) -> str:
    """Return the word before a name, which may change what it says: `page token`."""
    start = match.start()
    before = _WORD_BEFORE.search(match.string[max(0, start - 24) : start])
    return before[0] if before else ""
