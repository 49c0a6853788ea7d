"""Finds keys and tokens by their issuers' prefixes, or by how they are built.

A token is a long run without blanks. One pattern looks for such runs, of which
ordinary text has few, and only at the places in a run where a word begins a table is
asked for what its first characters stand for. The cost is linear: no pattern of a
format is unbounded, and none is tried in the middle of a word.
"""

from __future__ import annotations

import itertools
import math
import re
from base64 import b64decode
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.placeholders import (
    is_documented,
    is_placeholder,
    is_worded,
)
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_toolresult.redaction.detectors.vendors.format import Format

_RUN: Final = re.compile(r"[A-Za-z0-9_.~/+=:$!?%|@-]{16,}", re.ASCII)
_BEGIN: Final = re.compile(r"(?<![\w-])[A-Za-z0-9].", re.ASCII)
_KEY: Final = 2
"""How many characters of a prefix the table is asked with."""

_NONE: Final[tuple[tuple[str, ...], list[Format]]] = ((), [])
_DULL: Final = re.compile(
    "[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9.:TZ+-]+", re.ASCII
)
"""Hashes of files, identifiers and points in time, which are most of the long runs."""

_JWT: Final = re.compile(
    r"eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}"
    r"|eyJ[\w-]{8,4000}\.\.[\w-]{8,100}"
    r"\.[\w-]{8,8000}\.[\w-]{8,100}",
    re.ASCII,
)
_INFIXES: Final = (
    # Telegram and Discord bots, Mailchimp, Terraform, Entra, MaxMind, Mailgun.
    (":AA", "telegram-token", r"(?<![\w-])\d{8,10}:AA[\w-]{32,36}(?![\w-])"),
    ("-us", "mailchimp-key", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])"),
    (
        ".atlasv1.",
        "terraform-token",
        r"(?<![\w.-])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,80}",
    ),
    (
        "Q~",
        "azure-client-secret",
        r"(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])",
    ),
    (
        ":APA91b",
        "firebase-token",
        r"(?<![\w-])[\w-]{10,30}:APA91b[\w-]{120,180}(?![\w-])",
    ),
    (
        ".",
        "zhipu-key",
        r"(?<![\w.-])[0-9a-f]{32}\.(?=[A-Za-z]*\d)[A-Za-z0-9]{16}(?![\w.-])",
    ),
    ("_mmk", "maxmind-key", r"(?<![\w-])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![\w-])"),
    (
        ".",
        "discord-token",
        r"(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])",
    ),
)
"""Formats that have no prefix but something fixed inside."""

_AWS_SECRET: Final = re.compile(
    r"(?<![A-Za-z0-9/+=_.-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_.-])"
)
_AWS_LENGTH: Final = 40
_SEGMENT: Final = re.compile(r"(?<![\w/@.-])[A-Za-z][\w-]{23,299}(?![\w-])", re.ASCII)
_WORD: Final = re.compile("[A-Za-z]?[a-z]*[0-9]?|[A-Z]+[0-9]?")
_JOINTS: Final = re.compile("[_-]")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_IDENTIFIERS: Final = frozenset(
    str.split(
        "id ids ref req request msg message call toolu tool chatcmpl cmpl run"
        " thread resp response evt event cus customer pi ch in sub price prod acct"
        " account file asst batch ft pk pub public sha sha1 sha256 sha384 sha512"
        " md5 blake2b etag cs seti pm card src txn po re py si ii il dp du tr fr"
        " rcn fee iss ipi ilr trace span session sess conv conversation user usr"
        " org team proj project job task build deploy dpl deployment order ord inv"
        " invoice item page block node doc document chunk index vendor main app"
        " style styles script img image asset cid bafy snapshot snap vol vpc"
        " subnet i eni ami sg igw rtb nat lt asg arn key cursor next commit rev"
        " tag branch container pod layer digest cache blob obj object row rec"
        " record entry lead contact deal ticket case issue pr upload media video"
        " audio rpt rs fc ws ig mcp reasoning wf workflow exec execution step act"
        " action op hash v v1 v2 db cluster"
    )
)
"""Words before an identifier of something that is no secret."""

_LEAST_PIECE: Final = 20
_LEAST_CHANGES: Final = 4
_LEAST_ENTROPY: Final = 3.4
_TEXT: Final = 0.8
_DIGIT: Final = re.compile(r"\d", re.ASCII)
_CASES: Final = re.compile("[a-z][A-Z]")


def long_runs(text: str) -> list[re.Match[str]]:
    """Return the runs without blanks that are long enough for a token or a hash."""
    return list(_RUN.finditer(text))


def tokens(text: str, runs: Iterable[re.Match[str]] | None = None) -> Iterator[Span]:
    """Find keys and tokens.

    Args:
        text: Any text.
        runs: Its long runs, where they are known.

    Yields:
        Their spans; two may overlap.
    """
    for run in long_runs(text) if runs is None else runs:
        yield from _in_run(text, run.start(), run.end())


def _in_run(text: str, start: int, end: int) -> list[Span]:
    run = text[start:end]
    if _DULL.fullmatch(run) or not _is_varied(run):
        return []
    found = [*_prefixed(text, start, end), *_with_infix(run, start)]
    return found or list(_random(text, start, end))


