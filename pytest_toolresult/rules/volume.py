"""TR5: whether a result fits what a model can take in, and leads on to the rest."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.rules.exhibit import plain_int
from pytest_toolresult.rules.paging import way_on
from pytest_toolresult.rules.rows import rows_of
from pytest_toolresult.rules.rule import rule
from pytest_toolresult.rules.vocabulary import words_of
from pytest_toolresult.tokens import Count, as_json, estimate
from pytest_toolresult.walk import fields_of, is_a

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit

CERTAINLY_TOO_MUCH: Final = 4_000
"""Tokens above which a result is too large for any tool that declares no budget."""

MUCH: Final = 1_500
"""Tokens from which a result is worth a remark: of real ones 95 % are smaller."""

_MOST_DETAILS: Final = 5
_FAR: Final = 2
"""How many times the estimate another vocabulary may need at most."""


def text_of(found: Exhibit) -> str | None:
    """Return a result as the text that a model sees, where it can be written."""
    reply = found.outcome.reply
    if reply is None or found.outcome.ending != "returned":
        return None
    if reply.wire is not None:
        return reply.wire
    if type(reply.value) is str:
        return reply.value
    return as_json(whole_of(found), found.survey)


def whole_of(found: Exhibit) -> object:
    """Return the whole result: what the walk went through, and nothing else."""
    envelope = found.envelope
    if envelope is None:
        return found.outcome.reply.value if found.outcome.reply else None
    if not found.has_envelope and found.path != "error":
        return envelope.data
    fields = {"data": envelope.data, "error": envelope.error, "meta": envelope.meta}
    known = {"status": found.path, **fields}
    sent = {name: each for name, each in known.items() if name not in envelope.missing}
    return sent | fields_of(envelope.extra)


def size_of(found: Exhibit) -> Count | None:
    """Count the tokens of a result as a model sees it; `None` where it is no text.

    Raises:
        SettingsError: If the exact counter that a user named does not work.
    """
    text = text_of(found)
    if text is None:
        return None
    counter = found.settings.token_counter
    return Count(counter(text), is_exact=True) if counter else estimate(text)


@rule("TR501", "over-budget", Severity.ERROR)
def over_budget(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """The result takes more tokens than its tool may spend.

    Why: it pushes out what the model knew before, and the answer drowns in it.
    Fix: send a summary, a sample and where the rest is: `status: "partial"`, with
    `truncated`, `total`, and a cursor or `result_id` that the tool accepts.
    Bad: `budget=800`, and the tool answers with 2,000 rows
    Good: `budget=800`, and the tool answers with 20 of 2,000 rows and a cursor
    Good: `budget=4000` for a tool that reads whole files, with a limit of lines
    """
    budget = contract.budget or found.settings.budget
    count = _count_above(found, budget or MUCH)
    if count is None:
        return
    limits = [(budget, Severity.ERROR)] if budget else _UNDECLARED
    for limit, severity in limits:
        if count.against(limit) == "over":
            whose = "the tool's budget" if budget else "what is usual"
            detail = f"the result takes {count}; {whose} is {limit}"
            worst = Severity.ERROR
            if not budget and found.call.injection:  # so much data was our doing
                worst = Severity.WARNING
            yield Breach(place="", detail=detail, severity=min(severity, worst))
            return


_UNDECLARED: Final = (
    (CERTAINLY_TOO_MUCH, Severity.ERROR),
    (MUCH, Severity.ADVICE),
)


@rule("TR502", "budget-unclear", Severity.ADVICE)
def budget_unclear(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """An estimate cannot tell whether the result fits its tool's budget.

    Why: a result just above its budget is as bad as one far above it, only later.
    Fix: install the tokenizer, `pip install "pytest-toolresult[tokens]"`, or name a
    counter of your own: `toolresult_token_counter = shop.tokens:count`.
    Bad: `budget=800`, and the result takes about 790 tokens
    Good: `budget=800`, and the result takes about 300 tokens
    Good: `toolresult_token_counter = shop.tokens:count`
    """
    budget = contract.budget or found.settings.budget
    count = _count_above(found, budget) if budget else None
    if budget and count and count.against(budget) == "unclear":
        detail = f"the result takes {count}, between {count.least} and {count.most}"
        yield Breach(place="", detail=f"{detail}; the budget is {budget}")


def _count_above(found: Exhibit, limit: int) -> Count | None:
    """Count the tokens of a result, if it is long enough to be above a limit."""
    text = text_of(found)
    if text is None or (len(text) <= limit and text.isascii()):
        return None
    count = estimate(text)
    counter = found.settings.token_counter
    if counter and count.most * _FAR > limit:
        return Count(counter(text), is_exact=True)
    return count


@rule(
    "TR507",
    "no-way-on",
    Severity.WARNING,
    needs_envelope=True,
    yields_to=("TR206", "TR207"),
)
def no_way_on(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A partial result does not say how to get the rest.

    Why: the model tells the user that there is more, and cannot fetch it.
    Fix: put a cursor, a `result_id` or a location into `meta`, and let the tool take
    it.
    Bad: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"truncated": true, "total": 9}}
    Good: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"truncated": true, "total": 9, "next_cursor": "p2"}}
    Good: {"status": "partial", "data": [1, 2], "error": null,
    "meta": {"total": 3, "failed": 1, "failures": [{"id": 3, "code": "TIMEOUT"}]}}
    """
    if found.path != "partial" or found.meta_fields.get("truncated") is not True:
        return
    if not way_on(found.meta_fields) and not way_on(found.data_fields):
        detail = f"meta has neither a cursor nor a place: {excerpt(found.meta_fields)}"
        yield Breach(place="meta", detail=detail)


