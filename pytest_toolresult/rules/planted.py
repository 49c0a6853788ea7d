"""What became of a text that was planted for a tool to come across."""

from __future__ import annotations

import re
import shlex
from os.path import realpath
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.rules.trials import has_answered

if TYPE_CHECKING:
    from pytest_toolresult.calls import Part
    from pytest_toolresult.faults import Crossing
    from pytest_toolresult.rules.exhibit import Exhibit

_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"})

_HEADER: Final = re.compile(
    r"(?i)(?:content-[a-z]+|x-[a-z-]+|subject|to|from|cc|bcc|reply-to|sender|location"
    r"|set-cookie|cookie|authorization|link|refresh|user-agent|referer|etag|host)"
    r":[ \t].*"
)
"""A line of the head of a message: https://datatracker.ietf.org/doc/html/rfc5322 and
https://datatracker.ietf.org/doc/html/rfc9110"""

_REQUEST: Final = re.compile(
    r"(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|EHLO|HELO|MAIL FROM:|RCPT TO:|USER|CWD"
    r"|RETR|STOR|SELECT|FETCH|SEARCH)[ <].*"
)
"""A line by which a server is asked for something."""

_CERTAIN: Final = re.compile(r"(?i)[a-z]+-[a-z-]+:[ \t].*")
"""A header that is nothing else: many results write `Location: Oslo` for people."""

_RAW: Final = re.compile(r"(?i)(?:^|[._])(?:raw|mime|eml|rfc_?822|smtp|http)")
"""The places of what is sent as it is."""

_HEADERS: Final = re.compile(r"(?i)(?:^|[._])headers?(?:_lines?)?\b")
_ONE_OF_THEM: Final = re.compile(r"(?i)headers?(?:\.|\[\W*)([a-z][\w-]*)")
_FIELD: Final = re.compile(r"[\w-]+:[ \t].*")
_COMMANDS: Final = re.compile(r"(?i)(?:^|[._])(?:command|cmd)(?:_line)?$")
_NAMES: Final = re.compile(r"(?i)(?:^|[._])(?:file_?name|file_?path|object_key)$")
"""The places of what has to fit on one line."""


def is_reached(found: Exhibit, part: Part) -> bool:
    """Tell whether a call got to a file that it should not.

    Its text in the result says so, and so does an answer of a call that opened it: not
    every tool gives back what it reads.
    """
    reply = found.outcome.reply
    told = (found.survey.everything, reply.wire if reply else None)
    if any(part.canary in each for each in told if each):
        return True
    out = {realpath(each) for each in part.planted}
    return has_answered(found) and any(
        crossing.call.seam == "files"
        and crossing.call.operation in ("read", "list")
        and not crossing.failure
        and realpath(crossing.sent) in out
        for crossing in found.outcome.boundary
    )


def broken_line(found: Exhibit, part: Part) -> str:
    """Return what a line break came to stand in raw that has to fit on one line.

    Args:
        found: The call that had the line break in an argument.
        part: Says which argument, and what stands in it.

    Returns:
        A place in the result, or words for what it was handed to; empty where it did
        no harm.
    """
    for crossing in found.outcome.boundary:
        where = _handed_over(crossing, part.canary)
        if where:
            return where
    if not has_answered(found):
        return ""
    asked = found.call.arguments[part.about]
    for note in found.survey.texts_below("data", "meta"):
        text = note[2]
        if part.canary not in text or text.strip() == asked.strip():
            continue  # what is only given back is no line of anything
        place = found.survey.place(note)
        if _is_line_of(place, text, part.canary):
            return place
    return ""


def _handed_over(crossing: Crossing, canary: str) -> str:
    call, sent = crossing.call, crossing.sent
    if canary not in sent:
        return ""
    if call.seam == "subprocess" and _is_unquoted(_script(sent), canary):
        return f"the command {excerpt(_script(sent))}"
    if call.seam == "files" and call.operation == "write" and not crossing.failure:
        return f"the name of a file, {excerpt(PurePath(sent).name)},"
    if call.seam == "socket" and _is_in_head(sent, canary):
        return f"what is sent to a server, {excerpt(_line_before(sent, canary))},"
    return ""


def _is_line_of(place: str, text: str, canary: str) -> bool:
    name = place.removeprefix("data").removeprefix("meta")
    if _NAMES.search(name) or _is_header(name, _line_before(text, canary)):
        return True
    if _COMMANDS.search(name):
        return _is_unquoted(text, canary)
    return _is_in_head(text, canary) and bool(
        _RAW.search(name) or _CERTAIN.fullmatch(_line_before(text, canary))
    )


def _is_header(name: str, line: str) -> bool:
    """Tell whether a line under some name is a header, and no title of anything."""
    named = _ONE_OF_THEM.search(name)
    if named and _HEADER.fullmatch(f"{named[1]}: {line}"):
        return True
    return bool(_HEADERS.search(name) and _FIELD.fullmatch(line))


def _script(sent: str) -> str:
    """Return what a shell is to read; empty where a program gets its arguments."""
    program, *arguments = sent.split("\0")
    if not arguments:
        return program
    if PurePath(program).name not in _SHELLS:
        return ""
    return next((each for each in arguments if not each.startswith("-")), "")


def _is_unquoted(script: str, canary: str) -> bool:
    if canary not in script:
        return False
    try:
        return not any(canary in each for each in shlex.split(script))
    except ValueError:  # a quote that nobody closes
        return True


def _is_in_head(text: str, canary: str) -> bool:
    """Tell whether a text has a line break in one of its header lines."""
    head = text[: text.index(canary)]
    if "\n\n" in head.replace("\r", ""):
        return False
    line = _line_before(text, canary)
    return bool(_HEADER.fullmatch(line) or _REQUEST.fullmatch(line))


def _line_before(text: str, canary: str) -> str:
    """Return the line that a line break cut short."""
    cut = canary.partition("\n")[0].rstrip("\r")
    lines = f"{text[: text.index(canary)]}{cut}".splitlines()
    return lines[-1] if lines else ""
