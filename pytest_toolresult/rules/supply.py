"""TR2, seen from what the tool was handed: rows, exit codes, nothing at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.boundary import failed_for_good, told
from pytest_toolresult.rules.exhibit import plain_int, plain_text, written_text
from pytest_toolresult.rules.failure_text import is_failure
from pytest_toolresult.rules.likeness import entries_of
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.walk import fields_of, is_a, survey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.faults import Crossing
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.rules.exhibit import Contrast, Exhibit

_LEAST_CUT: Final = 500
_ROUND: Final = 100
_END: Final = 40
_WHOLE_ENDS: Final = tuple(".!?:;)]}>\"'`|*-\u2026\u3002\uff01\uff1f\u300d\u201d\n")
_MORE: Final = re.compile(
    r"(?i)has_?(?:more|next)|next(?:_?\w+)?|(?:\w+_)?cursor|(?:is_)?(?:truncated|partial)"
    r"|remaining|omitted|continuation|incomplete"
)
_TOTAL: Final = re.compile(r"(?i)total(?:_?\w+)?|\w+_total")
_SAYS_CUT: Final = re.compile(
    r"(?i)\btruncated\b|\b(?:first|showing|top) \d+|\d+ (?:of|more|omitted)\b"
    r"|\u622a\u65ad|\u7701\u7565"
)
_EXIT_FIELDS: Final = ("exit_code", "exitcode", "returncode", "return_code")
_MAY_EXIT_1: Final = re.compile(
    r"(?:^|[\s/'\"|;&])(?:[ef]?grep|rg|ag|diff|cmp|test|pgrep|which|expr)\b"
)
_PIPELINE: Final = re.compile(r"[^|]\|[^|]")
_NOTHING_FOUND: Final = re.compile(
    r"(?i)no_?(?:results?|hits?|rows|match(?:es)?|data|records?)(?:_?found)?|empty(?:_\w+)?"
)


def _left_out(pair: Contrast, _: Contract) -> Iterator[Breach]:
    """Compare what came in with what went out, where there was more than usual."""
    if pair.subject.path != "success":
        return
    kinds = {
        each.call.kind
        for each in pair.subject.outcome.boundary
        if each.fault is not None and each.fault.leads_to == "partial"
    }
    if kinds:
        yield from _rows_left_out(pair, kinds)
        yield from _text_left_out(pair)


def _rows_left_out(pair: Contrast, kinds: set[tuple[str, str]]) -> Iterator[Breach]:
    """Compare how many rows came in and went out, where they did so one to one."""
    subject, reference = pair.subject, pair.reference
    returned, usual = entries_of(subject.data), entries_of(reference.data)
    supplied = _rows(subject.outcome, kinds)
    if not returned or not usual or returned >= supplied:
        return
    if _rows(reference.outcome, kinds) != usual or _is_told(subject, returned):
        return
    # As many as usual can mean that rows are put together by something they share.
    severity = Severity.WARNING if returned == usual else None
    detail = f"{supplied} rows came in, {returned} went out, and nothing says so"
    yield Breach(place="data", detail=detail, severity=severity)


def _text_left_out(pair: Contrast) -> Iterator[Breach]:
    """See whether a text that came many times over ends in the middle of itself."""
    text, usual = written_text(pair.subject.data), written_text(pair.reference.data)
    if not text or not usual or len(text) <= len(usual) or len(text) % len(usual) == 0:
        return
    endless = usual * (len(text) // len(usual) + 1)
    at_a_line = "\n" in (text[-1], endless[len(text)])
    if at_a_line or not endless.startswith(text) or _is_told(pair.subject, len(text)):
        return
    detail = f"a longer text was cut after {len(text)} characters"
    yield Breach(place="data", detail=f"{detail}, and nothing says so")


def _rows(outcome: Outcome, kinds: set[tuple[str, str]]) -> int:
    return sum(each.rows or 0 for each in outcome.boundary if each.call.kind in kinds)


@rule("TR208", "silent-truncation", Severity.ERROR, compare=_left_out)
def silent_truncation(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Data was cut, or only a part of it was read, and nothing says so.

    Why: the model takes the part for the whole: it counts, sums and concludes from
    what happened to fit.
    Fix: report `status: "partial"` with `truncated`, `total` and a way to the rest;
    without an envelope say in the text that it was cut, and of how much.
    Bad: `return success(rows[:10])` where the database gave 2,000 rows
    Bad: `return success(text[:500])` of a longer text
    Bad: `return success(client.get(url).json()["rows"])` of the first page of several
    Good: `return partial(rows[:10], total=len(rows), next_cursor="10")`
    Good: `return success(text)` of a text that fits
    """
    if found.path == "success":
        yield from _ends_inside_a_line(found)
        yield from _further_pages_left(found)