@rule("TR508", "details-in-summary", Severity.WARNING, yields_to=("TR501",))
def details_in_summary(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A tool that sums up returns the rows as well.

    Why: the model was asked for one number and reads, or adds up again, what it came
    from.
    Fix: return the conclusion alone, and offer the rows by another tool.
    Bad: `kind="summary"`, and the data is `{"mean": 3.5, "readings": [{...}, ...]}`
    Good: `kind="summary"`, and the data is `{"mean": 3.5, "reading_count": 120}`
    Good: `kind="summary"`, and the data is `[{"month": "May", "total": "9.50"}, ...]`
    of five groups
    """
    if contract.kind != "summary" or found.path not in ("success", "partial"):
        return
    for rows in rows_of(found.survey):
        if len(rows.rows) > _MOST_DETAILS:
            place = found.survey.place((*rows.place, None))
            detail = f"{place} holds {len(rows.rows)} rows in a summary"
            yield Breach(place=place, detail=detail)


@rule("TR510", "scores-unordered", Severity.WARNING)
def scores_unordered(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """The hits of a search are not ordered by score, or more than were asked for.

    Why: a model takes the first hit for the best one.
    Fix: sort by score, the best first, and cut at `top_k`.
    Bad: {"status": "success", "error": null, "meta": {"top_k": 2, "total_hits": 9},
    "data": [{"title": "a", "score": 0.4}, {"title": "b", "score": 0.9}]}
    Good: {"status": "success", "error": null, "meta": {"top_k": 2, "total_hits": 9},
    "data": [{"title": "b", "score": 0.9}, {"title": "a", "score": 0.4}]}
    Good: returns [{"player": "Ann", "score": 3}, {"player": "Bob", "score": 7}]
    """
    most = plain_int(found.meta_fields.get("top_k"))
    if contract.kind != "memory" and most is None:
        return
    for rows in rows_of(found.survey):
        scores = [_score(row) for row in rows.rows]
        place = found.survey.place((*rows.place, None))
        for one, other in pairwise(scores):
            if one is not None and other is not None and one < other:
                detail = f"in {place} a score of {abs(other):g} follows {abs(one):g}"
                yield Breach(place=place, detail=detail)
                break
        if most is not None and None not in scores and len(scores) > most > 0:
            detail = f"{place} has {len(scores)} hits, and top_k is {most}"
            yield Breach(place=place, detail=detail)


_SCORES: Final = (("score",), ("relevance",), ("similarity",))


def _score(row: list[tuple[object, object]]) -> float | None:
    """Return how well a hit fits, the more the better; a distance counts down."""
    for name, value in row:
        if type(name) is not str or not (is_a(value, float) or is_a(value, int)):
            continue
        last = words_of(name)[-1:]
        number = float.__float__(value) if is_a(value, float) else plain_int(value)
        if (
            number is not None
            and last
            and last[0] in ("score", "relevance", "similarity")
        ):
            return number
        if number is not None and last == ("distance",):
            return -number
    return None
