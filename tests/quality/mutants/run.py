"""Tells how many mistakes in error paths `[faults]` finds.

python -m tests.quality.mutants.run [EVERY]
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.quality.mutants import trial as trials
from tests.quality.mutants.operators import Mutant, mutants_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.quality.mutants.trial import Trial

MODULES: Final = ("shop_web", "shop_data")
FLOOR: Final = 0.85
"""The share of mutants that has to be found."""

USERS: Final = {
    "refused": ("get_quote", "list_products"),
    "rows": ("list_products", "find_orders"),
}
"""The tools through which the helpers are tried."""


@dataclass(slots=True)
class Tally:
    """What came of the mutants."""

    made: Counter[str] = field(default_factory=Counter)
    killed: Counter[str] = field(default_factory=Counter)
    by_success: list[str] = field(default_factory=list)
    survivors: list[str] = field(default_factory=list)
    calls: int = 0

    @property
    def share(self) -> float:
        """The share that was found."""
        return self.killed.total() / self.made.total()


def run(folder: Path, every: int = 1) -> Tally:
    """Try every n-th mutant of each operator.

    Args:
        folder: Where the shop has its files, and where the mutants are written.
        every: How many of each operator's mutants stand for one that is tried.
    """
    tally, trial = Tally(), trials.Trial()
    seen: Counter[str] = Counter()
    (folder / "shop").mkdir()
    with trials.shop(folder / "shop"):
        for module in MODULES:
            source = (trials.HERE / f"{module}.py").read_text()
            for mutant in mutants_of(source):
                seen[mutant.operator] += 1
                if seen[mutant.operator] % every == 0:
                    _try(mutant, module, folder, trial, tally)
    trial.close()
    return tally


def _try(mutant: Mutant, module: str, folder: Path, trial: Trial, tally: Tally) -> None:
    tally.made[mutant.operator] += 1
    name = f"{module}_{tally.made.total()}"
    path = folder / "mutants" / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(mutant.source)
    tools = trials.load(path, name).TOOLS
    told = f"{module}:{mutant.line} {mutant.function}: {mutant.operator}"
    if any(_is_killed(*each, trial, tally, told) for each in _tried(tools, mutant)):
        tally.killed[mutant.operator] += 1
    else:
        tally.survivors.append(told)


def _tried(
    tools: dict[Callable[..., Any], dict[str, Any]], mutant: Mutant
) -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    names = USERS.get(mutant.function, (mutant.function,))
    return [(tool, tools[tool]) for tool in tools if tool.__name__ in names]


def _is_killed(
    tool: Callable[..., Any],
    given: dict[str, Any],
    trial: Trial,
    tally: Tally,
    told: str,
) -> bool:
    if trials.errors(trial.success(tool, given)):
        tally.by_success.append(told)
    evidence = trial.faults(tool, given)
    tally.calls += evidence.calls
    return bool(trials.errors(evidence))


def main(every: int) -> int:
    """Print the figures; the exit code tells whether they are good enough."""
    with tempfile.TemporaryDirectory() as folder:
        tally = run(Path(folder), every)
    for operator, made in tally.made.items():
        print(f"{operator:30} {tally.killed[operator]:4} of {made}")
    print(f"{'all':30} {tally.killed.total():4} of {tally.made.total()}", end="")
    print(f" ({tally.share:.0%}), {tally.calls} calls")
    print(*(f"found without a fault: {each}" for each in tally.by_success), sep="\n")
    print(*(f"survived: {each}" for each in tally.survivors), sep="\n")
    return int(tally.share < FLOOR or bool(tally.by_success))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
