"""Values that a parameter's name or description calls for.

What exists in the world stands here as known values: an invented city is found
in no table of cities.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CITIES: Final = (
    "Paris",
    "London",
    "New York",
    "Tokyo",
    "Berlin",
    "San Francisco",
    "Sydney",
    "Beijing",
    "São Paulo",
    "Paris, France",
    "Atlantis",
)
_PEOPLE: Final = ("Alice", "Bob", "John Doe", "O'Brien", "李雷", "Zoë")
_IDS: Final = ("1", "42", "abc123", "user_1", "1001", "not-there", "0")
_PATHS: Final = (
    "README.md",
    "notes.txt",
    ".",
    "/",
    "../notes.txt",
    "data/report.csv",
    "/etc/hostname",
    "no-such-file.txt",
    "a b.txt",
    "~/notes.txt",
)
_URLS: Final = (
    "https://example.com",
    "https://example.com/page?id=1",
    "http://127.0.0.1:9/",
    "example.com",
    "file:///etc/hostname",
    "ftp://example.com/x",
)
_DATES: Final = ("2024-02-29", "2024-01-31", "2025-06-15", "2024-12-31")
_MOMENTS: Final = ("2024-02-29T12:00:00Z", "2024-01-31T00:00:00+02:00")
_SEARCHES: Final = ("a", "hello", "report", "hello world", "nothing like this", "*")
_PROSE: Final = ("Hello", "Hello, world!", "First line\nsecond line", "# Title\n\ntext")

_TEXTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("city cities town location place destination origin departure arrival", _CITIES),
    ("country nation", ("US", "France", "DE", "Japan", "GB", "USA", "XX")),
    ("region province", ("CA", "California", "Bavaria", "us-east-1")),
    ("state", ("CA", "open", "California", "closed", "active", "done", "NY")),
    (
        "company vendor supplier employer business merchant brand manufacturer",
        ("Acme", "Google", "Apple", "Siemens AG", "Toyota", "no such company"),
    ),
    ("airport", ("JFK", "LHR", "CDG", "SFO", "XXX")),
    ("medium media mime", ("text/plain", "image/png", "application/json")),
    ("continent", ("Europe", "Asia")),
    ("address street", ("1 Main Street", "10 Downing Street, London")),
    ("zip postal postcode", ("94105", "10115", "SW1A 1AA")),
    ("currency currencies", ("USD", "EUR", "JPY", "GBP", "XXX", "usd")),
    ("unit units", ("metric", "celsius", "imperial", "kg", "fahrenheit", "km")),
    ("language lang locale", ("en", "de", "fr", "zh-CN", "en_US", "xx")),
    (
        "timezone tz zone",
        ("UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Mars/Base"),
    ),
    ("email mail recipient sender cc bcc", ("ann@example.com", "bob@example.org")),
    ("phone mobile tel fax", ("+1 202 555 0100", "+442079460000", "5550100")),
    ("timestamp datetime", _MOMENTS),
    (
        "date day since until from before after deadline due birthday start end",
        _DATES,
    ),
    ("time hour clock", ("09:30", "00:00", "23:59:59")),
    ("month", ("2024-02", "February", "2")),
    ("duration period interval", ("1d", "P1D", "1h", "30m")),
    ("url uri link href endpoint website webpage site", _URLS),
    ("host hostname domain server", ("example.com", "localhost", "127.0.0.1")),
    ("ip", ("127.0.0.1", "::1", "192.168.1.1", "256.1.1.1")),
    ("path file filename filepath document directory folder dir", _PATHS),
    ("extension suffix", ("txt", ".txt", "pdf")),
    ("sql", ("SELECT 1", "SELECT * FROM users", "SELEC 1")),
    ("query search keyword keywords term terms needle", _SEARCHES),
    ("expression formula equation calculation", ("1 + 1", "1 / 0", "2 ** 10", "x")),
    ("code script program snippet", ("print(1)", "1 / 0", "def f(:")),
    ("command cmd shell", ("echo hello", "ls", "help")),
    ("regex pattern regexp glob", (".*", "*.py", "[a-z]+", "(")),
    ("json payload", ("{}", '{"a": 1}', "[1, 2]", "{")),
    ("csv", ("a,b\n1,2", "1,2,3", "a,b\n1")),
    ("xml html", ("<a>1</a>", "<p>Hello</p>", "<a>")),
    ("base64", ("aGVsbG8=", "a")),
    ("cursor token after page", ("abc", "0", "next")),
    ("symbol ticker stock", ("AAPL", "MSFT", "XXXX")),
    ("branch ref", ("main", "no-such-branch")),
    ("repo repository project", ("octocat/hello-world", "hello-world")),
    ("owner org organization organisation", ("octocat",)),
    ("sha commit hash", ("0123456789abcdef0123456789abcdef01234567", "deadbeef")),
    ("version", ("1.0.0", "1", "latest", "v2")),
    ("color colour", ("red", "#ff0000", "rgb(1,2,3)")),
    ("status", ("open", "active", "closed", "pending", "done")),
    ("priority severity level", ("high", "low", "medium")),
    ("sort order direction orderby", ("asc", "desc", "name", "date")),
    ("format", ("json", "csv", "markdown", "text")),
    ("mode method action operation op", ("read", "list", "get", "add", "GET")),
    ("kind type category tag label topic", ("news", "general", "other", "urgent")),
    ("gender sex", ("female", "male")),
    ("quantity qty amount count number num size limit", ("1", "0", "10", "-1", "1.5")),
    ("price cost total", ("9.99", "0", "-1", "1,000.00")),
    ("title subject headline", ("Hello", "Weekly report", "Re: hello")),
    ("text message content body description comment prompt input", _PROSE),
    ("note notes", _PROSE),
    ("user username customer employee person author member account", _IDS),
    ("name first last firstname lastname", _PEOPLE),
    ("id ids uid identifier reference key sku isbn number", _IDS),
)
"""Words that may stand in a name, and texts that go with them."""

_NUMBERS: Final[tuple[tuple[str, tuple[float, ...]], ...]] = (
    ("limit top k count max size per results", (10, 1, 5, 50, 100, 1000, 0, -1)),
    ("page", (1, 2, 0, 10_000, -1)),
    ("offset skip start index", (0, 1, 10, 10_000, -1)),
    ("year", (2024, 2000, 1900, 9999, 1, 0)),
    ("month", (2, 12, 1, 13, 0)),
    ("day days", (1, 7, 31, 30, 365, 0, -1)),
    ("hour hours", (1, 12, 23, 24, 0)),
    ("minute minutes second seconds timeout delay", (1, 30, 59, 60, 0, -1, 3600)),
    ("latitude lat", (48.85, 0, 90, -90, 91)),
    ("longitude lon lng", (2.35, 0, 180, -180, 181)),
    ("age", (30, 0, 17, 18, 65, 150, -1)),
    ("price amount cost total balance salary budget", (9.99, 1, 100, 0, -1, 0.001)),
    ("rate ratio probability fraction temperature", (0.5, 0, 1, 1.5, -0.1, 100)),
    ("percent percentage discount", (10, 0, 100, 101, -1, 0.1)),
    ("port", (443, 80, 0, 65535, 65536)),
    ("precision digits decimals", (2, 0, 10, 50, -1)),
    ("depth level", (1, 2, 3, 0, -1)),
    ("width height length radius distance weight", (1, 10, 100, 0, -1, 0.5)),
    ("status code", (200, 404, 500)),
    ("id number num", (1, 2, 42, 1001, 0, 999_999, -1)),
    ("quantity qty", (1, 2, 10, 0, -1, 1000)),
    ("seed", (0, 42)),
)

_STOP_WORDS: Final = frozenset({"from", "after", "before", "page", "name", "key", "op"})
"""Words too common in descriptions to say what a value is."""

_QUOTED: Final = re.compile(
    r"""["'`\u2018\u201c]([^"'`\u2019\u201d\n]{1,40})["'`\u2019\u201d]"""
)
_LISTED: Final = re.compile(
    r"(?:\[enum\]|one of|either"
    r"|(?:allowed |possible |valid )?(?:options?|values?|choices?)(?: are)?|allowed)"
    r"\s*:?\s*([^.\n;()]+)",
    re.IGNORECASE,
)
_EXAMPLE: Final = re.compile(
    r"(?:e\.g\.|for example|such as|example:|i\.e\.|like)"
    r"\s*,?\s*([^.;()\n]{1,60}(?:\.\w+)?)",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\s*(?:,|\bor\b|\band\b|\|)\s*")
_LONGEST: Final = 40


def texts(name: str, description: str = "") -> tuple[str, ...]:
    """List texts that suit a parameter, the likeliest first.

    Args:
        name: The parameter's name, in any case convention.
        description: What the model is told about it.
    """
    suited = _suited(name, description, _TEXTS)
    return tuple(dict.fromkeys([*mentioned(description), *suited]))


def numbers(name: str, description: str = "") -> tuple[float, ...]:
    """List numbers that suit a parameter, the likeliest first."""
    stated = [_number(each) for each in re.findall(r"-?\d+(?:\.\d+)?", description)]
    return tuple(dict.fromkeys([*_suited(name, description, _NUMBERS), *stated[:6]]))


def mentioned(description: str) -> tuple[str, ...]:
    """List the values that a description itself names: options and examples."""
    found: list[str] = _QUOTED.findall(description)
    for pattern in (_LISTED, _EXAMPLE):
        for listed in pattern.findall(description):
            found.extend(each.strip(" '\"`") for each in _BETWEEN.split(listed))
    short = (each for each in found if 0 < len(each) <= _LONGEST)
    return tuple(dict.fromkeys(short))[:16]


def words_of(name: str) -> list[str]:
    """Take a name apart: `customerId`, `customer_id` and `customer-id` alike."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]


_Value = TypeVar("_Value")


def _suited(
    name: str, description: str, table: Iterable[tuple[str, tuple[_Value, ...]]]
) -> list[_Value]:
    """Collect by the name, its last word first; then by the description."""
    by_word = {word: values for words, values in table for word in words.split()}
    named = [by_word[word] for word in _stems(reversed(words_of(name)), by_word)]
    told = [w for w in words_of(description) if w not in _STOP_WORDS]
    described = [by_word[word] for word in _stems(told, by_word)][:2]
    return [value for values in [*named, *described] for value in values]


def _stems(words: Iterable[str], table: Mapping[str, object]) -> Iterable[str]:
    for word in words:
        if word in table:
            yield word
        elif word.removesuffix("s") in table:
            yield word.removesuffix("s")


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)
