"""Finds passwords and keys in the commands of shells, databases and build files.

Each program has its own place for a password, which no name tells; others set a name to
a value with nothing but a blank between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.kinds import labelled
from pytest_toolresult.redaction.detectors.labels import label_of
from pytest_toolresult.redaction.detectors.values import is_clear
from pytest_toolresult.redaction.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHELL: Final = re.compile(
    r"\b(?:(?:mysql|mariadb)[\w-]*\b[^\n\0]{0,200}?[ ]-p|sshpass[ ]-p[ ]?)"
    r"(?P<mysql>[^\s\"'\0-][^\s\"'\0]{3,120})"
    r"|\b(?:curl|wget|http)\b[^\n\0]{0,300}?[ ](?:-u|--user)[ "
    r"=]?[\"']?[\w.@+-]{1,80}:(?P<curl>[^\s\"'\0]{3,200})"
    r"|\bredis-cli\b[^\n\0]{0,200}?[ ]-a[ ](?P<redis>[^\s\"'\0]{4,120})"
    r"|(?:docker|podman|helm|az|oc|skopeo)\b[^\n\0]{0,60}?login\b[^\n\0]{0,200}?[ "
    r"]-p[ ](?P<docker>[^\s\"'\0]{4,1200})"
    r"|[ ]-U[ ]?[\"']?[\w\\./-]{1,80}%(?P<smb>[^\s\"'\0]{3,120})"
    r"|\becho[ ](?:-n[ ])?[\"']?(?P<sudo>[^\s\"'|\0]{3,120})[\"']?[ ]?\|[ ]?sudo\b"
    r"[^\n\0]{0,40}[ ]-S\b",
    re.IGNORECASE,
)
_SHARE: Final = re.compile(
    r"/user:\S{1,80}[ ](?P<share>[^\s\"'\0/][^\s\0]{3,120})", re.IGNORECASE
)
_SQL: Final = re.compile(
    r"IDENTIFIED[ ](?:WITH[ ]\w+[ ])?BY[ ][\"'](?P<by>[^\"'\0]{3,200})[\"']"
    r"|\bPASSWORD[ ](?:=[ ]?)?N?[\"'](?P<role>[^\"'\0]{3,200})[\"']",
    re.IGNORECASE,
)
_NETRC: Final = re.compile(
    r"\bmachine[ ]+\S{1,200}\s+login\s+\S{1,120}\s+password\s+(?P<netrc>\S{3,200})"
)
_OPTIONS: Final = (" -p", " -u", " --user", " -a ", " -U", " -S")
_PLACES: Final = (
    ("/user:", _SHARE),
    ("PASSWORD ", _SQL),
    ("IDENTIFIED ", _SQL),
    ("assword '", _SQL),
    ("dentified by ", _SQL),
    ("machine ", _NETRC),
)
"""What stands in every text that such a pattern finds something in."""

_SETS: Final = re.compile(
    r"(?:\b(?:setx|ENV|ARG)|\bset(?:[ ]-\w{1,4}){1,3}"
    r"|\b(?:configure|config|secrets?|variables?|env|parameters?)[ ](?:set|put|add))"
    r"[ ](?P<name>[\w.-]{2,80})[ ][\"']?(?P<value>[^\s\"'\0]{3,512})"
)
_SET_GATES: Final = ("set", "ENV ", "ARG ", " put ", " add ")


def commands(text: str) -> Iterator[Span]:
    """Find passwords in commands, where their place and no name tells them.

    Args:
        text: Any text.

    Yields:
        Their spans.
    """
    patterns = [pattern for gate, pattern in _PLACES if gate in text]
    if " -" in text and any(map(text.__contains__, _OPTIONS)):
        patterns.append(_SHELL)
    for pattern in dict.fromkeys(patterns):
        for match in pattern.finditer(text):
            group = match.lastgroup
            if group and is_clear("password", match[group]):
                yield Span(*match.span(group), "password", "field")


def settings(text: str) -> Iterator[Span]:
    """Find secrets in commands that set a telling name to a value.

    Args:
        text: Any text that holds such a name.

    Yields:
        The spans of the values.
    """
    if any(map(text.__contains__, _SET_GATES)):
        for match in _SETS.finditer(text):
            label = label_of(match["name"])
            if label and is_clear(label, match["value"]):
                yield labelled(label, *match.span("value"))
