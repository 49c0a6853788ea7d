"""No path leads out of the folder that a tool keeps to."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pytest_toolresult.explore.relations.openings import opening_of
from pytest_toolresult.explore.relations.planting import planted
from pytest_toolresult.explore.relations.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.explore.relations.ground import Ground
    from pytest_toolresult.explore.relations.openings import Opening
    from pytest_toolresult.explore.relations.planting import Plant
    from pytest_toolresult.explore.relations.series import Reasons, Stage

_MORE: Final = 8
"""How many steps up beyond the number that is needed: at the top they do no harm."""

_WAYS: Final = 8


class Outside:
    """Asks for a file that lies elsewhere, by every way that is known.

    Absolute paths and `..` in all their spellings go wrong in
    https://cwe.mitre.org/data/definitions/22.html, links in
    https://cwe.mitre.org/data/definitions/59.html.
    """

    name = "outside"

    def series(self, ground: Ground, reasons: Reasons) -> Iterator[Series]:
        """Give one series for each argument that named what was opened."""
        boundary = ground.base.outcome.boundary
        for name, argument in ground.takes_by_name.items():
            opening = opening_of(ground.arguments.get(name), boundary)
            if opening is not None:
                yield Series(
                    key=f"{self.name}:{name}",
                    cost=_WAYS,
                    play=partial(_play, name=name, opening=opening, reasons=reasons),
                )
            elif argument.may_be_a_path and ground.tool.function is None:
                why = f"what {name} leads to cannot be seen from outside its process"
                reasons.add(self.name, why)


def _play(stage: Stage, name: str, opening: Opening, reasons: Reasons) -> None:
    with planted(opening) as plant:
        if plant is None:
            reasons.add(Outside.name, f"no file can be planted outside {opening.root}")
            return
        if not plant.link and Path(opening.root).is_dir():
            why = f"{opening.root} is not temporary, so that no link was put there"
            reasons.add(Outside.name, why)
        for role, path, told in _ways(stage.ground, name, opening, plant):
            asked = {**stage.ground.arguments, name: path}
            if path and stage.ground.takes(asked):
                stage.call(
                    asked,
                    role=role,
                    told=told,
                    about=name,
                    canary=plant.canary,
                    planted=plant.files,
                )


def _ways(
    ground: Ground, name: str, opening: Opening, plant: Plant
) -> Iterator[tuple[str, str, str]]:
    """Give roles and paths, with what these are in words."""
    depth = opening.root.count(os.sep) + _MORE
    far = plant.far.lstrip(os.sep)
    yield "outside", "../" * depth + far, "a path with '..'"
    head = opening.value.partition(os.sep)[0]
    if head != opening.value:
        yield "outside", f"{head}/{'../' * depth}{far}", "'..' behind a folder"
    if not _promises_absolute(ground, name):
        yield "outside", plant.far, "an absolute path"
    yield "outside", "....//" * depth + far, "'..' in '....//', of which '../' is cut"
    encoded = "%2e%2e%2f" * depth + quote(far, safe="")
    yield "outside", encoded, "a path with an encoded '..'"
    yield "outside", plant.link, "a link"
    yield "sibling", plant.sibling, "a folder whose name begins as the root's does"
    yield "stranger", plant.stranger, "another folder beside the root"


def _promises_absolute(ground: Ground, name: str) -> bool:
    """Tell whether the tool says that it takes any place on the disk."""
    about = f"{ground.tool.description} {ground.takes_by_name[name].about}"
    return "absolute" in about.lower()


OUTSIDE: Final = Outside()