def _prefixed(text: str, start: int, end: int) -> Iterator[Span]:
    table = _table()
    position = start
    for begin in _BEGIN.finditer(text, start, end):
        at = begin.start()
        if at < position:
            continue
        prefixes, formats = table.get(begin[0], _NONE)
        if not text.startswith(prefixes, at):
            continue
        for format_ in formats:
            stop = _match(format_, text, at)
            if stop:
                yield Span(at, stop, format_.kind)
                position = stop
                break


def _match(format_: Format, text: str, at: int) -> int:
    """Return where a token of this format ends, and 0 where there is none."""
    if not text.startswith(format_.prefix, at):
        return 0
    match = _body(format_.body).match(text, at + len(format_.prefix))
    if match is None:
        return 0
    found = match[0]
    if format_.varied and not _is_varied(found):
        return 0
    whole = text[at : match.end()]
    return 0 if is_placeholder(whole) or _UUID.fullmatch(whole) else match.end()


def _is_varied(found: str) -> bool:
    """Tell random characters from words: a digit, or capitals all over the place."""
    return bool(_DIGIT.search(found)) or len(_CASES.findall(found)) > 2


@cache
def _body(body: str) -> re.Pattern[str]:
    return re.compile(f"(?:{body})(?![A-Za-z0-9])", re.ASCII)


@cache
def _table() -> Mapping[str, tuple[tuple[str, ...], list[Format]]]:
    """Return prefixes and formats by how they begin, the longest prefix first."""
    from pytest_toolresult.redaction.detectors.vendors import FORMATS

    table: dict[str, list[Format]] = {}
    for format_ in sorted(FORMATS, key=lambda each: -len(each.prefix)):
        table.setdefault(format_.prefix[:_KEY], []).append(format_)
    return {
        begin: (tuple({each.prefix for each in formats}), formats)
        for begin, formats in table.items()
    }


def _with_infix(run: str, offset: int) -> Iterator[Span]:
    if "eyJ" in run:
        for match in _JWT.finditer(run):
            if not is_documented(match[0]):
                yield _span(match, offset, "jwt")
    for infix, kind, pattern in _INFIXES:
        if infix in run:
            for match in _infix(pattern).finditer(run):
                if not is_placeholder(match[0]):
                    yield _span(match, offset, kind)


@cache
def _infix(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _span(match: re.Match[str], offset: int, kind: str) -> Span:
    return Span(offset + match.start(), offset + match.end(), kind)


def _random(text: str, start: int, end: int) -> Iterator[Span]:
    """Find what nobody documents: `word_` and a long run of random characters."""
    run = text[start:end]
    if "_" in run or "-" in run:
        for match in _SEGMENT.finditer(text, start, end):
            if _is_random_token(match[0]):
                yield Span(match.start(), match.end(), "token")
    if end - start >= _AWS_LENGTH:
        for match in _AWS_SECRET.finditer(text, start, end):
            if _is_random_secret(match[0]):
                yield Span(match.start(), match.end(), "aws-secret-key")


def _is_random_token(found: str) -> bool:
    words = _JOINTS.split(found)
    longest = max(words, key=len)
    if len(longest) < _LEAST_PIECE or longest == words[0] or _UUID.search(found):
        return False
    before = words[: words.index(longest)]
    if not all(map(_WORD.fullmatch, before)):
        return False
    if before[-1] == "prod" and len(before) > 1:
        before.pop()  # an environment, and not the identifier of a product
    if not _IDENTIFIERS.isdisjoint(word.lower() for word in before):
        return False
    return _is_random(longest) and not is_placeholder(found)


def _is_random_secret(found: str) -> bool:
    """Tell random base64 from a path, a hash and a word in one case."""
    digits = sum(each.isdigit() for each in found)
    small = sum(each.islower() for each in found)
    big = sum(each.isupper() for each in found)
    if min(digits - 1, small - 4, big - 4) < 0 or found.count("/") > _LEAST_CHANGES:
        return False
    if not _is_random(found, changes=8) or is_placeholder(found):
        return False
    return not _holds_text(found)


def _holds_text(found: str) -> bool:
    """Tell whether base64 hides text, as cursors of pages do, and not random bytes."""
    raw = b64decode(found)
    return sum(32 <= byte < 127 for byte in raw) > _TEXT * len(raw)


def _is_random(piece: str, changes: int = _LEAST_CHANGES) -> bool:
    """Tell random characters from words, numbers and hexadecimal hashes."""
    if re.fullmatch("[0-9a-f]*|[0-9A-F]*|[0-9]*|[A-Za-z]*", piece):
        return False
    if is_worded(piece):
        return False
    kinds = [
        "0" if each.isdigit() else "a" if each.islower() else "A" for each in piece
    ]
    changed = sum(a != b for a, b in itertools.pairwise(kinds))
    return changed >= changes and entropy(piece) >= _LEAST_ENTROPY


def entropy(text: str) -> float:
    """Return how many bits a character of the text carries."""
    length = len(text)
    return -sum(
        count / length * math.log2(count / length) for count in Counter(text).values()
    )
