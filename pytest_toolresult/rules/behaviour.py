"""TR8: what a tool does beside answering, and whether its answer can be sent at all."""

from __future__ import annotations

from datetime import date, time, timedelta
from decimal import Decimal
from inspect import iscoroutinefunction
from itertools import islice
from types import CoroutineType
from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt, excerpt_text
from pytest_toolresult.rules.boundary import told
from pytest_toolresult.rules.misfits import misfits
from pytest_toolresult.rules.raised import described, innermost, is_binding
from pytest_toolresult.rules.rule import rule, series_rule
from pytest_toolresult.walk import class_name, is_a
from pytest_toolresult.walk import survey as walked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.faults import Crossing
    from pytest_toolresult.rules.exhibit import Contrast, Exhibit, Series

_MOST_CHANGES: Final = 20
_QUICK_SEAMS: Final = frozenset({"files", "sqlite3"})
"""What seldom keeps a loop waiting for long."""
_BUSY_S: Final = 0.5
"""How much processor time between two waits is too much for an async tool."""

_LEAST_REPEATS: Final = 4
"""How often in a row something has to stay behind to be a leak: what is made once and
kept, such as a pool, does not."""
_CHECK: Final = (
    "Check the arguments before they are used, and tell the model which one is wrong. A"
    " validating layer (as validate_arguments=True stands for)"
)

_ROOM: Final = (
    "Bound what one call can ask for, such as a number of rows, before memory is taken"
    " for it. While tools are explored they get as much as toolresult_memory says."
)


