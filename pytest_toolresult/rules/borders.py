"""TR9, seen over several calls: what a tool lets in, and lets out."""

from __future__ import annotations

from os.path import normpath, sep
from pathlib import PurePath
from typing import TYPE_CHECKING

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.excerpt import excerpt
from pytest_toolresult.rules.exhibit import plain_text
from pytest_toolresult.rules.planted import broken_line, is_reached
from pytest_toolresult.rules.rule import rule, series_rule
from pytest_toolresult.rules.trials import has_answered, trial_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.faults import Crossing
    from pytest_toolresult.rules.exhibit import Exhibit, Series


@series_rule("TR907", "unknown-argument-ignored", Severity.WARNING)
def unknown_argument_ignored(shown: Series, _: Contract) -> Iterator[Breach]:
    """The tool drops an argument that it does not have, and says nothing.

    Why: the model believes that its filter was applied, and tells so to the user.
    Fix: refuse names that are not known, with an error that lists the right ones.
    Bad: `def find(query, **_): return success(search(query))`
    Bad: `arguments.get("query")` of whatever came, without a look at the rest
    Good: `def find(query): ...`, behind a runtime that validates
    Good: `if unknown: return error("UNKNOWN_ARGUMENT", f"there is no {unknown}")`
    """
    trial = trial_of(shown, "invented")
    if trial is None:
        return
    for index, found, part in trial.of("invented"):
        if has_answered(found) and not trial.differences(trial.base, index):
            detail = f"{part.told}, which it does not have, it answered as without it"
            yield Breach(place="", detail=detail, index=index, beside=trial.base)


def _canary_came_back(shown: Series, _: Contract) -> Iterator[Breach]:
    trial = trial_of(shown, "outside")
    if trial is None:
        return
    reached = [
        (index, part)
        for index, found, part in trial.of("outside", "sibling", "stranger")
        if is_reached(found, part)
    ]
    # Where any folder beside the root may be read, the root is a larger one.
    is_larger = any(part.role == "stranger" for _, part in reached)
    out = [each for each in reached if each[1].role == "outside" or not is_larger]
    if out:
        index, part = out[0]
        ways = ", ".join(each.told for _, each in out)
        detail = f"{part.about} led out of the tool's folder to a planted file: {ways}"
        yield Breach(place="data", detail=detail, index=index, beside=trial.base)


@rule("TR910", "leaves-root", Severity.ERROR, relate=_canary_came_back)
def leaves_root(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A path or a link leads out of the folder that the tool keeps to.

    Why: a page that the model reads can tell it which file to ask for next, and the
    tool hands out keys and private files.
    Fix: resolve the whole path first, links too, and compare then:
    `(root / name).resolve().is_relative_to(root.resolve())`.
    Bad: `open(os.path.join(ROOT, name))`
    Bad: `if path.startswith(ROOT): ...` of a path with `..` in it
    Good: `path = (ROOT / name).resolve()`, and an error unless it is below `ROOT`
    Good: `FILES[name]` of a table of the files that may be read
    """
    opened_files = [each for each in found.outcome.boundary if _opened(each)]
    if not (opened_files and has_answered(found)):
        return  # the arguments are not asked for, so that the verdict is remembered
    for name, value in found.call.arguments.items():
        text = plain_text(value)
        if text is None or ".." not in PurePath(text).parts:
            continue
        led = (_reached(each, text) for each in opened_files)
        opened = next(filter(None, led), None)
        if opened:
            detail = f"{name}={excerpt(text)} led to {opened}, out of where it began"
            yield Breach(place="data", detail=detail)
            return


def _opened(crossing: Crossing) -> bool:
    return crossing.call.seam == "files" and not crossing.failure


def _reached(crossing: Crossing, path: str) -> str:
    """Return what a path led to outside of the folder it was put behind, if so.

    Where it was put behind none, as it is, there is no folder to keep to.
    """
    opened = crossing.sent
    if not opened.endswith(path):
        return ""
    root = normpath(opened[: -len(path)] or ".")
    reached = normpath(opened)
    within = reached == root or reached.startswith(root.rstrip(sep) + sep)
    return "" if within or not PurePath(root).is_absolute() else crossing.call.detail


@series_rule("TR911", "line-break-passes", Severity.ERROR)
def line_break_passes(shown: Series, _: Contract) -> Iterator[Breach]:
    r"""A line break in an argument reaches a header, a file's name or a command raw.

    Why: what stands behind the line break is read as a line of its own: another
    header, another command.
    Fix: refuse control characters in what has to fit on one line, or encode them:
    `urllib.parse.quote(name)`.
    Bad: `f'Content-Disposition: attachment; filename="{name}"'`
    Bad: `subprocess.run(f"convert {name}", shell=True)`
    Good: `if not name.isprintable(): return error("BAD_NAME", "one line, please")`
    Good: `f"attachment; filename*=UTF-8''{quote(name)}"`
    """
    trial = trial_of(shown, "line-breaks")
    if trial is None:
        return
    before = [text for _, _, text in trial.exhibits[trial.base].survey.texts]
    for index, found, part in trial.of("broken"):
        where = broken_line(found, part)
        if where and not any(part.canary in each for each in before):
            detail = f"{part.told}, it stands raw in {where}"
            place = where if where.startswith(("data", "meta")) else ""
            yield Breach(place=place, detail=detail, index=index, beside=trial.base)
            return