def _further_pages_left(found: Exhibit) -> Iterator[Breach]:
    """See whether all that went out is what came in with the word that more follows."""
    boundary = found.outcome.boundary
    if found.outcome.fired or any(each.failure for each in boundary):
        return  # what a tool makes of a page that fails is another rule's affair
    last = next((each for each in reversed(boundary) if each.rows), None)
    returned = entries_of(found.data)
    if last is None or not last.goes_on or not returned or _is_told(found, returned):
        return
    read = _rows(found.outcome, {last.call.kind})
    if read == returned and not _is_limit(found, returned):
        detail = f"{told(last.call)} said that more follows after these {returned}"
        yield Breach(place="data", detail=f"{detail}, and nothing says so")


def _is_limit(found: Exhibit, returned: int) -> bool:
    """Tell whether it is as much as the tool promises to whoever asks for no more."""
    parameters = fields_of(fields_of(found.tool.schema).get("properties"))
    return any(
        plain_int(fields_of(each).get("default")) == returned
        for each in parameters.values()
    )


def _ends_inside_a_line(found: Exhibit) -> Iterator[Breach]:
    text = written_text(found.data)
    if text is None or not _is_cut_length(len(text)):
        return
    if text.endswith(_WHOLE_ENDS) or _is_told(found, len(text)):
        return
    if _is_echo(found, text):
        return
    detail = f"data ends inside a line after exactly {len(text)} characters"
    shown = excerpt_text(text[-40:])
    yield Breach(place="data", detail=f"{detail}, and nothing says so: {shown}")