@rule("TR801", "exception-escapes", Severity.ERROR)
def exception_escapes(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An exception leaves the tool instead of an error result.

    Why: the model gets a bare traceback, a stock phrase or nothing, and the agent's
    loop may end there.
    Fix: handle the case, or catch the exception at the tool's edge and return an error
    with code, message and retryable.
    Bad: `def first(query): return query.split()[0]` called with `""`
    Good: `def first(query): return query.split()[0] if query.strip() else None`
    Good: `except LookupError: return error("NOT_FOUND", f"no city {city!r}")`
    """
    if not found.escaped:
        return
    error = found.outcome.exception
    if error is None:
        yield Breach(place="", detail="an exception left the tool")
        return
    where = innermost(error)
    detail = f"{described(error)}{f' at {where}' if where else ''}"
    if found.outcome.ending == "returned":
        detail = f"{detail} (the framework hid it from the model)"
    unvalidated = is_binding(error, found.tool) and not found.tool.validates
    generated = found.call.origin in ("fuzz", "faults", "relations")
    yield Breach(
        place="arguments" if unvalidated and generated else "",
        detail=detail,
        severity=Severity.ADVICE if unvalidated and generated else None,
        remedy=_remedy(found, error),
    )


def _remedy(found: Exhibit, error: BaseException) -> str | None:
    """Say what stood between other tools and such arguments, where nothing did."""
    if is_a(error, MemoryError):
        return _ROOM
    if found.tool.validates:
        return None
    told = misfits(found.tool.schema, found.call.arguments)
    if told:
        return f"{_CHECK} would have {', and '.join(told)}."
    unread = found.tool.schema is None and is_a(error, TypeError)
    if unread or is_binding(error, found.tool):
        return f"{_CHECK} would have refused or converted them."
    return None


@rule("TR802", "process-exit", Severity.ERROR)
def process_exit(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The tool tried to end the whole process.

    Why: the agent, and every other tool in its process, is gone with it.
    Fix: return an error instead of calling `sys.exit`; run command line entry points
    in a process of their own.
    Bad: `def convert(path): sys.exit(f"cannot read {path}")`
    Good: `def convert(path): return error("NOT_READABLE", f"cannot read {path}")`
    Good: `subprocess.run(["convert", path], capture_output=True, timeout=30)`
    """
    if found.outcome.ending == "exited":
        error = found.outcome.exception
        where = innermost(error) if error else None
        what = described(error) if error else "an exit"
        detail = f"{what}{f' at {where}' if where else ''} would end the process"
        yield Breach(place="", detail=detail)


@rule("TR803", "hang", Severity.ERROR)
def hang(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The call gives no result within its bound.

    Why: the agent waits, and the user with it; most runtimes have no bound of their
    own.
    Fix: bound every loop and give every wait on something outside a timeout.
    Bad: `while number % 2 == 0: number //= 2` called with `0`
    Good: `while number and number % 2 == 0: number //= 2`
    Good: `requests.get(url, timeout=10)`
    """
    if found.outcome.ending == "hung":
        detail = f"no result within {found.outcome.bound_s:g} s"
        yield Breach(place="", detail=detail)


@rule("TR804", "writes-stdout", Severity.ERROR)
def writes_stdout(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The call writes to standard output.

    Why: a server that speaks over standard output sends it into the middle of its
    protocol, and the connection breaks.
    Fix: use the `logging` module, or write to standard error.
    Bad: `print("found", len(rows))`
    Good: `logger.info("found %d rows", len(rows))`
    Good: `print("found", len(rows), file=sys.stderr)`
    """
    if found.outcome.stdout:
        shown = excerpt(found.outcome.stdout)
        yield Breach(place="", detail=f"standard output got {shown}")


def _computes_too_long(pair: Contrast, _: Contract) -> Iterator[Breach]:
    """Judge two calls together: what is loaded once keeps only the first one busy."""
    busy = min(pair.reference.outcome.busy_s, pair.subject.outcome.busy_s)
    if busy >= _BUSY_S and _is_async(pair.subject):
        detail = f"it computes for {busy:.1f} s without a pause"
        remedy = (
            "Let it compute in a thread or process: `await asyncio.to_thread(...)`."
        )
        yield Breach(place="", detail=f"{detail}, twice", remedy=remedy)


@rule("TR805", "blocks-loop", Severity.ERROR, compare=_computes_too_long)
def blocks_loop(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """An async tool waits in a way that stops its whole event loop.

    Why: every other tool, session and heartbeat of the agent stands still meanwhile.
    Fix: use the async client of the library, or `await asyncio.to_thread(...)`.
    Bad: `async def find(id): return requests.get(f"{BASE}/orders/{id}")`
    Good: `async def find(id): return await client.get(f"{BASE}/orders/{id}")`
    Good: `async def find(id): return await asyncio.to_thread(read_order, id)`
    """
    if not any(each.blocks for each in found.outcome.boundary) or not _is_async(found):
        return
    blocking = [each for each in found.outcome.boundary if _waits(each)]
    slow = [each for each in blocking if each.call.seam not in _QUICK_SEAMS]
    for crossing in (slow or blocking)[:1]:
        detail = f"{told(crossing.call)} blocks the event loop"
        yield Breach(
            place="", detail=detail, severity=None if slow else Severity.WARNING
        )


def _waits(crossing: Crossing) -> bool:
    # A callable of the project may do nothing but look into a dict.
    named = crossing.fault is not None and crossing.fault.at is not None
    return crossing.blocks and not named and crossing.call.seam != "callable"


def _is_async(found: Exhibit) -> bool:
    """Tell whether the tool itself is async; a runtime may put others into threads."""
    function = found.tool.function
    called = vars(type(function)).get("__call__")
    return iscoroutinefunction(function) or iscoroutinefunction(called)


@series_rule("TR806", "leaks-resource", Severity.ERROR)
def leaks_resource(series: Series, _: Contract) -> Iterator[Breach]:
    """Something stays open each time the call is made.

    Why: after some hundred calls, or one bad night of the dependency, the process has
    no file descriptor left, and every tool in it fails.
    Fix: close on every path, with `with` or `finally`; await or cancel every task.
    Bad: `conn = sqlite3.connect(PATH)`, closed after the rows were read, if they were
    Good: `with closing(sqlite3.connect(PATH)) as conn:`
    Good: `engine = create_engine(URL)` once, with its pool
    """
    for index, last in _repeated(series):
        for kind in last[0].outcome.resources:
            grown = [each.outcome.resources.get(kind, 0) for each in last]
            if min(grown) > 0:
                detail = (
                    f"each of {len(last)} equal calls left {min(grown)} {kind} open"
                )
                yield Breach(place="", detail=detail, index=index)
                break


def _repeated(series: Series) -> Iterator[tuple[int, Sequence[Exhibit]]]:
    """Yield the last calls of every run of equal ones, with the index of the last."""
    run: list[Exhibit] = []
    for index, found in enumerate(series.exhibits):
        if run and found.call != run[-1].call:
            run = []
        run.append(found)
        following = series.exhibits[index + 1 : index + 2]
        goes_on = any(each.call == found.call for each in following)
        if not goes_on and len(run) >= _LEAST_REPEATS:
            yield index, run[-_LEAST_REPEATS:]


@rule("TR807", "changes-arguments", Severity.ERROR)
def changes_arguments(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """The arguments are different after the call.

    Why: the runtime logs, retries and shows the arguments after the call, and then
    they are not what the model sent.
    Fix: copy what you change: `dict(options)`, `sorted(tags)`.
    Bad: `def search(tags): tags.sort()`
    Good: `def search(tags): tags = sorted(tags)`
    Good: `def search(options): options = {**options, "limit": 10}`
    """
    for place in islice(found.outcome.changed_arguments, _MOST_CHANGES):
        name = f"arguments{'' if place.startswith('[') else '.'}{place}"
        yield Breach(place=name, detail=f"{name} was changed by the call")


@rule("TR809", "not-json", Severity.ERROR)
def not_json(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """Something in the result has no JSON form.

    Why: the serializer raises, or writes whatever it likes: a memory address, a text
    that looks like a date, nothing at all.
    Fix: convert it yourself: dates with `isoformat()`, decimals and ids with `str()`,
    sets with `sorted()`, objects into their fields.
    Bad: `return {"created_at": datetime.now(UTC), "price": Decimal("1.50")}`
    Good: `return {"created_at": datetime.now(UTC).isoformat(), "price": "1.50"}`
    Good: `return {"tags": sorted(tags)}`
    """
    if found.outcome.reply is not None and found.outcome.reply.wire is not None:
        return  # a framework wrote the text; TR107 judges whether it did so well
    survey = found.survey
    for note in survey.foreign:
        value = note[2]
        if is_a(value, CoroutineType) and found.outcome.never_awaited:
            continue  # TR812
        place = survey.place(note)
        kind, remedy = _kind(value)
        detail = f"{place} is {kind}: {excerpt(value)}"
        yield Breach(place=place, detail=detail, remedy=remedy)
    for note in survey.odd_keys:
        place = survey.place(note)
        detail = f"{place} stands under a key that is no text: {excerpt(note[2])}"
        yield Breach(place=place, detail=detail, remedy="Use texts as keys.")
    for note in survey.cycles:
        place = survey.place(note)
        yield Breach(place=place, detail=f"{place} is a container that holds itself")
    for number in survey.long_numbers:
        place = survey.place(number)
        detail = f"{place} is an integer with more digits than Python writes"
        yield Breach(place=place, detail=detail)


def _kind(value: object) -> tuple[str, str | None]:
    """Name what JSON does not know, and the conversion nearest to it."""
    if is_a(value, date) or is_a(value, time):
        return "a date or time", "Send it as text: `value.isoformat()`."
    if is_a(value, timedelta):
        return "a duration", "Send it as seconds: `value.total_seconds()`."
    if is_a(value, Decimal):
        return "a decimal", "Send it as text, so that no digit is lost: `str(value)`."
    if is_a(value, bytes) or is_a(value, bytearray):
        return "bytes", "Decode it, or send base64 text and say so in `meta`."
    if is_a(value, set) or is_a(value, frozenset):
        return "a set", "Send a list in a fixed order: `sorted(value)`."
    return f"an object of class {class_name(value)}", None


@rule("TR810", "non-finite", Severity.ERROR)
def non_finite(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A number is NaN or infinite.

    Why: JSON has no such numbers, so strict readers reject the whole result.
    Fix: send null and say why in `meta`, or answer with `empty` where there was
    nothing to compute from.
    Bad: {"status": "success", "data": {"mean": NaN}, "error": null, "meta": {}}
    Bad: returns [1.5, Infinity]
    Good: {"status": "success", "data": {"mean": null}, "error": null,
    "meta": {"mean_of": 0}}
    Good: returns [1.5, 2.5]
    """
    survey = found.survey
    for note in survey.endless:
        place = survey.place(note)
        yield Breach(place=place, detail=f"{place} is {excerpt(note[2])}")


@rule("TR811", "not-unicode", Severity.ERROR)
def not_unicode(found: Exhibit, _: Contract) -> Iterator[Breach]:
    r"""A text holds half of a surrogate pair and cannot be encoded.

    Why: the result cannot be sent: encoding it as UTF-8 raises.
    Fix: cut texts by characters and not by UTF-16 units; decode with
    `errors="replace"`.
    Bad: {"status": "success", "data": "a smile: \ud83d", "error": null, "meta": {}}
    Bad: returns "\udcff"
    Good: {"status": "success", "data": "a smile: \ud83d\ude00", "error": null,
    "meta": {}}
    Good: returns "a smile"
    """
    survey = found.survey
    if _encodes(survey.everything) or not _encodes(_sent(found)):
        return
    for note in survey.texts_and_keys():
        if not _encodes(note[2]):
            place = survey.place(note)
            detail = f"{place} cannot be encoded: {excerpt(note[2])}"
            yield Breach(place=place, detail=detail)


def _sent(found: Exhibit) -> str:
    """Give all texts of the arguments: whatever quotes them brings them back."""
    return walked([("arguments", found.call.arguments)]).everything


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


@rule("TR812", "never-awaited", Severity.ERROR)
def never_awaited(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A coroutine was returned or dropped without being awaited.

    Why: what it should have done never happened, and the model gets its repr or
    nothing.
    Fix: write `await` before the call, or make the tool itself `async`.
    Bad: `def find(id): return client.fetch(id)` where `fetch` is async
    Good: `async def find(id): return await client.fetch(id)`
    Good: `def find(id): return asyncio.run(client.fetch(id))`
    """
    for name in islice(found.outcome.never_awaited, _MOST_CHANGES):
        shown = excerpt_text(name)
        yield Breach(place="", detail=f"the coroutine {shown} was never awaited")


@rule("TR813", "ignores-cancel", Severity.ERROR)
def ignores_cancel(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A call that was cancelled goes on, or leaves something behind.

    Why: the user stopped the agent, and its tools work on; a timeout around the tool
    has no effect.
    Fix: let `CancelledError` pass; do only quick cleaning up in `finally`.
    Bad: `except BaseException: continue` in a loop of retries
    Bad: `asyncio.create_task(poll())` that nobody cancels
    Good: `except Exception: continue`, which lets `CancelledError` pass
    Good: `async with asyncio.TaskGroup() as group:` around all tasks
    """
    boundary = found.outcome.boundary
    names = [each.fault.name if each.fault else "" for each in boundary]
    if "cancelled" not in names:
        return
    where = names.index("cancelled")
    cancelled = f"cancelled at {told(boundary[where].call)}, the tool"
    later = boundary[where + 1 :]
    if found.outcome.ending == "hung":
        yield Breach(place="", detail=f"{cancelled} did not end")
    elif found.outcome.ending == "returned" and later:
        detail = f"{cancelled} went on to {told(later[0].call)}"
        yield Breach(place="", detail=detail)
    elif found.outcome.ending == "returned":
        detail = f"{cancelled} answered as if nothing had happened"
        yield Breach(place="", detail=detail)
    else:
        for kind, number in found.outcome.resources.items():
            if number > 0:
                yield Breach(place="", detail=f"{cancelled} left open {number} {kind}")
                return
