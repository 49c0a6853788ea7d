"""Finds names with values in running text: environment, configuration, prose, tables.

One pattern finds `name`, a separator and a value, in whatever notation: `KEY=value`,
YAML, JSON within text, headers, queries, attributes, options of a command. What the
name says and how the value looks is asked of `labels` and `values`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.labels import (
    Label,
    label_of,
    may_hold_labels,
)
from pytest_toolresult.redaction.detectors.values import is_clear
from pytest_toolresult.redaction.spans import Family, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.settings import Personal

_WORD: Final = r"[^\W\d_][\w.$-]{0,50}"
_VALUE: Final = (
    r"(?P<value>(?P<quote>\\{0,3}[\"'`])(?P<quoted>[^\0\r\n]{0,4096}?)(?P=quote)"
    r"|(?:(?:Bearer|Basic|Token|Digest|ApiKey|SSWS|bearer|basic|token)[ ]+)?"
    r"[^\s\"'`<>\0]{1,4096})"
)
_PAIR: Final = re.compile(
    rf"(?<![\w$])(?P<name>[_$]{{0,2}}{_WORD}(?:[ ]{_WORD}){{0,3}})"
    r"(?P<close>(?:\\{0,3}[\"'`]|\*\*|\]|[)\uff09])?)"
    r"[ \t]{0,8}(?P<separator>=>|:=|==?|[:\uff1a\uff1d]|->|\t)[ \t]{0,24}(?:\*\*[ ]?)?"
    + _VALUE
)
_PROSE: Final = re.compile(
    r"(?i)(?<![\w-])(?P<name>(?:[a-z]+[ -])?(?:password|passphrase|passcode|pin|pwd"
    r"|(?:api|access|secret|private|signing|encryption) key|token|secret|ssn"
    r"|social security(?: number)?|(?:account|card|passport|phone|mobile|licen[cs]e|id)"
    r"(?: number| no\.?)?|national id|tax id|otp|code))"
    r"(?:[ ](?:for|of|to)[ ][\w.@-]{1,40}){0,1}[ ](?:is|was|are|=|set to|changed to"
    r"|reset to"
    r"|now|will be|has been set to|:)[ ]{0,2}(?:now |again )?[\"'`\u201c]?"
    r"(?P<value>[^\s\"'`<>\0\u201d]{3,256})"
)
_CHINESE: Final = re.compile(
    r"(?P<name>[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,12})(?:[ ]?[(\uff08][^)"
    r"\uff09\0]{0,20}[)\uff09])?"
    r"[\"'\u201d\u300d\]\u3011]{0,2}[ \t]{0,4}(?:[:\uff1a=\uff1d\u2192 ]|(?=[\dA-Z]))"
    r"[ \t]{0,4}[\"'`\u201c\u300c\[]?(?P<value>[^\s\"'`<>\0\u201d\u300d\uff0c\u3002"
    r"\uff1b\u3001]{3,256})"
)
_OPTION: Final = re.compile(
    r"(?<![\w-])--?(?P<name>[A-Za-z][\w-]{1,40})[ =][\"']?"
    r"(?P<value>[^\s\"'\0<>]{3,512})"
)
_SHORT: Final = re.compile(
    r"\b(?:(?:mysql|mariadb)[\w-]*\b[^\n\0]{0,200}?[ ]-p|sshpass[ ]-p[ ]?)"
    r"(?P<value>[^\s\"'\0-][^\s\"'\0]{3,120})"
    r"|\b(?:curl|wget|http)\b[^\n\0]{0,300}?[ ](?:-u|--user)[ "
    r"=]?[\"']?[\w.@+-]{1,80}:(?P<curl>[^\s\"'\0]{3,200})"
    r"|\bredis-cli\b[^\n\0]{0,200}?[ ]-a[ ](?P<redis>[^\s\"'\0]{4,120})"
    r"|(?:docker|podman|helm|az|oc|skopeo)\b[^\n\0]{0,60}?login\b[^\n\0]{0,200}?[ "
    r"]-p[ ](?P<docker>[^\s\"'\0]{4,1200})"
    r"|IDENTIFIED[ ](?:WITH[ ]\w+[ ])?BY[ ][\"'](?P<sql>[^\"'\0]{3,200})[\"']"
    r"|\bPASSWORD[ ](?:=[ ]?)?[\"'](?P<role>[^\"'\0]{3,200})[\"']"
    r"|\bmachine[ ]+\S{1,200}\s+login\s+\S{1,120}\s+password\s+(?P<netrc>\S{3,200})",
    re.IGNORECASE,
)
_SHORT_GATES: Final = (
    " -p", " -u", "--user", " -a ", "dentified", "DENTIFIED", ("PASSWORD "
                                                              "'"), 'PASSWORD "',
    "assword '", "PASSWORD =", "machine ",
)  # fmt: skip
_ELEMENT: Final = re.compile(
    r"<(?:\w{1,20}:)?(?P<name>[A-Za-z][\w.-]{1,50})(?:\s[^<>\0]{0,200})?>"
    r"(?:<!\[CDATA\[)?\s{0,20}(?P<value>[^<>\0\r\n]{3,2048}?)\s{0,20}(?:\]\]>)?</"
)
_ATTRIBUTES: Final = re.compile(
    r"(?:name|key|id|field|property|data-key|th|label)=\\?[\"'](?P<name>[\w. "
    r"-]{2,60})\\?[\"'][^<>\0]{0,120}?"
    r"(?:value|content|data-value)=\\?[\"'](?P<value>[^\"'\\<>\0]{3,2048})"
)
_BESIDE: Final = re.compile(
    r"(?i)(?<![\w-])(?P<name>(?:ssn|social security|(?:national |id(?:entity)? ?"
    r"|personal |citizen )?(?:id|insurance|identity|card)"
    r"|passport|nino|nhs|aadhaar|pan|cpf|cnpj|tax id|phone|tel(?:ephone|efon)?|mobile"
    r"|cell|fax|bank account|account|iban|nric|rrn)"
    r"(?:[ ](?:number|no|card|num))?)[.:#]{0,2}[ ]{1,2}(?P<value>[+"
    r"(]?[A-Z]{0,3}\d[\dA-Z .()/-]{5,28})"
)
_ROW: Final = re.compile(
    r"\\{0,3}[\"']?(?:name|key|variable|header|field|env)"
    r"\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?P<name>[\w.-]{2,80})\\{0,3}[\"']?"
    r"\s{0,3}[,\n;]\s{0,12}\\{0,3}[\"']?(?:value|val|content|data|default)"
    r"\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?P<value>[^\s\"'\\,}\0]{3,4096})",
    re.IGNORECASE,
)
_CELLS: Final = re.compile(
    r"<(?:t[hd]|dt|b|strong|label|span)[^<>\0]{0,80}>\s{0,8}"
    r"(?P<name>[^<>\0:\uff1a]{2,40})[:\uff1a]?\s{0,8}</(?:t[hd]|dt|b|strong|label"
    r"|span)>"
    r"[:\uff1a]?\s{0,20}<(?:td|dd|code|span|input[^<>\0]{0,80}value=[\"']?|i|em|b|p)"
    r"[^<>\0]{0,80}>?\s{0,8}(?P<value>[^<>\0]{3,512}?)\s{0,8}<"
)
_GATED: Final = (
    ("<", (_ELEMENT, _ATTRIBUTES, _CELLS)),
    ("alue", (_ROW,)),
    ("-", (_OPTION,)),
)
_VERBS: Final = (
    " is ",
    " was ",
    " are ",
    " set to ",
    " to ",
    " now ",
    " will ",
    " been ",
    " = ",
)
_NUMBER: Final = re.compile(r"[ :]\(?[+A-Z]{0,3}\d[\dA-Z .()/-]{5}")

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
_DESCRIPTOR: Final = re.compile(
    r"(?i)\b(?:server|host(?:name|addr)?|data source|database|dbname|initial catalog"
    r"|user id"
    r"|uid|user|username|port|accountname|endpoint|sharedaccesskeyname|driver|address"
    r"|defaultendpointsprotocol)\s{0,3}=\s{0,3}[^\s;=]"
)
_CUT: Final = re.compile(
    r"&(?=[\w.-]+=)|;(?=\s|$|[\w .-]+=)|,(?=\s|$|[\"'\w -]+[\"']?[=:])|\\[nrt\"]|"
    r"(?<=\w)[)\]}](?=\W|$)"
    r"|[\uff0c\u3002\uff1b\u3001\uff09\u300d\u3011\u201d]"
)
_UPPER: Final = re.compile(r"[A-Z][A-Z0-9_]+")


def labelled(label: Label, start: int, end: int) -> Span:
    """Return the span of a value that stands under a name of that kind."""
    kind, family, personal = _FAMILIES[label]
    return Span(start, end, kind, family, personal)


def pairs(text: str) -> Iterator[Span]:
    """Find values that stand beside a telling name.

    Args:
        text: Any text.

    Yields:
        The spans of the values.
    """
    if any(gate in text for gate in _SHORT_GATES):
        yield from _commands(text)
    if not may_hold_labels(text):
        return
    yield from _separated(text)
    for pattern in _patterns_for(text):
        for match in pattern.finditer(text):
            yield from _named(match, text, loose=pattern is _PROSE)


def _patterns_for(text: str) -> Iterator[re.Pattern[str]]:
    """Choose the patterns that have a chance, by what is quickly found out."""
    if any(verb in text for verb in _VERBS):
        yield _PROSE
    for gate, patterns in _GATED:
        if gate in text:
            yield from patterns
    if _NUMBER.search(text):
        yield _BESIDE
    if not text.isascii():
        yield _CHINESE


def _separated(text: str) -> Iterator[Span]:
    position = 0
    while match := _PAIR.search(text, position):
        label = label_of(match["name"])
        if label is None:
            # What looks like a value may be the next name: `env: PASSWORD=x`.
            position = (
                match.start("value")
                if match["quote"] is None
                else match.start("quoted")
            )
            continue
        span = _value_span(match, label, text)
        if span and _accepts(match, label, text[span.start : span.end]):
            yield span
            position = span.end
        else:
            position = match.start("value") + 1


def _value_span(match: re.Match[str], label: Label, text: str) -> Span | None:
    if match["quote"] is not None:
        return _described(labelled(label, *match.span("quoted")), text)
    start, end = match.span("value")
    if label == "cookie":
        end = _end_of_line(text, start)
    elif label in ("phone", "identity", "card", "account"):
        end = _end_of_number(text, start)
    else:
        end = start + len(_trimmed(text[start:end]))
    return _described(labelled(label, start, end), text) if end > start else None


def _end_of_line(text: str, start: int) -> int:
    found = re.compile(r"[\r\n\0\"']|\\[nr\"]").search(text, start, start + 4096)
    return found.start() if found else min(len(text), start + 4096)


def _end_of_number(text: str, start: int) -> int:
    match = re.compile(
        r"[+(]?[A-Za-z]{0,3}[\d(][\dA-Za-z]*(?:[ ./()"
        r"\u2010-\u2015-]{1,2}[\d][\dA-Z]*)*(?:\([\dA]\))?"
    ).match(text, start, start + 60)
    return match.end() if match else start


def _trimmed(value: str) -> str:
    """Cut off what belongs to the text around an unquoted value."""
    cut = _CUT.split(value, maxsplit=1)[0]
    return cut.rstrip(".,:;)]}") if len(cut) > 3 else cut


def _accepts(match: re.Match[str], label: Label, value: str) -> bool:
    name, quoted = match["name"], match["quote"] is not None
    if match["separator"] == "\t" and " " in name:
        return False
    loose = not quoted and not _is_setting(match, name)
    if label in ("password", "token") and not quoted and "==" in match["separator"]:
        return False
    return is_clear(label, value, loose=loose)


def _is_setting(match: re.Match[str], name: str) -> bool:
    """Tell an assignment, as in a shell or a query, from a word and a colon."""
    bare = re.split(r"[ .-]", name)[-1]
    return bool(_UPPER.fullmatch(bare)) and match["separator"] in ("=", ":")


def _described(span: Span, text: str) -> Span:
    """Take a password among `Server=...;` for what it is: a connection string."""
    if span.kind not in ("password", "secret"):
        return span
    around = text[max(0, span.start - 240) : span.end + 120]
    line = around.replace("\r", "\n")
    before, _, _ = line[: span.start - max(0, span.start - 240)].rpartition("\n")
    same_line = line[len(before) :].split("\0")[-1].split("\n\n")[0]
    if "=" in same_line and len(_DESCRIPTOR.findall(same_line)) >= 2:
        return Span(span.start, span.end, "connection-string", "connection")
    return span


def _named(match: re.Match[str], text: str, *, loose: bool) -> Iterator[Span]:
    label = label_of(match["name"])
    if label is None:
        return
    start, end = match.span("value")
    if label in ("phone", "identity", "card", "account", "passport", "tax"):
        end = _end_of_number(text, start)
    else:
        end = start + len(_trimmed(match["value"]))
    if end > start and is_clear(label, text[start:end], loose=loose):
        yield labelled(label, start, end)


def _commands(text: str) -> Iterator[Span]:
    for match in _SHORT.finditer(text):
        name = match.lastgroup
        if name and is_clear("password", match[name]):
            yield Span(*match.span(name), "password", "field")