@rule("TR212", "exit-code-ignored", Severity.ERROR)
def exit_code_ignored(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A process failed, and its tool reports success.

    Why: the model goes on as if the command had done its work.
    Fix: look at the exit code, negative ones (signals) too, and report an error with
    the end of `stderr`; start shell pipelines with `set -o pipefail`.
    Bad: {"status": "success", "data": {"stdout": ""}, "error": null,
    "meta": {"exit_code": 2}}
    Bad: `return success(subprocess.run(command, capture_output=True).stdout)`
    Bad: `if process.returncode > 0: return error(...)`, as -9 means killed
    Good: {"status": "success", "data": {"stdout": "3 passed"}, "error": null,
    "meta": {"exit_code": 0}}
    Good: {"status": "error", "data": {"stdout": "", "stderr": "no such file"},
    "meta": {"exit_code": 2}, "error": {"code": "EXIT_CODE",
    "message": "The command ended with 2; see stderr.", "retryable": false}}
    """
    if found.path != "success":
        return
    for what in (_ended_badly(found), _stated_exit(found), _lost_in_pipeline(found)):
        if what:
            yield Breach(place="", detail=f"{what}, yet the status is success")
            return


def _ended_badly(found: Exhibit) -> str:
    """Tell of a process that failed without the result showing how it ended."""
    if not found.outcome.boundary or _shows_exit(found):
        return ""
    for crossing in failed_for_good(found.outcome):
        if crossing.call.seam == "subprocess" and _is_exit(crossing):
            return f"{told(crossing.call)} ended with {crossing.failure}"
    return ""


def _is_exit(crossing: Crossing) -> bool:
    failure = crossing.failure
    if failure == "exit 1" and _MAY_EXIT_1.search(crossing.call.detail):
        return False  # its way of saying no
    return failure in ("exit_status", "killed") or failure.startswith(
        ("exit ", "signal ")
    )


def _shows_exit(found: Exhibit) -> bool:
    """Tell whether a tool without a status says with its data how it ended.

    A text that is a failure is TR201's, since the tool did look at the exit code.
    """
    if found.has_envelope:
        return False
    text = written_text(found.data)
    return (text is not None and is_failure(text)) or any(
        plain_int(found.data_fields.get(name)) for name in _EXIT_FIELDS
    )


def _stated_exit(found: Exhibit) -> str:
    if not found.has_envelope:
        return ""
    for place, fields in (("meta", found.meta_fields), ("data", found.data_fields)):
        for name in _EXIT_FIELDS:
            code = plain_int(fields.get(name))
            if code:
                return f"{place}.{name} is {excerpt(code)}"
    return ""


def _lost_in_pipeline(found: Exhibit) -> str:
    """Tell of a complaint on stderr where only the last of several commands counts."""
    texts = (
        plain_text(fields.get("stderr"))
        for fields in (found.data_fields, found.meta_fields)
    )
    complaint = next((text for text in texts if text), None)
    if complaint is None or not is_failure(complaint):
        return ""
    commands = survey([("arguments", found.call.arguments)]).everything
    crossed = [
        each.call.detail
        for each in found.outcome.boundary
        if each.call.seam == "subprocess"
    ]
    asked = "\n".join([commands, *crossed])
    if not _PIPELINE.search(asked) or "pipefail" in asked:
        return ""
    return f"an early part of a pipeline failed: {excerpt_text(complaint)}"


def _error_for_emptied(pair: Contrast, _: Contract) -> Iterator[Breach]:
    fired = [each for each in pair.subject.outcome.boundary if each.fault is not None]
    empty = [each for each in fired if each.fault and each.fault.leads_to == "empty"]
    # What an empty answer of the project's own callable means, nobody can tell.
    plain = [each for each in empty if each.fault and each.fault.at is None]
    if plain and len(fired) == len(empty) and pair.subject.path == "error":
        yield _nothing_as_error(pair.subject, plain[0])


@rule("TR214", "not-found-as-error", Severity.WARNING, compare=_error_for_emptied)
def not_found_as_error(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """No hits are reported as an error.

    Why: the model takes an honest "there is none" for a failure, tries again, or tells
    the user that something is broken.
    Fix: report `status: "empty"`, and say in `meta` what was looked for.
    Bad: `if not rows: return error("NO_RESULTS", "No rows.")`
    Good: `if not rows: return empty(query=query)`
    Good: `if row is None: return error("NOT_FOUND", f"There is no order {id!r}.")`
    """
    case = found.call.case
    if case is not None and case.status == "empty" and found.path == "error":
        because = f": {excerpt(found.message)}" if found.message else ""
        detail = f"declared as empty, and the status is error{because}"
        yield Breach(place="status", detail=detail)
        return
    rows = [each for each in found.outcome.boundary if each.rows is not None]
    code = plain_text(found.error_fields.get("code"))
    if found.path != "error" or not rows or code is None:
        return
    if any(each.rows or each.fault or each.failure for each in found.outcome.boundary):
        return
    if _NOTHING_FOUND.fullmatch(code):
        yield _nothing_as_error(found, rows[-1])


def _nothing_as_error(found: Exhibit, crossing: Crossing) -> Breach:
    detail = f"{told(crossing.call)} gave no rows, and the status is error"
    because = f": {excerpt(found.message)}" if found.message else ""
    return Breach(place="status", detail=f"{detail}{because}")


def _is_cut_length(length: int) -> bool:
    power_of_two = length & (length - 1) == 0
    return length >= _LEAST_CUT and (length % _ROUND == 0 or power_of_two)


def _is_told(found: Exhibit, returned: int) -> bool:
    """Tell whether the result says that there is more, or the arguments ask for this.

    What counts stands at the top of the result, or at the beginning or the end of it
    where it is a text.
    """
    text = written_text(found.data) or ""
    if _SAYS_CUT.search(text[:200]) or _SAYS_CUT.search(text[-200:]):
        return True
    return _asked_for(found.call.arguments, returned) or any(
        _says(name, value, returned)
        for fields in (found.meta_fields, found.data_fields)
        for name, value in fields.items()
    )


def _says(name: str, value: Any, returned: int) -> bool:
    number = plain_int(value)
    if _TOTAL.fullmatch(name):
        return number is not None and number > returned
    if not _MORE.fullmatch(name):
        return False
    return value is True or bool(number) or bool(plain_text(value)) or is_a(value, dict)


def _is_echo(found: Exhibit, text: str) -> bool:
    """Tell whether the text ends as an argument does: then nothing was cut here."""
    given = survey([("arguments", found.call.arguments)]).everything
    return text[-_END:] in given


def _asked_for(arguments: Mapping[str, Any], returned: int) -> bool:
    """Tell whether the arguments name this very number, so that whoever asked knows."""
    return any(
        plain_int(value) == returned or plain_text(value) == str(returned)
        for value in arguments.values()
    )
