"""TR8 and TR9, seen over several calls: what has to come to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.listing import listing_of
from pytest_toolresult.plain import plain
from pytest_toolresult.rules.asserting import broken
from pytest_toolresult.rules.likenesses import Alike, Alone, hanging_on_the_zone
from pytest_toolresult.rules.rule import series_rule
from pytest_toolresult.rules.trials import has_answered, trial_of
from pytest_toolresult.steadiness import Steadiness, content_of
from pytest_toolresult.walk import fields_of, is_a

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.calls import Part
    from pytest_toolresult.contract import Contract
    from pytest_toolresult.listing import Listing
    from pytest_toolresult.rules.exhibit import Exhibit, Series
    from pytest_toolresult.rules.trials import Trial

_LEAVING_OUT: Final = frozenset({"without", "blank", "blank filter", "defaults"})
"""The roles of calls that leave out what the success names."""


@series_rule("TR808", "shares-state", Severity.ERROR)
def shares_state(shown: Series, _: Contract) -> Iterator[Breach]:
    """What is done to one result shows in another one.

    Why: runtimes cut, mask and annotate results in place; the next call hands the
    changed one out as if it were the data.
    Fix: return a copy of what is kept: `copy.deepcopy(cached)`, or build the result
    anew each time; let `None` stand for an empty list that can be left out.
    Bad: `return success(CACHE[key])`
    Bad: `def add(item, items=[]): items.append(item); return success(items)`
    Good: `return success(copy.deepcopy(CACHE[key]))`
    Good: `return success([dict(row) for row in rows])`
    """
    yield from _grown_defaults(shown)
    trial = trial_of(shown, "repeat")
    if trial is None:
        return
    for index, found in enumerate(trial.exhibits):
        if found.outcome.altered:
            place = found.outcome.altered[0]
            detail = f"this call changed {place} in a result that was handed out before"
            yield Breach(place=place, detail=detail, index=index, beside=index - 1)
            return
    for index, _found, part in trial.of("after"):
        for place in trial.differences(trial.base, index)[:1]:
            changed = place.partition('["')[0]
            detail = f"{part.told}, the same call brought {changed} changed as well"
            yield Breach(place=changed, detail=detail, index=index, beside=trial.base)


def _grown_defaults(shown: Series) -> Iterator[Breach]:
    """Tell of a default that one call changed, and of what that does to the next."""
    for index, found in enumerate(shown.exhibits):
        part = found.call.part
        if part is None or part.role != "defaults" or not part.about:
            continue
        one, other = content_of(shown.exhibits[index - 1]), content_of(found)
        for place in Steadiness.of(()).differences(one, other)[:1]:
            detail = (
                f"the call before changed the default of {part.about}, and the same"
                f" call brought another {place}"
            )
            yield Breach(place=place, detail=detail, index=index, beside=index - 1)


@series_rule("TR706", "shape-varies", Severity.ERROR)
def shape_varies(shown: Series, _: Contract) -> Iterator[Breach]:
    """The data is a list where there are several rows, and one row where there is one.

    Why: whoever reads the result by its fields breaks on the first single hit.
    Fix: return a list in any case, of one row where there is one.
    Bad: `return success(rows[0] if len(rows) == 1 else rows)`
    Bad: `data = json.loads(body)["hit"]` of a server that unwraps single hits
    Good: `return success(rows)`
    Good: `hits = found if isinstance(found, list) else [found]`
    """
    listed = [(index, found) for index, found in _answers(shown) if _rows(found)]
    if not any(each.call.part for each in shown.exhibits) or not listed:
        return
    first, several = listed[0]
    listing = _rows(several)
    for index, found in _answers(shown):
        single = _at(found, listing.place) if listing else None
        if listing and single is not None and _is_like(single, listing.rows):
            detail = f"{listing.place} is one object here, and a list of them elsewhere"
            yield Breach(place=listing.place, detail=detail, index=index, beside=first)
            return


def _answers(shown: Series) -> Iterator[tuple[int, Exhibit]]:
    """Yield the answers to calls that name as much as the success does.

    Asked for nothing in particular, a tool may well list what there is.
    """
    for index, found in enumerate(shown.exhibits):
        part = found.call.part
        if has_answered(found) and not (part and part.role in _LEAVING_OUT):
            yield index, found


def _rows(found: Exhibit) -> Listing | None:
    """Return the rows of a result, where they are two objects at least."""
    listing = listing_of(found.data)
    objects = listing is not None and all(fields_of(row) for row in listing.rows)
    return listing if listing and objects and len(listing.rows) > 1 else None


def _at(found: Exhibit, place: str) -> object:
    """Return the value that stands where rows stand elsewhere; `None` for a list."""
    value: object = plain(found.data)
    for step in place.split(".")[1:]:
        value = fields_of(value).get(step)
    return value if is_a(value, dict) else None


def _is_like(single: object, rows: Sequence[object]) -> bool:
    """Tell whether an object has the fields of every row."""
    names = fields_of(single).keys()
    shared = set.intersection(*(set(fields_of(row)) for row in rows))
    return bool(shared) and shared <= names and len(names) <= len(shared) * 2


@series_rule("TR908", "same-meaning-differs", Severity.ERROR)
def same_meaning_differs(shown: Series, _: Contract) -> Iterator[Breach]:
    """Arguments that mean the same, in another spelling, give another result.

    Why: models write `"5"` for `5`, `""` for nothing and `Open` for `open`; what they
    get back looks like an answer to what they asked.
    Fix: bring arguments into one form before they are used, or refuse the others with
    an error that names the right one.
    Bad: `[row for row in rows if row["status"] == status]` for `status="OPEN"`
    Bad: `if region is not None: rows = [r for r in rows if r["region"] == region]`
    for `region=""`
    Good: `status = status.strip().lower()`
    Good: `if region: rows = [r for r in rows if r["region"] == region]`
    """
    trial = trial_of(shown, "spelling")
    if trial is None:
        return
    base = trial.exhibits[trial.base]
    for index, found, part in trial.of("spelled", "cased", "spaced"):
        if not _is_comparable(base, found, part.role):
            continue
        same = Alike(base, found, part.about)
        places = trial.differences(trial.base, index, same)
        if places:
            yield _differs(trial.base, index, part, places[0])
            return
    yield from _blank_differs(trial)


def _is_comparable(base: Exhibit, found: Exhibit, role: str) -> bool:
    """Tell whether two spellings have to come to the same.

    A choice that is listed is found in whatever case it is taken in. Of names with
    spaces around them only those count that find more rows, or fewer: a text may be
    worked on, and rows be made of it.
    """
    if role == "cased" and found.path == "empty":
        return True
    if role == "spaced" and not 0 < _length(base) != _length(found) > 0:
        return False
    return has_answered(found)


def _blank_differs(trial: Trial) -> Iterator[Breach]:
    """Hold blank filters against the call without them."""
    without = next((index for index, *_ in trial.of("without")), None)
    if without is None or not has_answered(trial.exhibits[without]):
        return
    rows = _length(trial.exhibits[without])
    for index, found, part in trial.of("blank", "blank filter"):
        fewer = has_answered(found) and _length(found) < rows
        if found.path == "empty" or fewer:
            yield _differs(without, index, part, "data")
            return
        if found.path == "error" and part.role == "blank filter":
            yield _differs(without, index, part, "status", Severity.WARNING)
            return


def _differs(
    one: int, index: int, part: Part, place: str, severity: Severity | None = None
) -> Breach:
    detail = f"{part.told}, which means the same, came back with another {place}"
    return Breach(
        place=place, detail=detail, index=index, beside=one, severity=severity
    )


def _length(found: Exhibit) -> int:
    listing = listing_of(found.data)
    return len(listing.rows) if listing else 0


@series_rule("TR909", "host-time-zone", Severity.ERROR)
def host_time_zone(shown: Series, _: Contract) -> Iterator[Breach]:
    """The result hangs on the time zone of the host.

    Why: what was right on the developer's machine is some hours, and now and then a
    day, wrong on the server, and nothing in the result says so.
    Fix: compute in UTC or in a zone that is asked for, and send the offset along:
    `datetime.now(UTC).isoformat()`.
    Bad: `datetime.fromtimestamp(created).isoformat()`
    Bad: `date.today().isoformat()`
    Good: `datetime.fromtimestamp(created, UTC).isoformat()`
    Good: `datetime.now(ZoneInfo(timezone)).date().isoformat()`
    """
    trial = trial_of(shown, "zones")
    zoned = list(trial.of("zone")) if trial else []
    if trial is None or len(zoned) < 2:  # noqa: PLR2004 - one zone and another
        return
    (one, first, _part), (other, second, part) = zoned[:2]
    if not has_answered(first) or not has_answered(second):
        return
    for place in hanging_on_the_zone(trial.steadiness, first, second):
        detail = f"{part.told}, the same call came back with another {place}"
        yield Breach(place=place, detail=detail, index=other, beside=one)
        return


@series_rule("TR912", "parallel-calls-differ", Severity.ERROR)
def parallel_calls_differ(shown: Series, _: Contract) -> Iterator[Breach]:
    """Two calls at the same time give something else than one after the other.

    Why: agents call tools in parallel; one question then gets the answer to another.
    Fix: keep what belongs to a call in local variables, not in the module or on an
    object that all calls share; guard what has to be shared with a lock.
    Bad: `global current; current = query; return success(search(current))`
    Bad: `self.buffer.clear()` at the beginning of each call
    Good: `def search(query): rows = find(query); return success(rows)`
    Good: `with LOCK: counter += 1`
    """
    trial = trial_of(shown, "parallel")
    if trial is None:
        return
    alone = Alone(trial)
    for index, found, part in trial.of("together"):
        asked = [found.call.arguments, *part.beside]
        replies = (found.outcome.reply, *found.outcome.beside)
        for number, (arguments, reply) in enumerate(zip(asked, replies, strict=False)):
            place = alone.difference(arguments, reply)
            if place is not None:
                yield Breach(
                    place=place,
                    detail=f"at the same time as {len(asked) - 1} others the call came"
                    f" back with another {place}",
                    index=index,
                    beside=alone.index_of(arguments),
                    among=number - 1 if number else None,
                )
                return


@series_rule("TR913", "relation-broken", Severity.ERROR)
def relation_broken(shown: Series, contract: Contract) -> Iterator[Breach]:
    """A relation that the project declares between results does not hold.

    Why: whoever wrote it knows what the model will conclude from several results.
    Fix: make the tool keep to it, or the relation say what is meant.
    Bad: `@relation("limit halves rows", over=[{"limit": 10}, {"limit": 5}])` over a
    tool that ignores its limit
    Good: `assert len(five.data) <= len(ten.data)` over a tool that cuts at the limit
    Good: `assert first.data == second.data` over a tool that reads
    """
    for each in contract.own_relations:
        asked = [
            (index, found)
            for index, found in enumerate(shown.exhibits)
            if found.call.part and found.call.part.series == f"own:{each.name}"
        ]
        if len(asked) == len(each.over):
            problem = broken(each, [found for _, found in asked])
            if problem is not None:
                detail = f"{each.name!r} does not hold{problem}"
                one, last = asked[0][0], asked[-1][0]
                beside = one if one != last else None
                yield Breach(place="", detail=detail, index=last, beside=beside)
